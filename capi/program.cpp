// Programs, what they hold, and what was not given back.
#include <cstdlib>
#include <string>

#include "capi/errors.h"
#include "capi/handles.h"
#include "core/codegen/codegen.h"
#include "core/rhi/cuda/cuda_device.h"
#include "core/rhi/sim/sim_options.h"

namespace qd::capi {
namespace {

ProgramOptions options_of(const qd_program_config& config) {
  if (config.threads < 0) throw Error(Code::invalid, "config.threads is negative");
  return {.threads = config.threads,
          .checks = config.unchecked == 0,
          .fast_math = config.fast_math != 0,
          .seed = config.seed};
}

std::unique_ptr<rhi::Device> open_device(const qd_program_config& config) {
  const int32_t arch = number_of(config.arch);
  switch (arch) {
    case QD_ARCH_CPU:
      return rhi::make_cpu_device({.threads = config.threads});
    case QD_ARCH_CUDA:
      return rhi::make_cuda_device({});
    case QD_ARCH_AMDGPU:
      throw Error(Code::no_device, "this build has no AMD devices");
    case QD_ARCH_SIM: {
      const char* text = std::getenv("QD_SIM");
      return rhi::make_sim_device(rhi::parse_sim_options(text == nullptr ? "" : text));
    }
  }
  throw Error(Code::invalid, "there is no architecture " + std::to_string(arch));
}

}  // namespace

ProcessCounts& process_counts() {
  static ProcessCounts counts;
  return counts;
}

}  // namespace qd::capi

using namespace qd;
using namespace qd::capi;

int32_t qd_abi_version(void) { return QD_ABI_VERSION; }

qd_program* qd_program_create(const qd_program_config* config, qd_error* error) {
  return guard_value<qd_program*>(error, nullptr, [&] {
    const qd_program_config& c = required(config, "config");
    const ProgramOptions options = options_of(c);
    return new qd_program(std::make_shared<Program>(open_device(c), options));
  });
}

void qd_program_destroy(qd_program* program) {
  if (program == nullptr) return;
  guard(nullptr, [&] { program->program->close(); });
  program->release();
}

qd_code qd_program_info(qd_program* program, qd_info* info, qd_error* error) {
  return guard(error, [&] {
    const rhi::DeviceInfo device = required(program, "program").program->device().info();
    qd_info& to = required(info, "info");
    const CodegenInfo codegen = codegen_info();
    to = {};
    copy_text(to.device, sizeof to.device, device.name);
    copy_text(to.llvm, sizeof to.llvm, codegen.llvm_version);
    copy_text(to.cpu, sizeof to.cpu, codegen.cpu);
    copy_text(to.math, sizeof to.math, device.math);
    to.workers = device.workers;
    to.memory_bytes = device.memory_bytes;
  });
}

qd_code qd_program_leaks(qd_program* program, qd_leaks* leaks, qd_error* error) {
  return guard(error, [&] {
    const Program& p = *required(program, "program").program;
    const rhi::LeakCounts device = p.device().leaks();
    required(leaks, "leaks") = {device.allocations,   device.bytes,     p.open_streams.load(),
                                p.open_events.load(), p.kernels.load(), p.builders.load()};
  });
}

void qd_process_leaks(qd_leaks* leaks) {
  if (leaks == nullptr) return;
  const ProcessCounts& counts = process_counts();
  const rhi::LeakCounts left = Program::left_behind();
  *leaks = {counts.allocations.load() + left.allocations,
            counts.bytes.load() + left.bytes,
            counts.streams.load() + left.streams,
            counts.events.load() + left.events,
            counts.kernels.load(),
            counts.builders.load()};
}

int64_t qd_program_take_output(qd_program* program, int32_t stream, char* buffer, int64_t size) {
  if (program == nullptr || (buffer == nullptr && size > 0) || (stream != 1 && stream != 2)) return -1;
  const auto from = stream == 1 ? OutputBuffer::standard_output : OutputBuffer::standard_error;
  return guard_value<int64_t>(nullptr, -1, [&] { return program->program->output.take(from, buffer, size); });
}
