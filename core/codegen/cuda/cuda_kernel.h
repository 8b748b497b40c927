// Kernels for NVIDIA GPUs: PTX, and what a launcher must know to run it. An ABI between codegen and the driver's side.
// Neither LLVM nor CUDA stands behind this header.
//
// Every task has a PTX entry with one parameter by value: a CudaLaunch from CudaTask::launch_begin on, and right after
// it the kernel's packed arguments (KernelIR::params, laid out by layout_params; array pointers are device pointers).
// Scopes of one serial task each share an entry, see CudaTask::scopes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/codegen/codegen.h"
#include "core/runtime/launch_block.h"

namespace qd {

// One a stream, in device memory, zeroed when made. The tasks of one launch share it, on whatever streams they run;
// launches that share one follow each other.
struct CudaState {
  // launch + 1 of the latest launch that failed or returned early: its later tasks do nothing.
  uint64_t ended;
  // 0, or launch + 1 of the first launch that failed since the host last set this back to 0. The thread that moves it
  // from 0 writes the record; a failure while it is not 0 is not recorded.
  uint64_t claimed;
  uint64_t record;  // CudaFailure: where that is; set when the state is made
};

// One a stream, in memory that both the device and the host see. Valid where launch_plus_1 is not 0, which is written
// last; the host reads it after the stream's work, sets it to 0, and then CudaState::claimed.
struct CudaFailure {
  uint64_t launch_plus_1;
  int32_t check;  // as LaunchHeader::check, kTooManyIterations included
  int32_t reserved;
  uint64_t values[kMaxCheckValues];  // as LaunchHeader::values
};

// Lines printed, in device memory; only kernels that have print sites touch it. A line takes 2 + n of the words that
// follow: the launch's print_tag; the site in the low and n in the high 32 bits; n values as LaunchHeader::values.
// Where used > capacity, lines were lost: those that did not fit. The host, after the stream's work, reads lines until
// min(used, capacity) or a tag that is 0, then zeroes the words up to there and sets used to 0.
struct CudaPrints {
  uint64_t used;  // words asked for
  uint64_t capacity;
};

// What most tasks need stands last: a driver takes longer for more bytes.
struct CudaLaunch {
  // Filled by plan_cuda_grid, for range tasks.
  int64_t bounds[6];                    // begin0, end0, …, of a range task with bounds_on_host
  uint8_t wide;                         // rows of whole accesses that a thread takes; 0: arrays do not allow them
  uint8_t tile_shift;                   // log2 of a tile's threads along the last axis (two and three axes)
  uint8_t last_shift, middle_shift;     // of the divisions by tiles_last and tiles_middle
  uint32_t tiles_last, tiles_middle;    // tiles along the last axis, and along the one before it
  uint32_t last_factor, middle_factor;  // x / d = (high32(x * factor) + x) >> shift, for x < 2^31
  uint32_t private_cells;               // of CudaTask::private_array where blocks gather it, else 0

