// A task as a kernel of an NVIDIA GPU.
//
//   <entry>(CudaLaunch and arguments)   reads the task's arguments once, then calls
//   <entry>_body(launch, …)             inlined; its parameters carry each array's alias facts
//
// A block runs tiles of the range: threads x width iterations along the last axis, and rows of them where there are
// more axes. In a tile whose arrays and bounds allow it each thread runs `width` neighbours in lockstep ("lanes");
// elsewhere it runs width single iterations, a row of threads apart. Of a large range each thread takes some rows of a
// tile, in lockstep as well.
#pragma once

#include "core/codegen/cuda/cuda_kernel.h"
#include "core/codegen/cuda/lanes.h"
#include "core/codegen/cuda/private_array.h"
#include "core/codegen/task_codegen.h"

namespace qd {

// What a task must know of the ones before it.
struct CudaTaskPlace {
  std::string entry;
  bool may_have_ended = false;  // as Entry::may_have_ended
  int64_t zero_temps = 0;       // bytes of temporaries that this task, a serial one, zeroes first
  // Where scopes share the entry: all of their tasks, this one first; each block runs one. Else this one alone.
  std::vector<const TaskContext*> scopes;
};

class CudaTaskCodegen final : public TaskCodegen {
 public:
  CudaTaskCodegen(const TaskContext& context, CudaTaskPlace place);
  // Defines the functions.
  void build();
  // Of the entry's tasks, all but the host's bounds.
  std::vector<CudaTask> descriptions() const;

 private:
  void emit_print(int32_t site, const std::vector<Value>& values) override;
  void emit_failure(int32_t site, const std::vector<Value>& values) override;
  void emit_stop() override;
  RandomSource random_source() override;
  void before(const Stmt& stmt) override;
  void note_access(Value instruction, const Stmt* pointer) override;
  Value array_data(int32_t param) override;
  void note_back_edge(Value branch, const Stmt& loop) override;
  // Of a thread; the device provides it for every thread that it can run at once.
  int64_t max_locals() const override { return int64_t{64} << 10; }

  void define_entry();
  // aligned: for launches whose CudaLaunch::wide is set.
  Value define_body(TaskArguments& arguments, bool aligned);
  void assume_alignment(const TaskArguments& arguments);
  void emit_serial();
  std::vector<const Block*> blocks() const;  // of all the entry's tasks
  size_t find_launch_begin() const;
  CudaTask description() const;

  // ---- range tasks (tiles.cpp)
  struct Axis {
    Value begin = nullptr, end = nullptr;
  };
  // A tile's part along the last axis: threads stand `spread` apart from each other, from first on.
  struct TileRow {
    Value first = nullptr;   // index of the tile's first item, perhaps before the range
    Value lane0 = nullptr;   // i32: which thread of the row this one is
    Value spread = nullptr;  // i32: threads of a row
    Value inside = nullptr;  // i1: the whole tile lies in the range; null where there are no lanes
    // Where a task may give a thread several rows; else null.
    Value several = nullptr;  // i1: this launch does
    Value rows = nullptr;     // i64: 1, or rows()
    Value left = nullptr;     // i64: rows of the range from this one on
  };
  void emit_range();
  void emit_bounds();
  void check_count();
  void emit_tiles_of_line();
  void emit_tiles_of_rows();
  void emit_tile_of_rows(Value tile_last, Value tile_middle, Value first);
  void emit_tile(const TileRow& row, LoopIndices outer);
  void emit_single(Value index, LoopIndices outer);
  Value begin_tiles(LLVMTypeRef type, Value first);
  void end_tiles(Value tile, Value step, Value limit, LLVMBasicBlockRef header);
  Value row_start();
  Value times_width(Value threads);
  TileRow tile_row(Value offset, Value threads, Value lane0);
  Value wide_rows() const;  // i8
  Value flat_iteration(const LoopIndices& indices);

  // ---- private arrays (private_array.cpp)
  void emit_tiles();
  void emit_clear_private();
  void emit_flush_private();
  template <class F>
  void for_each_private_cell(Value count, F f);
  Value private_cell(Value number);
  Value private_cell_count() const;

