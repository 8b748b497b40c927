/* The C ABI of Quadrants for Go: the only door into the core.
 *
 * Objects are opaque and freed by their own destroy function; destroying NULL does nothing. A function that can fail
 * returns qd_code, or a handle that is NULL or negative on failure, and fills *error when error is not NULL. Nothing is
 * kept in thread-local state: the error belongs to the call that failed. No C++ exception and no LLVM abort leaves this
 * interface. Strings passed in are UTF-8, NUL-terminated, and copied. */
#ifndef QUADRANTS_CAPI_QD_H_
#define QUADRANTS_CAPI_QD_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define QD_ABI_VERSION 1

typedef enum qd_code {
  QD_OK = 0,
  QD_INVALID = 1,       /* a wrong argument, or a builder call out of order */
  QD_COMPILE = 2,       /* the kernel cannot be compiled */
  QD_KERNEL = 3,        /* a running kernel failed a check */
  QD_OUT_OF_MEMORY = 4, /* host or device */
  QD_NO_DEVICE = 5,
  QD_DEVICE_LOST = 6,
  QD_CLOSED = 7,
  QD_UNSUPPORTED = 8,
  QD_INTERNAL = 9 /* a fault of this library; please report it */
} qd_code;

typedef enum qd_check {
  QD_CHECK_NONE = -1,
  QD_CHECK_INDEX = 0,    /* values: index, length */
  QD_CHECK_SLICE = 1,    /* values: low, high, capacity */
  QD_CHECK_NONZERO = 2,  /* values: divisor */
  QD_CHECK_SHIFT = 3,    /* values: count */
  QD_CHECK_LENGTH = 4,   /* values: length, wanted length */
  QD_CHECK_ASSERTION = 5 /* values: the assertion's arguments */
} qd_check;

#define QD_MAX_VALUES 6
#define QD_MAX_CHAIN 8

typedef struct qd_position {
  char file[256];    /* as given to qd_builder_file; "" where there is none */
  int32_t line;      /* 1-based; 0 where there is none */
  int32_t column;    /* 1-based, bytes */
  char function[96]; /* the function called from the kernel that holds it; "" for the kernel itself */
} qd_position;

typedef struct qd_error {
  qd_code code;
  char message[1024]; /* one sentence, without position */
  qd_position position;
  int32_t chain_length; /* callers of position.function, innermost first */
  qd_position chain[QD_MAX_CHAIN];
  qd_check check; /* with QD_KERNEL */
  char name[96];  /* with QD_KERNEL: the array's name, or "" */
  int32_t axis;   /* with QD_CHECK_INDEX */
  int32_t value_count;
  int64_t values[QD_MAX_VALUES]; /* integers; floats as the bits of a double */
  char kernel[96];               /* with QD_KERNEL: the kernel's name */
} qd_error;

/* ---- program: one device and everything that lives on it ----------------------------------------------------------
 */

typedef struct qd_program qd_program;
typedef struct qd_kernel qd_kernel;
typedef struct qd_builder qd_builder;
typedef struct qd_stream qd_stream;
typedef struct qd_event qd_event;

/* QD_ARCH_SIM simulates a GPU on the CPU, for tests of what is ordered after what: see core/rhi/sim/sim_options.h for
 * what the environment variable QD_SIM tells it. */
typedef enum qd_arch { QD_ARCH_CPU = 0, QD_ARCH_CUDA = 1, QD_ARCH_AMDGPU = 2, QD_ARCH_SIM = 100 } qd_arch;

/* kind: "ast", "lower", …, see qd_program_config.dump. The strings live only during the call. */
typedef void (*qd_dump_function)(void* context, const char* kernel, const char* stage, const char* text);

typedef struct qd_program_config {
  qd_arch arch;
  int32_t threads;   /* CPU worker threads, the launching one included; 0: one a core */
  int32_t unchecked; /* 1: no index, slice and assertion checks; integer division by zero then gives 0 */
  int32_t fast_math; /* 1: floats may be reassociated and assumed finite */
  uint64_t seed;     /* of random numbers */
} qd_program_config;

