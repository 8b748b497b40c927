/* Traces through the C ABI alone: what is out of turn, what is empty, and what NULL does. */
#include <stdio.h>
#include <string.h>

#include "capi/qd.h"

static int failures;

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "trace_test: %s\n", what);
  failures++;
}

int main(void) {
  static qd_error error;
  qd_program_config config = {.arch = QD_ARCH_CPU, .threads = 1};
  qd_program* program = qd_program_create(&config, &error);
  if (program == NULL) {
    fprintf(stderr, "trace_test: %s\n", error.message);
    return 1;
  }

  expect(qd_trace_stop(program, &error) == NULL && error.code == QD_INVALID, "a trace stopped that was not started");
  expect(strstr(error.message, "not started") != NULL, "the message does not say so");
  expect(qd_trace_start(program, -1, &error) == QD_INVALID, "a negative limit");
  expect(qd_trace_start(program, 10, &error) == QD_OK, "start");
  expect(qd_trace_start(program, 10, &error) == QD_INVALID, "two traces at a time");

  qd_trace* trace = qd_trace_stop(program, &error);
  expect(trace != NULL && error.code == QD_OK, "stop");
  expect(qd_trace_spans(trace) == 0 && qd_trace_dropped(trace) == 0, "spans without a launch");
  qd_span span;
  expect(qd_trace_span(trace, 0, &span) == QD_INVALID, "a span beyond the last");
  expect(qd_trace_span(trace, -1, &span) == QD_INVALID, "a span before the first");
  expect(qd_trace_span(trace, 0, NULL) == QD_INVALID, "no place for a span");
  qd_trace_destroy(trace);

  expect(qd_trace_start(NULL, 1, &error) == QD_INVALID, "a NULL program");
  expect(qd_trace_stop(NULL, NULL) == NULL, "a NULL program and no error");
  expect(qd_trace_spans(NULL) == 0 && qd_trace_dropped(NULL) == 0, "a NULL trace");
  expect(qd_trace_span(NULL, 0, &span) == QD_INVALID, "a span of a NULL trace");
  qd_trace_destroy(NULL);

  expect(qd_trace_start(program, 1, &error) == QD_OK, "start again");
  qd_program_destroy(program); /* while it is traced */
  if (failures == 0) printf("trace_test: ok\n");
  return failures == 0 ? 0 : 1;
}
