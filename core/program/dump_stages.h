// The stages whose text can be asked for, and the QD_DUMP environment variable that asks for them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qd {

// In the order of compilation.
std::span<const std::string_view> dump_stages();
bool is_dump_stage(std::string_view stage);
// Made by code generation, for each task.
bool is_codegen_stage(std::string_view stage);

// QD_DUMP=stage[,stage…][:kernel]: these stages of the kernel, or of every kernel, go to stderr when it is compiled.
struct DumpRequest {
  std::vector<std::string> stages;
  std::string kernel;  // "": every kernel
  bool wants(std::string_view kernel_name) const;
  bool wants(std::string_view kernel_name, std::string_view stage) const;
};
// Throws Error(Code::invalid) for an unknown stage, naming those there are.
DumpRequest parse_dump_request(std::string_view text);

}  // namespace qd
