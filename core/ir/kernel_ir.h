// A kernel's IR: its parameters, positions, types and root block. One stage after another transforms it in place.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/ir/stmt.h"

namespace qd {

struct Param {
  std::string name;
  const Type* type = nullptr;  // of the value, or of an array's element
  int32_t rank = 0;            // 0: by value; 1 to 3: an array
  int64_t offset = 0;          // bytes into the packed arguments; see layout_params
  bool is_array() const { return rank > 0; }
};

// An array argument is {void* data; int64_t dims[rank]}, 8-byte aligned; rows are contiguous, the last axis fastest.
// A by-value argument lies at its own alignment. Sets every offset; returns the total size, a multiple of 8.
int64_t layout_params(std::vector<Param>& params);

// What a failed check reports; index is the check's id in the launch block.
struct CheckSite {
  CheckKind kind{};
  PosId pos = -1;
  int32_t axis = 0;
  std::string name;
  std::string message;
  std::vector<const Type*> types;  // of the values reported (assertion arguments, indices as i64)
};

struct PrintSite {
  std::string format;
  bool to_stderr = false;
  std::vector<const Type*> types;
};

struct KernelIR {
  std::string name;
  std::vector<Param> params;
  int64_t params_size = 0;
  int64_t temps_size = 0;  // bytes of the launch block's crossing values; set by offload
  GroupId groups = 0;      // number of StreamParallel scopes
  PositionTable positions;
  TypeTable types;
  std::unique_ptr<Block> root = std::make_unique<Block>();
};

}  // namespace qd
