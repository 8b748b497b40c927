// Traces of a program's device.
#include "core/rhi/trace.h"

#include <chrono>
#include <utility>

#include "capi/errors.h"
#include "capi/handles.h"

using namespace qd;
using namespace qd::capi;

struct qd_trace {
  explicit qd_trace(rhi::TraceRecord owned) : record(std::move(owned)) {}
  const rhi::TraceRecord record;
};

namespace {

int64_t nanoseconds(rhi::TraceClock::duration time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

}  // namespace

qd_code qd_trace_start(qd_program* program, int64_t most_spans, qd_error* error) {
  return guard(error, [&] { open_program(program).device().start_trace(most_spans); });
}

qd_trace* qd_trace_stop(qd_program* program, qd_error* error) {
  return guard_value<qd_trace*>(error, nullptr, [&] {
    Program& p = open_program(program);
    p.drain();
    return new qd_trace(p.device().stop_trace());
  });
}

int64_t qd_trace_spans(const qd_trace* trace) {
  return trace == nullptr ? 0 : static_cast<int64_t>(trace->record.spans.size());
}

int64_t qd_trace_dropped(const qd_trace* trace) { return trace == nullptr ? 0 : trace->record.dropped; }

qd_code qd_trace_span(const qd_trace* trace, int64_t index, qd_span* span) {
  if (span == nullptr || index < 0 || index >= qd_trace_spans(trace)) return QD_INVALID;
  const rhi::TraceSpan& from = trace->record.spans[static_cast<size_t>(index)];
  const bool labelled = from.label != nullptr;
  *span = {.kernel = labelled ? from.label->kernel.c_str() : "",
           .task = labelled ? from.label->task.c_str() : "",
           .group = labelled ? from.label->group : 0,
           .stream = from.stream,
           .worker = from.worker,
           .launch = from.launch,
           .start = nanoseconds(from.start - trace->record.begun),
           .end = nanoseconds(from.end - trace->record.begun)};
  return QD_OK;
}

void qd_trace_destroy(qd_trace* trace) { delete trace; }
