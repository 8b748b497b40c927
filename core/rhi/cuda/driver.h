// NVIDIA's driver, opened with dlopen: the types, constants and functions of its C API that this folder uses. They are
// written by hand from the driver's documented ABI, so that no toolkit is needed to build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace qd::rhi::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUkernel = struct CUkern_st*;
using CUgraph = struct CUgraph_st*;
using CUgraphNode = struct CUgraphNode_st*;
using CUgraphExec = struct CUgraphExec_st*;
using CUmemoryPool = struct CUmemPoolHandle_st*;

enum : CUresult {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_STUB_LIBRARY = 34,
  CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_ECC_UNCORRECTABLE = 214,
  CUDA_ERROR_INVALID_PTX = 218,
  CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
  CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  CUDA_ERROR_CONTAINED = 226,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_ERROR_LAUNCH_TIMEOUT = 702,
  CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
  CUDA_ERROR_ASSERT = 710,
  CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
  CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
  CUDA_ERROR_MISALIGNED_ADDRESS = 716,
  CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
  CUDA_ERROR_INVALID_PC = 718,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_TENSOR_MEMORY_LEAK = 721,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_SYSTEM_NOT_READY = 802,
  CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
  CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
  CUDA_ERROR_MPS_CLIENT_TERMINATED = 810,
  CUDA_ERROR_EXTERNAL_DEVICE = 911,
  CUDA_ERROR_UNKNOWN = 999,
};

enum CUdevice_attribute : int {
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
};
enum CUjit_option : int {
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
};
enum CUmemPool_attribute : int { CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4 };
enum CUmemLocationType : int { CU_MEM_LOCATION_TYPE_DEVICE = 1 };
enum CUmemAllocationType : int { CU_MEM_ALLOCATION_TYPE_PINNED = 1 };
enum CUmemAllocationHandleType : int { CU_MEM_HANDLE_TYPE_NONE = 0 };

inline constexpr unsigned CU_STREAM_NON_BLOCKING = 1;
inline constexpr uintptr_t CU_STREAM_LEGACY = 1, CU_STREAM_PER_THREAD = 2;  // handles of the two implicit streams
inline constexpr unsigned CU_EVENT_DEFAULT = 0, CU_EVENT_DISABLE_TIMING = 2;
inline constexpr unsigned CU_MEMHOSTALLOC_PORTABLE = 1, CU_MEMHOSTALLOC_DEVICEMAP = 2;

struct CUmemLocation {
  CUmemLocationType type;
  int id;
};
struct CUmemPoolProps {
  CUmemAllocationType allocType;
  CUmemAllocationHandleType handleTypes;
  CUmemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
static_assert(sizeof(CUmemPoolProps) == 88);

// CUDA_KERNEL_NODE_PARAMS_v2
struct CUDA_KERNEL_NODE_PARAMS {
  CUfunction func;
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  void** kernelParams;
  void** extra;
  CUkernel kern;
  CUcontext ctx;
};
static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS) == 72);

// The functions, each by the name of its newest version up to CUDA 12.0.
struct Driver {
  CUresult (*cuInit)(unsigned int flags);
  CUresult (*cuDriverGetVersion)(int* version);
  CUresult (*cuGetErrorName)(CUresult error, const char** name);
  CUresult (*cuGetErrorString)(CUresult error, const char** text);

  CUresult (*cuDeviceGetCount)(int* count);
  CUresult (*cuDeviceGet)(CUdevice* device, int ordinal);
  CUresult (*cuDeviceGetName)(char* name, int size, CUdevice device);
  CUresult (*cuDeviceTotalMem)(size_t* bytes, CUdevice device);
  CUresult (*cuDeviceGetAttribute)(int* value, CUdevice_attribute attribute, CUdevice device);
  CUresult (*cuDevicePrimaryCtxRetain)(CUcontext* context, CUdevice device);
  CUresult (*cuDevicePrimaryCtxRelease)(CUdevice device);
  CUresult (*cuCtxGetCurrent)(CUcontext* context);
  CUresult (*cuCtxSetCurrent)(CUcontext context);

