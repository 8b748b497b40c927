#include "core/program/dump_stages.h"

#include <algorithm>
#include <array>

#include "core/ir/error.h"

namespace qd {
namespace {

constexpr std::array<std::string_view, 13> kStages = {"ast",
                                                      "lower",
                                                      "type_check",
                                                      "simplify",
                                                      "insert_checks",
                                                      "offload",
                                                      "demote_atomics",
                                                      "make_thread_local",
                                                      "hoist_checks",
                                                      "llvm",
                                                      "llvm-opt",
                                                      "asm",
                                                      "ptx"};
constexpr size_t kFirstOfCodegen = 9;

}  // namespace

std::span<const std::string_view> dump_stages() { return kStages; }

bool is_dump_stage(std::string_view stage) { return std::ranges::find(kStages, stage) != kStages.end(); }

bool is_codegen_stage(std::string_view stage) {
  return std::find(kStages.begin() + kFirstOfCodegen, kStages.end(), stage) != kStages.end();
}

bool DumpRequest::wants(std::string_view kernel_name) const {
  return !stages.empty() && (kernel.empty() || kernel == kernel_name);
}

bool DumpRequest::wants(std::string_view kernel_name, std::string_view stage) const {
  return wants(kernel_name) && std::ranges::find(stages, stage) != stages.end();
}

DumpRequest parse_dump_request(std::string_view text) {
  DumpRequest request;
  if (const size_t colon = text.find(':'); colon != std::string_view::npos) {
    request.kernel = text.substr(colon + 1);
    text = text.substr(0, colon);
  }
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view stage = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    if (stage.empty()) continue;
    if (!is_dump_stage(stage)) {
      std::string known;
      for (const std::string_view name : kStages) known += (known.empty() ? "" : ", ") + std::string(name);
      throw Error(Code::invalid, "QD_DUMP names the unknown stage \"" + std::string(stage) + "\"; there are " + known);
    }
    request.stages.emplace_back(stage);
  }
  return request;
}

}  // namespace qd
