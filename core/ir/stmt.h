// Statements of the IR: structured control flow, SSA values, explicit allocas.
//
// Every statement has a kind, a result type, operands (other statements' results), nested blocks, a source position and
// a stream-parallel group. What else a kind carries is one aggregate ("attributes") whose members() lists every member
// once; cloning, equality, hashing and printing all read that list, so none can forget a member (statement_members.cpp
// checks the count at compile time).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "core/ir/ops.h"
#include "core/ir/position.h"
#include "core/ir/type.h"

namespace qd {

class Block;
struct Stmt;

// 0 is "outside any StreamParallel scope"; scopes of a kernel count from 1 in source order.
using GroupId = int32_t;

enum class StmtKind : uint8_t {
  constant,
  arg_load,
  arg_place,
  array_dim,
  loop_index,
  unary,
  binary,
  cast,
  select,
  random,
  alloca_,
  element_ptr,
  offset_ptr,
  temp_ptr,
  load,
  store,
  copy,
  zero,
  atomic,
  atomic_cas,
  if_,
  range_for,
  loop,
  scope,
  break_,
  continue_,
  stop,
  check,
  print,
  offloaded,
};

struct Stmt {
  virtual ~Stmt();
  Stmt(const Stmt&) = delete;
  Stmt& operator=(const Stmt&) = delete;

  const StmtKind kind;
  const Type* type = nullptr;  // of the result; none_type() where there is none
  PosId pos = -1;
  GroupId group = 0;
  Block* parent = nullptr;
  std::vector<Stmt*> operands;
  std::vector<std::unique_ptr<Block>> blocks;

 protected:
  explicit Stmt(StmtKind kind);
};

class Block {
 public:
  Stmt* parent_stmt = nullptr;  // null for the kernel's root
  std::vector<std::unique_ptr<Stmt>> statements;