  CUresult (*cuMemGetInfo)(size_t* free, size_t* total);
  CUresult (*cuMemPoolCreate)(CUmemoryPool* pool, const CUmemPoolProps* properties);
  CUresult (*cuMemPoolDestroy)(CUmemoryPool pool);
  CUresult (*cuMemPoolSetAttribute)(CUmemoryPool pool, CUmemPool_attribute attribute, void* value);
  CUresult (*cuMemPoolTrimTo)(CUmemoryPool pool, size_t bytes_to_keep);
  CUresult (*cuMemAllocFromPoolAsync)(CUdeviceptr* memory, size_t size, CUmemoryPool pool, CUstream stream);
  CUresult (*cuMemFreeAsync)(CUdeviceptr memory, CUstream stream);
  CUresult (*cuMemHostAlloc)(void** memory, size_t size, unsigned int flags);
  CUresult (*cuMemFreeHost)(void* memory);
  CUresult (*cuMemHostGetDevicePointer)(CUdeviceptr* device, void* host, unsigned int flags);
  CUresult (*cuMemcpyHtoDAsync)(CUdeviceptr to, const void* from, size_t size, CUstream stream);
  CUresult (*cuMemcpyDtoHAsync)(void* to, CUdeviceptr from, size_t size, CUstream stream);
  CUresult (*cuMemcpyDtoDAsync)(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream);
  CUresult (*cuMemsetD8Async)(CUdeviceptr to, unsigned char value, size_t count, CUstream stream);
  CUresult (*cuMemsetD16Async)(CUdeviceptr to, unsigned short value, size_t count, CUstream stream);
  CUresult (*cuMemsetD32Async)(CUdeviceptr to, unsigned int value, size_t count, CUstream stream);

  CUresult (*cuStreamCreate)(CUstream* stream, unsigned int flags);
  CUresult (*cuStreamDestroy)(CUstream stream);
  CUresult (*cuStreamSynchronize)(CUstream stream);
  CUresult (*cuStreamGetCtx)(CUstream stream, CUcontext* context);
  CUresult (*cuStreamWaitEvent)(CUstream stream, CUevent event, unsigned int flags);
  CUresult (*cuEventCreate)(CUevent* event, unsigned int flags);
  CUresult (*cuEventDestroy)(CUevent event);
  CUresult (*cuEventRecord)(CUevent event, CUstream stream);
  CUresult (*cuEventSynchronize)(CUevent event);
  CUresult (*cuEventQuery)(CUevent event);
  CUresult (*cuEventElapsedTime)(float* milliseconds, CUevent from, CUevent to);

  CUresult (*cuModuleLoadDataEx)(CUmodule* module, const void* image, unsigned int count, CUjit_option* options,
                                 void** values);
  CUresult (*cuModuleUnload)(CUmodule module);
  CUresult (*cuModuleGetFunction)(CUfunction* function, CUmodule module, const char* name);
  CUresult (*cuOccupancyMaxActiveBlocksPerMultiprocessor)(int* blocks, CUfunction function, int block_size,
                                                          size_t dynamic_shared);
  CUresult (*cuLaunchKernel)(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                             unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                             CUstream stream, void** parameters, void** extra);

  CUresult (*cuGraphCreate)(CUgraph* graph, unsigned int flags);
  CUresult (*cuGraphDestroy)(CUgraph graph);
  CUresult (*cuGraphAddKernelNode)(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                   const CUDA_KERNEL_NODE_PARAMS* parameters);
  CUresult (*cuGraphInstantiateWithFlags)(CUgraphExec* exec, CUgraph graph, unsigned long long flags);
  CUresult (*cuGraphExecDestroy)(CUgraphExec exec);
  CUresult (*cuGraphExecKernelNodeSetParams)(CUgraphExec exec, CUgraphNode node,
                                             const CUDA_KERNEL_NODE_PARAMS* parameters);
  CUresult (*cuGraphNodeSetEnabled)(CUgraphExec exec, CUgraphNode node, unsigned int enabled);
  CUresult (*cuGraphLaunch)(CUgraphExec exec, CUstream stream);
};

template <class Function>
struct DriverEntry {
  const char* symbol;  // as the library exports it
  Function Driver::* member;
};
template <class Function>
DriverEntry(const char*, Function Driver::*) -> DriverEntry<Function>;

