// Copies between pageable host memory and the GPU, through pinned memory in pieces, so that the host's half of one
// piece overlaps the GPU's half of another.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "core/rhi/cuda/context.h"

namespace qd::rhi::cuda {

class Staging {
 public:
  static constexpr size_t kChunk = size_t{1} << 20;
  static constexpr size_t kMostChunks = 16;  // of all copies
  static constexpr size_t kChunksOfACopy = 4;

  explicit Staging(Context& context) : context_(context) {}
  ~Staging();  // no copy runs
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  // In the stream's order, and complete when they return. The context is current.
  void copy_in(CUstream stream, CUdeviceptr to, const void* from, size_t size);
  void copy_out(CUstream stream, void* to, CUdeviceptr from, size_t size);

 private:
  struct Chunk {
    void* host = nullptr;
    CUevent done = nullptr;  // of the GPU's last use
  };
  // Chunks for one copy, at least one; waits where other copies have them all.
  class Lease;
  // Adds one to free_, which is reserved. Fails where pinned memory has run out; throws where one is required.
  bool add_chunk(bool required);

  Context& context_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<Chunk*> free_;  // has room for all of them
};

}  // namespace qd::rhi::cuda
