// Many operators over the same operands in one kernel: out_k[i] = f_k(x[i], y[i]), compared with C++'s answer.
#pragma once

#include <cmath>
#include <functional>

#include "tests/core/codegen_kernel.h"

namespace qd::codegen_test {

// A value as its bytes in memory, zero-extended.
template <class T>
uint64_t memory_bits(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class X, class Y = X>
class Columns {
 public:
  using Build = std::function<Stmt*(Emitter&, Stmt* x, Stmt* y)>;

  explicit Columns(const char* name) : kernel(name) {
    kernel.param(type_of<X>(), 1);
    kernel.param(type_of<Y>(), 1);
    task_ = kernel.task_over(0);
    Emitter e = kernel.in(task_);
    index_ = e.loop_index(task_, 0);
    x_ = e.load(kernel.element(e, 0, {index_}));
    y_ = e.load(kernel.element(e, 1, {index_}));
  }

  // want(x, y) gives a value of the type that build's statement has.
  template <class Want>
  void add(std::string name, const Build& build, Want want) {
    Emitter e = kernel.in(task_);
    Stmt* result = build(e, x_, y_);
    const int32_t out = kernel.param(result->type, 1);
    e.store(kernel.element(e, out, {index_}), result);
    columns_.push_back({std::move(name), result->type, [want](X x, Y y) { return memory_bits(want(x, y)); }, {}});
  }
  template <class Want>
  void binary(BinaryOp op, Want want) {
    add(std::string(to_string(op)), [op](Emitter& e, Stmt* x, Stmt* y) { return e.binary(op, x, y); }, want);
  }
  template <class Want>
  void unary(UnaryOp op, Want want) {
    add(
        std::string(to_string(op)), [op](Emitter& e, Stmt* x, Stmt*) { return e.unary(op, x); },
        [want](X x, Y) { return want(x); });
  }

  void run(std::vector<X> x, std::vector<Y> y) {
    kernel.compile();
    kernel.set_array(0, x);
    kernel.set_array(1, y);
    const auto count = static_cast<int64_t>(x.size());
    for (size_t c = 0; c < columns_.size(); ++c) {
      columns_[c].out.assign(x.size() * static_cast<size_t>(columns_[c].type->size), 0);
      kernel.set_array(static_cast<int32_t>(2 + c), columns_[c].out.data(), {count});
    }
    kernel.run(13);
    for (const Column& column : columns_) {
      const auto size = static_cast<size_t>(column.type->size);
      for (size_t i = 0; i < x.size(); ++i) {
        uint64_t got = 0;
        std::memcpy(&got, &column.out[i * size], size);
        const uint64_t want = column.want(x[i], y[i]);
        if (!same(column.type, got, want)) {
          ADD_FAILURE() << column.name << " of " << to_string(type_of<X>()) << " " << +x[i] << ", " << +y[i]
                        << ": got 0x" << std::hex << got << ", want 0x" << want << std::dec;
        }
      }
    }
  }
  // Every value with every other.
  void run_pairs(const std::vector<X>& xs, const std::vector<Y>& ys) {
    std::vector<X> x;
    std::vector<Y> y;
    for (X a : xs) {
      for (Y b : ys) {
        x.push_back(a);
        y.push_back(b);
      }
    }
    run(x, y);
  }

  TestKernel kernel;

 private:
  struct Column {
    std::string name;
    const Type* type;
    std::function<uint64_t(X, Y)> want;
    std::vector<char> out;
  };

  // NaN is NaN, whatever its bits.
  static bool same(const Type* type, uint64_t got, uint64_t want) {
    if (got == want) return true;
    auto nan = [&](uint64_t bits) {
      switch (type->primitive) {
        case Primitive::f16:
          return (bits & 0x7fff) > 0x7c00;
        case Primitive::f32:
          return (bits & 0x7fffffff) > 0x7f800000;
        case Primitive::f64:
          return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
        default:
          return false;
      }
    };
    return nan(got) && nan(want);
  }

  OffloadedStmt* task_;
  Stmt* index_;
  Stmt* x_;
  Stmt* y_;
  std::vector<Column> columns_;
};

}  // namespace qd::codegen_test