  Stmt* append(std::unique_ptr<Stmt> stmt);  // sets parent
  Stmt* insert(size_t index, std::unique_ptr<Stmt> stmt);
  std::unique_ptr<Stmt> take(size_t index);  // removes and returns
  size_t index_of(const Stmt* stmt) const;   // aborts if absent
};

// ---- attributes --------------------------------------------------------------------------------------------------

// A scalar: integers zero- or sign-extended to 64 bits, u1 0 or 1, floats as the bits of an f64.
struct ConstantAttrs {
  uint64_t bits = 0;
  auto members() const { return std::tie(bits); }
};
// By-value scalar parameter.
struct ArgLoadAttrs {
  int32_t param = 0;
  auto members() const { return std::tie(param); }
};
// Pointer to a by-value aggregate parameter; read-only.
struct ArgPlaceAttrs {
  int32_t param = 0;
  auto members() const { return std::tie(param); }
};
// Length of an array parameter along an axis, i64.
struct ArrayDimAttrs {
  int32_t param = 0;
  int32_t axis = 0;
  auto members() const { return std::tie(param, axis); }
};
// operands: {loop}: a range_for or offloaded statement. The index is i64.
struct LoopIndexAttrs {
  int32_t axis = 0;
  auto members() const { return std::tie(axis); }
};
// operands: {x}
struct UnaryAttrs {
  UnaryOp op{};
  auto members() const { return std::tie(op); }
};
// operands: {x, y}, of one type except for shifts (any integer count). contract: may fuse into a multiply-add.
// reassociate: the order of a float reduction is free.
struct BinaryAttrs {
  BinaryOp op{};
  bool contract = true;
  bool reassociate = false;
  auto members() const { return std::tie(op, contract, reassociate); }
};
// operands: {x}; the target is `type`
struct CastAttrs {
  CastOp op{};
  auto members() const { return std::tie(op); }
};
// operands: {condition, x, y}
struct SelectAttrs {
  auto members() const { return std::tie(); }
};
// A counter-based random number: integers over their whole range, floats in [0, 1). `sequence` numbers the calls in
// the kernel's text.
struct RandomAttrs {
  int32_t sequence = 0;
  auto members() const { return std::tie(sequence); }
};
// A local variable, zeroed where it stands; type is a pointer.
struct AllocaAttrs {
  std::string name;
  auto members() const { return std::tie(name); }
};
// Pointer to an element of an array parameter. operands: one i64 index an axis. check: indices must be tested
// against the array's lengths (insert_checks clears it).
struct ElementPtrAttrs {
  int32_t param = 0;
  bool check = true;
  auto members() const { return std::tie(param, check); }
};
// base + offset + index * stride. operands: {base} or {base, index}. With an index and count >= 0, index must be
// tested against count while `check` is set.
struct OffsetPtrAttrs {
  int64_t offset = 0;
  int64_t stride = 0;
  int64_t count = -1;
  bool check = false;
  auto members() const { return std::tie(offset, stride, count, check); }
};
// Pointer into the launch block's area for values that cross tasks; zeroed when the launch starts.
struct TempPtrAttrs {
  int64_t offset = 0;
  auto members() const { return std::tie(offset); }
};
// operands: {pointer}
struct LoadAttrs {
  auto members() const { return std::tie(); }
};
// operands: {pointer, value}
struct StoreAttrs {
  auto members() const { return std::tie(); }
};
// Aggregates. operands: {destination pointer, source pointer}; either distinct or equal, never partly overlapping.
struct CopyAttrs {
  auto members() const { return std::tie(); }
};
// operands: {pointer}: zeroes the pointee.
struct ZeroAttrs {
  auto members() const { return std::tie(); }
};
// operands: {pointer, value}; yields the old value. plain: no other thread can touch the cell (demote_atomics).
struct AtomicAttrs {
  AtomicOp op{};
  bool plain = false;
  auto members() const { return std::tie(op, plain); }
};
// operands: {pointer, expected, desired}; yields the old value.
struct AtomicCasAttrs {
  auto members() const { return std::tie(); }
};
// operands: {condition}; blocks: {then, else}
struct IfAttrs {
  auto members() const { return std::tie(); }
};

// What qd.LoopConfig says of the next loop.
struct LoopOptions {
  int32_t block_dim = 0;  // 0: the device's choice
  bool serialize = false;
  std::string name;
  auto members() const { return std::tie(block_dim, serialize, name); }
  friend bool operator==(const LoopOptions&, const LoopOptions&) = default;
};
// operands: {begin0, end0, begin1, end1, …}, i64, evaluated once; blocks: {body}. dims is 1 to 3, the last axis runs
// fastest. parallel: a top-level loop that offload turns into a task.
struct RangeForAttrs {
  int32_t dims = 1;
  bool parallel = false;
  LoopOptions options;
  auto members() const { return std::tie(dims, parallel, options); }
};
// blocks: {body, post}: body, post, body, … until a break. `continue` goes to post.
struct LoopAttrs {
  auto members() const { return std::tie(); }
};
// A labelled block: `break` of it goes past its end. blocks: {body}
struct ScopeAttrs {
  auto members() const { return std::tie(); }
};
// operands: {loop, range_for or scope}
struct BreakAttrs {
  auto members() const { return std::tie(); }
};
// operands: {loop or range_for; offloaded after offload}
struct ContinueAttrs {
  auto members() const { return std::tie(); }
};
// Ends the kernel without an error: `return` at a kernel's top level. Serial tasks only.
struct StopAttrs {
  auto members() const { return std::tie(); }
};

enum class CheckKind : int32_t {
  index,      // operands {index, length}: 0 <= index < length
  slice,      // operands {low, high, capacity}: 0 <= low <= high <= capacity
  nonzero,    // operands {divisor}
  shift,      // operands {count}: not negative
  length,     // operands {length, want}: length >= want (slice to array conversion)
  assertion,  // operands {condition, args…}
};
// Fails the launch unless it holds. Ends the task. `message` is the assertion's format; `name` the array's.
struct CheckAttrs {
  CheckKind check{};
  int32_t axis = 0;
  std::string name;
  std::string message;
  auto members() const { return std::tie(check, axis, name, message); }
};
// operands: the values. `format` holds a %v for each and the literal text between ("%%" is a percent sign).
// to_stderr: Go's println.
struct PrintAttrs {
  std::string format;
  bool to_stderr = false;
  auto members() const { return std::tie(format, to_stderr); }
};

enum class TaskType : int32_t { serial, range_for };
// A task, the unit of launching; made by offload. A range task's bounds are operands {begin0, end0, …} that live in
// blocks[bounds] and read only constants, arguments, array lengths and launch-block temporaries.
struct OffloadedAttrs {
  TaskType task = TaskType::serial;
  int32_t dims = 0;
  LoopOptions options;
  int64_t cost = 0;  // estimated cycles of one iteration (estimate_cost); 0 is unknown
  auto members() const { return std::tie(task, dims, options, cost); }
};
// Blocks of an offloaded statement; a serial task uses only `body`.
namespace offloaded_block {
inline constexpr size_t bounds = 0;    // evaluated by the launcher, once, before the task
inline constexpr size_t prologue = 1;  // once a chunk, before its iterations (thread-local accumulators)
inline constexpr size_t body = 2;      // each iteration
inline constexpr size_t epilogue = 3;  // once a chunk, after its iterations
inline constexpr size_t guard = 4;     // once a chunk: its last statement, a u1, chooses body (true) or checked_body
inline constexpr size_t checked_body = 5;  // as body, with every check; used only if guard is not empty
inline constexpr size_t count = 6;
}  // namespace offloaded_block

template <StmtKind K, class Attrs>
struct StmtOf final : Stmt, Attrs {
  static constexpr StmtKind kKind = K;
  using Attributes = Attrs;
  StmtOf() : Stmt(K) {}
};

using ConstantStmt = StmtOf<StmtKind::constant, ConstantAttrs>;
using ArgLoadStmt = StmtOf<StmtKind::arg_load, ArgLoadAttrs>;
using ArgPlaceStmt = StmtOf<StmtKind::arg_place, ArgPlaceAttrs>;
using ArrayDimStmt = StmtOf<StmtKind::array_dim, ArrayDimAttrs>;
using LoopIndexStmt = StmtOf<StmtKind::loop_index, LoopIndexAttrs>;
using UnaryStmt = StmtOf<StmtKind::unary, UnaryAttrs>;
using BinaryStmt = StmtOf<StmtKind::binary, BinaryAttrs>;
using CastStmt = StmtOf<StmtKind::cast, CastAttrs>;
using SelectStmt = StmtOf<StmtKind::select, SelectAttrs>;
using RandomStmt = StmtOf<StmtKind::random, RandomAttrs>;
using AllocaStmt = StmtOf<StmtKind::alloca_, AllocaAttrs>;
using ElementPtrStmt = StmtOf<StmtKind::element_ptr, ElementPtrAttrs>;
using OffsetPtrStmt = StmtOf<StmtKind::offset_ptr, OffsetPtrAttrs>;
using TempPtrStmt = StmtOf<StmtKind::temp_ptr, TempPtrAttrs>;
using LoadStmt = StmtOf<StmtKind::load, LoadAttrs>;
using StoreStmt = StmtOf<StmtKind::store, StoreAttrs>;
using CopyStmt = StmtOf<StmtKind::copy, CopyAttrs>;
using ZeroStmt = StmtOf<StmtKind::zero, ZeroAttrs>;
using AtomicStmt = StmtOf<StmtKind::atomic, AtomicAttrs>;
using AtomicCasStmt = StmtOf<StmtKind::atomic_cas, AtomicCasAttrs>;
using IfStmt = StmtOf<StmtKind::if_, IfAttrs>;
using RangeForStmt = StmtOf<StmtKind::range_for, RangeForAttrs>;
using LoopStmt = StmtOf<StmtKind::loop, LoopAttrs>;
using ScopeStmt = StmtOf<StmtKind::scope, ScopeAttrs>;
using BreakStmt = StmtOf<StmtKind::break_, BreakAttrs>;
using ContinueStmt = StmtOf<StmtKind::continue_, ContinueAttrs>;
using StopStmt = StmtOf<StmtKind::stop, StopAttrs>;
using CheckStmt = StmtOf<StmtKind::check, CheckAttrs>;
using PrintStmt = StmtOf<StmtKind::print, PrintAttrs>;
using OffloadedStmt = StmtOf<StmtKind::offloaded, OffloadedAttrs>;

// The statement as T, or null.
template <class T>
T* as(Stmt* stmt) {
  return stmt != nullptr && stmt->kind == T::kKind ? static_cast<T*>(stmt) : nullptr;
}
template <class T>
const T* as(const Stmt* stmt) {
  return stmt != nullptr && stmt->kind == T::kKind ? static_cast<const T*>(stmt) : nullptr;
}

// Calls f with the statement as its own type. f must accept every kind.
template <class F>
decltype(auto) visit(Stmt* stmt, F&& f) {
  switch (stmt->kind) {
    case StmtKind::constant:
      return f(static_cast<ConstantStmt*>(stmt));
    case StmtKind::arg_load:
      return f(static_cast<ArgLoadStmt*>(stmt));
    case StmtKind::arg_place:
      return f(static_cast<ArgPlaceStmt*>(stmt));
    case StmtKind::array_dim:
      return f(static_cast<ArrayDimStmt*>(stmt));
    case StmtKind::loop_index:
      return f(static_cast<LoopIndexStmt*>(stmt));
    case StmtKind::unary:
      return f(static_cast<UnaryStmt*>(stmt));
    case StmtKind::binary:
      return f(static_cast<BinaryStmt*>(stmt));
    case StmtKind::cast:
      return f(static_cast<CastStmt*>(stmt));
    case StmtKind::select:
      return f(static_cast<SelectStmt*>(stmt));
    case StmtKind::random:
      return f(static_cast<RandomStmt*>(stmt));
    case StmtKind::alloca_:
      return f(static_cast<AllocaStmt*>(stmt));
    case StmtKind::element_ptr:
      return f(static_cast<ElementPtrStmt*>(stmt));
    case StmtKind::offset_ptr:
      return f(static_cast<OffsetPtrStmt*>(stmt));
    case StmtKind::temp_ptr:
      return f(static_cast<TempPtrStmt*>(stmt));
    case StmtKind::load:
      return f(static_cast<LoadStmt*>(stmt));
    case StmtKind::store:
      return f(static_cast<StoreStmt*>(stmt));
    case StmtKind::copy:
      return f(static_cast<CopyStmt*>(stmt));
    case StmtKind::zero:
      return f(static_cast<ZeroStmt*>(stmt));
    case StmtKind::atomic:
      return f(static_cast<AtomicStmt*>(stmt));
    case StmtKind::atomic_cas:
      return f(static_cast<AtomicCasStmt*>(stmt));
    case StmtKind::if_:
      return f(static_cast<IfStmt*>(stmt));
    case StmtKind::range_for:
      return f(static_cast<RangeForStmt*>(stmt));
    case StmtKind::loop:
      return f(static_cast<LoopStmt*>(stmt));
    case StmtKind::scope:
      return f(static_cast<ScopeStmt*>(stmt));
    case StmtKind::break_:
      return f(static_cast<BreakStmt*>(stmt));
    case StmtKind::continue_:
      return f(static_cast<ContinueStmt*>(stmt));
    case StmtKind::stop:
      return f(static_cast<StopStmt*>(stmt));
    case StmtKind::check:
      return f(static_cast<CheckStmt*>(stmt));
    case StmtKind::print:
      return f(static_cast<PrintStmt*>(stmt));
    case StmtKind::offloaded:
      break;
  }
  return f(static_cast<OffloadedStmt*>(stmt));
}

}  // namespace qd
