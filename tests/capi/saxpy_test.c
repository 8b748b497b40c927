/* The C ABI from C alone: builds saxpy with the AST builder, runs it, provokes each kind of error, frees everything. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi/qd.h"

static int failures = 0;

#define EXPECT(condition)                                                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                             \
    }                                                                         \
  } while (0)

static void expect_error(const qd_error* error, int line, qd_code code, const char* part) {
  if (error->code == code && strstr(error->message, part) != NULL) return;
  fprintf(stderr, "%s:%d: want code %d and \"%s\", got code %d, \"%s\"\n", __FILE__, line, (int)code, part,
          (int)error->code, error->message);
  ++failures;
}
#define EXPECT_ERROR(error, code, part) expect_error(&(error), __LINE__, code, part)

static void require_ok(qd_code code, const qd_error* error, int line) {
  if (code == QD_OK) return;
  fprintf(stderr, "%s:%d: code %d: %s\n", __FILE__, line, (int)code, error->message);
  exit(1);
}
#define OK(call) require_ok((call), &error, __LINE__)

static int handle_ok(int handle, const qd_error* error, int line) {
  require_ok(handle < 0 ? error->code : QD_OK, error, line);
  return handle;
}
#define HANDLE(call) handle_ok((call), &error, __LINE__)

enum { N = 100000 };

typedef struct saxpy_args {
  struct {
    uint64_t data;
    int64_t length;
  } x, y;
  float a;
  int32_t offset;
} saxpy_args;

/* for i := range y { y[i] = a*x[i+offset] + y[i] }, at saxpy.go:5, in a function axpy called from saxpy.go:9 */
static qd_kernel* build_saxpy(qd_program* program) {
  qd_error error;
  qd_builder* b = qd_builder_create(program, "saxpy", &error);
  if (b == NULL) require_ok(error.code, &error, __LINE__);
  const qd_param x = HANDLE(qd_builder_param_array(b, "x", QD_F32, 1, &error));
  const qd_param y = HANDLE(qd_builder_param_array(b, "y", QD_F32, 1, &error));
  const qd_param a = HANDLE(qd_builder_param_value(b, "a", QD_F32, &error));
  const qd_param offset = HANDLE(qd_builder_param_value(b, "offset", QD_I32, &error));
  const int32_t file = HANDLE(qd_builder_file(b, "saxpy.go", &error));
  OK(qd_builder_position(b, file, 9, 2, &error));
  OK(qd_builder_enter_call(b, "axpy", &error));
  OK(qd_builder_position(b, file, 5, 6, &error));

  const qd_expr bounds[2] = {HANDLE(qd_builder_constant_int(b, QD_I64, 0, &error)),
                             HANDLE(qd_builder_dim(b, y, 0, &error))};
  const qd_loop_options options = {0, 0, "axpy_loop"};
  const qd_label loop = HANDLE(qd_builder_begin_for(b, 2, bounds, &options, &error));
  const qd_expr i = HANDLE(qd_builder_loop_index(b, loop, 0, &error));
  const qd_expr shift =
      HANDLE(qd_builder_cast(b, QD_CAST_VALUE, HANDLE(qd_builder_param(b, offset, &error)), QD_I64, &error));
  const qd_expr shifted = HANDLE(qd_builder_binary(b, QD_ADD, i, shift, &error));
  const qd_expr xi = HANDLE(qd_builder_element(b, x, 1, &shifted, 1, &error));
  const qd_expr product = HANDLE(qd_builder_binary(b, QD_MUL, HANDLE(qd_builder_param(b, a, &error)), xi, &error));
  const qd_expr yi = HANDLE(qd_builder_element(b, y, 1, &i, 1, &error));
  const qd_expr sum = HANDLE(qd_builder_binary(b, QD_ADD, product, yi, &error));
  OK(qd_builder_assign(b, HANDLE(qd_builder_element(b, y, 1, &i, 1, &error)), sum, &error));
  OK(qd_builder_end_for(b, &error));
  OK(qd_builder_leave_call(b, &error));

  qd_kernel* kernel = qd_builder_finish(b, &error);
  if (kernel == NULL) require_ok(error.code, &error, __LINE__);
  EXPECT(qd_kernel_args_size(kernel) == (int64_t)sizeof(saxpy_args));
  EXPECT(qd_kernel_arg_offset(kernel, y) == 16);
  EXPECT(qd_kernel_arg_offset(kernel, offset) == 36);
  EXPECT(qd_kernel_arg_offset(kernel, 4) == -1);
  EXPECT(qd_kernel_writes(kernel, y) == 1);
  EXPECT(qd_kernel_writes(kernel, x) == 0);

  /* The builder is spent: it says so, and cannot make a second kernel. */
  EXPECT(qd_builder_constant_int(b, QD_I64, 0, &error) == -1);
  EXPECT(error.code == QD_INVALID);
  EXPECT(qd_builder_finish(b, &error) == NULL);
  EXPECT(error.code == QD_INVALID);
  qd_builder_destroy(b);
  return kernel;
}