typedef struct qd_info {
  char device[128];
  int32_t workers;
  int64_t memory_bytes; /* 0: unknown */
  char llvm[32];
  char cpu[64];
  char math[256]; /* what computes sin, pow, …, where the device has a choice: known once a kernel was compiled */
} qd_info;

/* What was not given back. All zero after everything is destroyed. */
typedef struct qd_leaks {
  int64_t allocations, bytes, streams, events, kernels, builders;
} qd_leaks;

int32_t qd_abi_version(void);
qd_program* qd_program_create(const qd_program_config* config, qd_error* error);
/* Waits for all work, then frees the program. What of it is still alive (kernels, memory, streams, events) gives
 * QD_CLOSED where it is used again, and is still to be destroyed or freed; it keeps what it needs alive. */
void qd_program_destroy(qd_program* program);
qd_code qd_program_info(qd_program* program, qd_info* info, qd_error* error);
qd_code qd_program_leaks(qd_program* program, qd_leaks* leaks, qd_error* error);
/* Counts over the whole process; for tests. */
void qd_process_leaks(qd_leaks* leaks);
/* Waits for everything launched so far, on every stream, and reports the earliest failure of a launch on a stream that
 * was not reported yet. */
qd_code qd_program_sync(qd_program* program, qd_error* error);
/* The two halves of it: waits, and reports nothing; reports, and does not wait. */
qd_code qd_program_drain(qd_program* program, qd_error* error);
qd_code qd_program_failure(qd_program* program, qd_error* error);
/* The same halves for the default stream alone. On the CPU its launches report their failures themselves. */
qd_code qd_program_drain_default(qd_program* program, qd_error* error);
qd_code qd_program_failure_default(qd_program* program, qd_error* error);
/* Moves up to size bytes of what kernels printed to `buffer`; returns the number moved. stream: 1 stdout, 2 stderr. */
int64_t qd_program_take_output(qd_program* program, int32_t stream, char* buffer, int64_t size);

/* ---- memory --------------------------------------------------------------------------------------------------- */

/* Device memory, 64-byte aligned, zeroed; 0 on failure. On the CPU the address is a host address. */
uint64_t qd_memory_allocate(qd_program* program, int64_t size, qd_error* error);
/* May be called while launches that use the memory are queued or run: it is given back when every stream has passed
 * what is queued on it now. */
void qd_memory_free(qd_program* program, uint64_t memory, int64_t size);
/* In order with launches on the default stream, and on no other; done when they return. */
qd_code qd_memory_write(qd_program* program, uint64_t memory, const void* host, int64_t size, qd_error* error);
qd_code qd_memory_read(qd_program* program, void* host, uint64_t memory, int64_t size, qd_error* error);
/* Repeats the pattern (1 to 4096 bytes) over size bytes, a multiple of pattern_size. */
qd_code qd_memory_fill(qd_program* program, uint64_t memory, int64_t size, const void* pattern, int64_t pattern_size,
                       qd_error* error);

/* ---- building a kernel ---------------------------------------------------------------------------------------- */

/* Types: a primitive, or the id that qd_builder_array_type or qd_builder_struct_type returned. */
typedef int32_t qd_type;
enum { QD_NONE = 0, QD_U1, QD_I8, QD_I16, QD_I32, QD_I64, QD_U8, QD_U16, QD_U32, QD_U64, QD_F16, QD_F32, QD_F64 };

