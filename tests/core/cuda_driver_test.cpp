// The CUDA device's memory, copies, streams and events, by the driver's calls that they make.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/ir/error.h"
#include "core/rhi/cuda/cuda_device.h"
#include "tests/core/cuda_recorder.h"

namespace qd::rhi {
namespace {

using cuda::Recorder;

class CudaDriver : public testing::Test {
 protected:
  void TearDown() override {
    device_.reset();
    EXPECT_EQ(recorder_.not_given_back(), "");
    EXPECT_EQ(recorder_.faults, std::vector<std::string>());
    Recorder::current() = nullptr;
  }
  template <class F>
  std::string message_of(Code code, F&& f) {
    try {
      f();
    } catch (const Error& e) {
      EXPECT_EQ(e.code, code) << e.what();
      return e.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
  }
  std::vector<char> read(const void* memory, size_t size) {
    std::vector<char> out(size, 'x');
    device_->copy_out(nullptr, out.data(), memory, static_cast<int64_t>(size));
    return out;
  }

  Recorder recorder_;
  std::unique_ptr<CudaDevice> device_ = std::make_unique<CudaDevice>(Recorder::table(), 0);
};

TEST_F(CudaDriver, DescribesTheGpu) {
  const DeviceInfo info = device_->info();
  EXPECT_EQ(info.name, "A GPU of tests");
  EXPECT_EQ(info.workers, 4);
  EXPECT_EQ(info.memory_bytes, int64_t{1} << 30);
  EXPECT_TRUE(info.queues);
  EXPECT_GE(info.group_streams, 31);
}

TEST_F(CudaDriver, StreamsNeverWaitForTheLegacyStream) {
  const Stream stream = device_->create_stream();
  EXPECT_EQ(recorder_.count("cuStreamCreate "), recorder_.count("cuStreamCreate flags=1"));
  EXPECT_EQ(recorder_.count("cuStreamCreate flags=1"), 3);  // two of the device's own
  // Copies, fills and allocations use streams that were made; others would be faults.
  void* memory = device_->allocate(100);
  device_->copy_in(nullptr, memory, "abc", 3);
  device_->copy_in(stream, memory, "abc", 3);
  device_->fill(nullptr, memory, 100, "a", 1);
  device_->sync(static_cast<Stream>(nullptr));
  device_->free(memory, 100);
  EXPECT_EQ(device_->leaks().streams, 1);
  device_->destroy_stream(stream);
  EXPECT_EQ(device_->leaks().streams, 0);
}

TEST_F(CudaDriver, LeavesTheThreadsContextAsItWas) {
  const auto everything = [&] {
    const Stream stream = device_->create_stream();
    const Event event = device_->create_event();
    const Slot slot = device_->create_slot();
    void* memory = device_->allocate(10);
    device_->copy_in(stream, memory, "abc", 3);
    device_->record(event, stream);
    device_->wait(nullptr, event);
    device_->sync(event);
    EXPECT_TRUE(device_->passed(event));
    EXPECT_THROW(device_->allocate(int64_t{1} << 50), Error);
    device_->free(memory, 10);
    device_->destroy_slot(slot);
    device_->destroy_event(event);
    device_->destroy_stream(stream);
  };
  Recorder::current() = recorder_.other();
  everything();
  EXPECT_EQ(Recorder::current(), recorder_.other());
  // A thread that had none keeps this one.
  std::thread([&] {
    everything();
    EXPECT_EQ(Recorder::current(), recorder_.primary());
  }).join();
  // Where it is current already, it is not set.
  Recorder::current() = recorder_.primary();
  const int set = recorder_.count("cuCtxSetCurrent");
  EXPECT_GT(set, 0);
  everything();
  EXPECT_EQ(recorder_.count("cuCtxSetCurrent"), set);
  EXPECT_EQ(Recorder::current(), recorder_.primary());
}

TEST_F(CudaDriver, MemoryIsZeroedAndCounted) {
  EXPECT_EQ(recorder_.count("cuMemPoolSetAttribute 18446744073709551615"), 1);  // keeps what is freed
  for (const int64_t size : {0, 1, 100, 5'000'001}) {
    void* memory = device_->allocate(size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0U);
    EXPECT_EQ(read(memory, static_cast<size_t>(size)), std::vector<char>(static_cast<size_t>(size), 0));
    EXPECT_EQ(device_->leaks().allocations, 1);
    EXPECT_EQ(device_->leaks().bytes, size);
    EXPECT_THROW(device_->free(memory, size + 1), Error);
    EXPECT_THROW(device_->require_allocated(memory, size + 1), Error);
    EXPECT_THROW(device_->require_allocated(static_cast<char*>(memory) - 1, 1), Error);
    EXPECT_NO_THROW(device_->require_allocated(static_cast<char*>(memory) + size, 0));
    device_->free(memory, size);
    EXPECT_THROW(device_->free(memory, size), Error);
    EXPECT_THROW(device_->require_allocated(memory, 0), Error);
    EXPECT_EQ(device_->leaks().allocations + device_->leaks().bytes, 0);
  }
  EXPECT_THROW(device_->allocate(-1), Error);
  device_->allocate(7);  // a device gives back what nobody freed
}

TEST_F(CudaDriver, SaysHowMuchMemoryWasWanted) {
  const std::string far_too_much = message_of(Code::out_of_memory, [&] { device_->allocate(INT64_MAX); });
  EXPECT_EQ(recorder_.count("cuMemAllocFromPoolAsync"), 0);
  void* memory = device_->allocate(1000);
  recorder_.always["cuMemAllocFromPoolAsync"] = cuda::CUDA_ERROR_OUT_OF_MEMORY;
  EXPECT_EQ(message_of(Code::out_of_memory, [&] { device_->allocate(5000); }),
            "out of GPU memory: 5000 bytes wanted, 536870912 of 1073741824 free, arrays hold 1000");
  EXPECT_EQ(recorder_.count("cuMemPoolTrimTo"), 1);
  EXPECT_EQ(recorder_.count("cuMemAllocFromPoolAsync"), 3);  // tried again after trimming
  recorder_.always.clear();
  device_->free(memory, 1000);
}

TEST_F(CudaDriver, TriesAgainWithATrimmedPool) {
  recorder_.fail_call = recorder_.counted + 1;  // the allocation
  void* memory = device_->allocate(5000);
  EXPECT_EQ(recorder_.count("cuMemPoolTrimTo"), 1);
  device_->free(memory, 5000);
}

// More than all of a copy's pinned memory, so that pieces of it are used again. The recorder does not copy before
// somebody waits: a piece that is used too early shows.
TEST_F(CudaDriver, CopiesInPiecesThatOverlap) {
  const size_t size = 11 * cuda::Staging::kChunk + 12'345;
  std::vector<char> in(size), out(size);
  for (size_t i = 0; i < size; ++i) in[i] = static_cast<char>(i * 7 + i / 1'000'003);
  void* memory = device_->allocate(static_cast<int64_t>(size));
  const Stream stream = device_->create_stream();
  recorder_.calls.clear();
  device_->copy_in(stream, memory, in.data(), static_cast<int64_t>(size));
  EXPECT_EQ(recorder_.count("cuMemHostAlloc"), 4);
  const auto first_wait = std::find(recorder_.calls.begin(), recorder_.calls.end(), "cuEventSynchronize");
  EXPECT_EQ(std::count(recorder_.calls.begin(), first_wait, "cuMemcpyHtoDAsync"), 4);
  std::fill(in.begin() + 5, in.end(), 'x');  // it is complete
  recorder_.calls.clear();
  device_->copy_out(stream, out.data(), memory, static_cast<int64_t>(size));
  EXPECT_EQ(recorder_.count("cuMemHostAlloc"), 0);
  const auto wait = std::find(recorder_.calls.begin(), recorder_.calls.end(), "cuEventSynchronize");
  EXPECT_EQ(std::count(recorder_.calls.begin(), wait, "cuMemcpyDtoHAsync"), 4);
  for (size_t i = 0; i < size; ++i) ASSERT_EQ(out[i], static_cast<char>(i * 7 + i / 1'000'003)) << i;
  device_->destroy_stream(stream);
  device_->free(memory, static_cast<int64_t>(size));
}

// The second copy uses the pinned memory of the first.
TEST_F(CudaDriver, ACopyIsCompleteWhenItReturns) {
  const Stream a = device_->create_stream(), b = device_->create_stream();
  void *first = device_->allocate(3), *second = device_->allocate(3);
  device_->copy_in(a, first, "abc", 3);
  device_->copy_in(b, second, "def", 3);
  device_->sync(b);
  device_->sync(a);
  EXPECT_EQ(read(first, 3), std::vector<char>({'a', 'b', 'c'}));
  EXPECT_EQ(read(second, 3), std::vector<char>({'d', 'e', 'f'}));
  for (void* memory : {first, second}) device_->free(memory, 3);
  for (const Stream stream : {a, b}) device_->destroy_stream(stream);
}

TEST_F(CudaDriver, FillsWithPatternsOfAnySize) {
  for (const int64_t pattern_size : {1, 2, 3, 4, 8, 12, 100'000}) {
    for (const int64_t repeats : {0, 1, 5, 4001}) {
      const int64_t size = pattern_size * repeats;
      if (size > 50'000'000) continue;
      std::vector<char> pattern(static_cast<size_t>(pattern_size));
      for (size_t i = 0; i < pattern.size(); ++i) pattern[i] = static_cast<char>(i * 7 + 1);
      void* memory = device_->allocate(size + 8);
      for (const int64_t offset : {0, 1, 2, 4}) {  // as alignment is not promised
        device_->fill(nullptr, static_cast<char*>(memory) + offset, size, pattern.data(), pattern_size);
        const std::vector<char> out = read(static_cast<char*>(memory) + offset, static_cast<size_t>(size) + 1);
        for (size_t i = 0; i < static_cast<size_t>(size); ++i) ASSERT_EQ(out[i], pattern[i % pattern.size()]);
        if (offset == 0) {
          EXPECT_EQ(out.back(), 0);
        }
      }
      device_->free(memory, size + 8);
    }
  }
}

TEST_F(CudaDriver, FillsByTheDriversMemsetWhereThePatternAllows) {
  void* memory = device_->allocate(4800);
  recorder_.calls.clear();
  const std::vector<char> zeros(12, 0);
  device_->fill(nullptr, memory, 4800, zeros.data(), 12);
  EXPECT_EQ(recorder_.count("cuMemsetD8Async"), 1);
  const uint32_t pairs[2] = {7, 7};
  device_->fill(nullptr, memory, 4800, pairs, 8);
  EXPECT_EQ(recorder_.count("cuMemsetD32Async"), 1);
  const uint16_t half = 0x102;
  device_->fill(nullptr, memory, 4800, &half, 2);
  EXPECT_EQ(recorder_.count("cuMemsetD16Async"), 1);
  EXPECT_EQ(recorder_.count("cuMemcpy"), 0);
  device_->free(memory, 4800);
}

TEST_F(CudaDriver, EventsOrderStreams) {
  const Stream a = device_->create_stream(), b = device_->create_stream();
  const Event event = device_->create_event(), other = device_->create_event();
  EXPECT_EQ(recorder_.count("cuEventCreate flags=0"), 2);  // with times
  EXPECT_TRUE(device_->passed(event));
  message_of(Code::invalid, [&] { device_->elapsed_seconds(event, other); });
  device_->wait(b, event);  // never recorded: nothing to wait for
  EXPECT_EQ(recorder_.count("cuStreamWaitEvent"), 0);
  device_->record(event, a);
  EXPECT_FALSE(device_->passed(event));
  device_->wait(b, event);
  EXPECT_EQ(recorder_.count("cuStreamWaitEvent"), 1);
  device_->record(other, b);
  EXPECT_EQ(device_->elapsed_seconds(event, other), 0.0025);
  EXPECT_TRUE(device_->passed(other));
  EXPECT_EQ(device_->leaks().events, 2);
  device_->destroy_event(event);
  device_->destroy_event(other);
  device_->destroy_stream(a);
  device_->destroy_stream(b);
  EXPECT_EQ(device_->leaks().streams + device_->leaks().events, 0);
}

TEST_F(CudaDriver, AStreamIsHeldByOneThread) {
  const Stream stream = device_->create_stream();
  const Event event = device_->create_event();
  device_->begin(stream);
  device_->record(event, stream);  // the holder goes on
  std::atomic<bool> recorded{false};
  std::thread other([&] {
    device_->record(event, stream);
    recorded = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(recorded);
  device_->end(stream);
  other.join();
  EXPECT_TRUE(recorded);
  device_->destroy_event(event);
  device_->destroy_stream(stream);
}

TEST_F(CudaDriver, NeverDestroysAForeignStream) {
  const uint64_t handle = recorder_.foreign_stream(recorder_.primary());
  const Stream stream = device_->wrap_stream(handle);
  void* memory = device_->allocate(3);
  device_->copy_in(stream, memory, "abc", 3);
  EXPECT_EQ(device_->leaks().streams, 1);
  device_->destroy_stream(stream);
  EXPECT_EQ(device_->leaks().streams, 0);
  EXPECT_TRUE(recorder_.alive(handle));
  EXPECT_EQ(read(memory, 3), std::vector<char>({'a', 'b', 'c'}));
  device_->free(memory, 3);

  EXPECT_NE(message_of(Code::invalid, [&] { device_->wrap_stream(recorder_.foreign_stream(recorder_.other())); })
                .find("another GPU"),
            std::string::npos);
  message_of(Code::invalid, [&] { device_->wrap_stream(2); });  // a per-thread default stream
  device_->destroy_stream(device_->wrap_stream(0));             // the legacy default stream, by its other name
  EXPECT_EQ(std::count(recorder_.calls.begin(), recorder_.calls.end(), "cuStreamGetCtx 1"), 1);
}

TEST_F(CudaDriver, TellsErrorsApart) {
  const std::vector<std::pair<cuda::CUresult, Code>> cases{{cuda::CUDA_ERROR_OUT_OF_MEMORY, Code::out_of_memory},
                                                           {cuda::CUDA_ERROR_NOT_SUPPORTED, Code::unsupported},
                                                           {cuda::CUDA_ERROR_INVALID_VALUE, Code::internal},
                                                           {cuda::CUDA_ERROR_DEVICE_UNAVAILABLE, Code::no_device},
                                                           {cuda::CUDA_ERROR_UNKNOWN, Code::internal}};
  for (const auto& [result, code] : cases) {
    recorder_.always["cuStreamCreate"] = result;
    EXPECT_EQ(message_of(code, [&] { device_->create_stream(); }),
              "CUDA, creating a stream: CUDA_ERROR_OF_A_TEST: as a test wants it");
  }
  recorder_.always.clear();
  device_->destroy_stream(device_->create_stream());  // none of them is for ever
}

TEST_F(CudaDriver, ALostGpuStaysLost) {
  for (const cuda::CUresult result :
       {cuda::CUDA_ERROR_ILLEGAL_ADDRESS, cuda::CUDA_ERROR_LAUNCH_FAILED, cuda::CUDA_ERROR_ECC_UNCORRECTABLE,
        cuda::CUDA_ERROR_MISALIGNED_ADDRESS, cuda::CUDA_ERROR_ILLEGAL_INSTRUCTION, cuda::CUDA_ERROR_LAUNCH_TIMEOUT}) {
    auto device = std::make_unique<CudaDevice>(Recorder::table(), 0);
    const Stream stream = device->create_stream();
    const Event event = device->create_event();
    const Slot slot = device->create_slot();
    void* memory = device->allocate(10);
    device->record(event, stream);
    recorder_.stream_result = result;
    const std::string said = message_of(Code::device_lost, [&] { device->sync(stream); });
    EXPECT_NE(said.find("must be restarted"), std::string::npos);
    EXPECT_NE(said.find("waiting for a stream"), std::string::npos);
    recorder_.stream_result = cuda::CUDA_SUCCESS;  // it stays lost, whatever the driver says
    char bytes[3];
    for (const auto& call : std::vector<std::function<void()>>{
             [&] { device->sync(stream); }, [&] { device->sync(event); }, [&] { device->record(event, stream); },
             [&] { device->wait(stream, event); }, [&] { device->passed(event); }, [&] { device->create_stream(); },
             [&] { device->create_event(); }, [&] { device->create_slot(); }, [&] { device->allocate(1); },
             [&] { device->copy_out(stream, bytes, memory, 3); }, [&] { device->copy_in(stream, memory, bytes, 3); },
             [&] { device->fill(stream, memory, 10, "a", 1); }, [&] { device->wrap_stream(0); }}) {
      EXPECT_EQ(message_of(Code::device_lost, call), said);
    }
    recorder_.stream_result = result;
    device->free(memory, 10);
    device->destroy_slot(slot);
    device->destroy_event(event);
    device->destroy_stream(stream);
    EXPECT_EQ(device->leaks().allocations + device->leaks().streams + device->leaks().events, 0);
    device.reset();
    recorder_.stream_result = cuda::CUDA_SUCCESS;
  }
  void* memory = device_->allocate(1);  // another device of the process, where the driver lets it go on
  device_->free(memory, 1);
}

TEST_F(CudaDriver, CopiesOfManyThreadsShareThePinnedMemory) {
  constexpr size_t kSize = 6 * cuda::Staging::kChunk + 5;
  std::vector<std::thread> threads;
  for (int t = 0; t < 7; ++t) {
    threads.emplace_back([&, t] {
      const Stream stream = device_->create_stream();
      void* memory = device_->allocate(kSize);
      std::vector<char> in(kSize), out(kSize);
      for (size_t i = 0; i < kSize; ++i) in[i] = static_cast<char>(i + i / 1000 + static_cast<size_t>(t));
      device_->copy_in(stream, memory, in.data(), kSize);
      device_->copy_out(stream, out.data(), memory, kSize);
      EXPECT_TRUE(in == out);
      device_->free(memory, kSize);
      device_->destroy_stream(stream);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(recorder_.count("cuMemHostAlloc"), 16);
}

}  // namespace
}  // namespace qd::rhi