static void test_saxpy(qd_program* program) {
  qd_error error;
  qd_kernel* kernel = build_saxpy(program);
  OK(qd_kernel_compile(kernel, &error));
  const int64_t bytes = N * (int64_t)sizeof(float);
  const uint64_t x = qd_memory_allocate(program, bytes, &error), y = qd_memory_allocate(program, bytes, &error);
  EXPECT(x != 0 && y != 0 && x % 64 == 0);
  float* host = malloc((size_t)bytes);
  for (int i = 0; i < N; ++i) host[i] = (float)i;
  OK(qd_memory_write(program, x, host, bytes, &error));
  const float one = 1;
  OK(qd_memory_fill(program, y, bytes, &one, sizeof one, &error));

  saxpy_args args = {{x, N}, {y, N}, 2, 0};
  qd_launch_result result = {1};
  OK(qd_kernel_launch(kernel, &args, sizeof args, &result, &error));
  EXPECT(result.has_output == 0);
  OK(qd_program_sync(program, &error));
  OK(qd_memory_read(program, host, y, bytes, &error));
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += host[i] != 2 * (float)i + 1;
  EXPECT(wrong == 0);

  /* Reading past x: position, call chain, values. */
  args.offset = 1;
  EXPECT(qd_kernel_launch(kernel, &args, sizeof args, NULL, &error) == QD_KERNEL);
  EXPECT_ERROR(error, QD_KERNEL, "index out of range [100000] with length 100000");
  EXPECT(error.check == QD_CHECK_INDEX && error.axis == 0 && error.value_count == 2);
  EXPECT(error.values[0] == N && error.values[1] == N);
  EXPECT(strcmp(error.name, "x") == 0);
  EXPECT(strcmp(error.position.file, "saxpy.go") == 0 && error.position.line == 5 && error.position.column == 6);
  EXPECT(strcmp(error.position.function, "axpy") == 0);
  EXPECT(error.chain_length == 1 && error.chain[0].line == 9 && strcmp(error.chain[0].function, "") == 0);

  /* x and y are one array: the loop has one answer, whatever the order of its iterations. */
  args = (saxpy_args){{y, N}, {y, N}, 2, 0};
  for (int i = 0; i < N; ++i) host[i] = (float)i;
  OK(qd_memory_write(program, y, host, bytes, &error));
  OK(qd_kernel_launch(kernel, &args, sizeof args, NULL, &error));
  OK(qd_memory_read(program, host, y, bytes, &error));
  wrong = 0;
  for (int i = 0; i < N; ++i) wrong += host[i] != 3 * (float)i;
  EXPECT(wrong == 0);

  /* Wrong arguments. */
  EXPECT(qd_kernel_launch(kernel, &args, sizeof args - 1, NULL, &error) == QD_INVALID);
  EXPECT_ERROR(error, QD_INVALID, "the kernel takes 40");
  EXPECT(qd_kernel_launch(kernel, NULL, sizeof args, NULL, &error) == QD_INVALID);
  EXPECT(qd_kernel_launch(NULL, &args, sizeof args, NULL, &error) == QD_INVALID);
  args.y.length = -1;
  EXPECT(qd_kernel_launch(kernel, &args, sizeof args, NULL, &error) == QD_INVALID);
  EXPECT_ERROR(error, QD_INVALID, "argument y has a negative length");
  args.y.length = 0; /* nothing to do, whatever the data is */
  args.y.data = 0;
  OK(qd_kernel_launch(kernel, &args, sizeof args, NULL, &error));

  EXPECT(qd_memory_read(program, host, x, bytes + 1, &error) == QD_INVALID);
  EXPECT(qd_memory_read(program, host, 12345, 8, &error) == QD_INVALID);
  EXPECT(qd_memory_write(program, x, NULL, 8, &error) == QD_INVALID);
  EXPECT(qd_memory_fill(program, x, 10, &one, 4, &error) == QD_INVALID);

  /* Looking into it. */
  char text[4096], small[8];
  const int64_t length = qd_kernel_plan(kernel, text, sizeof text);
  EXPECT(length > 0 && length < (int64_t)sizeof text && strstr(text, "axpy_loop") != NULL);
  EXPECT(qd_kernel_plan(kernel, small, sizeof small) == length && strlen(small) == sizeof small - 1);
  EXPECT(qd_kernel_plan_width(kernel) == 1);
  static const char* const stages[] = {"ast",           "lower",   "type_check",     "simplify",
                                       "insert_checks", "offload", "demote_atomics", "make_thread_local",
                                       "hoist_checks",  "llvm",    "llvm-opt",       "asm"};
  for (size_t i = 0; i < sizeof stages / sizeof stages[0]; ++i) {
    if (qd_kernel_dump(kernel, stages[i], NULL, 0, &error) <= 0) {
      fprintf(stderr, "stage %s has no text\n", stages[i]);
      ++failures;
    }
  }
  EXPECT(qd_kernel_dump(kernel, "nonsense", text, sizeof text, &error) == -1);
  EXPECT_ERROR(error, QD_INVALID, "nonsense");

  free(host);
  qd_memory_free(program, x, bytes);
  qd_memory_free(program, y, bytes);
  qd_kernel_destroy(kernel);
}

