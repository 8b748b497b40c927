// Every item of a range belongs to one thread: the arithmetic of a kernel (tiles.cpp), redone on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "core/codegen/cuda/cuda_kernel.h"

namespace qd {
namespace {

// Bounds as arguments, read as a compiled bounds function does: from behind the header.
void read_bounds(void* block, int64_t* bounds) {
  std::memcpy(bounds, static_cast<const char*>(block) + kHeaderSize, 6 * sizeof(int64_t));
}

using Bounds = std::array<int64_t, 6>;

// The items of one launch, counted.
class Tiles {
 public:
  Tiles(const CudaTask& task, const Bounds& bounds) : task_(task), dims_(task.task.dims), bounds_(bounds) {
    std::memcpy(memory_.data() + kHeaderSize / 8, bounds.data(), sizeof bounds);
    grid_ = plan_cuda_grid(task, launch(), {.multiprocessors = 1, .blocks_per_multiprocessor = 8});
    int64_t items = 1;
    for (int32_t axis = 0; axis < dims_; ++axis) items *= length(axis);
    counts_.resize(static_cast<size_t>(items));
    for (int64_t block = 0; block < grid_.blocks; ++block) {
      for (int32_t thread = 0; thread < grid_.threads; ++thread) run(static_cast<uint32_t>(block), thread);
    }
  }
  CudaLaunch* launch() { return reinterpret_cast<CudaLaunch*>(memory_.data()); }
  const CudaGrid& grid() const { return grid_; }
  // Threads that ran in lockstep until the end, those that parted ways, and those whose tile leaves the range.
  std::array<int64_t, 3> ways() const { return ways_; }
  bool each_once() const {
    return std::all_of(counts_.begin(), counts_.end(), [](uint8_t count) { return count == 1; });
  }

 private:
  int64_t length(int32_t axis) const { return bounds_[2 * axis + 1] - bounds_[2 * axis]; }
  int64_t begin(int32_t axis) const { return bounds_[2 * axis]; }
  int64_t end(int32_t axis) const { return bounds_[2 * axis + 1]; }

  void visit(int64_t first, int64_t middle, int64_t last) {
    int64_t flat = last - begin(dims_ - 1);
    if (dims_ > 1) flat += (middle - begin(dims_ - 2)) * length(dims_ - 1);
    if (dims_ > 2) flat += (first - begin(0)) * length(1) * length(2);
    ++counts_.at(static_cast<size_t>(flat));
  }

  static uint32_t divide(uint32_t x, uint32_t factor, uint8_t shift) {
    return static_cast<uint32_t>(((uint64_t{x} * factor >> 32) + x) >> shift);
  }

  void run(uint32_t block, int32_t thread) {
    const CudaLaunch& plan = *launch();
    const uint32_t rest = divide(block, plan.last_factor, plan.last_shift);
    const uint32_t tile_last = block - rest * plan.tiles_last;
    uint32_t tile_middle = rest, tile_first = 0;
    if (dims_ == 3) {
      tile_first = divide(rest, plan.middle_factor, plan.middle_shift);
      tile_middle = rest - tile_first * plan.tiles_middle;
    }
    const int32_t along = 1 << plan.tile_shift;
    const int32_t lane0 = thread & (along - 1);
    const int64_t rows = task_.rows > 1 && plan.wide == task_.rows ? task_.rows : 1;
    const int64_t row =
        (int64_t{tile_middle} * (grid_.threads >> plan.tile_shift) + (thread >> plan.tile_shift)) * rows;
    if (row >= length(dims_ - 2)) return;
    const int64_t left = length(dims_ - 2) - row;

    const int32_t last = dims_ - 1;
    const int64_t start = begin(last) & -int64_t{task_.vector};
    const int64_t offset = int64_t{tile_last} * along * task_.width;
    const int64_t tile = start + offset;
    const bool inside = offset + int64_t{along} * task_.width <= end(last) - start && begin(last) <= tile;
    const bool lanes = task_.vector > 1 && plan.wide != 0 && inside && left >= rows;
    const bool parts = (lane0 + row) % 5 == 0;
    ++ways_[lanes ? (parts ? 1 : 0) : 2];
    // Items of a row: neighbours, in lockstep or one by one; else a row of threads apart.
    const int64_t at = lanes ? tile + int64_t{lane0} * task_.vector : tile + lane0;
    const int64_t step = lanes ? 1 : along, jump = int64_t{along} * task_.vector;
    for (int64_t r = 0; r < std::min(rows, left); ++r) {
      for (int64_t v = 0; v < task_.width / task_.vector; ++v) {
        for (int64_t item = 0; item < task_.vector; ++item) {
          const int64_t index = at + v * jump + item * step;
          if (!lanes && (index < begin(last) || index >= end(last))) continue;
          visit(begin(0) + tile_first, begin(dims_ - 2) + row + r, index);
        }
      }
    }
  }

