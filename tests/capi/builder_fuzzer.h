// A random sequence of builder calls, and the use of the kernel that comes out.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "capi/qd.h"
#include "tests/capi/dice.h"

class BuilderFuzzer : Dice {
 public:
  // runnable: the kernel is launched, so its loops are short, it has no endless loop, and indices are checked.
  BuilderFuzzer(qd_program* program, uint64_t seed, bool runnable)
      : Dice(seed), program_(program), runnable_(runnable) {}

  void run() {
    builder_ = qd_builder_create(program_, pick_text(), &error_);
    if (builder_ == nullptr) return;
    declare();
    const bool all_in_groups = chance(25);
    for (int i = number(20, 400); i > 0; --i) {
      if (all_in_groups && open_.empty()) open_group();
      call();
    }
    // Closing what is open in order, most of the time, so that many kernels get finished.
    if (chance(90)) {
      while (!open_.empty()) close_top();
      while (qd_builder_leave_call(builder_, nullptr) == QD_OK) {
      }
    }
    qd_kernel* kernel = qd_builder_finish(builder_, &error_);
    if (kernel == nullptr) {
      check(error_.code);
    } else {
      use(kernel);
    }
    for (int i = 0; i < 3; ++i) call();  // a spent builder refuses, and must not crash
    qd_builder_destroy(builder_);
    qd_kernel_destroy(kernel);
  }

  int accepted = 0, refused = 0, launched = 0, finished = 0;

 private:
  struct Value {
    qd_expr expr;
    qd_type type;
    bool place;
    bool reusable;
  };

  qd_error* pick_error() { return chance(95) ? &error_ : nullptr; }
  void check(qd_code code) {
    if (code == QD_OK) {
      ++accepted;
      return;
    }
    ++refused;
    ASSERT_EQ(code, error_.code);
    ASSERT_NE(code, QD_INTERNAL) << error_.message;
    ASSERT_NE(error_.message[0], '\0');
    ASSERT_NE(memchr(error_.message, 0, sizeof error_.message), nullptr);
  }
  void code(qd_code c) {
    if (used_error_ != nullptr) check(c);
  }
  int32_t handle(int32_t h) {
    if (h >= 0 || used_error_ != nullptr) check(h >= 0 ? QD_OK : error_.code);
    return h;
  }
  qd_error* error() { return used_error_ = pick_error(); }

