// What the host computes for each launch on a GPU.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "core/codegen/cuda/cuda_kernel.h"
#include "core/ir/error.h"

namespace qd {
namespace {

// Bounds as arguments, read as a compiled bounds function does: from behind the header.
void read_bounds(void* block, int64_t* bounds) {
  std::memcpy(bounds, static_cast<const char*>(block) + kHeaderSize, 6 * sizeof(int64_t));
}

struct GridTest : ::testing::Test {
  CudaTask task;
  std::vector<uint64_t> memory = std::vector<uint64_t>(64);
  CudaLaunch* launch = reinterpret_cast<CudaLaunch*>(memory.data());

  GridTest() {
    task.task.type = TaskType::range_for;
    task.task.dims = 1;
    task.bounds_on_host = true;
    task.bounds = read_bounds;
    task.block_dim = 128;
  }
  uint64_t* argument(int64_t offset) { return memory.data() + (kHeaderSize + static_cast<size_t>(offset)) / 8; }
  CudaGrid plan(std::vector<int64_t> bounds, CudaOccupancy occupancy = {1, 8}) {
    task.task.dims = static_cast<int32_t>(bounds.size() / 2);
    std::memcpy(argument(0), bounds.data(), bounds.size() * sizeof(int64_t));
    return plan_cuda_grid(task, launch, occupancy);
  }
};

TEST_F(GridTest, OneTileABlock) {
  task.width = task.vector = 4;
  EXPECT_EQ(plan({0, 512 * 4}).blocks, 4);
  EXPECT_EQ(plan({0, 512 * 4}).threads, 128);
  EXPECT_EQ(plan({0, 512 * 4 + 1}).blocks, 5);
  EXPECT_EQ(plan({3, 512 * 4 + 1}).blocks, 5);  // tiles start at 0
  EXPECT_EQ(plan({-1, 512 * 4 - 4}).blocks, 4);
  EXPECT_EQ(plan({-1, 512 * 4 - 3}).blocks, 5);  // at -4
}

TEST_F(GridTest, EmptyRangesLaunchNothing) {
  EXPECT_EQ(plan({5, 5}).blocks, 0);
  EXPECT_EQ(plan({5, -5}).blocks, 0);
  EXPECT_EQ(plan({0, int64_t{1} << 40, 0, 0, 0, int64_t{1} << 40}).blocks, 0);
}

TEST_F(GridTest, SmallRangesUseMoreBlocks) {
  const CudaGrid grid = plan({0, 1024}, {132, 16});
  EXPECT_EQ(grid.threads, 32);
  EXPECT_EQ(grid.blocks, 32);
  task.task.options.block_dim = 128;  // the user's word
  EXPECT_EQ(plan({0, 1024}, {132, 16}).threads, 128);
}

TEST_F(GridTest, TooManyIterations) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_TRUE(plan({kLeast, kMost}).too_many);
  EXPECT_TRUE(plan({0, int64_t{1} << 32, 0, int64_t{1} << 31}).too_many);
  EXPECT_FALSE(plan({kLeast, kLeast + 10}).too_many);
  EXPECT_THROW(plan({0, kMost}), Error);  // 63 bits hold them, a grid does not
  task.strided = true;
  EXPECT_EQ(plan({0, kMost}).blocks, 8);
}

TEST_F(GridTest, StridedTasksFillTheDevice) {
  task.strided = true;
  task.width = 16;
  task.vector = 4;
  EXPECT_EQ(plan({0, 1 << 30}, {132, 8}).blocks, 132 * 8);
  EXPECT_EQ(plan({0, 2048 * 3 + 1}, {132, 8}).blocks, 4);
  task.bounds_on_host = false;
  task.bounds = nullptr;
  EXPECT_EQ(plan({0, 0}, {132, 8}).blocks, 132 * 8);
}

// Arrays lie behind the bounds: {data, dims…}.
TEST_F(GridTest, WideAccessesNeedAlignedArraysAndRows) {
  task.width = task.vector = 4;
  task.wide_arrays = {{.offset = 64, .rank = 2, .items = 4}, {.offset = 96, .rank = 1, .items = 4}};
  const auto wide = [&](uint64_t first, uint64_t row, uint64_t second) {
    *argument(64) = first;
    *argument(64 + 16) = row;
    *argument(96) = second;
    plan({0, 1000});
    return launch->wide != 0;
  };
  EXPECT_TRUE(wide(0x1000, 100, 0x2010));
  EXPECT_FALSE(wide(0x1004, 100, 0x2010));
  EXPECT_FALSE(wide(0x1000, 101, 0x2010));
  EXPECT_FALSE(wide(0x1000, 100, 0x2018));
}

// Where threads take single items, a warp's lie in two rows.
TEST_F(GridTest, WarpsOfSinglesAreNarrow) {
  task.width = task.vector = 1;
  task.task.dims = 2;
  plan({0, 1024, 0, 1024});
  EXPECT_EQ(launch->tile_shift, 4);
  plan({0, 1024, 0, 8});
  EXPECT_EQ(launch->tile_shift, 3);
  task.width = task.vector = 4;
  plan({0, 1024, 0, 1024});
  EXPECT_EQ(launch->tile_shift, 5);
}

// Arrays lie behind the bounds: {data, dims…}.
TEST_F(GridTest, SmallArraysAreGatheredInBlocks) {
  task.block_dim = 256;
  task.width = task.vector = 4;
  task.private_array = {.offset = 64, .rank = 2, .cell_size = 4, .width = 16};
  const auto gather = [&](int64_t n, int64_t rows, int64_t columns) {
    *argument(64 + 8) = static_cast<uint64_t>(rows);
    *argument(64 + 16) = static_cast<uint64_t>(columns);
    launch->private_cells = 0;
    return plan({0, n}, {132, 8});
  };
  CudaGrid grid = gather(1 << 26, 16, 16);
  EXPECT_EQ(launch->private_cells, 256u);
  EXPECT_EQ(grid.shared_bytes, 1024);
  EXPECT_EQ(grid.threads, 256);
  EXPECT_EQ(grid.blocks, 132 * 4);
  task.private_array.width = 4;  // fewer accesses on their way need more threads
  EXPECT_EQ(gather(1 << 26, 16, 16).blocks, 132 * 8);
  EXPECT_EQ(gather(1 << 26, 4, 1024).blocks, 132 * 4);  // with 16 KB each
  task.private_array.width = 16;
  grid = gather(1 << 26, 4, 1024);
  EXPECT_EQ(launch->private_cells, 4096u);
  EXPECT_EQ(grid.shared_bytes, 16 << 10);
  EXPECT_EQ(grid.blocks, 132 * 4);
  EXPECT_EQ(gather(4096 * 16, 4, 1024).blocks, 4);  // a block has work for what it clears
  EXPECT_EQ(gather(4096 * 16, 1, 16).blocks, 16);   // and a whole tile
  for (const auto& [n, rows, columns] : std::vector<std::array<int64_t, 3>>{{1 << 26, 4097, 1},
                                                                            {1 << 26, int64_t{1} << 62, 16},
                                                                            {1 << 26, 0, int64_t{1} << 62},
                                                                            {4096 * 16 - 1, 4, 1024},
                                                                            {1000, 1, 1}}) {
    EXPECT_EQ(gather(n, rows, columns).shared_bytes, 0) << n << " " << rows << " " << columns;
    EXPECT_EQ(launch->private_cells, 0u);
  }
}

// The division that tasks make of a block's number gives every tile once.
TEST_F(GridTest, BlocksDivideIntoTiles) {
  const auto divide = [](uint32_t x, uint32_t factor, uint8_t shift) {
    return static_cast<uint32_t>(((uint64_t{x} * factor >> 32) + x) >> shift);
  };
  for (int64_t columns : {1, 3, 31, 32, 33, 100, 1000, 4097, 123457}) {
    for (int64_t rows : {1, 2, 7, 8, 9, 511, 2049}) {
      const CudaGrid grid = plan({0, 5, 0, rows, 0, columns}, {132, 8});
      const int64_t along = int64_t{1} << launch->tile_shift;
      const int64_t tall = grid.threads >> launch->tile_shift;
      EXPECT_EQ(launch->tiles_last, (columns + along - 1) / along);
      EXPECT_EQ(launch->tiles_middle, (rows + tall - 1) / tall);
      EXPECT_EQ(grid.blocks, int64_t{5} * launch->tiles_last * launch->tiles_middle);
      const auto most = static_cast<uint32_t>(grid.blocks);
      for (uint32_t block : {0u, 1u, most / 3, most / 2, most - 1, (1u << 31) - 1}) {
        const uint32_t rest = divide(block, launch->last_factor, launch->last_shift);
        EXPECT_EQ(rest, block / launch->tiles_last) << block << " by " << launch->tiles_last;
        EXPECT_EQ(divide(rest, launch->middle_factor, launch->middle_shift), rest / launch->tiles_middle);
      }
    }
  }
}

}  // namespace
}  // namespace qd
