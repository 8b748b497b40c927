// A kernel's IR: its parameters, positions, types and root block. One stage after another transforms it in place.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
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

// Something said about the kernel's source. An error keeps it from being compiled, a warning does not.
struct Diagnostic {
  bool is_warning = false;
  PosId pos = -1;
  std::string message;  // one sentence, without position
  std::string hint;     // how to fix it
};

// Two array parameters that must not share memory: scopes that may run at the same time access them, at least one by
// plain writes. `why` says which scopes do what.
struct ApartPair {
  int32_t first = 0, second = 0;
  std::string why;
};

struct KernelIR {
  std::string name;
  std::vector<Param> params;
  int64_t params_size = 0;
  int64_t temps_size = 0;  // bytes of the launch block's crossing values; set by offload
  GroupId groups = 0;      // number of StreamParallel scopes
  // Array parameters, the lower one first, whose accesses the user says never meet; twice the same one: its accesses by
  // different scopes.
  std::set<std::pair<int32_t, int32_t>> assumed_disjoint;
  std::vector<Diagnostic> diagnostics;
  std::vector<ApartPair> apart;
  PositionTable positions;
  TypeTable types;
  std::unique_ptr<Block> root = std::make_unique<Block>();
};

}  // namespace qd
