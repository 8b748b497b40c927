// A reduction to one cell: each chunk of a range task combines into a local of its own and touches the cell once.
#include <limits>
#include <map>

#include "core/analysis/access.h"
#include "core/analysis/value_number.h"
#include "core/ir/constant.h"
#include "core/transforms/passes.h"

namespace qd {

namespace {

// How an atomic is split: `local` combines into the accumulator, the atomic itself applies it. Atomics of one `family`
// give the same result in any order.
struct Reduction {
  AtomicOp op;
  BinaryOp local;
  int family;
};
constexpr Reduction kReductions[] = {
    {AtomicOp::add, BinaryOp::add, 0},         {AtomicOp::sub, BinaryOp::add, 0},
    {AtomicOp::mul, BinaryOp::mul, 1},         {AtomicOp::min, BinaryOp::min, 2},
    {AtomicOp::max, BinaryOp::max, 3},         {AtomicOp::bit_and, BinaryOp::bit_and, 4},
    {AtomicOp::and_not, BinaryOp::bit_or, 4},  {AtomicOp::bit_or, BinaryOp::bit_or, 5},
    {AtomicOp::bit_xor, BinaryOp::bit_xor, 6},
};

const Reduction* reduction_of(const AtomicStmt* atomic) {
  const Type* type = atomic->type;
  if (!type->is_scalar() || type->is_bool()) return nullptr;
  for (const Reduction& reduction : kReductions) {
    if (reduction.op == atomic->op) return &reduction;
  }
  return nullptr;
}

// The accumulator's value that changes nothing, bit for bit: -0 for float sums, since x + -0 is x for every x.
Stmt* identity(Emitter& emitter, BinaryOp op, const Type* type) {
  const int bits = type->bits();
  const bool minimum = op == BinaryOp::min;
  switch (op) {
    case BinaryOp::mul:
      return emitter.constant_int(type, 1);
    case BinaryOp::bit_and:
      return emitter.constant_int(type, -1);
    case BinaryOp::min:
    case BinaryOp::max:
      if (type->is_float()) {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        return emitter.constant_float(type, minimum ? kInfinity : -kInfinity);
      }
      if (type->is_unsigned()) return emitter.constant_int(type, minimum ? -1 : 0);
      return emitter.constant_int(type, minimum ? std::numeric_limits<int64_t>::max() >> (64 - bits)
                                                : std::numeric_limits<int64_t>::min() >> (64 - bits));
    default:
      return type->is_float() ? emitter.constant_float(type, -0.0) : emitter.constant_int(type, 0);
  }
}

// The memory an access leads to, as far as this pass tells memory apart: a parameter or a temporary.
using Home = std::pair<StmtKind, int64_t>;

Home home_of(const Stmt* pointer) {
  const Stmt* root = pointer_root(pointer);
  if (const auto* element = as<ElementPtrStmt>(root)) return {root->kind, element->param};
  if (const auto* temp = as<TempPtrStmt>(root)) return {root->kind, temp->offset};
  return {root->kind, -1};
}

class Localizer {
 public:
  Localizer(KernelIR& kernel, OffloadedStmt* task, bool may_alias)
      : kernel_(kernel), task_(task), numbers_(task), may_alias_(may_alias), uses_(count_uses(body())) {}

  void run() {
    std::map<Home, std::vector<AtomicStmt*>> atomics;
    std::set<Home> other;
    std::set<Home> arrays;
    walk(body(), [&](Stmt* stmt) {
      const MemoryAccess access = memory_access(stmt);
      for (const Stmt* pointer : {access.read, access.written}) {
        if (pointer != nullptr && home_of(pointer).first == StmtKind::element_ptr) arrays.insert(home_of(pointer));
      }
      auto* atomic = as<AtomicStmt>(stmt);
      if (atomic != nullptr && !atomic->plain && uses_[atomic] == 0 && reduction_of(atomic) != nullptr) {
        atomics[home_of(atomic->operands[0])].push_back(atomic);
        return;
      }
      for (const Stmt* pointer : {access.read, access.written}) {
        if (pointer != nullptr) other.insert(home_of(pointer));
      }
    });
    for (auto& [home, members] : atomics) {
      const bool array = home.first == StmtKind::element_ptr;
      if (other.contains(home) || (array && may_alias_ && arrays.size() > 1) || !commute(members)) continue;
      for (AtomicStmt* atomic : members) {
        if (numbers_.invariant(atomic->operands[0])) localize(atomic);
      }
    }
  }

