// One kernel used by many threads at once: the first launch compiles, once; launches do not mix; closing is orderly.
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

// for i := range to { to[i] = from[i] + 1 }
qd_kernel* build(qd_program* program) {
  qd_error error{};
  qd_builder* b = qd_builder_create(program, "increment", &error);
  const qd_param to = qd_builder_param_array(b, "to", QD_I64, 1, &error);
  const qd_param from = qd_builder_param_array(b, "from", QD_I64, 1, &error);
  const std::array<qd_expr, 2> bounds = {qd_builder_constant_int(b, QD_I64, 0, &error),
                                         qd_builder_dim(b, to, 0, &error)};
  const qd_label loop = qd_builder_begin_for(b, 2, bounds.data(), nullptr, &error);
  const qd_expr i = qd_builder_loop_index(b, loop, 0, &error);
  const qd_expr source = qd_builder_element(b, from, 1, &i, 1, &error);
  const qd_expr sum = qd_builder_binary(b, QD_ADD, source, qd_builder_constant_int(b, QD_I64, 1, &error), &error);
  EXPECT_EQ(qd_builder_assign(b, qd_builder_element(b, to, 1, &i, 1, &error), sum, &error), QD_OK) << error.message;
  EXPECT_EQ(qd_builder_end_for(b, &error), QD_OK) << error.message;
  qd_kernel* kernel = qd_builder_finish(b, &error);
  EXPECT_NE(kernel, nullptr) << error.message;
  qd_builder_destroy(b);
  return kernel;
}

uint64_t address(const std::vector<int64_t>& v) { return reinterpret_cast<uintptr_t>(v.data()); }

TEST(Threads, LaunchOneKernelAtOnce) {
  qd_error error{};
  qd_program_config config{};
  config.threads = 3;
  qd_program* program = qd_program_create(&config, &error);
  ASSERT_NE(program, nullptr) << error.message;
  qd_kernel* kernel = build(program);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 32; ++t) {
    threads.emplace_back([&, t] {
      qd_error own{};
      const auto length = static_cast<size_t>(100 + 1000 * (t % 4));
      for (int round = 0; round < 20; ++round) {
        std::vector<int64_t> from(length, t), to(length);
        // Every other thread lets its arrays be one, which needs the variant for arrays that overlap.
        const bool shared = t % 2 == 1;
        Args args{{address(shared ? from : to), static_cast<int64_t>(length)},
                  {address(from), static_cast<int64_t>(length)}};
        if (qd_kernel_launch(kernel, &args, sizeof args, nullptr, &own) != QD_OK) wrong.fetch_add(1);
        for (const int64_t x : shared ? from : to) wrong.fetch_add(x != t + 1 ? 1 : 0);
        args.from.length /= 2;
        if (qd_kernel_launch(kernel, &args, sizeof args, nullptr, &own) != QD_KERNEL) wrong.fetch_add(1);
      }
      if (qd_kernel_plan_width(kernel) != 1) wrong.fetch_add(1);
      if (qd_kernel_dump(kernel, t % 2 == 0 ? "offload" : "asm", nullptr, 0, &own) <= 0) wrong.fetch_add(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  qd_kernel_destroy(kernel);
  qd_program_destroy(program);
}

TEST(Threads, ClosingWaitsAndRefusesFurtherLaunches) {
  qd_error error{};
  qd_program_config config{};
  config.threads = 2;
  qd_program* program = qd_program_create(&config, &error);
  ASSERT_NE(program, nullptr) << error.message;
  qd_kernel* kernel = build(program);
  std::atomic<int> wrong{0}, launched{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      qd_error own{};
      std::vector<int64_t> from(1000, 1), to(1000);
      const Args args{{address(to), 1000}, {address(from), 1000}};
      qd_code code = QD_OK;
      while (code == QD_OK) {
        code = qd_kernel_launch(kernel, &args, sizeof args, nullptr, &own);
        launched.fetch_add(1);
      }
      if (code != QD_CLOSED) wrong.fetch_add(1);
    });
  }
  while (launched.load() < 100) std::this_thread::yield();
  qd_program_destroy(program);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  qd_kernel_destroy(kernel);
  qd_leaks leaks{};
  qd_process_leaks(&leaks);
  EXPECT_EQ(leaks.kernels + leaks.builders + leaks.allocations, 0);
}

}  // namespace
