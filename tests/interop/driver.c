#include "driver.h"

#include <dlfcn.h>
#include <stddef.h>

static const char kPtx[] =
    ".version 6.0\n"
    ".target sm_60\n"
    ".address_size 64\n"
    ".visible .entry slow_store(.param .u64 address, .param .u64 cycles, .param .s32 value) {\n"
    "  .reg .pred %p;\n"
    "  .reg .b32 %r;\n"
    "  .reg .b64 %rd<6>;\n"
    "  ld.param.u64 %rd1, [address];\n"
    "  ld.param.u64 %rd2, [cycles];\n"
    "  ld.param.s32 %r, [value];\n"
    "  cvta.to.global.u64 %rd1, %rd1;\n"
    "  mov.u64 %rd3, %clock64;\n"
    "again:\n"
    "  mov.u64 %rd4, %clock64;\n"
    "  sub.u64 %rd5, %rd4, %rd3;\n"
    "  setp.lt.u64 %p, %rd5, %rd2;\n"
    "  @%p bra again;\n"
    "  st.global.s32 [%rd1], %r;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry crash() {\n"
    "  trap;\n"
    "}\n";

static int (*init)(unsigned), (*get_device)(int*, int), (*retain)(void**, int), (*set_current)(void*);
static int (*create_stream)(uintptr_t*, unsigned), (*destroy_stream)(uintptr_t), (*synchronize)(uintptr_t);
static int (*load_module)(void**, const void*), (*get_function)(void**, void*, const char*);
static int (*copy_to_host)(void*, uint64_t, size_t, uintptr_t);
static int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, uintptr_t, void**,
                     void**);
static void *context, *slow_store, *crash;

// ISO C has no conversion from an object pointer to a function pointer.
static int find(void* library, const char* name, void* function) {
  void* found = dlsym(library, name);
  *(void**)function = found;
  return found == NULL;
}

int interop_start(void) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return INTEROP_NO_DRIVER;
  if (find(library, "cuInit", &init) || find(library, "cuDeviceGet", &get_device) ||
      find(library, "cuDevicePrimaryCtxRetain", &retain) || find(library, "cuCtxSetCurrent", &set_current) ||
      find(library, "cuStreamCreate", &create_stream) || find(library, "cuStreamDestroy_v2", &destroy_stream) ||
      find(library, "cuStreamSynchronize", &synchronize) || find(library, "cuModuleLoadData", &load_module) ||
      find(library, "cuModuleGetFunction", &get_function) || find(library, "cuMemcpyDtoHAsync_v2", &copy_to_host) ||
      find(library, "cuLaunchKernel", &launch)) {
    return INTEROP_NO_DRIVER;
  }
  int device = 0, code = init(0);
  if (code != 0) return INTEROP_NO_DRIVER;  // a driver without a GPU
  void* module = NULL;
  if ((code = get_device(&device, 0)) != 0 || (code = retain(&context, device)) != 0 ||
      (code = set_current(context)) != 0 || (code = load_module(&module, kPtx)) != 0 ||
      (code = get_function(&slow_store, module, "slow_store")) != 0) {
    return code;
  }
  return get_function(&crash, module, "crash");
}

// A goroutine's calls may be on any thread.
static int use(void) { return set_current(context); }

int interop_new_stream(uintptr_t* stream) {
  const int code = use();
  return code != 0 ? code : create_stream(stream, 1);  // CU_STREAM_NON_BLOCKING
}

static int run(void* function, uintptr_t stream, void** parameters) {
  const int code = use();
  return code != 0 ? code : launch(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
}

int interop_slow_store(uintptr_t stream, uint64_t address, uint64_t cycles, int32_t value) {
  void* parameters[] = {&address, &cycles, &value};
  return run(slow_store, stream, parameters);
}

int interop_load(uintptr_t stream, uint64_t address, int32_t* value) {
  int code = use();
  if (code == 0) code = copy_to_host(value, address, sizeof *value, stream);
  return code != 0 ? code : synchronize(stream);
}

int interop_crash(uintptr_t stream) {
  const int code = run(crash, stream, NULL);
  return code != 0 ? code : synchronize(stream);
}

int interop_destroy(uintptr_t stream) {
  int code = use();
  if (code == 0) code = synchronize(stream);
  return code != 0 ? code : destroy_stream(stream);
}