/* clang-format off: operators by kind, several a line */
typedef enum qd_unary_op {
  QD_NEG,
  QD_BIT_NOT,
  QD_LOGIC_NOT,
  QD_ABS,
  QD_SGN,
  QD_SQRT,
  QD_RSQRT,
  QD_SIN,
  QD_COS,
  QD_TAN,
  QD_ASIN,
  QD_ACOS,
  QD_ATAN,
  QD_SINH,
  QD_COSH,
  QD_TANH,
  QD_EXP,
  QD_EXP2,
  QD_LOG,
  QD_LOG2,
  QD_LOG10,
  QD_EXPM1,
  QD_LOG1P,
  QD_CBRT,
  QD_FLOOR,
  QD_CEIL,
  QD_TRUNC,
  QD_ROUND,
  QD_ROUND_EVEN,
  QD_IS_NAN,
  QD_IS_INF, /* the last two yield u1 */
  QD_POPCOUNT,
  QD_CLZ,
  QD_CTZ,
  QD_REVERSE_BITS,
  QD_REVERSE_BYTES /* yield the operand's type */
} qd_unary_op;

typedef enum qd_binary_op {
  QD_ADD,
  QD_SUB,
  QD_MUL,
  QD_DIV,
  QD_REM, /* integers truncate, as Go; dividing by zero fails the launch */
  QD_AND,
  QD_OR,
  QD_XOR,
  QD_AND_NOT,
  QD_SHL,
  QD_SHR, /* shifts: any integer count; count >= width gives 0 or the sign */
  QD_EQ,
  QD_NE,
  QD_LT,
  QD_LE,
  QD_GT,
  QD_GE, /* yield u1 */
  QD_LOGIC_AND,
  QD_LOGIC_OR, /* u1, short-circuit */
  QD_MIN,
  QD_MAX, /* Go's: NaN if either is */
  QD_POW,
  QD_ATAN2,
  QD_HYPOT,
  QD_MOD, /* floats */
  QD_FLOOR_DIV,
  QD_FLOOR_MOD,
  QD_COPYSIGN,
  QD_MUL_HIGH /* MUL_HIGH: the upper half of an integer product */
} qd_binary_op;

typedef enum qd_cast_op {
  QD_CAST_VALUE, /* Go's conversion; float to integer saturates, NaN gives 0; to u1: not equal to 0 */
  QD_CAST_BITS,  /* same width */
  QD_CAST_ROUND  /* float to the same type: keeps the operand from fusing into a multiply-add */
} qd_cast_op;

typedef enum qd_atomic_op {
  QD_ATOMIC_ADD,
  QD_ATOMIC_SUB,
  QD_ATOMIC_MUL,
  QD_ATOMIC_MIN,
  QD_ATOMIC_MAX,
  QD_ATOMIC_AND,
  QD_ATOMIC_OR,
  QD_ATOMIC_XOR,
  QD_ATOMIC_AND_NOT,
  QD_ATOMIC_EXCHANGE
} qd_atomic_op;
/* clang-format on */

/* Handles of a builder: expressions, parameters and labels, small integers valid for that builder; -1 on failure.
 *
 * An expression is evaluated once, where the statement that uses it stands. Constants, parameters, lengths, loop
 * indices, locals and bound values may be used any number of times; any other expression has exactly one user
 * (qd_builder_bind makes a value reusable). A "place" denotes memory; used as a value it is loaded. */
typedef int32_t qd_expr;
typedef int32_t qd_param;
typedef int32_t qd_label;

qd_builder* qd_builder_create(qd_program* program, const char* kernel_name, qd_error* error);
void qd_builder_destroy(qd_builder* builder);

qd_type qd_builder_array_type(qd_builder* b, qd_type element, int64_t count, qd_error* error);
/* offsets in bytes, ascending; size and align as the host language lays the struct out. */
qd_type qd_builder_struct_type(qd_builder* b, int32_t count, const qd_type* fields, const int64_t* offsets,
                               int64_t size, int32_t align, qd_error* error);

/* Parameters come before any statement. An array has rank 1 to 3. */
qd_param qd_builder_param_value(qd_builder* b, const char* name, qd_type type, qd_error* error);
qd_param qd_builder_param_array(qd_builder* b, const char* name, qd_type element, int32_t rank, qd_error* error);

int32_t qd_builder_file(qd_builder* b, const char* name, qd_error* error);
/* What is built next stands at this position. */
qd_code qd_builder_position(qd_builder* b, int32_t file, int32_t line, int32_t column, qd_error* error);
/* What is built until leave_call belongs to a function called at the current position. */
qd_code qd_builder_enter_call(qd_builder* b, const char* function, qd_error* error);
qd_code qd_builder_leave_call(qd_builder* b, qd_error* error);

