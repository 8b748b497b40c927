// Streams and events through the C ABI: order, failures, and every order of closing.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "capi/qd.h"

namespace {

struct Array {
  uint64_t data;
  int64_t length;
};
struct Args {
  Array to, from;
};

class Streams : public testing::Test {
 protected:
  void SetUp() override {
    qd_program_config config{};
    config.threads = 2;
    program_ = qd_program_create(&config, &error_);
    ASSERT_NE(program_, nullptr) << error_.message;
    increment_ = build_increment();
    hold_ = build_hold();
    gate_ = allocate(1);
  }
  void TearDown() override {
    qd_memory_free(program_, gate_, sizeof(int64_t));
    qd_kernel_destroy(increment_);
    qd_kernel_destroy(hold_);
    qd_program_destroy(program_);
    qd_leaks leaks{};
    qd_process_leaks(&leaks);
    EXPECT_EQ(leaks.allocations + leaks.streams + leaks.events + leaks.kernels, 0);
  }

  // for i := range to { to[i] = from[i] + 1 }
  qd_kernel* build_increment() {
    qd_builder* b = qd_builder_create(program_, "increment", &error_);
    const qd_param to = qd_builder_param_array(b, "to", QD_I64, 1, &error_);
    const qd_param from = qd_builder_param_array(b, "from", QD_I64, 1, &error_);
    qd_builder_position(b, qd_builder_file(b, "increment.go", &error_), 7, 3, &error_);
    const std::array<qd_expr, 2> bounds = {qd_builder_constant_int(b, QD_I64, 0, &error_),
                                           qd_builder_dim(b, to, 0, &error_)};
    const qd_label loop = qd_builder_begin_for(b, 2, bounds.data(), nullptr, &error_);
    const qd_expr i = qd_builder_loop_index(b, loop, 0, &error_);
    const qd_expr sum = qd_builder_binary(b, QD_ADD, qd_builder_element(b, from, 1, &i, 1, &error_),
                                          qd_builder_constant_int(b, QD_I64, 1, &error_), &error_);
    qd_builder_assign(b, qd_builder_element(b, to, 1, &i, 1, &error_), sum, &error_);
    qd_builder_end_for(b, &error_);
    return finish(b);
  }
  // for range 1 { for atomic_add(&gate[0], 0) == 0 {} }; in a parallel loop, since serial code has no need of atomics.
  qd_kernel* build_hold() {
    qd_builder* b = qd_builder_create(program_, "hold", &error_);
    const qd_param gate = qd_builder_param_array(b, "gate", QD_I64, 1, &error_);
    const qd_expr zero = qd_builder_constant_int(b, QD_I64, 0, &error_);
    const std::array<qd_expr, 2> once = {zero, qd_builder_constant_int(b, QD_I64, 1, &error_)};
    qd_builder_begin_for(b, 2, once.data(), nullptr, &error_);
    const qd_label loop = qd_builder_begin_loop(b, &error_);
    const qd_expr place = qd_builder_element(b, gate, 1, &zero, 1, &error_);
    const qd_expr now = qd_builder_atomic(b, QD_ATOMIC_ADD, place, zero, &error_);
    qd_builder_begin_if(b, qd_builder_binary(b, QD_NE, now, zero, &error_), &error_);
    qd_builder_break(b, loop, &error_);
    qd_builder_end_if(b, &error_);
    qd_builder_end_loop(b, &error_);
    qd_builder_end_for(b, &error_);
    return finish(b);
  }
  qd_kernel* finish(qd_builder* b) {
    qd_kernel* kernel = qd_builder_finish(b, &error_);
    EXPECT_NE(kernel, nullptr) << error_.message;
    qd_builder_destroy(b);
    return kernel;
  }

  qd_stream* stream() {
    qd_stream* made = qd_stream_create(program_, &error_);
    EXPECT_NE(made, nullptr) << error_.message;
    return made;
  }
  qd_event* event() {
    qd_event* made = qd_event_create(program_, &error_);
    EXPECT_NE(made, nullptr) << error_.message;
    return made;
  }
  uint64_t allocate(int64_t length) {
    return qd_memory_allocate(program_, length * static_cast<int64_t>(sizeof(int64_t)), &error_);
  }
  // What is queued on the stream afterwards waits for release().
  void hold(qd_stream* s) {
    const Array gate{gate_, 1};
    EXPECT_EQ(qd_kernel_launch_on(hold_, s, &gate, sizeof gate, nullptr, &error_), QD_OK) << error_.message;
  }
  void release() { reinterpret_cast<std::atomic<int64_t>*>(gate_)->store(1); }
  qd_code increment(qd_stream* s, Array to, Array from) {
    const Args args{to, from};
    return qd_kernel_launch_on(increment_, s, &args, sizeof args, nullptr, &error_);
  }

