// What the printer calls each kind of statement, its members and its blocks.
#pragma once

#include <array>
#include <string_view>

#include "core/ir/stmt.h"

namespace qd {

enum class MemberForm : uint8_t {
  leading,         // before the operands, the value alone
  param,           // before the operands, the parameter's name
  always,          // after the operands, name=value
  unless_default,  // the same, left out at its default
};

struct MemberName {
  std::string_view name;
  MemberForm form = MemberForm::unless_default;
};

// In the order of members(); the printer checks the count.
template <class Attrs>
struct StatementNames {
  static constexpr std::array<MemberName, 0> members{};
};

inline constexpr MemberName kParamName{"param", MemberForm::param};
inline constexpr MemberName kOpName{"op", MemberForm::leading};

template <>
struct StatementNames<ConstantAttrs> {
  static constexpr std::array<MemberName, 1> members{{{"bits"}}};
};
template <>
struct StatementNames<ArgLoadAttrs> {
  static constexpr std::array<MemberName, 1> members{kParamName};
};
template <>
struct StatementNames<ArgPlaceAttrs> {
  static constexpr std::array<MemberName, 1> members{kParamName};
};
template <>
struct StatementNames<ArrayDimAttrs> {
  static constexpr std::array<MemberName, 2> members{{kParamName, {"axis", MemberForm::always}}};
};
template <>
struct StatementNames<LoopIndexAttrs> {
  static constexpr std::array<MemberName, 1> members{{{"axis", MemberForm::always}}};
};
template <>
struct StatementNames<UnaryAttrs> {
  static constexpr std::array<MemberName, 1> members{kOpName};
};
template <>
struct StatementNames<BinaryAttrs> {
  static constexpr std::array<MemberName, 3> members{{kOpName, {"contract"}, {"reassociate"}}};
};
template <>
struct StatementNames<CastAttrs> {
  static constexpr std::array<MemberName, 1> members{kOpName};
};
template <>
struct StatementNames<RandomAttrs> {
  static constexpr std::array<MemberName, 1> members{{{"sequence", MemberForm::always}}};
};
template <>
struct StatementNames<AllocaAttrs> {
  static constexpr std::array<MemberName, 1> members{{{"name", MemberForm::leading}}};
};
template <>
struct StatementNames<ElementPtrAttrs> {
  static constexpr std::array<MemberName, 2> members{{kParamName, {"check"}}};
};
template <>
struct StatementNames<OffsetPtrAttrs> {
  static constexpr std::array<MemberName, 4> members{
      {{"offset", MemberForm::always}, {"stride"}, {"count"}, {"check"}}};
};
template <>
struct StatementNames<TempPtrAttrs> {
  static constexpr std::array<MemberName, 1> members{{{"offset", MemberForm::always}}};
};
template <>
struct StatementNames<AtomicAttrs> {
  static constexpr std::array<MemberName, 2> members{{kOpName, {"plain"}}};
};
template <>
struct StatementNames<LoopOptions> {
  static constexpr std::array<MemberName, 3> members{{{"block_dim"}, {"serialize"}, {"name"}}};
};
template <>
struct StatementNames<RangeForAttrs> {
  static constexpr std::array<MemberName, 3> members{{{"dims", MemberForm::always}, {"parallel"}, {"options"}}};
};
template <>
struct StatementNames<CheckAttrs> {
  static constexpr std::array<MemberName, 4> members{{{"check", MemberForm::leading}, {"axis"}, {"name"}, {"message"}}};
};
template <>
struct StatementNames<PrintAttrs> {
  static constexpr std::array<MemberName, 2> members{{{"format", MemberForm::leading}, {"to_stderr"}}};
};
template <>
struct StatementNames<OffloadedAttrs> {
  static constexpr std::array<MemberName, 4> members{{{"task", MemberForm::leading}, {"dims"}, {"options"}, {"cost"}}};
};

std::string_view kind_name(StmtKind kind);
std::string_view enum_name(CheckKind kind);
std::string_view enum_name(TaskType type);
// "" for a block that needs none.
std::string_view block_label(StmtKind kind, size_t block);

}  // namespace qd