qd_expr qd_builder_constant_int(qd_builder* b, qd_type type, int64_t value, qd_error* error); /* integers, u1 */
qd_expr qd_builder_constant_float(qd_builder* b, qd_type type, double value, qd_error* error);
qd_expr qd_builder_param(qd_builder* b, qd_param param, qd_error* error); /* by-value parameters; read-only */
qd_expr qd_builder_dim(qd_builder* b, qd_param array, int32_t axis, qd_error* error);       /* i64 */
qd_expr qd_builder_loop_index(qd_builder* b, qd_label loop, int32_t axis, qd_error* error); /* i64 */
/* Place. count must be the array's rank; indices are i64. checked 0: the indices are known to be in range. */
qd_expr qd_builder_element(qd_builder* b, qd_param array, int32_t count, const qd_expr* indices, int32_t checked,
                           qd_error* error);
qd_expr qd_builder_field(qd_builder* b, qd_expr place, int32_t field, qd_error* error);                 /* place */
qd_expr qd_builder_item(qd_builder* b, qd_expr place, qd_expr index, int32_t checked, qd_error* error); /* place */
/* index, after a check that 0 <= index < length (both i64); name is the array's, for the message. */
qd_expr qd_builder_checked_index(qd_builder* b, qd_expr index, qd_expr length, const char* name, qd_error* error);
qd_expr qd_builder_unary(qd_builder* b, qd_unary_op op, qd_expr x, qd_error* error);
qd_expr qd_builder_binary(qd_builder* b, qd_binary_op op, qd_expr x, qd_expr y, qd_error* error); /* of one type */
qd_expr qd_builder_cast(qd_builder* b, qd_cast_op op, qd_expr x, qd_type type, qd_error* error);
qd_expr qd_builder_select(qd_builder* b, qd_expr condition, qd_expr x, qd_expr y, qd_error* error); /* evaluates both */
qd_expr qd_builder_random(qd_builder* b, qd_type type, qd_error* error);

qd_expr qd_builder_local(qd_builder* b, const char* name, qd_type type, qd_expr init,
                         qd_error* error);                              /* init -1: zero */
qd_expr qd_builder_bind(qd_builder* b, qd_expr value, qd_error* error); /* scalars */
qd_code qd_builder_assign(qd_builder* b, qd_expr place, qd_expr value, qd_error* error);
/* The old value. place: an array's element (or part of one), or a local. */
qd_expr qd_builder_atomic(qd_builder* b, qd_atomic_op op, qd_expr place, qd_expr value, qd_error* error);
qd_expr qd_builder_atomic_cas(qd_builder* b, qd_expr place, qd_expr expected, qd_expr desired, qd_error* error);
qd_code qd_builder_begin_if(qd_builder* b, qd_expr condition, qd_error* error);
qd_code qd_builder_begin_else(qd_builder* b, qd_error* error);
qd_code qd_builder_end_if(qd_builder* b, qd_error* error);

typedef struct qd_loop_options {
  int32_t block_dim; /* 0: the device's choice */
  int32_t serialize;
  const char* name; /* of the task; NULL: made up */
} qd_loop_options;

/* count is 2, 4 or 6: begin and end of each axis, i64, the last axis fastest. A loop at the top level of the kernel or
 * of a StreamParallel scope is parallel unless options->serialize. options may be NULL. */
qd_label qd_builder_begin_for(qd_builder* b, int32_t count, const qd_expr* bounds, const qd_loop_options* options,
                              qd_error* error);