  const CudaTask& task_;
  const int32_t dims_;
  const Bounds bounds_;
  CudaGrid grid_;
  std::vector<uint64_t> memory_ = std::vector<uint64_t>(64);
  std::vector<uint8_t> counts_;
  std::array<int64_t, 3> ways_{};
};

struct CudaTiles : ::testing::Test {
  CudaTask task;
  CudaTiles() {
    task.task.type = TaskType::range_for;
    task.task.dims = 2;
    task.bounds_on_host = true;
    task.bounds = read_bounds;
    task.block_dim = 256;
    task.width = task.vector = 4;
    task.rows = 4;
    task.wide_arrays = {{.offset = 64, .rank = 1}};  // at address 0
  }
};

TEST_F(CudaTiles, EveryItemOfTwoAxesIsRunOnce) {
  for (const auto& [rows, columns] : std::vector<std::array<int64_t, 2>>{{1, 1}, {7, 3}, {64, 64}, {1023, 517}}) {
    for (const int64_t begin : {0, 1, 3, -1, -6}) {
      for (const int32_t threads : {32, 256}) {
        task.block_dim = threads;
        const Tiles tiles(task, {begin, begin + rows, begin, begin + columns});
        EXPECT_TRUE(tiles.each_once()) << rows << " x " << columns << " from " << begin << ", " << threads;
      }
    }
  }
}

// Large ranges, whose threads take rows; the last of them fewer.
TEST_F(CudaTiles, RowsAreRunOnce) {
  for (const int32_t rows : {2, 4}) {
    task.rows = rows;
    for (const auto& [height, width] : std::vector<std::array<int64_t, 2>>{{2048, 2048}, {2051, 2045}, {4097, 1030}}) {
      for (const int64_t begin : {0, 2, -3}) {
        Tiles tiles(task, {begin, begin + height, begin, begin + width});
        EXPECT_EQ(tiles.launch()->wide, rows);
        EXPECT_EQ(tiles.launch()->tiles_middle, (height + 8 * rows - 1) / (8 * rows));
        EXPECT_TRUE(tiles.each_once()) << height << " x " << width << " from " << begin << " by " << rows;
        for (const int64_t count : {tiles.ways()[0], tiles.ways()[1]}) EXPECT_GT(count, 0);
        EXPECT_EQ(tiles.ways()[2] > 0, height % rows != 0 || width % 128 != 0 || begin % 4 != 0);
      }
    }
  }
}

TEST_F(CudaTiles, RowsOfThreeAxesAreRunOnce) {
  task.task.dims = 3;
  for (const Bounds& bounds :
       {Bounds{0, 70, 0, 130, 0, 256}, Bounds{-3, 60, 5, 138, -2, 301}, Bounds{2, 9, 0, 3, 1, 9}}) {
    const Tiles tiles(task, bounds);
    EXPECT_TRUE(tiles.each_once()) << bounds[1] << " " << bounds[3] << " " << bounds[5];
  }
  EXPECT_EQ(Tiles(task, {0, 70, 0, 130, 0, 256}).launch()->wide, 4);
}

// What four rows do not divide is done one by one.
TEST_F(CudaTiles, FewRowsAreTakenOneByOne) {
  task.task.dims = 3;
  for (const auto& [rows, wide] : std::vector<std::array<int, 2>>{{2, 1}, {4, 1}, {32, 4}, {33, 1}, {65, 4}, {67, 1}}) {
    EXPECT_EQ(Tiles(task, {0, 1024, 0, rows, 0, 128}).launch()->wide, wide) << rows;
  }
}

// Threads that are few take one row each, and so do those whose arrays allow no whole accesses.
TEST_F(CudaTiles, SmallRangesTakeOneRow) {
  EXPECT_EQ(Tiles(task, {0, 256, 0, 256}).launch()->wide, 1);
  const Bounds large{0, 2048, 0, 2048};
  EXPECT_EQ(Tiles(task, large).launch()->wide, 4);
  task.task.options.block_dim = task.block_dim = 64;
  EXPECT_EQ(Tiles(task, large).launch()->wide, 4);
  task.wide_arrays = {{.offset = 0, .rank = 1}};  // at the address 2
  Tiles tiles(task, {2, 2048, 0, 2048});
  EXPECT_EQ(tiles.launch()->wide, 0);
  EXPECT_TRUE(tiles.each_once());
}

}  // namespace
}  // namespace qd
