// What a task reads of its launch block: array pointers, lengths, arguments by value, the area of temporaries. Each is
// read once, so that it is invariant in every loop and array pointers carry their alias facts.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "core/codegen/ir_builder.h"
#include "core/ir/kernel_ir.h"

namespace qd {

class TaskArguments {
 public:
  // Those that the blocks use.
  TaskArguments(const KernelIR& kernel, const std::vector<const Block*>& blocks);

  // Emits the loads from the packed arguments. temps: where the temporaries are, if not behind them. Arrays lie in the
  // address space given.
  void load(const IrBuilder& ir, Value arguments, Value temps = nullptr, unsigned address_space = 0);
  // Takes the values from a function's parameters from `first` on, in the order of types().
  void bind(Value function, unsigned first);
  std::vector<LLVMTypeRef> types(const IrBuilder& ir) const;
  std::vector<Value> values() const;
  // What is known of the parameters of a function that bind() was called with. distinct: no two array arguments
  // overlap.
  void annotate(const IrBuilder& ir, Value function, unsigned first, bool distinct) const;
  // Lengths are not negative and small enough that index arithmetic cannot overflow.
  void assume_lengths(const IrBuilder& ir) const;

  Value data(int32_t param) const { return at({Kind::data, param, 0}); }
  Value dim(int32_t param, int32_t axis) const { return at({Kind::dim, param, axis}); }
  Value scalar(int32_t param) const { return at({Kind::scalar, param, 0}); }
  Value place(int32_t param) const { return at({Kind::place, param, 0}); }
  Value temps() const { return at({Kind::temps, 0, 0}); }

 private:
  enum class Kind { data, dim, scalar, place, temps };
  using Key = std::tuple<Kind, int32_t, int32_t>;  // kind, parameter, axis
  Value at(const Key& key) const;
  const Param& param(const Key& key) const { return kernel_.params[static_cast<size_t>(std::get<1>(key))]; }

  const KernelIR& kernel_;
  std::map<Key, Value> values_;
  std::vector<bool> written_;  // per parameter of the kernel
};

}  // namespace qd
