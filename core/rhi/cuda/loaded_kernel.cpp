#include "core/rhi/cuda/loaded_kernel.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace qd::rhi::cuda {
namespace {

uint64_t next_id() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

}  // namespace

const LoadedTask& loaded_task(const CompiledTask& task) { return *static_cast<const LoadedTask*>(task.code); }

LoadedKernel::LoadedKernel(Context& context, Modules& modules, std::unique_ptr<CudaModule> code,
                           const std::string& name)
    : id_(next_id()), code_(std::move(code)) {
  checks = code_->checks;
  prints = code_->prints;
  module_ = modules.load(std::move(code_->ptx), name);
  loaded_.reserve(code_->tasks.size());  // tasks point into it
  for (const CudaTask& task : code_->tasks) {
    LoadedTask loaded{&task, module_->function(task.entry), {}, !prints.empty()};
    int blocks = 0;
    context.check(
        context.driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, loaded.function, task.block_dim, 0),
        "asking how many blocks run at the same time");
    loaded.occupancy = {.multiprocessors = context.multiprocessors(), .blocks_per_multiprocessor = std::max(1, blocks)};
    loaded_.push_back(loaded);
    if (task.scopes > 1) ++launched_as_one;
    CompiledTask& compiled = tasks.emplace_back();
    compiled.task = task.task;
    compiled.bounds = task.bounds;
    compiled.code = &loaded_.back();
    compiled.label = std::make_shared<const TaskLabel>(TaskLabel{name, task.task.name, task.task.group});
  }
}

LoadedKernel::~LoadedKernel() {
  for (const std::weak_ptr<GraphCell>& cell : cells_) {
    if (const std::shared_ptr<GraphCell> open = cell.lock()) open->close();
  }
}

void LoadedKernel::closes(const std::shared_ptr<GraphCell>& cell) const {
  const std::lock_guard lock(cells_mutex_);
  std::erase_if(cells_, [](const std::weak_ptr<GraphCell>& other) { return other.expired(); });
  cells_.push_back(cell);
}

}  // namespace qd::rhi::cuda
