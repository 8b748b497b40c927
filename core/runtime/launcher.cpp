#include "core/runtime/launcher.h"

#include <cstring>
#include <exception>
#include <memory>

namespace qd {
namespace {

// Larger blocks come from the pool. A cgo call runs on a system stack of at least 16 KiB.
constexpr size_t kStackBlock = 2048;

bool running(const LaunchHeader* header) {
  return __atomic_load_n(&header->state, __ATOMIC_ACQUIRE) == static_cast<int32_t>(LaunchState::running);
}

class Launch {
 public:
  Launch(rhi::Device& device, rhi::Stream stream, const std::vector<CompiledTask>& tasks, void* block)
      : device_(device), stream_(stream), tasks_(tasks), header_(static_cast<LaunchHeader*>(block)) {}

  void run(const LaunchPlan& plan) {
    for (const PlanPhase& phase : plan.phases) {
      if (phase.parallel()) {
        run_chains(phase);
      } else if (!phase.chains.empty()) {
        run_chain(phase.chains.front());
      }
      if (!running(header_)) return;
    }
  }

 private:
  void run_chain(const PlanChain& chain) {
    for (const int32_t task : chain.tasks) {
      device_.launch(stream_, tasks_[static_cast<size_t>(task)], header_);
      if (stream_ != nullptr) device_.sync(stream_);
      if (!running(header_)) return;
    }
  }

  struct Chains {
    Launch* launch;
    const PlanPhase& phase;
    std::unique_ptr<std::exception_ptr[]> errors;  // one a chain
  };

  void run_chains(const PlanPhase& phase) {
    const auto count = static_cast<int32_t>(phase.chains.size());
    Chains chains{this, phase, std::make_unique<std::exception_ptr[]>(phase.chains.size())};
    const auto run_one = [](void* context, int32_t index) {
      auto* c = static_cast<Chains*>(context);
      const auto i = static_cast<size_t>(index);
      try {
        c->launch->run_chain(c->phase.chains[i]);
      } catch (...) {
        c->errors[i] = std::current_exception();
      }
    };
    if (!device_.run_together(stream_, count, run_one, &chains)) {
      for (int32_t i = 0; i < count; ++i) run_one(&chains, i);
    }
    for (int32_t i = 0; i < count; ++i) {
      if (chains.errors[static_cast<size_t>(i)]) std::rethrow_exception(chains.errors[static_cast<size_t>(i)]);
    }
  }

  rhi::Device& device_;
  rhi::Stream stream_;
  const std::vector<CompiledTask>& tasks_;
  LaunchHeader* header_;
};

}  // namespace

size_t block_size(const LaunchRequest& request) {
  return temps_offset(request.args_size) + static_cast<size_t>(request.temps_size);
}

void fill_block(void* block, const LaunchRequest& request) {
  auto* bytes = static_cast<char*>(block);
  std::memset(bytes, 0, kHeaderSize);
  const auto args_size = static_cast<size_t>(request.args_size);
  if (args_size > 0) std::memcpy(bytes + kHeaderSize, request.args, args_size);
  if (request.temps_size > 0) {
    std::memset(bytes + temps_offset(request.args_size), 0, static_cast<size_t>(request.temps_size));
  }
  auto* header = static_cast<LaunchHeader*>(block);
  header->seed = request.seed;
  header->launch = request.launch;
  header->host = request.host;
}

LaunchOutcome run_block(rhi::Device& device, rhi::Stream stream, const std::vector<CompiledTask>& tasks,
                        const LaunchPlan& plan, void* block) {
  Launch(device, stream, tasks, block).run(plan);
  const auto* header = static_cast<const LaunchHeader*>(block);
  LaunchOutcome outcome;
  outcome.state = static_cast<LaunchState>(__atomic_load_n(&header->state, __ATOMIC_ACQUIRE));
  if (outcome.state == LaunchState::failed) {
    outcome.check = header->check;
    for (size_t i = 0; i < outcome.values.size(); ++i) outcome.values[i] = header->values[i];
  }
  return outcome;
}

LaunchOutcome launch(rhi::Device& device, rhi::Stream stream, LaunchBlockPool& blocks, const LaunchRequest& request) {
  const size_t size = block_size(request);
  if (size <= kStackBlock) {
    alignas(64) char block[kStackBlock];
    fill_block(block, request);
    return run_block(device, stream, request.tasks, request.plan, block);
  }
  const LaunchBlockPool::Lease lease = blocks.take(size);
  fill_block(lease.get(), request);
  return run_block(device, stream, request.tasks, request.plan, lease.get());
}

}  // namespace qd