  qd_program* program_ = nullptr;
  qd_kernel *increment_ = nullptr, *hold_ = nullptr;
  uint64_t gate_ = 0;
  qd_error error_{};
};

TEST_F(Streams, EventsOrderThem) {
  constexpr int64_t kLength = 1000;
  const Array x{allocate(kLength), kLength}, y{allocate(kLength), kLength};
  qd_stream *a = stream(), *b = stream();
  qd_event *ready = event(), *done = event();
  for (int round = 0; round < 500; ++round) {
    EXPECT_EQ(increment(a, x, y), QD_OK);
    EXPECT_EQ(qd_event_record(ready, a, &error_), QD_OK);
    EXPECT_EQ(qd_event_wait(b, ready, &error_), QD_OK);
    EXPECT_EQ(increment(b, y, x), QD_OK);
    EXPECT_EQ(qd_event_record(done, b, &error_), QD_OK);
    EXPECT_EQ(qd_event_wait(a, done, &error_), QD_OK);
  }
  EXPECT_EQ(qd_event_sync(done, &error_), QD_OK);
  double seconds = -1;
  EXPECT_EQ(qd_event_elapsed(ready, done, &seconds, &error_), QD_OK);
  EXPECT_GE(seconds, 0);
  for (int64_t i = 0; i < kLength; ++i) EXPECT_EQ(reinterpret_cast<int64_t*>(y.data)[i], 1000);
  qd_event_destroy(ready);
  qd_event_destroy(done);
  qd_stream_destroy(a);
  qd_stream_destroy(b);
  qd_memory_free(program_, x.data, kLength * 8);
  qd_memory_free(program_, y.data, kLength * 8);
}

TEST_F(Streams, FailuresAreReportedOnce) {
  std::vector<int64_t> to(8), from(8);
  const Array whole{reinterpret_cast<uintptr_t>(to.data()), 8}, half{reinterpret_cast<uintptr_t>(from.data()), 4};
  qd_stream *a = stream(), *b = stream();
  EXPECT_EQ(increment(a, whole, half), QD_OK);
  EXPECT_EQ(qd_stream_drain(a, &error_), QD_OK);
  EXPECT_EQ(increment(b, whole, {half.data, 3}), QD_OK);
  EXPECT_EQ(increment(b, whole, {half.data, 2}), QD_OK);
  for (const int64_t length : {4, 3}) {
    ASSERT_EQ(qd_program_sync(program_, &error_), QD_KERNEL);
    EXPECT_EQ(error_.check, QD_CHECK_INDEX);
    EXPECT_EQ(error_.values[1], length);
    EXPECT_STREQ(error_.name, "from");
    EXPECT_STREQ(error_.kernel, "increment");
    EXPECT_STREQ(error_.position.file, "increment.go");
    EXPECT_EQ(error_.position.line, 7);
  }
  EXPECT_EQ(qd_program_sync(program_, &error_), QD_OK);
  EXPECT_EQ(qd_stream_sync(b, &error_), QD_OK);

  EXPECT_EQ(increment(a, whole, half), QD_OK);
  EXPECT_EQ(qd_stream_sync(a, &error_), QD_KERNEL);
  EXPECT_EQ(qd_stream_failure(a, &error_), QD_OK);

  EXPECT_EQ(increment(a, whole, half), QD_OK);
  qd_stream_destroy(a);
  EXPECT_EQ(qd_program_failure(program_, &error_), QD_KERNEL) << "the stream is gone, its failure is not";
  EXPECT_EQ(qd_program_failure(program_, &error_), QD_OK);
  qd_stream_destroy(b);
}

TEST_F(Streams, WhatIsFreedWhileQueuedLivesUntilItIsPassed) {
  constexpr int64_t kLength = 4096;
  qd_stream *held = stream(), *idle = stream();
  const Array x{allocate(kLength), kLength}, y{allocate(kLength), kLength};
  hold(held);
  EXPECT_EQ(increment(held, x, y), QD_OK);
  qd_memory_free(program_, x.data, kLength * 8);
  qd_memory_free(program_, x.data + 8, kLength * 8);  // no memory of the program: nothing happens
  qd_leaks leaks{};
  EXPECT_EQ(qd_program_leaks(program_, &leaks, &error_), QD_OK);
  EXPECT_EQ(leaks.allocations, 3) << "the queued launch still uses it";
  EXPECT_EQ(leaks.streams, 2);
  qd_kernel_destroy(increment_);
  increment_ = nullptr;
  release();
  EXPECT_EQ(qd_stream_sync(held, &error_), QD_OK);
  EXPECT_EQ(qd_program_leaks(program_, &leaks, &error_), QD_OK);
  EXPECT_EQ(leaks.allocations, 2);
  EXPECT_EQ(leaks.kernels, 1) << "only hold is left";
  qd_memory_free(program_, y.data, kLength * 8);
  EXPECT_EQ(qd_program_leaks(program_, &leaks, &error_), QD_OK);
  EXPECT_EQ(leaks.allocations, 1) << "nothing is queued: it is given back at once";
  qd_stream_destroy(held);
  qd_stream_destroy(idle);
}

TEST_F(Streams, ClosedProgramsSaySo) {
  qd_program_config config{};
  config.threads = 2;
  qd_program* other = qd_program_create(&config, &error_);
  qd_stream* s = qd_stream_create(other, &error_);
  qd_event* e = qd_event_create(other, &error_);
  const Array gate{gate_, 1};
  EXPECT_EQ(qd_kernel_launch_on(hold_, s, &gate, sizeof gate, nullptr, &error_), QD_INVALID);
  EXPECT_STREQ(error_.message, "the stream belongs to another program than the kernel");
  EXPECT_EQ(qd_event_record(e, nullptr, &error_), QD_OK);
  qd_stream* own = stream();
  EXPECT_EQ(qd_event_record(e, own, &error_), QD_INVALID);
  EXPECT_EQ(qd_event_wait(own, e, &error_), QD_INVALID);
  qd_event* own_event = event();
  double seconds = 0;
  EXPECT_EQ(qd_event_elapsed(e, own_event, &seconds, &error_), QD_INVALID);
  EXPECT_EQ(qd_event_elapsed(own_event, own_event, &seconds, &error_), QD_INVALID) << "never recorded";
  qd_event_destroy(own_event);
  qd_stream_destroy(own);

  qd_program_destroy(other);
  EXPECT_EQ(qd_stream_sync(s, &error_), QD_CLOSED);
  EXPECT_EQ(qd_stream_drain(s, &error_), QD_CLOSED);
  EXPECT_EQ(qd_stream_failure(s, &error_), QD_CLOSED);
  EXPECT_EQ(qd_event_record(e, s, &error_), QD_CLOSED);
  EXPECT_EQ(qd_event_wait(s, e, &error_), QD_CLOSED);
  EXPECT_EQ(qd_event_sync(e, &error_), QD_CLOSED);
  EXPECT_EQ(qd_event_elapsed(e, e, &seconds, &error_), QD_CLOSED);
  qd_event_destroy(e);
  qd_stream_destroy(s);
}

TEST_F(Streams, NothingIsRequired) {
  EXPECT_EQ(qd_stream_create(nullptr, &error_), nullptr);
  EXPECT_EQ(qd_event_create(nullptr, &error_), nullptr);
  EXPECT_EQ(qd_stream_sync(nullptr, &error_), QD_INVALID);
  EXPECT_EQ(qd_event_record(nullptr, nullptr, &error_), QD_INVALID);
  EXPECT_EQ(qd_event_wait(nullptr, nullptr, nullptr), QD_INVALID);
  EXPECT_EQ(qd_event_sync(nullptr, &error_), QD_INVALID);
  EXPECT_EQ(qd_program_drain(nullptr, &error_), QD_INVALID);
  qd_stream* s = stream();
  EXPECT_EQ(qd_kernel_launch_on(nullptr, s, nullptr, 0, nullptr, &error_), QD_INVALID);
  EXPECT_EQ(qd_kernel_launch_on(hold_, s, nullptr, 3, nullptr, &error_), QD_INVALID);
  qd_stream_destroy(s);
  qd_stream_destroy(nullptr);
  qd_event_destroy(nullptr);
}

TEST_F(Streams, ClosingTheProgramWaitsAndRefusesFurtherLaunches) {
  const std::vector<qd_stream*> streams = {stream(), stream(), stream(), stream()};
  std::atomic<int> wrong{0}, launched{0};
  std::vector<std::vector<int64_t>> arrays(16, std::vector<int64_t>(1000));  // outlive the queued launches
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      qd_error own{};
      const Args args{{reinterpret_cast<uintptr_t>(arrays[t].data()), 1000},
                      {reinterpret_cast<uintptr_t>(arrays[t + 8].data()), 1000}};
      qd_code code = QD_OK;
      while (code == QD_OK) {
        code = qd_kernel_launch_on(increment_, streams[t % 4], &args, sizeof args, nullptr, &own);
        if (launched.fetch_add(1) % 64 == 0) qd_stream_sync(streams[t % 4], &own);
      }
      wrong.fetch_add(code == QD_CLOSED ? 0 : 1);
    });
  }
  while (launched.load() < 500) std::this_thread::yield();
  qd_memory_free(program_, gate_, sizeof(int64_t));
  gate_ = 0;
  EXPECT_EQ(qd_program_drain(program_, &error_), QD_OK);
  qd_program_destroy(program_);
  program_ = nullptr;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  for (qd_stream* s : streams) qd_stream_destroy(s);
}

}  // namespace
