// The root becomes a list of tasks. First every top-level statement is given to a task (assign), then the values that
// cross tasks are found (promote), then the statements move (build).
//
// Pure statements of constants, arguments and array lengths belong to no task: each task that uses one has its own
// copy, so that computing a bound never costs a launch.
#include <algorithm>
#include <set>

#include "core/analysis/access.h"
#include "core/ir/edit.h"
#include "core/ir/error.h"
#include "core/transforms/passes.h"

namespace qd {

namespace {

struct Task {
  GroupId group = 0;
  PosId pos = -1;
  RangeForStmt* loop = nullptr;                   // a range task
  std::vector<std::unique_ptr<Stmt>> statements;  // a serial task
};

// Where a top-level statement that is no loop and no side effect lives.
enum class Home : uint8_t {
  task,     // in one task
  copied,   // in every task that uses it
  local,    // an alloca of one serial task
  crossing  // an alloca in the launch block
};

struct Info {
  Home home = Home::task;
  size_t task = 0;
  int64_t temp = -1;          // offset of the promoted value or alloca
  GroupId group = -1;         // of the tasks that use the temp; -1 is none yet
  std::vector<size_t> users;  // allocas: the tasks that use it, ascending
};

bool is_pointer_step(const Stmt* stmt) {
  return stmt->kind == StmtKind::element_ptr || stmt->kind == StmtKind::offset_ptr;
}

class Offloader {
 public:
  explicit Offloader(KernelIR& kernel) : kernel_(kernel) {}

  void run() {
    std::vector<std::unique_ptr<Stmt>> old = std::move(kernel_.root->statements);
    kernel_.root->statements.clear();
    // A return that nothing follows ends nothing.
    while (!old.empty() && old.back()->kind == StmtKind::stop) old.pop_back();
    assign(old);
    for (auto& owned : old) find_users(owned.get());
    place_allocas(old);
    drop_first_zeroes(old);
    for (auto& owned : old) promote(owned.get());
    kernel_.temps_size = (next_temp_ + 7) / 8 * 8;
    build(old);
  }

 private:
  // ---- which task a statement belongs to ----

  // Its value follows from the arguments alone; by-value aggregates are read-only.
  bool follows_from_arguments(const Stmt* stmt) const {
    const bool reads_argument =
        stmt->kind == StmtKind::load && pointer_root(stmt->operands[0])->kind == StmtKind::arg_place;
    return (is_pure(stmt) || reads_argument) &&
           std::all_of(stmt->operands.begin(), stmt->operands.end(), [&](const Stmt* operand) {
             auto found = info_.find(operand);
             return found != info_.end() && found->second.home == Home::copied && invariant_.contains(operand);
           });
  }

  void assign(const std::vector<std::unique_ptr<Stmt>>& statements) {
    bool open = false;  // the last task is serial and may take more
    for (const auto& owned : statements) {
      Stmt* stmt = owned.get();
      Info info;
      auto* loop = as<RangeForStmt>(stmt);
      if (loop != nullptr && loop->parallel) {
        tasks_.push_back(Task{stmt->group, stmt->pos, loop, {}});
        info.task = tasks_.size() - 1;
        open = false;
      } else if (stmt->kind == StmtKind::alloca_) {
        info.home = Home::local;
      } else if (follows_from_arguments(stmt)) {
        info.home = Home::copied;
        invariant_.insert(stmt);
      } else {
        if (open && tasks_.back().group != stmt->group) open = false;
        // A pure value does not start a task of its own; a pointer is never stored.
        if ((is_pure(stmt) && !open) || is_pointer_step(stmt)) {
          info.home = Home::copied;
        } else {
          if (!open) tasks_.push_back(Task{stmt->group, stmt->pos, nullptr, {}});
          open = true;
          info.task = tasks_.size() - 1;
        }
      }
      info_.emplace(stmt, std::move(info));
    }
  }

  // ---- what crosses ----

  // Calls f for every top-level statement that `stmt`, of `task`, needs there, copies looked through.
  template <class F>
  void needs(Stmt* stmt, const F& f) {
    const auto visit_operands = [&](const Stmt* user) {
      for (Stmt* operand : user->operands) {
        auto found = info_.find(operand);
        if (found == info_.end()) continue;
        if (found->second.home == Home::copied) {
          needs(operand, f);
        } else {
          f(operand, found->second);
        }
      }
    };
    visit_operands(stmt);
    for (auto& block : stmt->blocks) walk(static_cast<const Block*>(block.get()), visit_operands);
  }

