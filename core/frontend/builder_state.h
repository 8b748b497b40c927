// What an ASTBuilder has built so far, and the checks that its calls share.
//
// A call first checks everything, then changes the state, so that a throw leaves it as it was.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/frontend/ast.h"
#include "core/ir/error.h"

namespace qd {

// Limits that keep recursion, sizes and text bounded whatever the calls are.
namespace builder_limits {
inline constexpr int64_t type_bytes = int64_t{1} << 40;
inline constexpr int64_t local_bytes = int64_t{1} << 20;  // all locals of a kernel: they live on a thread's stack
inline constexpr int64_t param_bytes = int64_t{1} << 20;  // all by-value parameters: they are copied by each launch
inline constexpr int32_t type_depth = 32;
inline constexpr int64_t type_parts = 4096;  // scalars, arrays and structs written out in full
inline constexpr int32_t expr_depth = 1000;
inline constexpr size_t nesting = 1000;  // a switch nests one deeper with each case
inline constexpr size_t call_depth = 1000;
inline constexpr size_t params = 1024;
inline constexpr size_t files = 65536;
inline constexpr size_t handles = size_t{1} << 26;
inline constexpr size_t print_args = 64;
inline constexpr size_t check_values = 6;  // QD_MAX_VALUES
inline constexpr int32_t block_dim = 1024;
inline constexpr GroupId groups = 4096;
}  // namespace builder_limits

// What the builder knows of an expression beside what lowering needs.
struct ExprNote {
  int32_t block = 0;  // the innermost block that declares something the expression reads
  int32_t depth = 1;
};

struct TypeNote {
  int32_t depth = 1;
  int64_t parts = 1;
};

// An open scope. Frame 0 is the kernel.
struct Frame {
  enum class Kind : uint8_t { kernel, stream_parallel, then_, else_, for_, loop, post, scope };
  Kind kind{};
  FrontendStmt* stmt = nullptr;
  FrontendBlock* block = nullptr;
  int32_t id = 0;  // block id: index into BuilderState::blocks
  LabelId label = -1;
  PosId pos = -1;
  bool parallel = false;  // a parallel for
};

// A block that was ever opened. Names declared in a block may be used only while it is open.
struct BlockNote {
  int32_t level = 0;  // index of its frame
  bool open = true;
};

struct CallSite {
  PosId pos = -1;
  int32_t function = -1;
};

class BuilderState;

// Expressions that one call is about to use: checked as they are added, marked used by commit().
class Uses {
 public:
  explicit Uses(BuilderState& state) : state_(state) {}
  // A place or value of any type.
  const Expr& any(ExprId id, const char* what);
  // A scalar value.
  const Expr& scalar(ExprId id, const char* what);
  const Expr& scalar_of(ExprId id, const Type* type, const char* what);
  const Expr& place(ExprId id, const char* what);
  const Expr& scalar_place(ExprId id, const char* what);
  void commit();
  const std::vector<ExprId>& ids() const { return ids_; }

 private:
  BuilderState& state_;
  std::vector<ExprId> ids_;
};

class BuilderState {
 public:
  explicit BuilderState(std::string kernel_name);

  [[noreturn]] void fail(const std::string& message) const { throw Error(Code::invalid, message, pos); }

  const Type* type(int32_t id) const;
  int32_t type_id(const Type* composite, TypeNote note);
  TypeNote type_note(const Type* type) const;
  void check_type(TypeNote note) const;
  const Type* scalar_of(int32_t id, const char* what) const;

  void check_param(const std::string& name) const;
  int32_t add_param(Param param);
  const Param& param(int32_t index) const;
  const Param& array_param(int32_t index, const char* what) const;

  ExprId add_leaf(Expr expr, ExprNote note);
  // Sets args, position, block and depth from what it uses; commits the uses.
  ExprId add_inner(Expr expr, Uses& uses, ExprNote note = {});
  bool visible(ExprId id) const;
  bool is_leaf(ExprId id) const;
  // What the user would call the local, for messages.
  std::string local_name(int32_t index) const;

  Frame& top() { return frames.back(); }
  const Frame* enclosing(LabelId label) const;
  const Frame* parallel_loop() const;
  bool in_stream_parallel() const;
  bool at_top_level() const;
  // Throws if no further scope may be opened; call before changing anything.
  void check_nesting() const;
  FrontendStmt* add_statement(std::unique_ptr<FrontendStmt> stmt);
  std::unique_ptr<FrontendStmt> make_statement(FrontendKind kind) const;
  void open(Frame frame);
  void close();
  Frame& require_open(std::initializer_list<Frame::Kind> kinds, const char* call, const char* opener);
  LabelId add_label(Label label);
  ExprId add_bound(const Type* type);
  // The element, local or parameter that a place is part of.
  ExprId root_of(ExprId place) const;
  // Refuses by-value parameters; plain: also locals that other iterations of the parallel loop share.
  void check_writable(ExprId place, bool plain) const;

  AST ast;
  bool spent = false;
  PosId pos = -1;
  GroupId group = 0;
  int64_t local_bytes = 0;
  int64_t param_bytes = 0;
  std::vector<CallSite> calls;
  std::unordered_map<std::string, int32_t> function_ids;
  PositionTable kept_positions;  // once spent
  std::vector<ExprNote> notes;   // as ast.exprs
  std::vector<Frame> frames;
  std::vector<BlockNote> blocks;

 private:
  std::vector<const Type*> composites_;
  std::vector<TypeNote> composite_notes_;
  std::unordered_map<const Type*, int32_t> composite_ids_;
};

std::string describe(Frame::Kind kind);

}  // namespace qd
