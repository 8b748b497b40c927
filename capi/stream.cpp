// Streams, events, and launches on streams.
#include "core/program/stream.h"

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "capi/errors.h"
#include "capi/handles.h"

using namespace qd;
using namespace qd::capi;

struct qd_stream {
  explicit qd_stream(std::shared_ptr<Stream> owned) : stream(std::move(owned)) {
    process_counts().streams.fetch_add(1);
  }
  ~qd_stream() { process_counts().streams.fetch_sub(1); }
  qd_stream(const qd_stream&) = delete;
  qd_stream& operator=(const qd_stream&) = delete;

  const std::shared_ptr<Stream> stream;
};

struct qd_event {
  explicit qd_event(std::shared_ptr<Program> owner)
      : program(std::move(owner)), event(program->device().create_event()) {
    process_counts().events.fetch_add(1);
    program->open_events.fetch_add(1);
  }
  ~qd_event() {
    guard(nullptr, [&] { program->device().destroy_event(event); });
    program->open_events.fetch_sub(1);
    process_counts().events.fetch_sub(1);
  }
  qd_event(const qd_event&) = delete;
  qd_event& operator=(const qd_event&) = delete;

  const std::shared_ptr<Program> program;
  const rhi::Event event;
};

namespace {

Stream& open_stream(qd_stream* handle) {
  Stream& stream = *required(handle, "stream").stream;
  stream.program().require_open();
  return stream;
}

qd_event& open_event(qd_event* handle, const char* what) {
  qd_event& event = required(handle, what);
  event.program->require_open();
  return event;
}

// What the device calls a stream that is used with an event.
rhi::Stream stream_for(const qd_event& event, qd_stream* handle) {
  if (handle == nullptr) return nullptr;
  if (&handle->stream->program() != event.program.get()) {
    throw Error(Code::invalid, "the stream belongs to another program than the event");
  }
  return handle->stream->handle();
}

// Reports what failed on a stream, if anything did.
qd_code report(const std::optional<StreamFailure>& failure, qd_error* error) noexcept {
  if (!failure) return QD_OK;
  if (failure->failure) return report_failure(error, *failure->failure, failure->positions, failure->kernel);
  try {
    std::rethrow_exception(failure->error);
  } catch (...) {
    return report_exception(error, &failure->positions);
  }
}

// As guard, for an f that may return what failed on a stream.
template <class F>
qd_code guard_failure(qd_error* error, F&& f) noexcept {
  std::optional<StreamFailure> failure;
  const qd_code code = guard(error, [&] { failure = f(); });
  return code != QD_OK ? code : report(failure, error);
}

}  // namespace

qd_code qd_program_sync(qd_program* program, qd_error* error) {
  return guard_failure(error, [&] {
    Program& p = open_program(program);
    p.drain();
    return p.take_failure();
  });
}

qd_code qd_program_drain(qd_program* program, qd_error* error) {
  return guard(error, [&] { open_program(program).drain(); });
}

qd_code qd_program_drain_default(qd_program* program, qd_error* error) {
  return guard(error, [&] { open_program(program).drain_default(); });
}

qd_code qd_program_failure(qd_program* program, qd_error* error) {
  return guard_failure(error, [&] { return open_program(program).take_failure(); });
}

qd_code qd_program_failure_default(qd_program* program, qd_error* error) {
  return guard_failure(error, [&] { return open_program(program).take_default_failure(); });
}

qd_stream* qd_stream_create(qd_program* program, qd_error* error) {
  return guard_value<qd_stream*>(error, nullptr, [&] {
    open_program(program);
    return new qd_stream(Stream::create(program->program));
  });
}

qd_stream* qd_stream_wrap(qd_program* program, uint64_t handle, qd_error* error) {
  return guard_value<qd_stream*>(error, nullptr, [&] {
    open_program(program);
    return new qd_stream(Stream::wrap(program->program, handle));
  });
}

void qd_stream_destroy(qd_stream* stream) {
  if (stream == nullptr) return;
  // A sync of the program on another thread may share the stream and release it later.
  guard(nullptr, [&] { stream->stream->drain(); });
  delete stream;
}

