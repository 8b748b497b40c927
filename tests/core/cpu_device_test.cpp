// The CPU device's memory, copies, streams and events.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "core/ir/error.h"
#include "core/rhi/device.h"

namespace qd {
namespace {

CompiledTask serial(TaskFunction function) {
  CompiledTask task;
  task.task.type = TaskType::serial;
  task.function = function;
  return task;
}

TEST(CpuDevice, EventsOrderStreams) {
  const auto device = rhi::make_cpu_device({.threads = 2});
  const rhi::Stream a = device->create_stream(), b = device->create_stream();
  const rhi::Event start = device->create_event(), event = device->create_event();
  struct Block {
    alignas(64) LaunchHeader header{};
    std::atomic<int32_t> value{0}, seen{-1};
  } block;
  const auto slow = [](void* p, int64_t, int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    static_cast<Block*>(p)->value = 1;
  };
  const auto look = [](void* p, int64_t, int64_t) {
    static_cast<Block*>(p)->seen = static_cast<Block*>(p)->value.load();
  };
  EXPECT_THROW(device->elapsed_seconds(start, event), Error);
  device->record(start, a);
  device->launch(a, serial(slow), &block);
  device->record(event, a);
  device->wait(b, event);
  device->launch(b, serial(look), &block);
  const double seconds = device->elapsed_seconds(start, event);
  device->destroy_event(event);
  device->sync(b);
  EXPECT_EQ(block.seen, 1);
  EXPECT_GE(seconds, 0.009);
  device->destroy_event(start);
  device->destroy_stream(a);
  device->destroy_stream(b);
  EXPECT_EQ(device->leaks().streams + device->leaks().events, 0);
}

TEST(CpuDevice, MemoryIsZeroedAlignedAndCounted) {
  const auto device = rhi::make_cpu_device({.threads = 2});
  for (int64_t size : {0, 1, 100, 300'000, 5'000'001}) {
    auto* memory = static_cast<char*>(device->allocate(size));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0U);
    for (int64_t i = 0; i < size; i += 97) ASSERT_EQ(memory[i], 0);
    EXPECT_EQ(device->leaks().allocations, 1);
    EXPECT_EQ(device->leaks().bytes, size);
    if (size > 0) memory[size - 1] = 1;
    EXPECT_THROW(device->free(memory, size + 1), Error);
    EXPECT_THROW(device->require_allocated(memory, size + 1), Error);
    EXPECT_NO_THROW(device->require_allocated(memory + size, 0));
    device->free(memory, size);
    EXPECT_THROW(device->free(memory, size), Error);
    EXPECT_EQ(device->leaks().allocations + device->leaks().bytes, 0);
  }
}

TEST(CpuDevice, RefusesMoreThanThereIs) {
  const auto device = rhi::make_cpu_device({.threads = 1});
  const int64_t physical = device->info().memory_bytes;
  ASSERT_GT(physical, 0);
  for (int64_t size : {physical + 1, std::numeric_limits<int64_t>::max()}) {
    try {
      device->allocate(size);
      FAIL();
    } catch (const Error& e) {
      EXPECT_EQ(e.code, Code::out_of_memory);
      EXPECT_NE(std::string(e.what()).find(std::to_string(size)), std::string::npos);
      EXPECT_NE(std::string(e.what()).find(std::to_string(physical)), std::string::npos);
    }
  }
  EXPECT_THROW(device->allocate(-1), Error);
  EXPECT_THROW(rhi::make_cpu_device({.threads = -1}), Error);
}

TEST(CpuDevice, FillsAndCopies) {
  const auto device = rhi::make_cpu_device({.threads = 4});
  for (int64_t pattern_size : {1, 3, 4, 12, 4096}) {
    for (int64_t repeats : {0, 1, 5, 4001}) {
      std::vector<char> pattern(static_cast<size_t>(pattern_size));
      for (size_t i = 0; i < pattern.size(); ++i) pattern[i] = static_cast<char>(i * 7 + 1);
      const int64_t size = pattern_size * repeats;
      void* memory = device->allocate(size + 1);
      device->fill(nullptr, memory, size, pattern.data(), pattern_size);
      std::vector<char> out(static_cast<size_t>(size) + 1, 'x');
      device->copy_out(nullptr, out.data(), memory, size + 1);
      for (size_t i = 0; i < static_cast<size_t>(size); ++i) ASSERT_EQ(out[i], pattern[i % pattern.size()]);
      EXPECT_EQ(out.back(), 0);
      out.assign(out.size(), 'y');
      device->copy_in(nullptr, memory, out.data(), size + 1);
      EXPECT_EQ(std::memcmp(memory, out.data(), out.size()), 0);
      device->free(memory, size + 1);
    }
  }
}

}  // namespace
}  // namespace qd