/* println(n, 0.5); qd.Assert(n < 3, "n is %v", n) */
static void test_print_and_assertion(qd_program* program) {
  qd_error error;
  qd_builder* b = qd_builder_create(program, "talk", &error);
  const qd_param n = HANDLE(qd_builder_param_value(b, "n", QD_I32, &error));
  const qd_expr values[2] = {HANDLE(qd_builder_param(b, n, &error)),
                             HANDLE(qd_builder_constant_float(b, QD_F32, 0.5, &error))};
  OK(qd_builder_print(b, 2, values, "%v and %v\n", 1, &error));
  const qd_expr limit = HANDLE(qd_builder_constant_int(b, QD_I32, 3, &error));
  const qd_expr args[2] = {HANDLE(qd_builder_binary(b, QD_LT, values[0], limit, &error)), values[0]};
  OK(qd_builder_check(b, QD_CHECK_ASSERTION, 2, args, NULL, "n is %v", &error));
  qd_kernel* kernel = qd_builder_finish(b, &error);
  if (kernel == NULL) require_ok(error.code, &error, __LINE__);
  qd_builder_destroy(b);

  int64_t packed = 0;
  const int32_t two = 2, five = 5;
  memcpy(&packed, &two, sizeof two);
  qd_launch_result result;
  OK(qd_kernel_launch(kernel, &packed, sizeof packed, &result, &error));
  EXPECT(result.has_output == 1);
  char text[64] = "";
  EXPECT(qd_program_take_output(program, 1, text, sizeof text) == 10);
  EXPECT(memcmp(text, "2 and 0.5\n", 10) == 0);
  EXPECT(qd_program_take_output(program, 2, text, sizeof text) == 0);
  EXPECT(qd_program_take_output(program, 3, text, sizeof text) == -1);

  memcpy(&packed, &five, sizeof five);
  EXPECT(qd_kernel_launch(kernel, &packed, sizeof packed, NULL, &error) == QD_KERNEL);
  EXPECT_ERROR(error, QD_KERNEL, "n is 5");
  EXPECT(error.check == QD_CHECK_ASSERTION && error.value_count == 1 && error.values[0] == 5);
  EXPECT(qd_program_take_output(program, 1, text, sizeof text) == 10);
  qd_kernel_destroy(kernel);
}

static void test_builder_errors(qd_program* program) {
  qd_error error;
  EXPECT(qd_builder_create(program, NULL, &error) == NULL && error.code == QD_INVALID);
  EXPECT(qd_builder_create(NULL, "k", &error) == NULL && error.code == QD_INVALID);
  EXPECT(qd_builder_create(NULL, "k", NULL) == NULL);
  EXPECT(qd_builder_constant_int(NULL, QD_I32, 1, &error) == -1);
  EXPECT_ERROR(error, QD_INVALID, "builder is NULL");

  qd_builder* b = qd_builder_create(program, "bad", &error);
  const int32_t file = HANDLE(qd_builder_file(b, "bad.go", &error));
  OK(qd_builder_position(b, file, 3, 7, &error));
  EXPECT(qd_builder_unary(b, QD_NEG, 77, &error) == -1);
  EXPECT(error.code == QD_INVALID && error.position.line == 3 && error.position.column == 7);
  EXPECT(qd_builder_unary(b, (qd_unary_op)1000, 0, &error) == -1 && error.code == QD_INVALID);
  EXPECT(qd_builder_check(b, QD_CHECK_NONE, 0, NULL, NULL, NULL, &error) == QD_INVALID);
  EXPECT(qd_builder_print(b, 1, NULL, "%v", 1, &error) == QD_INVALID);
  EXPECT(qd_builder_print(b, -1, NULL, "", 1, &error) == QD_INVALID);
  EXPECT(qd_builder_print(b, 0, NULL, "", 7, &error) == QD_INVALID);
  EXPECT(qd_builder_end_if(b, &error) == QD_INVALID);
  EXPECT(qd_builder_begin_scope(b, &error) >= 0);
  EXPECT(qd_builder_finish(b, &error) == NULL && error.code != QD_OK);
  qd_builder_destroy(b);
  qd_builder_destroy(NULL);
  qd_kernel_destroy(NULL);
  qd_program_destroy(NULL);
  EXPECT(qd_kernel_args_size(NULL) == -1);
  EXPECT(qd_kernel_plan(NULL, NULL, 0) == -1);
}

