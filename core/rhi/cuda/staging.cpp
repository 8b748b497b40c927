#include "core/rhi/cuda/staging.h"

#include <algorithm>
#include <cstring>

namespace qd::rhi::cuda {

class Staging::Lease {
 public:
  Lease(Staging& staging, CUstream stream, size_t wanted) : staging_(staging), stream_(stream) {
    std::unique_lock lock(staging_.mutex_);
    staging_.returned_.wait(lock, [&] { return !staging_.free_.empty() || staging_.chunks_.size() < kMostChunks; });
    while (count_ < std::clamp<size_t>(wanted, 1, kChunksOfACopy)) {
      if (staging_.free_.empty() && !staging_.add_chunk(count_ == 0)) break;
      chunks_[count_++] = staging_.free_.back();
      staging_.free_.pop_back();
    }
  }

  ~Lease() {
    // After an error the GPU may still use the chunks.
    if (!complete_) staging_.context_.driver().cuStreamSynchronize(stream_);
    {
      const std::lock_guard lock(staging_.mutex_);
      for (size_t i = 0; i < count_; ++i) staging_.free_.push_back(chunks_[i]);
    }
    staging_.returned_.notify_all();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  size_t count() const { return count_; }
  void* host(size_t piece) const { return chunks_[piece % count_]->host; }
  void used(size_t piece) {
    staging_.context_.check(staging_.context_.driver().cuEventRecord(chunks_[piece % count_]->done, stream_),
                            "copying");
  }
  // Until the GPU is done with the piece.
  void wait(size_t piece) {
    staging_.context_.check(staging_.context_.driver().cuEventSynchronize(chunks_[piece % count_]->done), "copying");
  }
  void complete() { complete_ = true; }

 private:
  Staging& staging_;
  const CUstream stream_;
  std::array<Chunk*, kChunksOfACopy> chunks_{};
  size_t count_ = 0;
  bool complete_ = false;
};

Staging::~Staging() {
  const CurrentToRelease current(context_);
  for (const std::unique_ptr<Chunk>& chunk : chunks_) {
    context_.driver().cuEventDestroy(chunk->done);
    context_.driver().cuMemFreeHost(chunk->host);
  }
}

bool Staging::add_chunk(bool required) {
  if (chunks_.size() == kMostChunks) return false;
  free_.reserve(kMostChunks);
  chunks_.reserve(kMostChunks);
  auto chunk = std::make_unique<Chunk>();
  const Driver& driver = context_.driver();
  CUresult result = driver.cuMemHostAlloc(&chunk->host, kChunk, CU_MEMHOSTALLOC_PORTABLE);
  if (result == CUDA_SUCCESS) {
    result = driver.cuEventCreate(&chunk->done, CU_EVENT_DISABLE_TIMING);
    if (result != CUDA_SUCCESS) driver.cuMemFreeHost(chunk->host);
  }
  if (result != CUDA_SUCCESS) {
    if (required) context_.check(result, "allocating pinned memory for a copy");
    return false;
  }
  free_.push_back(chunk.get());
  chunks_.push_back(std::move(chunk));
  return true;
}

void Staging::copy_in(CUstream stream, CUdeviceptr to, const void* from, size_t size) {
  if (size == 0) return;
  const size_t pieces = (size + kChunk - 1) / kChunk;
  Lease lease(*this, stream, pieces);
  for (size_t piece = 0; piece < pieces; ++piece) {
    const size_t offset = piece * kChunk, bytes = std::min(kChunk, size - offset);
    if (piece >= lease.count()) lease.wait(piece);
    std::memcpy(lease.host(piece), static_cast<const char*>(from) + offset, bytes);
    context_.check(context_.driver().cuMemcpyHtoDAsync(to + offset, lease.host(piece), bytes, stream),
                   "copying to the GPU");
    lease.used(piece);
  }
  lease.wait(pieces - 1);
  lease.complete();
}

void Staging::copy_out(CUstream stream, void* to, CUdeviceptr from, size_t size) {
  if (size == 0) return;
  const size_t pieces = (size + kChunk - 1) / kChunk;
  Lease lease(*this, stream, pieces);
  const auto bytes_of = [&](size_t piece) { return std::min(kChunk, size - piece * kChunk); };
  for (size_t piece = 0, queued = 0; piece < pieces; ++piece) {
    for (; queued < pieces && queued < piece + lease.count(); ++queued) {
      context_.check(
          context_.driver().cuMemcpyDtoHAsync(lease.host(queued), from + queued * kChunk, bytes_of(queued), stream),
          "copying from the GPU");
      lease.used(queued);
    }
    lease.wait(piece);
    std::memcpy(static_cast<char*>(to) + piece * kChunk, lease.host(piece), bytes_of(piece));
  }
  lease.complete();
}

}  // namespace qd::rhi::cuda