 private:
  Block* body() const { return task_->blocks[offloaded_block::body].get(); }

  // All of one family and type: whichever cells they meet, their order does not matter.
  static bool commute(const std::vector<AtomicStmt*>& members) {
    for (const AtomicStmt* atomic : members) {
      if (reduction_of(atomic)->family != reduction_of(members[0])->family) return false;
      if (atomic->type != members[0]->type) return false;
    }
    return true;
  }

  void localize(AtomicStmt* atomic) {
    const Reduction* reduction = reduction_of(atomic);
    Stmt*& accumulator = accumulators_[{numbers_.number(atomic->operands[0]), atomic->op}];
    if (accumulator == nullptr) accumulator = make_accumulator(atomic, reduction);

    Emitter emitter = Emitter::before(kernel_.types, atomic);
    Stmt* old = emitter.load(accumulator);
    auto* combined = as<BinaryStmt>(emitter.binary(reduction->local, old, atomic->operands[1]));
    combined->reassociate =
        atomic->type->is_float() && (reduction->local == BinaryOp::add || reduction->local == BinaryOp::mul);
    emitter.store(accumulator, combined);
    atomic->parent->take(atomic->parent->index_of(atomic));
  }

  // The accumulator, and its way back. An accumulator that is still the identity changes nothing, so the cell is left
  // alone: where no iteration came to the atomic, the cell's index may never have been checked.
  Stmt* make_accumulator(AtomicStmt* atomic, const Reduction* reduction) {
    const Type* type = atomic->type;
    const auto at = [&](size_t block) {
      Emitter emitter(kernel_.types, task_->blocks[block].get());
      emitter.pos = atomic->pos;
      emitter.group = task_->group;
      return emitter;
    };
    Emitter prologue = at(offloaded_block::prologue);
    Stmt* accumulator = prologue.alloca_of(type, "accumulator");
    prologue.store(accumulator, identity(prologue, reduction->local, type));

    Emitter epilogue = at(offloaded_block::epilogue);
    Stmt* total = epilogue.load(accumulator);
    Stmt* start = identity(epilogue, reduction->local, type);
    Stmt* total_bits = bits_of(epilogue, total);
    Stmt* start_bits = bits_of(epilogue, start);
    IfStmt* changed = epilogue.if_else(epilogue.binary(BinaryOp::ne, total_bits, start_bits));
    epilogue.set_block(changed->blocks[0].get());
    StmtMap copies;
    Stmt* cell = ValueNumbers::copy(atomic->operands[0], epilogue, copies);
    epilogue.atomic(atomic->op, cell, total);
    return accumulator;
  }

  static Stmt* bits_of(Emitter& emitter, Stmt* value) {
    if (!value->type->is_float()) return value;
    const Primitive same = value->type->size == 8   ? Primitive::u64
                           : value->type->size == 4 ? Primitive::u32
                                                    : Primitive::u16;
    return emitter.cast(value, scalar_type(same), CastOp::bits);
  }

  KernelIR& kernel_;
  OffloadedStmt* task_;
  ValueNumbers numbers_;
  bool may_alias_;
  std::unordered_map<const Stmt*, int> uses_;
  std::map<std::pair<ValueNumber, AtomicOp>, Stmt*> accumulators_;
};

}  // namespace

void make_thread_local(KernelIR& kernel, const CompileOptions& options) {
  for (auto& owned : kernel.root->statements) {
    auto* task = as<OffloadedStmt>(owned.get());
    if (task->task == TaskType::range_for) Localizer(kernel, task, options.may_alias).run();
  }
}

}  // namespace qd
