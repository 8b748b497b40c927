// Types of kernel values: scalars, arrays and structs in Go's memory layout, and pointers to them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace qd {

// Ids of the primitive types are part of the C ABI (qd_type in capi/qd.h): append only.
enum class Primitive : int32_t { none, u1, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64 };

struct Type;

struct StructField {
  const Type* type;
  int64_t offset;  // bytes from the start of the struct
};

// Types are interned by TypeTable: equal types are the same pointer.
struct Type {
  enum class Kind : uint8_t { none, scalar, array, structure, pointer };
  Kind kind = Kind::none;
  Primitive primitive = Primitive::none;  // scalar
  const Type* element = nullptr;          // array, pointer
  int64_t count = 0;                      // array
  std::vector<StructField> fields;        // structure
  int64_t size = 0;                       // bytes; 8 for a pointer
  int32_t align = 1;

  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_aggregate() const { return kind == Kind::array || kind == Kind::structure; }
  bool is_pointer() const { return kind == Kind::pointer; }
  bool is_bool() const { return primitive == Primitive::u1; }
  bool is_float() const { return primitive >= Primitive::f16; }
  bool is_integer() const { return primitive >= Primitive::i8 && primitive <= Primitive::u64; }
  bool is_signed() const { return primitive >= Primitive::i8 && primitive <= Primitive::i64; }
  bool is_unsigned() const { return primitive >= Primitive::u8 && primitive <= Primitive::u64; }
  int bits() const;  // 1 for u1, else 8 * size; scalars only
};

// "f32", "[3]f32", "struct{f32@0,i64@8}", "*f32".
std::string to_string(const Type* type);
std::string_view to_string(Primitive primitive);

// The type of a statement that yields no value.
const Type* none_type();
// One shared object per primitive for the life of the process.
const Type* scalar_type(Primitive primitive);

// Owns the composite types of one kernel.
class TypeTable {
 public:
  const Type* array_of(const Type* element, int64_t count);
  // The offsets are the caller's (Go's): fields must lie inside `size`, in order, without overlap.
  const Type* structure(std::vector<StructField> fields, int64_t size, int32_t align);
  const Type* pointer_to(const Type* pointee);

 private:
  const Type* intern(Type type);
  std::vector<std::unique_ptr<Type>> types_;
};

}  // namespace qd