  void find_users(Stmt* stmt) {
    const Info& user = info_.at(stmt);
    if (user.home != Home::task) return;
    needs(stmt, [&](Stmt* used, Info& info) {
      if (used->kind == StmtKind::alloca_ && (info.users.empty() || info.users.back() != user.task)) {
        info.users.push_back(user.task);
      }
    });
  }

  void claim(const Stmt* stmt, Info& info, GroupId group) {
    if (info.group >= 0 && info.group != group) {
      const auto* local = as<AllocaStmt>(stmt);
      throw Error(Code::compile,
                  (local != nullptr && !local->name.empty() ? "variable " + local->name : std::string("a value")) +
                      " is shared by two StreamParallel scopes",
                  stmt->pos);
    }
    info.group = group;
  }

  void allocate(Info& info, const Type* type) {
    const int64_t align = std::max<int64_t>(8, type->align);
    next_temp_ = (next_temp_ + align - 1) / align * align;
    info.temp = next_temp_;
    next_temp_ += type->size;
  }

  // An alloca that one serial task alone uses stays a local of it.
  void place_allocas(const std::vector<std::unique_ptr<Stmt>>& statements) {
    for (const auto& owned : statements) {
      if (owned->kind != StmtKind::alloca_) continue;
      Info& info = info_.at(owned.get());
      for (size_t user : info.users) claim(owned.get(), info, tasks_[user].group);
      if (info.users.empty() || (info.users.size() == 1 && tasks_[info.users[0]].loop == nullptr)) continue;
      info.home = Home::crossing;
      allocate(info, owned->type->element);
    }
  }

  static bool writes_zero(const Stmt* stmt) {
    if (stmt->kind == StmtKind::zero) return true;
    const auto* value = stmt->kind == StmtKind::store ? as<ConstantStmt>(stmt->operands[1]) : nullptr;
    return value != nullptr && value->bits == 0;
  }

  // Temporaries start as zero, so a first use that stores zero need not cost a task.
  void drop_first_zeroes(std::vector<std::unique_ptr<Stmt>>& statements) {
    std::unordered_map<const Stmt*, bool> used;
    for (auto& owned : statements) {
      Info& info = info_.at(owned.get());
      if (info.home != Home::task) continue;
      Stmt* stmt = owned.get();
      auto target = writes_zero(stmt) ? info_.find(stmt->operands[0]) : info_.end();
      if (target != info_.end() && target->second.home == Home::crossing && !used[stmt->operands[0]]) {
        dropped_.insert(stmt);
        continue;
      }
      needs(stmt, [&](Stmt* need, Info&) { used[need] = true; });
    }
  }

  void promote(Stmt* stmt) {
    const Info& user = info_.at(stmt);
    if (user.home != Home::task || dropped_.contains(stmt)) return;
    const GroupId group = tasks_[user.task].group;
    // A loop's bounds are computed before its task, by the launcher: they are uses like any other.
    needs(stmt, [&](Stmt* used, Info& info) {
      if (info.home != Home::task || info.task == user.task) return;
      claim(used, info, tasks_[info.task].group);
      claim(used, info, group);
      if (info.temp < 0) allocate(info, used->type);
    });
  }

  // ---- moving ----

  TempPtrStmt* temp_pointer(Emitter& emitter, const Info& info, const Type* pointee) {
    auto* pointer = emitter.emit<TempPtrStmt>(kernel_.types.pointer_to(pointee));
    pointer->offset = info.temp;
    return pointer;
  }

