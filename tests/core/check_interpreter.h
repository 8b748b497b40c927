// Runs the integer part of a task's IR, to see which check fails first and whether an access without a check leaves its
// array. Loops over many iterations run their first and last few.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ir/constant.h"
#include "core/ir/edit.h"
#include "core/transforms/fold.h"

namespace qd {

class CheckInterpreter {
 public:
  // lengths: of each array parameter, one an axis; args: bits of each scalar parameter.
  CheckInterpreter(std::map<int32_t, std::vector<int64_t>> lengths, std::map<int32_t, uint64_t> args)
      : lengths_(std::move(lengths)), args_(std::move(args)) {}

  // The first failure as text, empty where there is none.
  std::string run(const OffloadedStmt* task) {
    using namespace offloaded_block;
    block(task->blocks[bounds].get());
    size_t chosen = body;
    if (const Block* test = task->blocks[guard].get(); !test->statements.empty()) {
      block(test);
      fast = values_[test->statements.back().get()] != 0;
      if (!fast) chosen = checked_body;
    }
    if (task->task == TaskType::serial) {
      block(task->blocks[body].get());
    } else {
      iterate(task, task->dims, task->blocks[chosen].get());
    }
    return failure_;
  }

  bool fast = true;  // the guard held, or there is none

 private:
  enum class Flow { next, leave };  // leave: target_ says where to

  bool stopped() const { return !failure_.empty() || steps_ > 200000; }
  void fail(std::string text) {
    if (failure_.empty()) failure_ = std::move(text);
  }
  int64_t integer(const Stmt* stmt) { return static_cast<int64_t>(values_.at(stmt)); }

  void iterate(const Stmt* loop, int32_t dims, const Block* inner) {
    std::vector<std::vector<int64_t>> axes;
    for (size_t axis = 0; axis < static_cast<size_t>(dims); axis++) {
      const int64_t begin = integer(loop->operands[2 * axis]), end = integer(loop->operands[2 * axis + 1]);
      std::vector<int64_t> sampled;
      constexpr int64_t kEdge = 4;
      for (int64_t i = begin; i < end && i - begin < kEdge; i++) sampled.push_back(i);
      for (int64_t i = end; i > begin && end - i < kEdge; i--) {
        if (sampled.back() < i - 1) sampled.push_back(i - 1);
      }
      axes.push_back(std::move(sampled));
    }
    if (axes.size() == 1) axes.push_back({0});
    for (int64_t i : axes[0]) {
      for (int64_t j : axes[1]) {
        indices_[loop] = {i, j};
        if (stopped()) return;
        if (block(inner) == Flow::leave && (target_ != loop || breaks_)) return;
        target_ = nullptr;
      }
    }
  }

  Flow block(const Block* block) {
    for (const auto& stmt : block->statements) {
      if (stopped()) return Flow::leave;
      steps_++;
      if (statement(stmt.get()) == Flow::leave) return Flow::leave;
    }
    return Flow::next;
  }

  Flow statement(const Stmt* stmt) {
    switch (stmt->kind) {
      case StmtKind::if_:
        return block(stmt->blocks[values_.at(stmt->operands[0]) != 0 ? 0 : 1].get());
      case StmtKind::range_for:
        iterate(stmt, as<RangeForStmt>(stmt)->dims, stmt->blocks[0].get());
        return target_ != nullptr ? leave(stmt) : Flow::next;
      case StmtKind::continue_:
      case StmtKind::break_:
        target_ = stmt->operands[0];
        breaks_ = stmt->kind == StmtKind::break_;
        return Flow::leave;
      case StmtKind::check:
        check(as<CheckStmt>(stmt));
        return Flow::next;
      case StmtKind::store:
        if (stmt->operands[0]->kind == StmtKind::alloca_) locals_[stmt->operands[0]] = values_.at(stmt->operands[1]);
        return Flow::next;
      default:
        values_[stmt] = value(stmt);
        return Flow::next;
    }
  }

  Flow leave(const Stmt* loop) {
    if (target_ != loop) return Flow::leave;
    target_ = nullptr;
    return Flow::next;
  }

  void check(const CheckStmt* check) {
    const int64_t first = integer(check->operands[0]);
    const auto second = [&] { return integer(check->operands[1]); };
    bool holds = true;
    if (check->check == CheckKind::index) holds = first >= 0 && first < second();
    if (check->check == CheckKind::nonzero) holds = first != 0;
    if (check->check == CheckKind::shift) holds = first >= 0;
    if (!holds) fail("check " + check->name + " " + std::to_string(check->axis) + " " + std::to_string(first));
  }

  uint64_t value(const Stmt* stmt) {
    const auto bits = [&](size_t i) { return values_.at(stmt->operands[i]); };
    const auto type = [&](size_t i) { return stmt->operands[i]->type; };
    switch (stmt->kind) {
      case StmtKind::constant:
        return as<ConstantStmt>(stmt)->bits;
      case StmtKind::arg_load:
        return args_.at(as<ArgLoadStmt>(stmt)->param);
      case StmtKind::array_dim: {
        const auto* dim = as<ArrayDimStmt>(stmt);
        return static_cast<uint64_t>(lengths_.at(dim->param).at(static_cast<size_t>(dim->axis)));
      }
      case StmtKind::loop_index: {
        const auto& [i, j] = indices_.at(stmt->operands[0]);
        return static_cast<uint64_t>(as<LoopIndexStmt>(stmt)->axis == 0 ? i : j);
      }
      case StmtKind::select:
        return bits(bits(0) != 0 ? 1 : 2);
      case StmtKind::cast:
        return fold_cast(as<CastStmt>(stmt)->op, type(0), stmt->type, bits(0)).value_or(0);
      case StmtKind::unary:
        return fold_unary(as<UnaryStmt>(stmt)->op, type(0), bits(0)).value_or(0);
      case StmtKind::binary: {
        const auto result = fold_binary(as<BinaryStmt>(stmt)->op, type(0), bits(0), type(1), bits(1));
        if (!result) fail("an operator without its check");
        return result.value_or(0);
      }
      case StmtKind::alloca_:
        locals_[stmt] = 0;
        return 0;
      case StmtKind::element_ptr:
        return element(as<ElementPtrStmt>(stmt));
      case StmtKind::load: {
        const Stmt* pointer = stmt->operands[0];
        if (pointer->kind == StmtKind::alloca_) return locals_.at(pointer);
        // Any function of the address will do for what an array holds.
        return integer_bits(stmt->type, bits(0) * 0x9e3779b97f4a7c15u >> 40);
      }
      default:
        return 0;
    }
  }

  uint64_t element(const ElementPtrStmt* pointer) {
    uint64_t address = static_cast<uint64_t>(pointer->param);
    const auto& lengths = lengths_.at(pointer->param);
    for (size_t axis = 0; axis < pointer->operands.size(); axis++) {
      const int64_t index = integer(pointer->operands[axis]);
      if (index < 0 || index >= lengths[axis]) fail("an access outside its array");
      address = address * 31 + static_cast<uint64_t>(index);
    }
    return address;
  }

  std::map<int32_t, std::vector<int64_t>> lengths_;
  std::map<int32_t, uint64_t> args_;
  std::unordered_map<const Stmt*, uint64_t> values_, locals_;
  std::unordered_map<const Stmt*, std::pair<int64_t, int64_t>> indices_;
  const Stmt* target_ = nullptr;
  bool breaks_ = false;
  int steps_ = 0;
  std::string failure_;
};

}  // namespace qd