qd_code qd_builder_end_for(qd_builder* b, qd_error* error);
qd_label qd_builder_begin_loop(qd_builder* b, qd_error* error); /* until a break */
qd_code qd_builder_begin_post(qd_builder* b, qd_error* error);  /* between two iterations; continue goes here */
qd_code qd_builder_end_loop(qd_builder* b, qd_error* error);
qd_label qd_builder_begin_scope(qd_builder* b, qd_error* error); /* break goes past its end */
qd_code qd_builder_end_scope(qd_builder* b, qd_error* error);
qd_code qd_builder_break(qd_builder* b, qd_label label, qd_error* error);
qd_code qd_builder_continue(qd_builder* b, qd_label label, qd_error* error);
qd_code qd_builder_return(qd_builder* b, qd_error* error); /* ends the kernel; not in a parallel loop or a scope */
qd_code qd_builder_begin_stream_parallel(qd_builder* b, qd_error* error);
qd_code qd_builder_end_stream_parallel(qd_builder* b, qd_error* error);
/* The caller promises that what the kernel accesses through two array parameters never meets. The same parameter twice:
 * what different scopes access through it. Silences the warnings about them; the two may then share memory. */
qd_code qd_builder_assume_disjoint(qd_builder* b, qd_param param, qd_param other, qd_error* error);
qd_code qd_builder_check(qd_builder* b, qd_check check, int32_t count, const qd_expr* args, const char* name,
                         const char* message, qd_error* error);
/* format: %v for each argument, %% for a percent sign; a newline is the caller's. stream: 1 stdout, 2 stderr. */
qd_code qd_builder_print(qd_builder* b, int32_t count, const qd_expr* args, const char* format, int32_t stream,
                         qd_error* error);

/* Lowers what was built. The builder is spent, but must still be destroyed. */
qd_kernel* qd_builder_finish(qd_builder* b, qd_error* error);

/* ---- kernels -------------------------------------------------------------------------------------------------- */

void qd_kernel_destroy(qd_kernel* kernel);
/* What is said about the kernel's source: errors and warnings. With an error among them, compiling and launching fail
 * with QD_COMPILE and the first one. -1 if kernel is NULL. */
int32_t qd_kernel_diagnostic_count(const qd_kernel* kernel);
/* Fills *diagnostic with message, position and chain; its code is QD_COMPILE for an error, QD_OK for a warning.
 * is_warning may be NULL. */
qd_code qd_kernel_diagnostic(const qd_kernel* kernel, int32_t index, int32_t* is_warning, qd_error* diagnostic);
/* How to fix it, "" where that is not known; NULL for a wrong index. Lives as long as the kernel. */
const char* qd_kernel_diagnostic_hint(const qd_kernel* kernel, int32_t index);
/* What a launch says, with QD_INVALID, where two array parameters share memory that scopes access which may run at the
 * same time. Copies the text to buffer (size bytes, NUL-terminated) and returns the length it needs; 0 if the two may
 * share it. */
int64_t qd_kernel_apart(const qd_kernel* kernel, qd_param param, qd_param other, char* buffer, int64_t size);
/* Generates machine code; launching does so on its own when this was not called. Safe from several threads. */
qd_code qd_kernel_compile(qd_kernel* kernel, qd_error* error);
/* Size of the packed arguments, and where parameter `param` lies in them. An array is {uint64_t data; int64_t
 * dims[rank]}; anything else lies there in its own layout. */
int64_t qd_kernel_args_size(const qd_kernel* kernel);
int64_t qd_kernel_arg_offset(const qd_kernel* kernel, qd_param param);
/* 1 if the kernel may write the array parameter. */
int32_t qd_kernel_writes(const qd_kernel* kernel, qd_param param);

typedef struct qd_launch_result {
  int32_t has_output; /* the kernel printed: see qd_program_take_output */
} qd_launch_result;

/* Runs the kernel on the default stream. args: packed as above, copied. result and error may be NULL. On the CPU it has
 * run when this returns; elsewhere it is queued, as by qd_kernel_launch_on. */
qd_code qd_kernel_launch(qd_kernel* kernel, const void* args, int64_t args_size, qd_launch_result* result,
                         qd_error* error);

