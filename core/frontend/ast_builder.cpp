// Types, parameters and positions, and the end of the building.
#include "core/frontend/ast_builder.h"

#include <algorithm>
#include <bit>

#include "core/frontend/ast_builder_impl.h"

namespace qd {

ASTBuilder::ASTBuilder(std::string kernel_name) : impl_(std::make_shared<Impl>(std::move(kernel_name))) {}

ASTBuilder::Impl& ASTBuilder::state() const {
  if (impl_->spent) throw Error(Code::invalid, "the builder is spent: finish was called; make a new one");
  return *impl_;
}

// ---- types ---------------------------------------------------------------------------------------------------------

int32_t ASTBuilder::array_type(int32_t element, int64_t count) {
  Impl& s = state();
  const Type* type = s.type(element);
  if (count < 1) s.fail("an array type needs a length of at least 1, not " + std::to_string(count));
  if (count > builder_limits::type_bytes / type->size)
    s.fail("an array of " + std::to_string(count) + " " + to_string(type) + " is too large");
  TypeNote note = s.type_note(type);
  s.check_type({note.depth + 1, note.parts + 1});
  return s.type_id(s.ast.kernel.types.array_of(type, count), {note.depth + 1, note.parts + 1});
}

int32_t ASTBuilder::struct_type(const std::vector<int32_t>& fields, const std::vector<int64_t>& offsets, int64_t size,
                                int32_t align) {
  Impl& s = state();
  if (fields.empty()) s.fail("a struct type needs at least one field");
  if (fields.size() != offsets.size())
    s.fail("a struct type needs one offset a field, not " + std::to_string(offsets.size()) + " for " +
           std::to_string(fields.size()));
  if (align < 1 || align > 64 || !std::has_single_bit(static_cast<uint32_t>(align)))
    s.fail("the alignment of a struct must be a power of two up to 64, not " + std::to_string(align));
  if (size < 1 || size > builder_limits::type_bytes || size % align != 0)
    s.fail("the size of a struct must be a positive multiple of its alignment, not " + std::to_string(size));
  TypeNote note;
  std::vector<StructField> laid_out;
  int64_t end = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    const Type* type = s.type(fields[i]);
    TypeNote inner = s.type_note(type);
    note.depth = std::max(note.depth, inner.depth + 1);
    note.parts += inner.parts;
    s.check_type(note);
    std::string field = "field " + std::to_string(i) + " of a struct";
    if (offsets[i] < end) s.fail(field + " overlaps the one before it; offsets must ascend");
    if (offsets[i] % type->align != 0 || type->align > align)
      s.fail(field + " is not aligned as " + to_string(type) + " must be");
    if (offsets[i] > size - type->size) s.fail(field + " lies past the end of the struct");
    end = offsets[i] + type->size;
    laid_out.push_back({type, offsets[i]});
  }
  return s.type_id(s.ast.kernel.types.structure(std::move(laid_out), size, align), note);
}

const Type* ASTBuilder::type(int32_t id) const { return state().type(id); }

// ---- parameters ----------------------------------------------------------------------------------------------------

int32_t ASTBuilder::param_value(std::string name, int32_t type) {
  Impl& s = state();
  const Type* of = s.type(type);
  s.check_param(name);
  if (of->size > builder_limits::param_bytes - s.param_bytes)
    s.fail("parameter " + name + " of " + std::to_string(of->size) +
           " bytes is too large to pass by value; pass an array");
  s.param_bytes += of->size;
  return s.add_param({.name = std::move(name), .type = of});
}

int32_t ASTBuilder::param_array(std::string name, int32_t element_type, int32_t rank) {
  Impl& s = state();
  const Type* of = s.type(element_type);
  s.check_param(name);
  if (rank < 1 || rank > 3) s.fail("array " + name + " must have a rank of 1 to 3, not " + std::to_string(rank));
  return s.add_param({.name = std::move(name), .type = of, .rank = rank});
}

// ---- positions -----------------------------------------------------------------------------------------------------

int32_t ASTBuilder::file(std::string name) {
  Impl& s = state();
  std::vector<std::string>& files = s.ast.kernel.positions.files;
  auto found = std::find(files.begin(), files.end(), name);
  if (found != files.end()) return static_cast<int32_t>(found - files.begin());
  if (files.size() >= builder_limits::files) s.fail("too many files in one kernel");
  files.push_back(std::move(name));
  return static_cast<int32_t>(files.size() - 1);
}

void ASTBuilder::set_position(int32_t file, int32_t line, int32_t column) {
  Impl& s = state();
  PositionTable& table = s.ast.kernel.positions;
  if (file < 0 || static_cast<size_t>(file) >= table.files.size())
    s.fail("there is no file " + std::to_string(file) + " in this builder");
  if (line < 1 || column < 0)
    s.fail("a position counts lines and columns from 1, not " + std::to_string(line) + ":" + std::to_string(column));
  if (table.positions.size() >= builder_limits::handles) s.fail("too many positions in one kernel; split it");
  Position position{.file = file, .line = line, .column = column};
  if (!s.calls.empty()) {
    position.caller = s.calls.back().pos;
    position.function = s.calls.back().function;
  }
  s.pos = table.add(position);
}

void ASTBuilder::enter_call(std::string function) {
  Impl& s = state();
  if (s.calls.size() >= builder_limits::call_depth)
    s.fail("calls are nested more than " + std::to_string(builder_limits::call_depth) + " deep; is one recursive?");
  std::vector<std::string>& functions = s.ast.kernel.positions.functions;
  auto [entry, added] = s.function_ids.try_emplace(function, static_cast<int32_t>(functions.size()));
  if (added) functions.push_back(std::move(function));
  s.calls.push_back({s.pos, entry->second});
}

void ASTBuilder::leave_call() {
  Impl& s = state();
  if (s.calls.empty()) s.fail("leave_call without enter_call");
  s.pos = s.calls.back().pos;
  s.calls.pop_back();
}

const PositionTable& ASTBuilder::positions() const {
  return impl_->spent ? impl_->kept_positions : impl_->ast.kernel.positions;
}

// ---- finish --------------------------------------------------------------------------------------------------------

AST ASTBuilder::finish() {
  Impl& s = state();
  if (s.frames.size() > 1)
    throw Error(Code::invalid, describe(s.top().kind) + " was not ended before finish", s.top().pos);
  if (!s.calls.empty()) s.fail("enter_call was not ended by leave_call before finish");
  if (s.ast.kernel.groups > 0) {
    for (const auto& stmt : s.ast.body) {
      if (stmt->group == 0)
        throw Error(Code::invalid,
                    "all top-level statements must be StreamParallel scopes; move the rest to another kernel",
                    stmt->pos);
    }
  }
  s.kept_positions = s.ast.kernel.positions;
  s.ast.kernel.params_size = layout_params(s.ast.kernel.params);
  s.spent = true;
  s.frames.clear();
  return std::move(s.ast);
}

}  // namespace qd
