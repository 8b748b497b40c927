// How a range is laid over blocks and threads: the part of the ABI that the host computes at each launch.
#include <algorithm>
#include <bit>
#include <cstring>

#include "core/codegen/cuda/cuda_kernel.h"
#include "core/ir/error.h"

namespace qd {

namespace {

constexpr int64_t kMaxBlocks = (int64_t{1} << 31) - 1;
constexpr int32_t kWarp = 32;
// Threads along the last axis, where each takes single items: what a warp does is nearer together in two dimensions,
// and so more alike, and its accesses are still of whole sectors.
constexpr int32_t kAlongSingles = 16;
// Blocks a multiprocessor that are worth having before they are made larger.
constexpr int64_t kBlocksWanted = 4;
// Threads a multiprocessor that are worth having before each takes several rows: some times what it runs at once, for a
// thread at an edge of the range, which takes its items one by one, is late.
constexpr int64_t kThreadsWanted = 8192;
// Blocks a multiprocessor that gather a private array.
constexpr int32_t kGatheringBlocks = 4, kMaxGatheringBlocks = 8;
// Bytes that a block and a multiprocessor's blocks spend on private arrays.
constexpr int64_t kMaxPrivateBytes = int64_t{16} << 10, kMaxPrivateTotal = int64_t{64} << 10;
// A block's iterations for each cell that it clears and flushes, and those for which gathering is worth starting.
constexpr int64_t kLeastPerCell = 4, kWorthwhilePerCell = 16;

// The number of iterations, as the CPU counts them; -1 where 63 bits do not hold it.
int64_t count_iterations(const int64_t* bounds, int32_t dims) {
  bool empty = false, overflow = false;
  int64_t count = 1;
  for (int32_t axis = 0; axis < dims; ++axis) {
    const int64_t begin = bounds[2 * axis], end = bounds[2 * axis + 1];
    int64_t length = 0;
    if (end <= begin) {
      empty = true;
    } else {
      overflow |= __builtin_sub_overflow(end, begin, &length) || __builtin_mul_overflow(count, length, &count);
    }
  }
  if (empty) return 0;
  return overflow ? -1 : count;
}

// Every array starts, and so do its rows, where the widest access may.
bool arrays_aligned(const CudaTask& task, const CudaLaunch* launch) {
  const char* arguments = reinterpret_cast<const char*>(launch) + kHeaderSize;
  for (const CudaWideArray& array : task.wide_arrays) {
    uint64_t data = 0;
    int64_t row = 0;
    std::memcpy(&data, arguments + array.offset, sizeof data);
    std::memcpy(&row, arguments + array.offset + 8 * int64_t{array.rank}, sizeof row);
    if (data % 16 != 0 || (array.rank > 1 && row % array.items != 0)) return false;
  }
  return true;
}

// How many cells blocks gather; 0 where they update the array at once.
int64_t private_cells(const CudaTask& task, const CudaLaunch* launch, int64_t count) {
  const CudaPrivateArray& array = task.private_array;
  if (array.rank == 0) return 0;
  const char* dims = reinterpret_cast<const char*>(launch) + kHeaderSize + array.offset + 8;
  int64_t cells = 1;
  for (int32_t axis = 0; axis < array.rank; ++axis) {
    int64_t length = 0;
    std::memcpy(&length, dims + 8 * int64_t{axis}, sizeof length);
    if (__builtin_mul_overflow(cells, length, &cells) || cells > kMaxPrivateBytes / array.cell_size) return 0;
  }
  const bool worthwhile = count / kWorthwhilePerCell >= cells && count >= int64_t{task.block_dim} * task.width;
  return worthwhile ? cells : 0;
}

CudaGrid gathering_grid(const CudaTask& task, int64_t cells, int64_t count, CudaOccupancy occupancy) {
  const int64_t bytes = cells * task.private_array.cell_size;
  // Where each thread has several accesses on their way, fewer of them do, and fewer copies are flushed.
  const int32_t useful = task.private_array.width > task.vector ? kGatheringBlocks : kMaxGatheringBlocks;
  const int32_t most = std::clamp(occupancy.blocks_per_multiprocessor, 1, useful);
  const int64_t each = std::clamp<int64_t>(kMaxPrivateTotal / bytes, 1, most);
  const int64_t a_block = std::max(int64_t{task.block_dim} * task.private_array.width, kLeastPerCell * cells);
  return {.blocks = std::min(each * occupancy.multiprocessors, (count - 1) / a_block + 1),
          .threads = task.block_dim,
          .shared_bytes = static_cast<int32_t>(bytes)};
}

struct Division {
  uint32_t factor;
  uint8_t shift;
};
// Of dividends below 2^31: T. Granlund, P. Montgomery, "Division by invariant integers using multiplication", PLDI
// 1994.
Division division_by(uint32_t divisor) {
  const int shift = divisor <= 1 ? 0 : std::bit_width(divisor - 1);
  const uint64_t excess = (uint64_t{1} << shift) - divisor;
  return {static_cast<uint32_t>((excess << 32) / divisor + 1), static_cast<uint8_t>(shift)};
}

// Tiles along each axis, the last axis first.
struct Tiles {
  int64_t last = 1, middle = 1, first = 1;
  // kMaxBlocks + 1 or more: too many.
  int64_t total() const {
    int64_t product = 0;
    const bool overflow =
        __builtin_mul_overflow(last, middle, &product) || __builtin_mul_overflow(product, first, &product);
    return overflow ? kMaxBlocks + 1 : product;
  }
};

// threads: of a block; shift: log2 of those along the last axis; rows: that each takes.
Tiles tiles_of(const CudaTask& task, const int64_t* bounds, int32_t threads, int32_t shift, int32_t rows) {
  const int32_t last = task.task.dims - 1;
  const auto length = [&](int32_t axis) { return static_cast<uint64_t>(bounds[2 * axis + 1] - bounds[2 * axis]); };
  const auto tiles_along = [](uint64_t items, uint64_t a_tile) {
    return static_cast<int64_t>((items - 1) / a_tile + 1);
  };
  const auto width = static_cast<uint64_t>(task.width);
  // Tiles start where a whole access may: at a multiple of vector.
  const uint64_t lead = static_cast<uint64_t>(bounds[2 * last]) % static_cast<uint64_t>(task.vector);
  const uint64_t along = last == 0 ? static_cast<uint64_t>(threads) : uint64_t{1} << shift;
  Tiles tiles;
  tiles.last = tiles_along(length(last) + lead, along * width);
  const uint64_t tall = static_cast<uint64_t>(threads >> shift) * static_cast<uint64_t>(rows);
  if (last >= 1) tiles.middle = tiles_along(length(last - 1), tall);
  if (last >= 2) tiles.first = static_cast<int64_t>(length(0));
  return tiles;
}

}  // namespace

CudaGrid plan_cuda_grid(const CudaTask& task, CudaLaunch* launch, CudaOccupancy occupancy) {
  launch->first_scope = static_cast<uint64_t>(task.scope);
  if (task.task.type == TaskType::serial) return {.blocks = 1, .threads = 1};
  launch->wide = !task.wide_arrays.empty() && arrays_aligned(task, launch) ? 1 : 0;
  const int64_t resident = int64_t{occupancy.multiprocessors} * std::max(occupancy.blocks_per_multiprocessor, 1);
  if (!task.bounds_on_host) return {.blocks = resident, .threads = task.block_dim};

  task.bounds(launch, launch->bounds);
  const int64_t count = count_iterations(launch->bounds, task.task.dims);
  if (count < 0) return {.too_many = true};
  if (count == 0) return {};
  if (task.strided) {
    const int64_t a_block = int64_t{task.block_dim} * task.width;
    return {.blocks = std::min(resident, (count - 1) / a_block + 1), .threads = task.block_dim};
  }

  if (const int64_t cells = private_cells(task, launch, count); cells > 0) {
    launch->private_cells = static_cast<uint32_t>(cells);
    return gathering_grid(task, cells, count, occupancy);
  }

  const int32_t last = task.task.dims - 1;
  int32_t shift = 0;
  if (last > 0) {
    const auto length = static_cast<uint64_t>(launch->bounds[2 * last + 1] - launch->bounds[2 * last]);
    const uint64_t most = task.width == 1 ? kAlongSingles : kWarp;
    const uint64_t threads = std::clamp<uint64_t>(length / static_cast<uint64_t>(task.width), 1, most);
    shift = std::bit_width(threads) - 1;
  }
  int32_t threads = task.block_dim;
  Tiles tiles = tiles_of(task, launch->bounds, threads, shift, 1);
  if (last > 0 && launch->wide != 0 && task.rows > 1) {
    const Tiles fewer = tiles_of(task, launch->bounds, threads, shift, task.rows);
    const int64_t rows = launch->bounds[2 * last - 1] - launch->bounds[2 * last - 2];
    // What is left of the rows is done one by one.
    const bool fit = rows >= 8 * task.rows && rows % task.rows <= rows / 64;
    if (fit && fewer.total() >= kThreadsWanted * occupancy.multiprocessors / threads) {
      tiles = fewer;
      launch->wide = static_cast<uint8_t>(task.rows);
    }
  }
  while (task.task.options.block_dim == 0 && threads > kWarp &&
         tiles.total() < kBlocksWanted * occupancy.multiprocessors) {
    threads /= 2;
    tiles = tiles_of(task, launch->bounds, threads, shift, 1);
  }
  if (tiles.total() > kMaxBlocks) {
    throw Error(Code::unsupported, "the loop has more iterations than one launch on this device can hold",
                task.task.pos);
  }
  launch->tile_shift = static_cast<uint8_t>(shift);
  launch->tiles_last = static_cast<uint32_t>(tiles.last);
  launch->tiles_middle = static_cast<uint32_t>(tiles.middle);
  const Division by_last = division_by(launch->tiles_last), by_middle = division_by(launch->tiles_middle);
  launch->last_factor = by_last.factor;
  launch->last_shift = by_last.shift;
  launch->middle_factor = by_middle.factor;
  launch->middle_shift = by_middle.shift;
  return {.blocks = tiles.total(), .threads = threads};
}

}  // namespace qd