  // The top-level statement `stmt` as a task sees it; what is not there yet is made at the end of the emitter's block.
  Stmt* materialize(Stmt* stmt, size_t task, Emitter& emitter, StmtMap& made) {
    if (auto found = made.find(stmt); found != made.end()) return found->second;
    auto found = info_.find(stmt);
    if (found == info_.end()) return stmt;
    Info& info = found->second;
    Stmt* result = stmt;
    switch (info.home) {
      case Home::task:
        if (info.task == task) return stmt;
        result = emitter.load(temp_pointer(emitter, info, stmt->type));
        break;
      case Home::copied: {
        std::vector<Stmt*> operands;
        for (Stmt* operand : stmt->operands) operands.push_back(materialize(operand, task, emitter, made));
        StmtMap map;
        std::unique_ptr<Stmt> copy = clone(stmt, map);
        copy->operands = std::move(operands);
        copy->group = emitter.group;
        result = emitter.block()->append(std::move(copy));
        emitter.set_block(emitter.block());
        break;
      }
      case Home::local:
        result = emitter.alloca_of(stmt->type->element, as<AllocaStmt>(stmt)->name);
        result->pos = stmt->pos;
        break;
      case Home::crossing:
        result = temp_pointer(emitter, info, stmt->type->element);
        break;
    }
    made[stmt] = result;
    return result;
  }

  void rewrite(Stmt* stmt, size_t task, Emitter& emitter, StmtMap& made) {
    const auto operands = [&](Stmt* user) {
      for (Stmt*& operand : user->operands) operand = materialize(operand, task, emitter, made);
    };
    operands(stmt);
    for (auto& block : stmt->blocks) walk(block.get(), operands);
  }

  void build(std::vector<std::unique_ptr<Stmt>>& old) {
    for (auto& owned : old) {
      const Info& info = info_.at(owned.get());
      if (info.home == Home::task && !dropped_.contains(owned.get())) {
        tasks_[info.task].statements.push_back(std::move(owned));
      }
    }
    Emitter root(kernel_.types, kernel_.root.get());
    for (size_t i = 0; i < tasks_.size(); i++) {
      Task& task = tasks_[i];
      if (task.statements.empty()) continue;
      root.pos = task.pos;
      root.group = task.group;
      auto* made = root.emit<OffloadedStmt>(none_type(), {}, offloaded_block::count);
      if (task.loop != nullptr) {
        build_range(i, made);
      } else {
        build_serial(i, made);
      }
    }
  }

  void build_serial(size_t index, OffloadedStmt* made) {
    Task& task = tasks_[index];
    Block* body = made->blocks[offloaded_block::body].get();
    StmtMap copies;
    for (auto& owned : task.statements) {
      Emitter emitter(kernel_.types, body);
      emitter.pos = owned->pos;
      emitter.group = task.group;
      rewrite(owned.get(), index, emitter, copies);
      Stmt* stmt = body->append(std::move(owned));
      emitter.set_block(body);
      const Info& info = info_.at(stmt);
      if (info.temp >= 0) emitter.store(temp_pointer(emitter, info, stmt->type), stmt);
    }
  }

  void build_range(size_t index, OffloadedStmt* made) {
    Task& task = tasks_[index];
    RangeForStmt* loop = task.loop;
    made->task = TaskType::range_for;
    made->dims = loop->dims;
    made->options = loop->options;

    Emitter bounds(kernel_.types, made->blocks[offloaded_block::bounds].get());
    bounds.pos = task.pos;
    bounds.group = task.group;
    StmtMap in_bounds;
    for (Stmt* bound : loop->operands) made->operands.push_back(materialize(bound, index, bounds, in_bounds));

    std::unique_ptr<Block> inner = std::move(loop->blocks[0]);
    Block* body = made->blocks[offloaded_block::body].get();
    Emitter emitter(kernel_.types, body);
    emitter.pos = task.pos;
    emitter.group = task.group;
    StmtMap in_body{{loop, made}};
    walk(inner.get(), [&](Stmt* user) {
      if (user->kind == StmtKind::break_ && user->operands[0] == loop) {
        throw Error(Code::internal, "offload: a break leaves a parallel loop", user->pos);
      }
      for (Stmt*& operand : user->operands) operand = materialize(operand, index, emitter, in_body);
    });
    for (auto& stmt : inner->statements) body->append(std::move(stmt));
  }

  KernelIR& kernel_;
  std::vector<Task> tasks_;
  std::unordered_map<const Stmt*, Info> info_;
  std::set<const Stmt*> invariant_;
  std::set<const Stmt*> dropped_;
  int64_t next_temp_ = 0;
};

}  // namespace

void offload(KernelIR& kernel) { Offloader(kernel).run(); }

}  // namespace qd