  // ---- lanes (lane_emitter.cpp)
  void emit_lanes(const TileRow& row, const LoopIndices& outer, LLVMBasicBlockRef done, LLVMBasicBlockRef one_by_one);
  void emit_lockstep(const Block& block, bool& written);
  void emit_lockstep_if(const Stmt& stmt, bool& written);
  void require_in_lanes(const CheckStmt& stmt);
  Value in_lane_check(const CheckStmt& stmt);
  Value holds_in_lanes(const Stmt* condition, bool all);
  // Runs f for each lane with its values and indices.
  template <class F>
  void for_each_lane(F f);

  // ---- reductions (block_reduction.cpp)
  void emit_prologue();
  void emit_epilogue();
  Value block_total(const Stmt* accumulator, const TaskReduction& reduction);
  Value combine_in_warp(const TaskReduction& reduction, const Type* type, Value value);
  Value shuffle_down(const Type* type, Value value, int offset);
  void emit_barrier();

  // ---- failures (failure.cpp)
  void emit_leave_if_ended();
  void leave_if_ended();
  void begin_item() { ended_ = ended_before_items_, early_loads_.clear(); }
  void end_item() { ended_ = nullptr; }
  void emit_fail_block();
  Value number();         // CudaLaunch::launch
  Value launch_number();  // that + 1
  Value state_field(size_t offset);

  Value special_register(const char* name) const;  // i32
  Value launch_field(size_t offset) const;         // of the CudaLaunch
  Value field(const Type* type, size_t offset) const { return ir_.load(type, launch_field(offset)); }
  Value field_pointer(size_t offset) const { return ir_.load_pointer(launch_field(offset), kGlobal); }
  Value widen(Value x) const { return LLVMBuildZExt(ir_.get(), x, ir_.i64(), ""); }
  Value add(Value x, Value y) const { return LLVMBuildAdd(ir_.get(), x, y, ""); }
  Value subtract(Value x, Value y) const { return LLVMBuildSub(ir_.get(), x, y, ""); }
  Value multiply(Value x, Value y) const { return LLVMBuildMul(ir_.get(), x, y, ""); }
  const Block& block(size_t index) const { return *context_.task.blocks[index]; }
  bool is_range() const { return context_.task.task == TaskType::range_for; }
  size_t last_axis() const { return static_cast<size_t>(context_.task.dims) - 1; }
  Value length(size_t axis) const { return subtract(axes_[axis].end, axes_[axis].begin); }
  // How many a thread takes in lockstep; a loop over tiles waits for their loads, and gathers besides.
  int32_t rows() const { return strided_ || private_array_ ? 1 : lanes_plan_.rows; }

  static constexpr unsigned kGlobal = 1, kShared = 3;  // address spaces
  static constexpr int kWarp = 32;
  static constexpr int32_t kStridedShift = 5;  // CudaLaunch::tile_shift of a strided task

  const CudaTaskPlace place_;
  const size_t launch_begin_;  // CudaTask::launch_begin
  const LanePlan lanes_plan_;
  const std::map<const Stmt*, TaskReduction> reductions_;
  const LaneEffects effects_;
  std::set<int32_t> written_;      // array parameters
  std::set<int32_t> loop_arrays_;  // that loops inside an iteration read in order
  bool bounds_on_host_ = false;
  bool strided_ = false;
  std::optional<PrivateArray> private_array_;
  int32_t block_dim_ = 1;
  int64_t shared_bytes_ = 0;
  bool reads_number_ = false;

  // Of the body function under construction.
  std::array<Axis, 3> axes_{};
  Value threads_ = nullptr, thread_ = nullptr;  // i32: of the block; which one this is
  Value guard_ = nullptr;                       // i1; null: there is no checked body
  Value private_cells_ = nullptr;               // the block's copy
  bool gathers_ = false;                        // the code under construction updates the copy
  int32_t width_ = 1;                           // of the code under construction
  LLVMBasicBlockRef leave_ = nullptr;           // where a thread goes that has nothing more to do
  Value ended_ = nullptr;                       // CudaState::ended, where the code from here on has yet to test it
  Value ended_before_items_ = nullptr;          // the same, where an iteration starts
  std::vector<Value> early_loads_;              // before that test
  LLVMBasicBlockRef fail_ = nullptr;
  Value fail_check_ = nullptr;
  std::vector<Value> fail_values_;

  bool in_lanes_ = false;
  size_t lane_ = 0;
  std::vector<Values> lane_values_;
  std::vector<LoopIndices> lane_indices_;
  LLVMBasicBlockRef lanes_done_ = nullptr, one_by_one_ = nullptr;
};

}  // namespace qd
