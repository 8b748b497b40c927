#include "core/ir/kernel_ir.h"

namespace qd {

namespace {

int64_t round_up(int64_t value, int64_t align) { return (value + align - 1) / align * align; }

}  // namespace

int64_t layout_params(std::vector<Param>& params) {
  int64_t end = 0;
  for (Param& param : params) {
    int64_t size = param.is_array() ? 8 + 8 * int64_t{param.rank} : param.type->size;
    int64_t align = param.is_array() ? 8 : param.type->align;
    param.offset = round_up(end, align);
    end = param.offset + size;
  }
  return round_up(end, 8);
}

}  // namespace qd
