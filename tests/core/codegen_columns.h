// Many operators over the same operands in one kernel: out_k[i] = f_k(x[i], y[i]), compared with C++'s answer.
#pragma once

#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/core/codegen_kernel.h"

namespace qd::codegen_test {

// A value as its bytes in memory, zero-extended.
template <class T>
uint64_t memory_bits(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

// What does not depend on the operands' types, compiled once.
class AnyColumns {
 public:
  using Build = std::function<Stmt*(Emitter&, Stmt* x, Stmt* y)>;

  TestKernel kernel;

 protected:
  // The bytes of the answer for the operands at x and y.
  using Want = std::function<uint64_t(const void* x, const void* y)>;

  AnyColumns(const char* name, const Type* x, const Type* y) : kernel(name) {
    kernel.param(x, 1);
    kernel.param(y, 1);
    task_ = kernel.task_over(0);
    Emitter e = kernel.in(task_);
    index_ = e.loop_index(task_, 0);
    x_ = e.load(kernel.element(e, 0, {index_}));
    y_ = e.load(kernel.element(e, 1, {index_}));
  }

  static Build build_of(BinaryOp op) {
    return [op](Emitter& e, Stmt* x, Stmt* y) { return e.binary(op, x, y); };
  }
  static Build build_of(UnaryOp op) {
    return [op](Emitter& e, Stmt* x, Stmt*) { return e.unary(op, x); };
  }

  void add_column(std::string name, const Build& build, Want want) {
    Emitter e = kernel.in(task_);
    Stmt* result = build(e, x_, y_);
    const int32_t out = kernel.param(result->type, 1);
    e.store(kernel.element(e, out, {index_}), result);
    columns_.push_back({std::move(name), result->type, std::move(want), {}});
  }

  // After compile() and set_array() of both operands, of count values each.
  void run_columns(int64_t count) {
    for (size_t c = 0; c < columns_.size(); ++c) {
      columns_[c].out.assign(static_cast<size_t>(count * columns_[c].type->size), 0);
      kernel.set_array(static_cast<int32_t>(2 + c), columns_[c].out.data(), {count});
    }
    kernel.run(13);
  }

  // The columns whose answer at row i is not what is wanted for x and y.
  void expect_row(size_t i, const void* x, const void* y, const std::function<std::string()>& operands) const {
    for (const Column& column : columns_) {
      const auto size = static_cast<size_t>(column.type->size);
      uint64_t got = 0;
      std::memcpy(&got, &column.out[i * size], size);
      const uint64_t want = column.want(x, y);
      if (!same(column.type, got, want)) {
        ADD_FAILURE() << column.name << " of " << operands() << ": got 0x" << std::hex << got << ", want 0x" << want
                      << std::dec;
      }
    }
  }

 private:
  struct Column {
    std::string name;
    const Type* type;
    Want want;
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

template <class X, class Y = X>
class Columns : public AnyColumns {
 public:
  explicit Columns(const char* name) : AnyColumns(name, type_of<X>(), type_of<Y>()) {}

  // want(x, y) gives a value of the type that build's statement has.
  template <class Answer>
  void add(std::string name, const Build& build, Answer want) {
    add_column(std::move(name), build, column_want<std::invoke_result_t<Answer, X, Y>>(want));
  }
  template <class Answer>
  void binary(BinaryOp op, Answer want) {
    add(std::string(to_string(op)), build_of(op), want);
  }
  template <class Answer>
  void unary(UnaryOp op, Answer want) {
    using Result = std::invoke_result_t<Answer, X>;
    Result (*const function)(X) = want;
    add_column(std::string(to_string(op)), build_of(op),
               [function](const void* x, const void*) { return memory_bits(function(*static_cast<const X*>(x))); });
  }

  void run(std::vector<X> x, std::vector<Y> y) {
    kernel.compile();
    kernel.set_array(0, x);
    kernel.set_array(1, y);
    run_columns(static_cast<int64_t>(x.size()));
    for (size_t i = 0; i < x.size(); ++i) {
      expect_row(i, &x[i], &y[i], [&] {
        std::ostringstream operands;
        operands << to_string(type_of<X>()) << " " << +x[i] << ", " << +y[i];
        return operands.str();
      });
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

 private:
  template <class Result, class Answer>
  static Want column_want(Answer want) {
    if constexpr (std::is_convertible_v<Answer, Result (*)(X, Y)>) {
      return want_of<Result>(want);
    } else {
      return [want](const void* x, const void* y) {
        return memory_bits<Result>(want(*static_cast<const X*>(x), *static_cast<const Y*>(y)));
      };
    }
  }
  // By pointer, so that the many functions of one type share what is compiled for it.
  template <class Result>
  static Want want_of(Result (*want)(X, Y)) {
    return [want](const void* x, const void* y) {
      return memory_bits(want(*static_cast<const X*>(x), *static_cast<const Y*>(y)));
    };
  }
};

}  // namespace qd::codegen_test
