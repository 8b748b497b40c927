#include "core/ir/type.h"

#include <array>

#include "core/ir/error.h"

namespace qd {

namespace {

struct PrimitiveInfo {
  std::string_view name;
  int64_t size;
};

constexpr std::array<PrimitiveInfo, 13> kPrimitives = {{{"none", 0},
                                                        {"u1", 1},
                                                        {"i8", 1},
                                                        {"i16", 2},
                                                        {"i32", 4},
                                                        {"i64", 8},
                                                        {"u8", 1},
                                                        {"u16", 2},
                                                        {"u32", 4},
                                                        {"u64", 8},
                                                        {"f16", 2},
                                                        {"f32", 4},
                                                        {"f64", 8}}};
static_assert(static_cast<size_t>(Primitive::f64) + 1 == kPrimitives.size());

using ScalarTable = std::array<Type, kPrimitives.size()>;

ScalarTable make_scalars() {
  ScalarTable table;
  for (size_t i = 1; i < table.size(); ++i) {
    table[i].kind = Type::Kind::scalar;
    table[i].primitive = static_cast<Primitive>(i);
    table[i].size = kPrimitives[i].size;
    table[i].align = static_cast<int32_t>(kPrimitives[i].size);
  }
  return table;
}

bool same(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.primitive != b.primitive || a.element != b.element || a.count != b.count ||
      a.size != b.size || a.align != b.align || a.fields.size() != b.fields.size()) {
    return false;
  }
  for (size_t i = 0; i < a.fields.size(); ++i) {
    if (a.fields[i].type != b.fields[i].type || a.fields[i].offset != b.fields[i].offset) return false;
  }
  return true;
}

void require_storable(const Type* type) {
  if (type == nullptr || !(type->is_scalar() || type->is_aggregate())) {
    throw Error(Code::invalid, "an array or struct can hold scalars, arrays and structs only, not " + to_string(type));
  }
}

}  // namespace

int Type::bits() const { return is_bool() ? 1 : static_cast<int>(8 * size); }

std::string_view to_string(Primitive primitive) {
  auto index = static_cast<size_t>(primitive);
  return index < kPrimitives.size() ? kPrimitives[index].name : "?";
}

std::string to_string(const Type* type) {
  if (type == nullptr) return "?";
  switch (type->kind) {
    case Type::Kind::none:
      return "none";
    case Type::Kind::scalar:
      return std::string(to_string(type->primitive));
    case Type::Kind::array:
      return "[" + std::to_string(type->count) + "]" + to_string(type->element);
    case Type::Kind::structure: {
      std::string text = "struct{";
      for (const StructField& field : type->fields) {
        if (text.back() != '{') text += ',';
        text += to_string(field.type) + "@" + std::to_string(field.offset);
      }
      return text + "}";
    }
    case Type::Kind::pointer:
      break;
  }
  return "*" + to_string(type->element);
}

const Type* none_type() { return scalar_type(Primitive::none); }

const Type* scalar_type(Primitive primitive) {
  static const ScalarTable table = make_scalars();
  return &table.at(static_cast<size_t>(primitive));
}

const Type* TypeTable::array_of(const Type* element, int64_t count) {
  require_storable(element);
  Type type;
  type.kind = Type::Kind::array;
  type.element = element;
  type.count = count;
  type.align = element->align;
  if (count < 0) throw Error(Code::invalid, "an array's length cannot be negative: " + std::to_string(count));
  if (__builtin_mul_overflow(element->size, count, &type.size)) {
    throw Error(Code::invalid, "the type [" + std::to_string(count) + "]" + to_string(element) + " is too large");
  }
  return intern(std::move(type));
}

const Type* TypeTable::structure(std::vector<StructField> fields, int64_t size, int32_t align) {
  if (align < 1 || (align & (align - 1)) != 0 || size < 0 || size % align != 0) {
    throw Error(Code::invalid,
                "a struct of " + std::to_string(size) + " bytes cannot have alignment " + std::to_string(align));
  }
  int64_t end = 0;
  for (const StructField& field : fields) {
    require_storable(field.type);
    bool fits = field.offset >= end && field.offset <= size && field.type->size <= size - field.offset;
    if (!fits || field.type->align > align || field.offset % field.type->align != 0) {
      throw Error(Code::invalid, "a field of type " + to_string(field.type) + " cannot lie at offset " +
                                     std::to_string(field.offset) + " of a struct of " + std::to_string(size) +
                                     " bytes and alignment " + std::to_string(align));
    }
    end = field.offset + field.type->size;
  }
  Type type;
  type.kind = Type::Kind::structure;
  type.fields = std::move(fields);
  type.size = size;
  type.align = align;
  return intern(std::move(type));
}

const Type* TypeTable::pointer_to(const Type* pointee) {
  Type type;
  type.kind = Type::Kind::pointer;
  type.element = pointee;
  type.size = 8;
  type.align = 8;
  return intern(std::move(type));
}

const Type* TypeTable::intern(Type type) {
  for (const auto& known : types_) {
    if (same(*known, type)) return known.get();
  }
  types_.push_back(std::make_unique<Type>(std::move(type)));
  return types_.back().get();
}

}  // namespace qd
