// Equality and hash of blocks: both number the statements in order of appearance first, then compare operands by
// number, since an operand may be an enclosing statement or, in an offloaded one, lie inside it.
#include <string_view>
#include <type_traits>

#include "core/ir/edit.h"

namespace qd {

namespace {

template <class T>
concept HasMembers = requires(const T& value) { value.members(); };

// Types of two kernels come from two tables, so pointers do not do.
bool equal_types(const Type* a, const Type* b) {
  if (a == b) return true;
  if (a->kind != b->kind || a->primitive != b->primitive || a->count != b->count || a->size != b->size ||
      a->align != b->align || a->fields.size() != b->fields.size()) {
    return false;
  }
  for (size_t i = 0; i < a->fields.size(); ++i) {
    if (a->fields[i].offset != b->fields[i].offset || !equal_types(a->fields[i].type, b->fields[i].type)) return false;
  }
  return a->element == nullptr || equal_types(a->element, b->element);
}

using Pairs = std::unordered_map<const Stmt*, const Stmt*>;

bool equal_attributes(const Stmt* a, const Stmt* b) {
  return visit(const_cast<Stmt*>(a), [b](const auto* typed) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(typed)>>;
    return typed->members() == static_cast<const T*>(b)->members();
  });
}

bool equal_trees(const Block* a, const Block* b, Pairs& pairs) {
  if (a->statements.size() != b->statements.size()) return false;
  for (size_t i = 0; i < a->statements.size(); ++i) {
    const Stmt* x = a->statements[i].get();
    const Stmt* y = b->statements[i].get();
    if (x->kind != y->kind || x->group != y->group || x->operands.size() != y->operands.size() ||
        x->blocks.size() != y->blocks.size() || !equal_types(x->type, y->type) || !equal_attributes(x, y)) {
      return false;
    }
    pairs[x] = y;
    for (size_t k = 0; k < x->blocks.size(); ++k) {
      if (!equal_trees(x->blocks[k].get(), y->blocks[k].get(), pairs)) return false;
    }
  }
  return true;
}

bool equal_operands(const Block* a, const Pairs& pairs) {
  bool same = true;
  walk(a, [&](const Stmt* x) {
    auto pair = pairs.find(x);
    for (size_t i = 0; i < x->operands.size(); ++i) {
      auto inner = pairs.find(x->operands[i]);
      const Stmt* want = inner != pairs.end() ? inner->second : x->operands[i];
      same = same && pair->second->operands[i] == want;
    }
  });
  return same;
}

class Hasher {
 public:
  // Fowler-Noll-Vo, one byte at a time: the same value in every process.
  void add_bytes(const void* data, size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (size_t i = 0; i < size; ++i) hash_ = (hash_ ^ bytes[i]) * 0x100000001b3ULL;
  }

  template <class T>
  void add(const T& value) {
    if constexpr (HasMembers<T>) {
      std::apply([this](const auto&... member) { (this->add(member), ...); }, value.members());
    } else if constexpr (std::is_same_v<T, std::string>) {
      add(value.size());
      add_bytes(value.data(), value.size());
    } else {
      static_assert(std::is_enum_v<T> || std::is_integral_v<T>);
      auto wide = static_cast<uint64_t>(value);
      add_bytes(&wide, sizeof wide);
    }
  }

  void add_type(const Type* type) {
    add(type->kind);
    add(type->primitive);
    add(type->count);
    add(type->size);
    add(type->align);
    add(type->fields.size());
    for (const StructField& field : type->fields) {
      add(field.offset);
      add_type(field.type);
    }
    if (type->element != nullptr) add_type(type->element);
  }

  void add_block(const Block* block) {
    walk(block, [this](const Stmt* stmt) { number(stmt); });
    add_tree(block);
  }

  uint64_t result() const { return hash_; }

 private:
  uint64_t number(const Stmt* stmt) { return numbers_.emplace(stmt, numbers_.size()).first->second; }

  void add_tree(const Block* block) {
    add(block->statements.size());
    for (const auto& stmt : block->statements) {
      add(stmt->kind);
      add_type(stmt->type);
      add(stmt->group);
      visit(stmt.get(), [this](const auto* typed) { add(static_cast<const attributes_of<decltype(typed)>&>(*typed)); });
      add(stmt->operands.size());
      for (const Stmt* operand : stmt->operands) add(number(operand));
      add(stmt->blocks.size());
      for (const auto& inner : stmt->blocks) add_tree(inner.get());
    }
  }

  template <class P>
  using attributes_of = typename std::remove_pointer_t<P>::Attributes;

  uint64_t hash_ = 0xcbf29ce484222325ULL;
  std::unordered_map<const Stmt*, uint64_t> numbers_;
};

}  // namespace

bool equal(const Block* a, const Block* b) {
  Pairs pairs;
  return equal_trees(a, b, pairs) && equal_operands(a, pairs);
}

uint64_t hash(const Block* block) {
  Hasher hasher;
  hasher.add_block(block);
  return hasher.result();
}

}  // namespace qd
