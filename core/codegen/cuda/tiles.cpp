// The iterations of a range over the tiles of a grid.
#include <cstddef>
#include <utility>

#include "core/codegen/cuda/cuda_task.h"
#include "core/codegen/loop_hints.h"
#include "core/ir/error.h"

namespace qd {

namespace {

// What the kernel can read as cheaply as a bound that the host computed, and knows more about.
bool is_plain(const Stmt* bound) {
  return bound->kind == StmtKind::constant || bound->kind == StmtKind::array_dim || bound->kind == StmtKind::arg_load;
}

}  // namespace

void CudaTaskCodegen::emit_range() {
  thread_ = special_register("tid.x");
  threads_ = strided_ ? ir_.constant(ir_.int_type(32), static_cast<uint64_t>(block_dim_)) : special_register("ntid.x");
  emit_prologue();
  emit_clear_private();
  emit_leave_if_ended();
  emit_bounds();
  if (!bounds_on_host_) check_count();
  const Block& guard = block(offloaded_block::guard);
  guard_ = nullptr;
  if (!guard.statements.empty()) {
    emit(guard);
    guard_ = value(guard.statements.back().get());
  }
  ended_before_items_ = std::exchange(ended_, nullptr);
  for (Values& values : lane_values_) values.insert(values_.begin(), values_.end());
  emit_tiles();
}

void CudaTaskCodegen::emit_bounds() {
  emit(block(offloaded_block::bounds));
  for (size_t axis = 0; axis <= last_axis(); ++axis) {
    for (size_t side = 0; side < 2; ++side) {
      const size_t at = 2 * axis + side;
      const Stmt* bound = context_.task.operands[at];
      if (bounds_on_host_ && !is_plain(bound)) {
        values_[bound] = field(scalar_type(Primitive::i64), offsetof(CudaLaunch, bounds) + 8 * at);
      }
      (side == 0 ? axes_[axis].begin : axes_[axis].end) = value(bound);
    }
  }
}

// Fails where 63 bits do not hold the number of iterations, unless an axis is empty: the host's count, on the device.
void CudaTaskCodegen::check_count() {
  LLVMTypeRef i64 = ir_.i64();
  Value no = ir_.constant(ir_.int_type(1), 0);
  Value empty = no, overflow = no, count = ir_.constant_i64(1);
  auto checked = [&](const char* name, Value x, Value y) {
    Value pair = ir_.intrinsic(name, {i64}, {x, y});
    overflow = LLVMBuildOr(ir_.get(), overflow, LLVMBuildExtractValue(ir_.get(), pair, 1, ""), "");
    return LLVMBuildExtractValue(ir_.get(), pair, 0, "");
  };
  for (size_t axis = 0; axis <= last_axis(); ++axis) {
    empty = LLVMBuildOr(ir_.get(), empty, ir_.compare(LLVMIntSGE, axes_[axis].begin, axes_[axis].end), "");
    Value items = checked("llvm.ssub.with.overflow", axes_[axis].end, axes_[axis].begin);
    count = axis == 0 ? items : checked("llvm.smul.with.overflow", count, items);
  }
  LLVMBasicBlockRef not_empty = ir_.new_block("range");
  LLVMBasicBlockRef fits = ir_.new_block("counted");
  LLVMBasicBlockRef too_many = ir_.new_block("too_many");
  ir_.branch(empty, leave_, not_empty);
  ir_.enter(not_empty);
  ir_.branch(overflow, too_many, fits);
  ir_.enter(too_many);
  emit_failure(kTooManyIterations, {ir_.constant_i64(context_.task.pos)});
  ir_.enter(fits);
}

// Where the tiles of the last axis start: at the range's begin, or before it where a whole access may start.
Value CudaTaskCodegen::row_start() {
  Value begin = axes_[last_axis()].begin;
  if (lanes_plan_.vector == 1) return begin;
  return LLVMBuildAnd(ir_.get(), begin, ir_.constant_i64(-int64_t{lanes_plan_.vector}), "");
}

Value CudaTaskCodegen::times_width(Value threads) {
  return multiply(threads, ir_.constant(ir_.int_type(32), static_cast<uint64_t>(width_)));
}

// The part at `offset` items (i64) from row_start().
CudaTaskCodegen::TileRow CudaTaskCodegen::tile_row(Value offset, Value threads, Value lane0) {
  const Axis& axis = axes_[last_axis()];
  Value start = row_start();
  TileRow row{.first = add(start, offset), .lane0 = lane0, .spread = threads, .inside = nullptr};
  if (width_ > 1) {
    Value total = subtract(axis.end, start);  // at most 2^63 + width, as an unsigned number
    Value fits = ir_.compare(LLVMIntULE, add(offset, widen(times_width(threads))), total);
    row.inside = LLVMBuildAnd(ir_.get(), fits, ir_.compare(LLVMIntSLE, axis.begin, row.first), "");
  }
  return row;
}

// CudaLaunch::wide.
Value CudaTaskCodegen::wide_rows() const { return field(scalar_type(Primitive::u8), offsetof(CudaLaunch, wide)); }

// A loop over tiles, from `first` on: yields the tile's number. Falls through once where the task is not strided.
Value CudaTaskCodegen::begin_tiles(LLVMTypeRef type, Value first) {
  if (!strided_) return first;
  LLVMBasicBlockRef before = ir_.current_block();
  LLVMBasicBlockRef header = ir_.new_block("tile");
  ir_.jump(header);
  ir_.enter(header);
  Value tile = ir_.phi(type);
  IrBuilder::add_incoming(tile, first, before);
  return tile;
}

// Goes on at tile + step while that is below the limit, as unsigned numbers. Nothing else jumps to leave_ from here.
void CudaTaskCodegen::end_tiles(Value tile, Value step, Value limit, LLVMBasicBlockRef header) {
  if (!strided_) return;
  Value next = add(tile, step);
  IrBuilder::add_incoming(tile, next, ir_.current_block());
  ir_.branch(ir_.compare(LLVMIntULT, next, limit), header, leave_);
  ir_.enter(ir_.new_block("tiles_done"));
}

void CudaTaskCodegen::emit_tiles_of_line() {
  // A block's items fit 32 bits, and 32-bit factors make a cheaper product.
  Value a_tile = widen(times_width(threads_));
  Value first = multiply(widen(special_register("ctaid.x")), a_tile);
  if (strided_) {
    // Not empty here: the device has tested it, or the host would not have launched.
    Value total = subtract(axes_[0].end, row_start());
    LLVMBasicBlockRef run = ir_.new_block("tiles");
    ir_.branch(ir_.compare(LLVMIntULT, first, total), run, leave_);
    ir_.enter(run);
    Value offset = begin_tiles(ir_.i64(), first);
    LLVMBasicBlockRef header = ir_.current_block();
    emit_tile(tile_row(offset, threads_, thread_), {});
    end_tiles(offset, multiply(widen(special_register("nctaid.x")), a_tile), total, header);
    return;
  }
  emit_tile(tile_row(first, threads_, thread_), {});
}

void CudaTaskCodegen::emit_tiles_of_rows() {
  LLVMBuilderRef b = ir_.get();
  Value block = special_register("ctaid.x");
  if (!strided_) {
    const Type* u8 = scalar_type(Primitive::u8);
    const Type* u32 = scalar_type(Primitive::u32);
    // (high32(x * factor) + x) >> shift; see CudaLaunch.
    auto divide = [&](Value x, size_t factor, size_t shift) {
      Value product = multiply(widen(x), widen(field(u32, factor)));
      Value high = LLVMBuildTrunc(b, LLVMBuildLShr(b, product, ir_.constant_i64(32), ""), ir_.int_type(32), "");
      Value by = LLVMBuildZExt(b, field(u8, shift), ir_.int_type(32), "");
      return LLVMBuildLShr(b, add(high, x), by, "");
    };
    auto remainder = [&](Value x, Value quotient, size_t count) {
      return subtract(x, multiply(quotient, field(u32, count)));
    };
    Value rest = divide(block, offsetof(CudaLaunch, last_factor), offsetof(CudaLaunch, last_shift));
    Value last = remainder(block, rest, offsetof(CudaLaunch, tiles_last));
    Value middle = rest, first = nullptr;
    if (last_axis() == 2) {
      first = divide(rest, offsetof(CudaLaunch, middle_factor), offsetof(CudaLaunch, middle_shift));
      middle = widen(remainder(rest, first, offsetof(CudaLaunch, tiles_middle)));
      first = widen(first);
    } else {
      middle = widen(middle);
    }
    emit_tile_of_rows(widen(last), middle, first);
    return;
  }
  // As many tiles as there are, whatever their number: 64 bits, divided once a tile.
  auto tiles_along = [&](Value items, Value a_tile) {
    return add(LLVMBuildUDiv(b, subtract(items, ir_.constant_i64(1)), a_tile, ""), ir_.constant_i64(1));
  };
  const int64_t along = (int64_t{1} << kStridedShift) * width_;
  Value tiles_last = tiles_along(subtract(axes_[last_axis()].end, row_start()), ir_.constant_i64(along));
  Value rows = ir_.constant_i64(block_dim_ >> kStridedShift);
  Value tiles_middle = tiles_along(length(last_axis() - 1), rows);
  Value tiles = multiply(tiles_last, tiles_middle);
  if (last_axis() == 2) tiles = multiply(tiles, length(0));
  LLVMBasicBlockRef run = ir_.new_block("tiles");
  Value start = widen(block);
  ir_.branch(ir_.compare(LLVMIntULT, start, tiles), run, leave_);
  ir_.enter(run);
  Value tile = begin_tiles(ir_.i64(), start);
  LLVMBasicBlockRef header = ir_.current_block();
  Value rest = LLVMBuildUDiv(b, tile, tiles_last, "");
  Value last = subtract(tile, multiply(rest, tiles_last));
  Value middle = rest, first = nullptr;
  if (last_axis() == 2) {
    first = LLVMBuildUDiv(b, rest, tiles_middle, "");
    middle = subtract(rest, multiply(first, tiles_middle));
  }
  emit_tile_of_rows(last, middle, first);
  end_tiles(tile, widen(special_register("nctaid.x")), tiles, header);
}

// The tile's place among the tiles of each axis, i64; first is null for two axes.
void CudaTaskCodegen::emit_tile_of_rows(Value tile_last, Value tile_middle, Value first) {
  LLVMBuilderRef b = ir_.get();
  LLVMTypeRef i32 = ir_.int_type(32);
  Value one = ir_.constant(i32, 1);
  Value shift = strided_
                    ? ir_.constant(i32, kStridedShift)
                    : LLVMBuildZExt(b, field(scalar_type(Primitive::u8), offsetof(CudaLaunch, tile_shift)), i32, "");
  Value along = LLVMBuildShl(b, one, shift, "");
  Value lane0 = LLVMBuildAnd(b, thread_, subtract(along, one), "");
  Value row_in_tile = widen(LLVMBuildLShr(b, thread_, shift, ""));
  Value rows_of_threads = widen(LLVMBuildLShr(b, threads_, shift, ""));

  const size_t middle_axis = last_axis() - 1;
  Value row = add(multiply(tile_middle, rows_of_threads), row_in_tile);
  Value several = nullptr, row_count = nullptr;
  if (rows() > 1) {
    several = ir_.compare(LLVMIntEQ, wide_rows(), ir_.constant(ir_.int_type(8), static_cast<uint64_t>(rows())));
    row_count = ir_.select(several, ir_.constant_i64(rows()), ir_.constant_i64(1));
    row = multiply(row, row_count);
  }
  LLVMBasicBlockRef run = ir_.new_block("row");
  LLVMBasicBlockRef after = ir_.new_block("row_done");
  ir_.branch(ir_.compare(LLVMIntULT, row, length(middle_axis)), run, after);
  ir_.enter(run);
  LoopIndices outer{};
  outer[middle_axis] = ir_.add_nsw(axes_[middle_axis].begin, row);
  if (first != nullptr) outer[0] = ir_.add_nsw(axes_[0].begin, first);
  TileRow tile = tile_row(multiply(tile_last, widen(times_width(along))), along, lane0);
  if (several != nullptr) {
    tile.several = several;
    tile.rows = row_count;
    tile.left = subtract(length(middle_axis), row);
  }
  emit_tile(tile, outer);
  ir_.jump(after);
  ir_.enter(after);
}

// A thread's part of a tile, from the row on whose indices `outer` has.
void CudaTaskCodegen::emit_tile(const TileRow& row, LoopIndices outer) {
  if (width_ == 1) {
    emit_single(add(row.first, widen(row.lane0)), outer);
    return;
  }
  LLVMBasicBlockRef lanes = ir_.new_block("lanes");
  LLVMBasicBlockRef apart = ir_.new_block("apart");
  LLVMBasicBlockRef single = ir_.new_block("single");
  LLVMBasicBlockRef neighbours = ir_.new_block("neighbours");
  LLVMBasicBlockRef done = ir_.new_block("tile_done");
  Value wide = ir_.compare(LLVMIntNE, wide_rows(), LLVMConstNull(ir_.int_type(8)));
  Value fast = LLVMBuildAnd(ir_.get(), wide, row.inside, "");
  if (row.several != nullptr) fast = LLVMBuildAnd(ir_.get(), fast, ir_.compare(LLVMIntUGE, row.left, row.rows), "");
  if (guard_ != nullptr) fast = LLVMBuildAnd(ir_.get(), fast, guard_, "");
  Value vector = ir_.constant(ir_.int_type(32), static_cast<uint64_t>(lanes_plan_.vector));
  Value spread_vector = widen(multiply(row.spread, vector));
  ir_.branch_likely(fast, lanes, apart);

  ir_.enter(lanes);
  if (row.several != nullptr) {
    LLVMBasicBlockRef rows_of_lanes = ir_.new_block("rows");
    LLVMBasicBlockRef one_row = ir_.new_block("one_row");
    ir_.branch(row.several, rows_of_lanes, one_row);
    ir_.enter(rows_of_lanes);
    std::vector<Values> values(static_cast<size_t>(rows() * width_), values_);
    lane_values_.swap(values);
    emit_lanes(row, outer, done, neighbours);
    lane_values_.swap(values);
    ir_.enter(one_row);
  }
  emit_lanes(row, outer, done, neighbours);

  ir_.enter(apart);
  Value near = add(row.first, widen(row.lane0));
  Value spread = widen(row.spread);
  ir_.jump(single);
  ir_.enter(neighbours);
  Value lane_first = add(row.first, widen(multiply(row.lane0, vector)));
  ir_.jump(single);

  // Item number n of a thread: n rows of threads on, or one by one through a vector and then on to the next one.
  ir_.enter(single);
  Value start = ir_.phi(ir_.i64()), step = ir_.phi(ir_.i64()), jump = ir_.phi(ir_.i64());
  auto from = [&](LLVMBasicBlockRef block, Value first, Value next, Value next_vector) {
    IrBuilder::add_incoming(start, first, block);
    IrBuilder::add_incoming(step, next, block);
    IrBuilder::add_incoming(jump, next_vector, block);
  };
  from(apart, near, spread, spread_vector);
  from(neighbours, lane_first, ir_.constant_i64(1), spread_vector);
  std::vector<CountedLoop> loops;
  const auto count_to = [&](Value end) {
    loops.push_back(begin_loop(ir_.constant_i64(0), end));
    return loops.back().index;
  };
  if (row.several != nullptr) {
    Value row_number = count_to(ir_.intrinsic("llvm.umin", {ir_.i64()}, {row.left, row.rows}));
    outer[last_axis() - 1] = ir_.add_nsw(outer[last_axis() - 1], row_number);
  }
  Value vector_number = count_to(ir_.constant_i64(width_ / lanes_plan_.vector));
  Value item = count_to(ir_.constant_i64(lanes_plan_.vector));
  emit_single(add(start, add(multiply(vector_number, jump), multiply(item, step))), outer);
  for (; !loops.empty(); loops.pop_back()) {
    end_loop(loops.back());
    keep_rolled(ir_, LLVMGetBasicBlockTerminator(loops.back().latch));
  }
  ir_.jump(done);
  ir_.enter(done);
}

// One iteration, if the last axis's index is in the range.
void CudaTaskCodegen::emit_single(Value index, LoopIndices outer) {
  const Axis& axis = axes_[last_axis()];
  LLVMBasicBlockRef run = ir_.new_block("item");
  LLVMBasicBlockRef done = ir_.new_block("item_done");
  Value in_range = ir_.compare(LLVMIntSLT, index, axis.end);
  if (width_ > 1) {
    in_range = LLVMBuildAnd(ir_.get(), in_range, ir_.compare(LLVMIntSGE, index, axis.begin), "");
  }
  ir_.branch(in_range, run, done);
  ir_.enter(run);
  outer[last_axis()] = index;
  bind_loop(&context_.task, outer, done, nullptr);
  if (context_.reads_random) begin_iteration(flat_iteration(outer));
  const auto emit_item = [&](size_t body) {
    begin_item();
    emit(block(body));
    end_item();
    ir_.jump(done);
  };
  // With lanes, this is the way for what they cannot take, failing guards among it.
  if (guard_ == nullptr || width_ > 1) {
    emit_item(guard_ == nullptr ? offloaded_block::body : offloaded_block::checked_body);
  } else {
    LLVMBasicBlockRef fast = ir_.new_block("unchecked");
    LLVMBasicBlockRef checked = ir_.new_block("checked");
    ir_.branch_likely(guard_, fast, checked);
    ir_.enter(fast);
    emit_item(offloaded_block::body);
    ir_.enter(checked);
    emit_item(offloaded_block::checked_body);
  }
  ir_.enter(done);
}

// The iteration's number in the range, last axis fastest.
Value CudaTaskCodegen::flat_iteration(const LoopIndices& indices) {
  Value flat = subtract(indices[0], axes_[0].begin);
  for (size_t axis = 1; axis <= last_axis(); ++axis) {
    flat = add(multiply(flat, length(axis)), subtract(indices[axis], axes_[axis].begin));
  }
  return flat;
}

}  // namespace qd
