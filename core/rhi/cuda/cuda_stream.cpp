#include "core/rhi/cuda/cuda_stream.h"

#include "core/ir/error.h"

namespace qd::rhi::cuda {

CudaStream::CudaStream(Context& context) : context_(context), foreign_(false) {
  context_.check(context_.driver().cuStreamCreate(&handle_, CU_STREAM_NON_BLOCKING), "creating a stream");
}

CudaStream::CudaStream(Context& context, uint64_t foreign_handle) : context_(context), foreign_(true) {
  if (foreign_handle == CU_STREAM_PER_THREAD) {
    throw Error(Code::invalid, "a per-thread default stream is another one on every thread and cannot be wrapped");
  }
  handle_ = reinterpret_cast<CUstream>(foreign_handle == 0 ? CU_STREAM_LEGACY : foreign_handle);
  CUcontext owner = nullptr;
  context_.check(context_.driver().cuStreamGetCtx(handle_, &owner), "wrapping a stream");
  if (owner != context_.handle()) throw Error(Code::invalid, "the stream belongs to another GPU or context");
}

CudaStream::~CudaStream() {
  const CurrentToRelease current(context_);
  context_.driver().cuStreamSynchronize(handle_);
  if (!foreign_) context_.driver().cuStreamDestroy(handle_);
}

CudaEvent::CudaEvent(Context& context, unsigned flags) : context_(context) {
  context_.check(context_.driver().cuEventCreate(&handle_, flags), "creating an event");
}

CudaEvent::~CudaEvent() {
  const CurrentToRelease current(context_);
  context_.driver().cuEventDestroy(handle_);
}

void CudaEvent::record(CUstream stream) {
  context_.check(context_.driver().cuEventRecord(handle_, stream), "recording an event");
  recorded_.store(true, std::memory_order_release);
}

}  // namespace qd::rhi::cuda
