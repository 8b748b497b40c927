// A kernel whose machine code is on the GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/codegen/cuda/cuda_kernel.h"
#include "core/rhi/cuda/graph_cell.h"
#include "core/rhi/cuda/modules.h"

namespace qd::rhi::cuda {

struct LoadedTask {
  const CudaTask* task = nullptr;
  CUfunction function = nullptr;
  CudaOccupancy occupancy;
  bool prints = false;  // as the kernel
};

class LoadedKernel final : public CompiledKernel {
 public:
  // The context is current.
  LoadedKernel(Context& context, Modules& modules, std::unique_ptr<CudaModule> code, const std::string& name);
  ~LoadedKernel() override;

  uint64_t id() const { return id_; }  // no two kernels of a process have the same
  // Closes the cell before the machine code may go.
  void closes(const std::shared_ptr<GraphCell>& cell) const;
  bool zero_temps() const { return code_->zero_temps; }
  bool keeps_number() const { return code_->keeps_number; }
  const LoadedTask& loaded(int32_t task) const { return loaded_[static_cast<size_t>(task)]; }

 private:
  const uint64_t id_;
  const std::unique_ptr<CudaModule> code_;
  std::shared_ptr<const Module> module_;
  std::vector<LoadedTask> loaded_;
  mutable std::mutex cells_mutex_;
  mutable std::vector<std::weak_ptr<GraphCell>> cells_;
};

// What a task of a LoadedKernel runs.
const LoadedTask& loaded_task(const CompiledTask& task);

}  // namespace qd::rhi::cuda
