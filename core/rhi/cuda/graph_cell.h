// A slot's graph of a kernel. It goes with the slot or with the kernel, whichever goes first: it must not be left when
// the kernel's machine code is unloaded.
#pragma once

#include <memory>
#include <mutex>

namespace qd::rhi::cuda {

class LaunchGraph;

// Shared by the slot and the kernel. Any thread may close it, except while the kernel is launched with the slot.
class GraphCell {
 public:
  explicit GraphCell(std::unique_ptr<LaunchGraph> graph);
  ~GraphCell();
  GraphCell(const GraphCell&) = delete;
  GraphCell& operator=(const GraphCell&) = delete;

  // Null where there is none. Only for a launch of the kernel with the slot, which keeps both.
  LaunchGraph* graph() const { return graph_.get(); }
  void close();
  bool closed() const;

 private:
  mutable std::mutex mutex_;
  std::unique_ptr<LaunchGraph> graph_;
};

}  // namespace qd::rhi::cuda