/* The launch plan: copies its text to buffer (size bytes, NUL-terminated) and returns the length it needs. */
int64_t qd_kernel_plan(const qd_kernel* kernel, char* buffer, int64_t size);
int64_t qd_kernel_plan_graphviz(const qd_kernel* kernel, char* buffer, int64_t size); /* the same for Graphviz's dot */
int32_t qd_kernel_plan_width(const qd_kernel* kernel);
/* The text of a stage: "ast", "lower", "type_check", "simplify", "insert_checks", "offload", "demote_atomics",
 * "make_thread_local", "hoist_checks", "llvm", "llvm-opt", "asm" (CPU), "ptx" (CUDA). Copies up to size bytes; returns
 * the length it needs, -1 with QD_INVALID for an unknown stage. Stages past lowering are made on demand. */
int64_t qd_kernel_dump(qd_kernel* kernel, const char* stage, char* buffer, int64_t size, qd_error* error);

/* ---- streams and events -------------------------------------------------------------------------------------------
 */

/* A stream does what is queued on it in order, and beside other streams. In all that follows a NULL stream is the
 * program's default stream: on the CPU the calling thread, which returns when the work is done. An event and a stream
 * that are used together belong to one program. */
qd_stream* qd_stream_create(qd_program* program, qd_error* error);
/* A stream of the device that other code made, by its handle (CUstream, cudaStream_t): launches on it are ordered with
 * that code's work. It is not destroyed with the qd_stream, and must outlive it. */
qd_stream* qd_stream_wrap(qd_program* program, uint64_t handle, qd_error* error);
/* Waits for the stream's work. A failure that was not reported is reported by the next qd_program_sync. */
void qd_stream_destroy(qd_stream* stream);
/* Waits for what is queued on the stream now, and reports the first failure of a launch on it that was not reported
 * yet. */
qd_code qd_stream_sync(qd_stream* stream, qd_error* error);
/* The two halves of it, as for a program. */
qd_code qd_stream_drain(qd_stream* stream, qd_error* error);
qd_code qd_stream_failure(qd_stream* stream, qd_error* error);

/* As qd_kernel_launch, but returns when the launch is queued. What is wrong with the launch itself is an error now; a
 * failure while it runs stops this launch alone, and is reported by the next sync of the stream or the program. Host
 * memory among the arguments must live until then. Waits where many launches are queued already. The output of a launch
 * on a stream is there when the stream has passed it; result tells of none then. */
qd_code qd_kernel_launch_on(qd_kernel* kernel, qd_stream* stream, const void* args, int64_t args_size,
                            qd_launch_result* result, qd_error* error);

/* As qd_kernel_launch_on, with host memory among the arguments: host_offsets says where in args its addresses lie. It
 * is used in place where the device can reach it, else copied there and back. Returns when the kernel has run; its
 * error may be the failure of an earlier launch on the stream. */
qd_code qd_kernel_launch_on_host(qd_kernel* kernel, qd_stream* stream, const void* args, int64_t args_size,
                                 int32_t host_count, const int64_t* host_offsets, qd_launch_result* result,
                                 qd_error* error);

/* An event is a point in a stream's work, once it was recorded there. One that never was is as if already reached.
 * Recording it again moves it; who waits already waits for the point before. */
qd_event* qd_event_create(qd_program* program, qd_error* error);
void qd_event_destroy(qd_event* event); /* at once, even if streams still wait for it */
qd_code qd_event_record(qd_event* event, qd_stream* stream, qd_error* error);
/* What is queued on the stream from now on starts after the event's point. */
qd_code qd_event_wait(qd_stream* stream, qd_event* event, qd_error* error);
/* The calling thread waits. Failures of launches are not reported here. */
qd_code qd_event_sync(qd_event* event, qd_error* error);
/* The time between two events' points, after waiting for both; QD_INVALID for an event that was never recorded. */
qd_code qd_event_elapsed(qd_event* from, qd_event* to, double* seconds, qd_error* error);

#ifdef __cplusplus
}
#endif

#include "capi/qd_trace.h"

#endif /* QUADRANTS_CAPI_QD_H_ */
