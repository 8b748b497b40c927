#include "core/program/program.h"

#include <cstdlib>
#include <utility>

#include "core/ir/error.h"

namespace qd {
namespace {

DumpRequest dump_request_of_environment() {
  const char* text = std::getenv("QD_DUMP");
  return parse_dump_request(text == nullptr ? "" : text);
}

}  // namespace

Program::Program(std::unique_ptr<rhi::Device> device, const ProgramOptions& options)
    : device_(std::move(device)),
      options_(options),
      workers_(device_->info().workers),
      dump_request_(dump_request_of_environment()) {}

CompileOptions Program::compile_options() const {
  CompileOptions options;
  options.checks = options_.checks;
  options.fast_math = options_.fast_math;
  return options;
}

void Program::drain() {
  device_->sync(rhi::Stream{});
  streams.drain();
}

void Program::close() {
  closed_.store(true, std::memory_order_release);
  streams.close();
  drain();
}

void Program::require_open() const {
  if (closed()) throw Error(Code::closed, "the runtime is closed");
}

}  // namespace qd