qd_code qd_stream_sync(qd_stream* stream, qd_error* error) {
  return guard_failure(error, [&] {
    Stream& s = open_stream(stream);
    s.drain();
    return s.take_failure();
  });
}

qd_code qd_stream_drain(qd_stream* stream, qd_error* error) {
  return guard(error, [&] { open_stream(stream).drain(); });
}

qd_code qd_stream_failure(qd_stream* stream, qd_error* error) {
  return guard_failure(error, [&] { return open_stream(stream).take_failure(); });
}

qd_code qd_kernel_launch_on(qd_kernel* kernel, qd_stream* stream, const void* args, int64_t args_size,
                            qd_launch_result* result, qd_error* error) {
  if (stream == nullptr) return qd_kernel_launch(kernel, args, args_size, result, error);
  if (result != nullptr) result->has_output = 0;
  try {
    const qd_kernel& k = required(kernel, "kernel");
    require_args(k, args, args_size);
    stream->stream->launch(k.owned, args);
  } catch (...) {
    return report_exception(error, kernel == nullptr ? nullptr : &kernel->kernel.positions());
  }
  if (error != nullptr) error->code = QD_OK;
  return QD_OK;
}

qd_code qd_kernel_launch_on_host(qd_kernel* kernel, qd_stream* stream, const void* args, int64_t args_size,
                                 int32_t host_count, const int64_t* host_offsets, qd_launch_result* result,
                                 qd_error* error) {
  if (result != nullptr) result->has_output = 0;
  std::optional<StreamFailure> failure;
  try {
    const qd_kernel& k = required(kernel, "kernel");
    require_args(k, args, args_size);
    if (host_count < 0) throw Error(Code::invalid, "host_count is negative");
    if (host_count > 0) required(host_offsets, "host_offsets");
    const std::span<const int64_t> offsets(host_offsets, static_cast<size_t>(host_count));
    Program& program = k.kernel.program();
    if (stream == nullptr && program.default_queue == nullptr) {
      return qd_kernel_launch(kernel, args, args_size, result, error);
    }
    if (stream == nullptr) {
      Kernel::queue(k.owned, *program.default_queue, args, offsets);
      program.default_queue->drain();
      failure = program.take_default_failure();
    } else {
      stream->stream->launch(k.owned, args, offsets);
      stream->stream->drain();
      failure = stream->stream->take_failure();
    }
    if (result != nullptr) result->has_output = program.output.empty() ? 0 : 1;
  } catch (...) {
    return report_exception(error, kernel == nullptr ? nullptr : &kernel->kernel.positions());
  }
  if (error != nullptr) error->code = QD_OK;
  return report(failure, error);
}

qd_event* qd_event_create(qd_program* program, qd_error* error) {
  return guard_value<qd_event*>(error, nullptr, [&] {
    open_program(program);
    return new qd_event(program->program);
  });
}

void qd_event_destroy(qd_event* event) { delete event; }

qd_code qd_event_record(qd_event* event, qd_stream* stream, qd_error* error) {
  return guard(error, [&] {
    const qd_event& e = open_event(event, "event");
    e.program->device().record(e.event, stream_for(e, stream));
  });
}

qd_code qd_event_wait(qd_stream* stream, qd_event* event, qd_error* error) {
  return guard(error, [&] {
    const qd_event& e = open_event(event, "event");
    e.program->device().wait(stream_for(e, stream), e.event);
  });
}

qd_code qd_event_sync(qd_event* event, qd_error* error) {
  return guard(error, [&] {
    const qd_event& e = open_event(event, "event");
    e.program->device().sync(e.event);
  });
}

qd_code qd_event_elapsed(qd_event* from, qd_event* to, double* seconds, qd_error* error) {
  return guard(error, [&] {
    const qd_event &first = open_event(from, "from"), &last = open_event(to, "to");
    if (first.program != last.program) throw Error(Code::invalid, "the events belong to different programs");
    required(seconds, "seconds") = first.program->device().elapsed_seconds(first.event, last.event);
  });
}