inline constexpr auto kDriverEntries = std::make_tuple(
    DriverEntry{"cuInit", &Driver::cuInit}, DriverEntry{"cuDriverGetVersion", &Driver::cuDriverGetVersion},
    DriverEntry{"cuGetErrorName", &Driver::cuGetErrorName}, DriverEntry{"cuGetErrorString", &Driver::cuGetErrorString},
    DriverEntry{"cuDeviceGetCount", &Driver::cuDeviceGetCount}, DriverEntry{"cuDeviceGet", &Driver::cuDeviceGet},
    DriverEntry{"cuDeviceGetName", &Driver::cuDeviceGetName},
    DriverEntry{"cuDeviceTotalMem_v2", &Driver::cuDeviceTotalMem},
    DriverEntry{"cuDeviceGetAttribute", &Driver::cuDeviceGetAttribute},
    DriverEntry{"cuDevicePrimaryCtxRetain", &Driver::cuDevicePrimaryCtxRetain},
    DriverEntry{"cuDevicePrimaryCtxRelease_v2", &Driver::cuDevicePrimaryCtxRelease},
    DriverEntry{"cuCtxGetCurrent", &Driver::cuCtxGetCurrent}, DriverEntry{"cuCtxSetCurrent", &Driver::cuCtxSetCurrent},
    DriverEntry{"cuMemGetInfo_v2", &Driver::cuMemGetInfo}, DriverEntry{"cuMemPoolCreate", &Driver::cuMemPoolCreate},
    DriverEntry{"cuMemPoolDestroy", &Driver::cuMemPoolDestroy},
    DriverEntry{"cuMemPoolSetAttribute", &Driver::cuMemPoolSetAttribute},
    DriverEntry{"cuMemPoolTrimTo", &Driver::cuMemPoolTrimTo},
    DriverEntry{"cuMemAllocFromPoolAsync", &Driver::cuMemAllocFromPoolAsync},
    DriverEntry{"cuMemFreeAsync", &Driver::cuMemFreeAsync}, DriverEntry{"cuMemHostAlloc", &Driver::cuMemHostAlloc},
    DriverEntry{"cuMemFreeHost", &Driver::cuMemFreeHost},
    DriverEntry{"cuMemHostGetDevicePointer_v2", &Driver::cuMemHostGetDevicePointer},
    DriverEntry{"cuMemcpyHtoDAsync_v2", &Driver::cuMemcpyHtoDAsync},
    DriverEntry{"cuMemcpyDtoHAsync_v2", &Driver::cuMemcpyDtoHAsync},
    DriverEntry{"cuMemcpyDtoDAsync_v2", &Driver::cuMemcpyDtoDAsync},
    DriverEntry{"cuMemsetD8Async", &Driver::cuMemsetD8Async},
    DriverEntry{"cuMemsetD16Async", &Driver::cuMemsetD16Async},
    DriverEntry{"cuMemsetD32Async", &Driver::cuMemsetD32Async}, DriverEntry{"cuStreamCreate", &Driver::cuStreamCreate},
    DriverEntry{"cuStreamDestroy_v2", &Driver::cuStreamDestroy},
    DriverEntry{"cuStreamSynchronize", &Driver::cuStreamSynchronize},
    DriverEntry{"cuStreamGetCtx", &Driver::cuStreamGetCtx},
    DriverEntry{"cuStreamWaitEvent", &Driver::cuStreamWaitEvent}, DriverEntry{"cuEventCreate", &Driver::cuEventCreate},
    DriverEntry{"cuEventDestroy_v2", &Driver::cuEventDestroy}, DriverEntry{"cuEventRecord", &Driver::cuEventRecord},
    DriverEntry{"cuEventSynchronize", &Driver::cuEventSynchronize}, DriverEntry{"cuEventQuery", &Driver::cuEventQuery},
    DriverEntry{"cuEventElapsedTime", &Driver::cuEventElapsedTime},
    DriverEntry{"cuModuleLoadDataEx", &Driver::cuModuleLoadDataEx},
    DriverEntry{"cuModuleUnload", &Driver::cuModuleUnload},
    DriverEntry{"cuModuleGetFunction", &Driver::cuModuleGetFunction},
    DriverEntry{"cuOccupancyMaxActiveBlocksPerMultiprocessor", &Driver::cuOccupancyMaxActiveBlocksPerMultiprocessor},
    DriverEntry{"cuLaunchKernel", &Driver::cuLaunchKernel}, DriverEntry{"cuGraphCreate", &Driver::cuGraphCreate},
    DriverEntry{"cuGraphDestroy", &Driver::cuGraphDestroy},
    DriverEntry{"cuGraphAddKernelNode_v2", &Driver::cuGraphAddKernelNode},
    DriverEntry{"cuGraphInstantiateWithFlags", &Driver::cuGraphInstantiateWithFlags},
    DriverEntry{"cuGraphExecDestroy", &Driver::cuGraphExecDestroy},
    DriverEntry{"cuGraphExecKernelNodeSetParams_v2", &Driver::cuGraphExecKernelNodeSetParams},
    DriverEntry{"cuGraphNodeSetEnabled", &Driver::cuGraphNodeSetEnabled},
    DriverEntry{"cuGraphLaunch", &Driver::cuGraphLaunch});
static_assert(sizeof(Driver) == std::tuple_size_v<decltype(kDriverEntries)> * sizeof(void (*)()),
              "every function is listed");

}  // namespace qd::rhi::cuda