  qd_type scalar() { return number(QD_U1, QD_F64); }
  qd_type pick_type() {
    if (chance(5)) return junk();
    return chance(80) || composites_.empty() ? scalar() : any_of(composites_);
  }
  void add(qd_expr expr, qd_type type, bool place, bool reusable) {
    if (handle(expr) >= 0) values_.push_back({expr, type, place, reusable});
  }
  // A value of the type if there is one; junk now and then.
  qd_expr pick(qd_type type, bool place_only = false) {
    if (chance(3)) return junk();
    for (int tries = 0; tries < 30 && !values_.empty(); ++tries) {
      const auto i = static_cast<size_t>(number(0, static_cast<int>(values_.size()) - 1));
      const Value value = values_[i];
      if ((type != 0 && value.type != type) || (place_only && !value.place)) continue;
      if (!value.reusable) values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(i));
      last_type_ = value.type;
      return value.expr;
    }
    if (place_only) return junk();
    if (type == QD_F16 || type == QD_F32 || type == QD_F64) {
      return qd_builder_constant_float(builder_, type, number(-3, 3) * 0.75, &error_);
    }
    last_type_ = type == 0 ? QD_I64 : type;
    return qd_builder_constant_int(builder_, last_type_, number(0, last_type_ == QD_U1 ? 1 : 5), &error_);
  }
  qd_expr pick_index() { return pick(QD_I64); }
  qd_expr small_bound() {
    if (!arrays_.empty() && chance(50)) return qd_builder_dim(builder_, any_of(arrays_).param, 0, &error_);
    return qd_builder_constant_int(builder_, QD_I64, number(-2, 6), &error_);
  }

  void declare() {
    for (int i = number(0, 3); i > 0; --i) {
      if (chance(50)) {
        const qd_type type =
            handle(qd_builder_array_type(builder_, pick_type(), chance(90) ? number(1, 5) : junk(), error()));
        if (type >= 0) composites_.push_back(type);
      } else {
        const std::array<qd_type, 2> fields = {QD_I32, scalar()};
        const std::array<int64_t, 2> offsets = {0, chance(90) ? 8 : junk()};
        const qd_type type = handle(
            qd_builder_struct_type(builder_, 2, fields.data(), offsets.data(), 16, chance(90) ? 8 : junk(), error()));
        if (type >= 0) composites_.push_back(type);
      }
    }
    for (int i = number(0, 4); i > 0; --i) {
      const std::string name = "p" + std::to_string(i);
      const qd_type type = pick_type();
      if (chance(70)) {
        const int32_t rank = chance(95) ? number(1, 3) : junk();
        const qd_param param = handle(qd_builder_param_array(builder_, name.c_str(), type, rank, error()));
        if (param >= 0) arrays_.push_back({param, type, rank});
      } else {
        const qd_param param = handle(qd_builder_param_value(builder_, name.c_str(), type, error()));
        if (param >= 0) add(qd_builder_param(builder_, param, error()), type, false, true);
      }
    }
    file_ = handle(qd_builder_file(builder_, "fuzz.go", error()));
  }

  void close_top() {
    const char kind = open_.back();
    open_.pop_back();
    switch (kind) {
      case 'i':
        return code(qd_builder_end_if(builder_, error()));
      case 'f':
        return code(qd_builder_end_for(builder_, error()));
      case 'l':
        return code(qd_builder_end_loop(builder_, error()));
      case 's':
        return code(qd_builder_end_scope(builder_, error()));
      default:
        return code(qd_builder_end_stream_parallel(builder_, error()));
    }
  }
  int loops() const {
    int count = 0;
    for (const char kind : open_) count += kind == 'f' || kind == 'l';
    return count;
  }

  void call() {
    switch (number(0, 7)) {
      case 0:
        return call_place();
      case 1:
      case 2:
        return call_value();
      case 3:
      case 4:
        return call_statement();
      case 5:
        return call_scope();
      case 6:
        return call_other();
      default:
        if (!open_.empty() && chance(60)) close_top();
    }
  }

  void call_place() {
    if (!arrays_.empty() && chance(70)) {
      const Array array = any_of(arrays_);
      std::array<qd_expr, 3> indices{};
      for (qd_expr& index : indices) index = pick_index();
      const int32_t rank = chance(97) ? array.rank : number(-1, 3);
      const int32_t checked = runnable_ ? 1 : number(0, 1);
      const bool null = chance(2);
      add(qd_builder_element(builder_, array.param, rank, null ? nullptr : indices.data(), checked, error()),
          array.element, true, false);
    } else if (chance(50)) {
      const qd_type type = pick_type();
      add(qd_builder_local(builder_, pick_text(), type, chance(50) ? -1 : pick(type), error()), type, true, true);
    } else if (chance(50)) {
      add(qd_builder_field(builder_, pick(0, true), number(-1, 2), error()), QD_I32, true, false);
    } else {
      add(qd_builder_item(builder_, pick(0, true), pick_index(), runnable_ ? 1 : number(0, 1), error()), scalar(), true,
          false);
    }
  }

  void call_value() {
    const qd_type type = scalar();
    switch (number(0, 9)) {
      case 0:
        return add(qd_builder_constant_int(builder_, type, junk(), error()), type, false, true);
      case 1:
        return add(qd_builder_constant_float(builder_, type, junk() * 0.3, error()), type, false, true);
      case 2:
        return add(qd_builder_dim(builder_, arrays_.empty() ? junk() : any_of(arrays_).param, number(-1, 3), error()),
                   QD_I64, false, true);
      case 3:
        return add(
            qd_builder_unary(builder_, static_cast<qd_unary_op>(number(-1, QD_REVERSE_BYTES + 1)), pick(type), error()),
            type, false, false);
      case 4:
      case 5: {
        const int op = number(-1, QD_MUL_HIGH + 1);
        const bool comparison = op >= QD_EQ && op <= QD_GE;
        const qd_expr x = pick(type), y = pick(type);
        return add(qd_builder_binary(builder_, static_cast<qd_binary_op>(op), x, y, error()),
                   comparison ? +QD_U1 : type, false, false);
      }
      case 6:
        return add(qd_builder_cast(builder_, static_cast<qd_cast_op>(number(-1, 3)), pick(scalar()), type, error()),
                   type, false, false);
      case 7: {
        const qd_expr condition = pick(QD_U1), x = pick(type), y = pick(type);
        return add(qd_builder_select(builder_, condition, x, y, error()), type, false, false);
      }
      case 8:
        return add(qd_builder_random(builder_, type, error()), type, false, false);
      default: {
        const qd_expr index = pick_index(), length = pick(QD_I64);
        return add(qd_builder_checked_index(builder_, index, length, pick_text(), error()), QD_I64, false, false);
      }
    }
  }

  void call_statement() {
    switch (number(0, 5)) {
      case 0:
      case 1: {
        const qd_expr place = pick(0, true);
        return code(qd_builder_assign(builder_, place, pick(last_type_), error()));
      }
      case 2: {
        const qd_type type = scalar();
        return add(qd_builder_bind(builder_, pick(type), error()), type, false, true);
      }
      case 3: {
        const qd_expr place = pick(0, true);
        const qd_type type = last_type_;
        const int op = number(-1, QD_ATOMIC_EXCHANGE + 1);
        return add(qd_builder_atomic(builder_, static_cast<qd_atomic_op>(op), place, pick(type), error()), type, false,
                   true);
      }
      case 4: {
        const qd_expr place = pick(0, true);
        const qd_type type = last_type_;
        const qd_expr expected = pick(type), desired = pick(type);
        return add(qd_builder_atomic_cas(builder_, place, expected, desired, error()), type, false, true);
      }
      default: {
        std::array<qd_expr, 3> args = {pick(QD_U1), pick(chance(50) ? +QD_I64 : 0), pick(QD_I64)};
        const int32_t count = chance(97) ? number(0, 3) : junk() % 4;
        if (chance(50)) return code(qd_builder_print(builder_, count, args.data(), pick_text(), number(0, 2), error()));
        return code(qd_builder_check(builder_, static_cast<qd_check>(number(-1, 6)), count, args.data(), pick_text(),
                                     pick_text(), error()));
      }
    }
  }

  void call_scope() {
    if (open_.size() > 12 || (runnable_ && loops() > 2)) return;
    switch (number(0, 5)) {
      case 0: {
        const qd_code c = qd_builder_begin_if(builder_, pick(QD_U1), error());
        if (c == QD_OK) open_.push_back('i');
        return code(c);
      }
      case 1:
      case 2: {
        const int32_t axes = number(1, 3);
        std::array<qd_expr, 7> bounds{};
        for (qd_expr& bound : bounds) bound = runnable_ ? small_bound() : pick_index();
        const qd_loop_options options = {chance(90) ? 0 : junk(), number(0, 1), pick_text()};
        const qd_label loop = handle(qd_builder_begin_for(builder_, chance(95) ? 2 * axes : number(-1, 7),
                                                          bounds.data(), chance(50) ? nullptr : &options, error()));
        if (loop < 0) return;
        open_.push_back('f');
        labels_.push_back(loop);
        return add(qd_builder_loop_index(builder_, loop, number(0, axes - 1), error()), QD_I64, false, true);
      }
      case 3: {
        if (runnable_) return;
        const qd_label loop = handle(qd_builder_begin_loop(builder_, error()));
        if (loop < 0) return;
        open_.push_back('l');
        return labels_.push_back(loop);
      }
      case 4: {
        const qd_label scope = handle(qd_builder_begin_scope(builder_, error()));
        if (scope < 0) return;
        open_.push_back('s');
        return labels_.push_back(scope);
      }
      default:
        if (chance(5)) open_group();
    }
  }

  void open_group() {
    const qd_code c = qd_builder_begin_stream_parallel(builder_, error());
    if (c == QD_OK) open_.push_back('p');
    code(c);
  }

  void call_other() {
    const qd_label label = labels_.empty() || chance(5) ? junk() : any_of(labels_);
    switch (number(0, 8)) {
      case 0:
        return code(qd_builder_position(builder_, chance(95) ? file_ : junk(), number(1, 500), number(1, 80), error()));
      case 1:
        return code(qd_builder_enter_call(builder_, pick_text(), error()));
      case 2:
        return code(qd_builder_leave_call(builder_, error()));
      case 3:
        return code(qd_builder_break(builder_, label, error()));
      case 4:
        return code(qd_builder_continue(builder_, label, error()));
      case 5:
        return chance(10) ? code(qd_builder_return(builder_, error())) : void();
      case 6:
        return code(qd_builder_begin_else(builder_, error()));
      case 7:
        return code(qd_builder_begin_post(builder_, error()));
      default:
        return chance(10) ? code(qd_builder_end_for(builder_, error())) : void();  // out of order, mostly
    }
  }

  void use(qd_kernel* kernel) {
    ++finished;
    const int64_t size = qd_kernel_args_size(kernel);
    ASSERT_GE(size, 0);
    char text[64];
    if (chance(10)) code(qd_kernel_dump(kernel, pick_text(), text, sizeof text, error()) < 0 ? error_.code : QD_OK);
    if (!chance(runnable_ ? 100 : 10)) return;
    used_error_ = &error_;
    const qd_code compiled = qd_kernel_compile(kernel, &error_);
    code(compiled);
    ASSERT_GE(qd_kernel_plan(kernel, text, sizeof text), 0);
    ASSERT_LT(strlen(text), sizeof text);
    if (!runnable_ || compiled != QD_OK) return;

    // All arrays lie in one piece of memory, some of them on top of each other.
    constexpr int64_t kMemory = 1 << 16;
    const uint64_t memory = qd_memory_allocate(program_, kMemory, &error_);
    ASSERT_NE(memory, 0U);
    std::vector<uint64_t> args(static_cast<size_t>(size / 8) + 1);
    for (const Array& array : arrays_) {
      const auto at = static_cast<size_t>(qd_kernel_arg_offset(kernel, array.param) / 8);
      args[at] = memory + static_cast<uint64_t>(number(0, 3)) * 1024;
      for (int32_t axis = 0; axis < array.rank; ++axis)
        args[at + 1 + static_cast<size_t>(axis)] = static_cast<uint64_t>(number(0, 5));
    }
    qd_launch_result result{};
    const qd_code ran = qd_kernel_launch(kernel, args.data(), size, &result, &error_);
    code(ran);
    ASSERT_TRUE(ran == QD_OK || ran == QD_KERNEL) << error_.message;
    ++launched;
    std::vector<char> output(4096);
    while (qd_program_take_output(program_, number(1, 2), output.data(), 4096) > 0) {
    }
    qd_memory_free(program_, memory, kMemory);
  }

  struct Array {
    qd_param param;
    qd_type element;
    int32_t rank;
  };
  qd_program* program_;
  const bool runnable_;
  qd_builder* builder_ = nullptr;
  qd_error error_{};
  qd_error* used_error_ = &error_;
  int32_t file_ = -1;
  qd_type last_type_ = QD_I64;
  std::vector<Value> values_;
  std::vector<Array> arrays_;
  std::vector<qd_type> composites_;
  std::vector<qd_label> labels_;
  std::string open_;
};
