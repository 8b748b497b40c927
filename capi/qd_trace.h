/* Traces: which worker ran which task, and when. A part of capi/qd.h, which includes this. */
#ifndef QUADRANTS_CAPI_QD_TRACE_H_
#define QUADRANTS_CAPI_QD_TRACE_H_

#include "capi/qd.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qd_trace qd_trace;

/* One worker's share of one task. Times are in nanoseconds since the trace was started. */
typedef struct qd_span {
  const char* kernel; /* live as long as the trace */
  const char* task;
  int32_t group;   /* the task's StreamParallel scope, from 1 on; 0: outside of scopes */
  int32_t stream;  /* 0: the default stream; else streams in the order in which they were made */
  int32_t worker;  /* 0: the thread of the stream itself; above: a worker that all streams share */
  uint64_t launch; /* counts the program's launches, from 0 on */
  int64_t start, end;
} qd_span;

/* From here to qd_trace_stop every share that begins is noted, and at most the first `most_spans` of them are kept.
 * QD_INVALID if a trace was started already, QD_UNSUPPORTED where the device cannot trace. */
qd_code qd_trace_start(qd_program* program, int64_t most_spans, qd_error* error);
/* Waits for everything launched before. QD_INVALID if no trace was started. */
qd_trace* qd_trace_stop(qd_program* program, qd_error* error);
int64_t qd_trace_spans(const qd_trace* trace);
int64_t qd_trace_dropped(const qd_trace* trace); /* spans beyond most_spans */
/* The index-th span by start. QD_INVALID if there is none. */
qd_code qd_trace_span(const qd_trace* trace, int64_t index, qd_span* span);
void qd_trace_destroy(qd_trace* trace);

#ifdef __cplusplus
}
#endif
#endif /* QUADRANTS_CAPI_QD_TRACE_H_ */