  uint64_t prints;       // CudaPrints; may be 0 where the module has no print sites
  uint64_t print_tag;    // not 0: how the host finds the print sites
  uint64_t seed;         // of random numbers
  uint64_t temps;        // CudaModule::temps_size bytes, belonging to this launch alone; may be 0 where that is 0
  uint64_t first_scope;  // of an entry of several scopes: the one that block 0 runs. Filled by plan_cuda_grid
  uint64_t state;        // CudaState
  uint64_t launch;       // counts the runtime's launches
};
// The arguments stand where a launch block has them, so that a CudaLaunch with arguments serves a BoundsFunction.
static_assert(sizeof(CudaLaunch) == kHeaderSize);

// An array that a task reads or writes 16 bytes at a time, where its place and its rows allow.
struct CudaWideArray {
  int64_t offset = 0;  // Param::offset
  int32_t rank = 0;
  int32_t items = 1;  // rows must be a multiple of this long
};

// An array that blocks can gather their parts of in dynamic shared memory, where it is small enough.
struct CudaPrivateArray {
  int64_t offset = 0;     // Param::offset
  int32_t rank = 0;       // 0: the task has none
  int32_t cell_size = 0;  // bytes
  int32_t width = 1;      // as CudaTask::width, where blocks gather it
};

struct CudaTask {
  std::string entry;  // in the PTX
  OffloadedTask task;
  size_t launch_begin = 0;  // bytes of the CudaLaunch that it does not read, which are not passed; whole words
  // Scopes of a region that are one serial task each may share an entry: block i runs scope first_scope + i of
  // `scopes`, so that one launch runs some or all of them at the same time. `scope` is this task's; where scopes is 1,
  // it is 0.
  int32_t scope = 0, scopes = 1;
  // Range tasks: the bounds follow from the arguments alone, and `bounds` computes them on the host. Otherwise the
  // device does.
  bool bounds_on_host = false;
  BoundsFunction bounds = nullptr;
  // Each thread takes more than one tile: launched with as many blocks as the device runs at once, at most one a tile.
  // Else with one block a tile.
  // A task whose private_array is gathered is launched as a strided one.
  bool strided = false;
  int32_t width = 1;   // items of a tile's row that each thread takes
  int32_t vector = 1;  // items of one access, where arrays allow it
  int32_t rows = 1;    // neighbouring rows that each thread takes, where arrays allow it and there are enough of them
  std::vector<CudaWideArray> wide_arrays;  // CudaLaunch::wide is about these
  CudaPrivateArray private_array;
  // The most threads of a block, which the PTX declares; a multiple of 32, or 1 for a serial task. plan_cuda_grid may
  // say fewer.
  int32_t block_dim = 1;
  int64_t shared_bytes = 0;  // static, declared in the PTX
  bool reads_number = true;  // CudaLaunch::launch: whether the task does anything else with another number
};

// PTX of one kernel, and its tasks in order.
struct CudaModule {
  virtual ~CudaModule() = default;
  std::string ptx;
  std::vector<CudaTask> tasks;
  std::vector<CheckSite> checks;
  std::vector<PrintSite> prints;
  int64_t params_size = 0;
  int64_t temps_size = 0;
  // The launcher zeroes the temporaries, in stream order, before the first task. Where false, the first task does, or
  // there are none.
  bool zero_temps = false;
  // A launch with the arguments of one before may have that one's number as well, unless a failure was taken between:
  // whether and where it ends early follows from the arguments, and it draws no random numbers.
  bool keeps_number = false;
  // What computes sin, pow, …: "libdevice", "libclc", or "" where the kernel needs neither.
  std::string math;
};

struct CudaTarget {
  int32_t sm = 70;             // compute capability: major * 10 + minor
  int32_t driver_ptx = 0;      // newest PTX the driver reads, major * 10 + minor; 0: any
  std::string_view libdevice;  // LLVM bitcode of libdevice, or empty
  std::string_view libclc;     // LLVM bitcode of libclc's nvptx64--.bc, or empty: used where libdevice is
};

// What LLVM makes of a target: the PTX version and the processor it generates code for. Throws Error(Code::unsupported)
// for a device or driver that is too old, or newer than this LLVM knows how to serve.
struct CudaPtxVersion {
  int32_t ptx = 0;  // major * 10 + minor
  int32_t sm = 0;
};
CudaPtxVersion choose_ptx(const CudaTarget& target);

// Compiles every task into one PTX module. Throws Error. options.dump receives stages "llvm", "llvm-opt" and "ptx".
std::unique_ptr<CudaModule> compile_for_cuda(const KernelIR& kernel, const CompileOptions& options,
                                             const CudaTarget& target);

struct CudaGrid {
  bool too_many = false;     // the launch fails with kTooManyIterations
  int64_t blocks = 0;        // 0: there is nothing to do
  int32_t threads = 1;       // of a block
  int32_t shared_bytes = 0;  // of dynamic shared memory, a block
};
struct CudaOccupancy {
  int32_t multiprocessors = 1;
  int32_t blocks_per_multiprocessor = 1;  // of the task, with block_dim threads
};
// Fills the range's part of `launch`, whose arguments follow it, and says what to launch, in one dimension.
// Throws Error(Code::unsupported) where one launch cannot hold that many blocks.
CudaGrid plan_cuda_grid(const CudaTask& task, CudaLaunch* launch, CudaOccupancy occupancy);

}  // namespace qd
