// Kernels built by hand from offloaded IR, compiled for this CPU and run without the launcher.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/codegen/codegen.h"
#include "core/ir/edit.h"
#include "core/ir/verify.h"

namespace qd::codegen_test {

inline const Type* u1() { return scalar_type(Primitive::u1); }
inline const Type* i32() { return scalar_type(Primitive::i32); }
inline const Type* i64() { return scalar_type(Primitive::i64); }
inline const Type* f32() { return scalar_type(Primitive::f32); }
inline const Type* f64() { return scalar_type(Primitive::f64); }

template <class T>
constexpr Primitive primitive_of() {
  if constexpr (std::is_same_v<T, bool>) return Primitive::u1;
  if constexpr (std::is_same_v<T, int8_t>) return Primitive::i8;
  if constexpr (std::is_same_v<T, int16_t>) return Primitive::i16;
  if constexpr (std::is_same_v<T, int32_t>) return Primitive::i32;
  if constexpr (std::is_same_v<T, int64_t>) return Primitive::i64;
  if constexpr (std::is_same_v<T, uint8_t>) return Primitive::u8;
  if constexpr (std::is_same_v<T, uint16_t>) return Primitive::u16;
  if constexpr (std::is_same_v<T, uint32_t>) return Primitive::u32;
  if constexpr (std::is_same_v<T, uint64_t>) return Primitive::u64;
  if constexpr (std::is_same_v<T, float>) return Primitive::f32;
  if constexpr (std::is_same_v<T, double>) return Primitive::f64;
  return Primitive::none;
}
template <class T>
const Type* type_of() {
  return scalar_type(primitive_of<T>());
}

class TestKernel {
 public:
  KernelIR ir;
  CompileOptions options;
  int threads = 1;

  explicit TestKernel(std::string name = "kernel") { ir.name = std::move(name); }

  int32_t param(const Type* type, int32_t rank = 0) {
    const auto index = static_cast<int32_t>(ir.params.size());
    ir.params.push_back({"p" + std::to_string(index), type, rank, 0});
    return index;
  }

  OffloadedStmt* serial_task() { return task(TaskType::serial, 0); }
  // Its bounds are still to be given.
  OffloadedStmt* range_task(int32_t dims) { return task(TaskType::range_for, dims); }
  // Over [0, the length of each axis of the array).
  OffloadedStmt* task_over(int32_t array) {
    const int32_t dims = ir.params[static_cast<size_t>(array)].rank;
    OffloadedStmt* result = range_task(dims);
    Emitter e = in(result, offloaded_block::bounds);
    for (int32_t axis = 0; axis < dims; ++axis) {
      result->operands.push_back(e.constant_int(i64(), 0));
      result->operands.push_back(e.array_dim(array, axis));
    }
    return result;
  }
  OffloadedStmt* task_between(std::initializer_list<int64_t> bounds) {
    OffloadedStmt* result = range_task(static_cast<int32_t>(bounds.size() / 2));
    Emitter e = in(result, offloaded_block::bounds);
    for (int64_t bound : bounds) result->operands.push_back(e.constant_int(i64(), bound));
    return result;
  }
  Emitter in(OffloadedStmt* task, size_t block = offloaded_block::body) {
    return Emitter(ir.types, task->blocks[block].get());
  }
  Stmt* element(Emitter& e, int32_t array, std::vector<Stmt*> indices) {
    const Type* type = ir.params[static_cast<size_t>(array)].type;
    auto* stmt = e.emit<ElementPtrStmt>(ir.types.pointer_to(type), std::move(indices));
    stmt->param = array;
    stmt->check = false;
    return stmt;
  }
  Stmt* temp(Emitter& e, const Type* type, int64_t offset) {
    auto* stmt = e.emit<TempPtrStmt>(ir.types.pointer_to(type));
    stmt->offset = offset;
    ir.temps_size = std::max<int64_t>(ir.temps_size, (offset + type->size + 7) / 8 * 8);
    return stmt;
  }
  CheckStmt* check(Emitter& e, CheckKind kind, std::vector<Stmt*> operands) {
    auto* stmt = e.emit<CheckStmt>(none_type(), std::move(operands));
    stmt->check = kind;
    return stmt;
  }

  CompiledKernel& compile() {
    ir.params_size = layout_params(ir.params);
    verify(ir, "test");
    compiled_ = compile_for_cpu(ir, options, threads);
    block_.assign((temps_offset(ir.params_size) + static_cast<size_t>(ir.temps_size)) / 8 + 1, 0);
    return *compiled_;
  }
  CompiledKernel& compiled() { return *compiled_; }

  LaunchHeader& header() { return *reinterpret_cast<LaunchHeader*>(block_.data()); }
  char* argument(int32_t param) {
    return reinterpret_cast<char*>(block_.data()) + kHeaderSize + ir.params[static_cast<size_t>(param)].offset;
  }
  template <class T>
  void set(int32_t param, const T& value) {
    std::memcpy(argument(param), &value, sizeof value);
  }
  void set_array(int32_t param, void* data, std::initializer_list<int64_t> dims) {
    set(param, data);
    std::memcpy(argument(param) + 8, std::data(dims), 8 * dims.size());
  }
  template <class T>
  void set_array(int32_t param, std::vector<T>& data) {
    set_array(param, data.data(), {static_cast<int64_t>(data.size())});
  }
  char* temps() { return reinterpret_cast<char*>(block_.data()) + temps_offset(ir.params_size); }

  void run_chunk(size_t task, int64_t begin, int64_t end) {
    compiled_->tasks.at(task).function(block_.data(), begin, end);
  }
  // The task's bounds, as the launcher sees them.
  std::vector<int64_t> bounds(size_t task) {
    std::vector<int64_t> result(2 * static_cast<size_t>(compiled_->tasks.at(task).task.dims));
    compiled_->tasks.at(task).bounds(block_.data(), result.data());
    return result;
  }
  int64_t iterations(size_t task) {
    int64_t count = 1;
    const std::vector<int64_t> b = bounds(task);
    for (size_t i = 0; i < b.size(); i += 2) count *= std::max<int64_t>(0, b[i + 1] - b[i]);
    return count;
  }
  // Every task in order, each range in chunks of `chunk` iterations (0: in one).
  void run(int64_t chunk = 0) {
    for (size_t t = 0; t < compiled_->tasks.size(); ++t) {
      if (compiled_->tasks[t].task.type == TaskType::serial) {
        run_chunk(t, 0, 0);
        continue;
      }
      const int64_t count = iterations(t);
      const int64_t step = chunk > 0 ? chunk : std::max<int64_t>(count, 1);
      for (int64_t begin = 0; begin < count; begin += step) run_chunk(t, begin, std::min(begin + step, count));
    }
  }

 private:
  OffloadedStmt* task(TaskType type, int32_t dims) {
    Emitter e(ir.types, ir.root.get());
    auto* stmt = e.emit<OffloadedStmt>(none_type(), {}, offloaded_block::count);
    stmt->task = type;
    stmt->dims = dims;
    return stmt;
  }

  std::unique_ptr<CompiledKernel> compiled_;
  std::vector<uint64_t> block_;
};

}  // namespace qd::codegen_test
