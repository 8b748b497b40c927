#include "core/codegen/task_arguments.h"

#include "core/analysis/access.h"
#include "core/ir/edit.h"
#include "core/ir/error.h"

namespace qd {

namespace {

const Type* i64_type() { return scalar_type(Primitive::i64); }

constexpr int64_t kMaxLength = int64_t{1} << 60;

}  // namespace

TaskArguments::TaskArguments(const KernelIR& kernel, const std::vector<const Block*>& blocks)
    : kernel_(kernel), written_(kernel.params.size()) {
  auto note = [&](const Stmt* stmt) {
    if (const auto* element = as<ElementPtrStmt>(stmt)) {
      values_[{Kind::data, element->param, 0}];
      const auto rank = static_cast<int32_t>(element->operands.size());
      for (int32_t axis = 1; axis < rank; ++axis) values_[{Kind::dim, element->param, axis}];
    } else if (const auto* dim = as<ArrayDimStmt>(stmt)) {
      values_[{Kind::dim, dim->param, dim->axis}];
    } else if (const auto* scalar = as<ArgLoadStmt>(stmt)) {
      values_[{Kind::scalar, scalar->param, 0}];
    } else if (const auto* place = as<ArgPlaceStmt>(stmt)) {
      values_[{Kind::place, place->param, 0}];
    } else if (as<TempPtrStmt>(stmt) != nullptr) {
      values_[{Kind::temps, 0, 0}];
    }
  };
  for (const Block* block : blocks) {
    walk(block, note);
    const ArrayAccess access = gather_access(block);
    for (const auto* params : {&access.writes, &access.atomics}) {
      for (int32_t p : *params) written_[static_cast<size_t>(p)] = true;
    }
  }
}

Value TaskArguments::at(const Key& key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) throw Error(Code::internal, "codegen: an argument was not loaded");
  return found->second;
}

void TaskArguments::load(const IrBuilder& ir, Value arguments, Value temps, unsigned address_space) {
  for (auto& [key, value] : values_) {
    const auto [kind, index, axis] = key;
    if (kind == Kind::temps) {
      value = temps != nullptr ? temps : ir.byte_offset(arguments, kernel_.params_size);
      continue;
    }
    Value place = ir.byte_offset(arguments, param(key).offset);
    switch (kind) {
      case Kind::data:
        value = ir.load_pointer(place, address_space);
        break;
      case Kind::dim:
        value = ir.load(i64_type(), ir.byte_offset(place, 8 * (int64_t{axis} + 1)));
        break;
      case Kind::scalar:
        value = ir.load(param(key).type, place);
        break;
      default:
        value = place;
    }
  }
}

std::vector<LLVMTypeRef> TaskArguments::types(const IrBuilder& ir) const {
  std::vector<LLVMTypeRef> types;
  for (const auto& [key, value] : values_) {
    switch (std::get<0>(key)) {
      case Kind::dim:
        types.push_back(ir.i64());
        break;
      case Kind::scalar:
        types.push_back(ir.value_type(param(key).type));
        break;
      default:
        types.push_back(ir.pointer());
    }
  }
  return types;
}

std::vector<Value> TaskArguments::values() const {
  std::vector<Value> values;
  for (const auto& [key, value] : values_) values.push_back(value);
  return values;
}

void TaskArguments::bind(Value function, unsigned first) {
  for (auto& [key, value] : values_) value = LLVMGetParam(function, first++);
}

void TaskArguments::annotate(const IrBuilder& ir, Value function, unsigned first, bool distinct) const {
  unsigned index = first + 1;
  for (const auto& [key, value] : values_) {
    const unsigned at = index++;
    switch (std::get<0>(key)) {
      case Kind::data: {
        if (distinct) ir.attribute(function, at, "noalias");
        const bool written = written_[static_cast<size_t>(std::get<1>(key))];
        if (!written) ir.attribute(function, at, "readonly");
        ir.attribute(function, at, "align", static_cast<uint64_t>(param(key).type->align));
        break;
      }
      case Kind::place:
        ir.attribute(function, at, "noalias");
        ir.attribute(function, at, "readonly");
        break;
      case Kind::temps:
        ir.attribute(function, at, "noalias");
        break;
      default:
        break;
    }
  }
}

void TaskArguments::assume_lengths(const IrBuilder& ir) const {
  for (const auto& [key, value] : values_) {
    if (std::get<0>(key) != Kind::dim) continue;
    ir.assume(ir.compare(LLVMIntULT, value, ir.constant_i64(kMaxLength)));
  }
}

}  // namespace qd