static void test_programs(void) {
  qd_error error;
  EXPECT(qd_program_create(NULL, &error) == NULL && error.code == QD_INVALID);
  qd_program_config config;
  memset(&config, 0, sizeof config);
  config.arch = (qd_arch)42;
  EXPECT(qd_program_create(&config, &error) == NULL && error.code == QD_INVALID);
  config.arch = QD_ARCH_CUDA;
  EXPECT(qd_program_create(&config, &error) == NULL && error.code == QD_NO_DEVICE);
  config.arch = QD_ARCH_CPU;
  config.threads = -1;
  EXPECT(qd_program_create(&config, &error) == NULL && error.code == QD_INVALID);
}

/* Kernels and memory may outlive their program, and then refuse to work. */
static void test_order_of_destruction(void) {
  qd_error error;
  qd_program_config config;
  memset(&config, 0, sizeof config);
  config.threads = 2;
  qd_program* program = qd_program_create(&config, &error);
  qd_kernel* kernel = build_saxpy(program);
  qd_builder* builder = qd_builder_create(program, "late", &error);
  const uint64_t memory = qd_memory_allocate(program, 1000, &error);
  EXPECT(qd_memory_allocate(program, INT64_MAX, &error) == 0 && error.code == QD_OUT_OF_MEMORY);
  qd_leaks leaks;
  OK(qd_program_leaks(program, &leaks, &error));
  EXPECT(leaks.allocations == 1 && leaks.bytes == 1000 && leaks.kernels == 1 && leaks.builders == 1);
  qd_program_destroy(program);

  saxpy_args args;
  memset(&args, 0, sizeof args);
  EXPECT(qd_kernel_launch(kernel, &args, sizeof args, NULL, &error) == QD_CLOSED);
  EXPECT(qd_kernel_compile(kernel, &error) == QD_CLOSED);
  EXPECT(qd_builder_finish(builder, &error) == NULL && error.code == QD_CLOSED);
  EXPECT(qd_memory_allocate(program, 8, &error) == 0 && error.code == QD_CLOSED);
  qd_memory_free(program, memory, 1000);
  qd_builder_destroy(builder);
  qd_kernel_destroy(kernel);
}

int main(void) {
  qd_error error;
  EXPECT(qd_abi_version() == QD_ABI_VERSION);
  test_programs();
  for (int32_t threads = 1; threads <= 4; threads += 3) {
    qd_program_config config;
    memset(&config, 0, sizeof config);
    config.threads = threads;
    config.seed = 42;
    qd_program* program = qd_program_create(&config, &error);
    if (program == NULL) require_ok(error.code, &error, __LINE__);
    qd_info info;
    OK(qd_program_info(program, &info, &error));
    EXPECT(info.workers == threads && info.memory_bytes > 0 && info.llvm[0] != '\0' && info.cpu[0] != '\0');
    test_saxpy(program);
    test_print_and_assertion(program);
    test_builder_errors(program);
    qd_leaks leaks;
    OK(qd_program_leaks(program, &leaks, &error));
    EXPECT(leaks.allocations == 0 && leaks.bytes == 0 && leaks.kernels == 0 && leaks.builders == 0);
    qd_program_destroy(program);
  }
  test_order_of_destruction();
  qd_leaks leaks;
  qd_process_leaks(&leaks);
  EXPECT(leaks.allocations == 0 && leaks.bytes == 0 && leaks.streams == 0 && leaks.events == 0);
  EXPECT(leaks.kernels == 0 && leaks.builders == 0);
  if (failures != 0) return 1;
  puts("saxpy from C: ok");
  return 0;
}
