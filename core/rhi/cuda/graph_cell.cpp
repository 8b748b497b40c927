#include "core/rhi/cuda/graph_cell.h"

#include <utility>

#include "core/rhi/cuda/launch_graph.h"

namespace qd::rhi::cuda {

GraphCell::GraphCell(std::unique_ptr<LaunchGraph> graph) : graph_(std::move(graph)) {}

GraphCell::~GraphCell() = default;

void GraphCell::close() {
  const std::lock_guard lock(mutex_);
  graph_.reset();
}

bool GraphCell::closed() const {
  const std::lock_guard lock(mutex_);
  return graph_ == nullptr;
}

}  // namespace qd::rhi::cuda
