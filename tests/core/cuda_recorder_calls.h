// The recorder's streams, events, modules and graphs. Part of cuda_recorder.h, which includes it.
#pragma once

#include "tests/core/cuda_recorder.h"

namespace qd::rhi::cuda {

inline void Recorder::make_streams(Driver& d) {
  d.cuStreamCreate = [](CUstream* stream, unsigned flags) {
    const CUresult result = active()->enter("cuStreamCreate flags=" + std::to_string(flags));
    if (result != CUDA_SUCCESS) return result;
    auto* made = new Queue;
    made->context = active()->primary();
    active()->streams_.insert(made);
    ++active()->live_["streams"];
    *stream = reinterpret_cast<CUstream>(made);
    return result;
  };
  d.cuStreamDestroy = [](CUstream stream) {
    active()->enter("cuStreamDestroy", never_fails);
    Queue* queue = active()->queue(stream, "cuStreamDestroy");
    if (queue == nullptr) return CUresult{CUDA_ERROR_INVALID_HANDLE};
    while (!queue->work.empty()) step(queue);
    active()->streams_.erase(queue);
    const bool foreign = std::any_of(active()->foreign_.begin(), active()->foreign_.end(),
                                     [&](const auto& other) { return other.get() == queue; });
    if (foreign) {
      active()->faults.emplace_back("a foreign stream was destroyed");
    } else {
      --active()->live_["streams"];
      delete queue;
    }
    return CUresult{CUDA_SUCCESS};
  };
  d.cuStreamSynchronize = [](CUstream stream) {
    const CUresult result = active()->enter("cuStreamSynchronize");
    if (result != CUDA_SUCCESS) return result;
    if (Queue* queue = active()->queue(stream, "cuStreamSynchronize")) {
      while (!queue->work.empty()) step(queue);
    }
    return active()->stream_result;
  };
  d.cuStreamGetCtx = [](CUstream stream, CUcontext* context) {
    const CUresult result = active()->enter("cuStreamGetCtx " + std::to_string(reinterpret_cast<uintptr_t>(stream)));
    if (result == CUDA_SUCCESS) {
      const bool legacy = reinterpret_cast<uintptr_t>(stream) == CU_STREAM_LEGACY;
      *context = legacy ? active()->primary() : reinterpret_cast<Queue*>(stream)->context;
    }
    return result;
  };
  d.cuStreamWaitEvent = [](CUstream stream, CUevent event, unsigned) {
    const CUresult result = active()->enter("cuStreamWaitEvent");
    if (result != CUDA_SUCCESS) return result;
    const std::shared_ptr<Mark> mark = reinterpret_cast<Marker*>(event)->mark;
    const uint64_t record = mark->recorded;
    return active()->add(stream, "cuStreamWaitEvent", [mark, record] { run_until(mark, record); });
  };
  d.cuEventCreate = [](CUevent* event, unsigned flags) {
    const CUresult result = active()->enter("cuEventCreate flags=" + std::to_string(flags));
    if (result == CUDA_SUCCESS) *event = reinterpret_cast<CUevent>(new Marker), ++active()->live_["events"];
    return result;
  };
  d.cuEventDestroy = [](CUevent event) {
    delete reinterpret_cast<Marker*>(event);
    --active()->live_["events"];
    return active()->enter("cuEventDestroy", never_fails);
  };
  d.cuEventRecord = [](CUevent event, CUstream stream) {
    const CUresult result = active()->enter("cuEventRecord");
    if (result != CUDA_SUCCESS) return result;
    const std::shared_ptr<Mark> mark = reinterpret_cast<Marker*>(event)->mark;
    mark->stream = active()->queue(stream, "cuEventRecord");
    return active()->add(stream, "cuEventRecord", [mark, record = ++mark->recorded] { mark->reached = record; });
  };
  d.cuEventSynchronize = [](CUevent event) {
    const CUresult result = active()->enter("cuEventSynchronize");
    if (result != CUDA_SUCCESS) return result;
    const std::shared_ptr<Mark> mark = reinterpret_cast<Marker*>(event)->mark;
    run_until(mark, mark->recorded);
    return active()->stream_result;
  };
  d.cuEventQuery = [](CUevent event) {
    const CUresult result = active()->enter("cuEventQuery");
    if (result != CUDA_SUCCESS) return result;
    const Mark& mark = *reinterpret_cast<Marker*>(event)->mark;
    return mark.reached < mark.recorded ? CUresult{CUDA_ERROR_NOT_READY} : active()->stream_result;
  };
  d.cuEventElapsedTime = [](float* milliseconds, CUevent from, CUevent to) {
    for (const CUevent event : {from, to}) {
      const Mark& mark = *reinterpret_cast<Marker*>(event)->mark;
      if (mark.recorded == 0 || mark.reached < mark.recorded) active()->faults.emplace_back("time of a point to come");
    }
    *milliseconds = 2.5F;
    return active()->enter("cuEventElapsedTime");
  };
}

inline void Recorder::make_kernels(Driver& d) {
  d.cuModuleLoadDataEx = [](CUmodule* module, const void* ptx, unsigned count, CUjit_option* options, void** values) {
    active()->ptx = static_cast<const char*>(ptx);
    const CUresult result = active()->enter("cuModuleLoadDataEx");
    if (result == CUDA_SUCCESS) {
      *module = reinterpret_cast<CUmodule>(new Code{.ptx = active()->ptx, .functions = {}});
      ++active()->live_["modules"];
      return result;
    }
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
        std::strcpy(static_cast<char*>(values[i]), active()->error_log.c_str());
    }
    return result;
  };
  d.cuModuleUnload = [](CUmodule module) {
    auto* code = reinterpret_cast<Code*>(module);
    for (const Exec* exec : active()->execs_) {
      for (const auto& [of_graph, node] : exec->nodes) {
        for (const Function& function : code->functions) {
          if (reinterpret_cast<CUfunction>(const_cast<Function*>(&function)) == node.run.function) {
            active()->faults.push_back(function.entry + " was unloaded under a graph");
          }
        }
      }
    }
    delete code;
    --active()->live_["modules"];
    return active()->enter("cuModuleUnload", never_fails);
  };
  d.cuModuleGetFunction = [](CUfunction* function, CUmodule module, const char* name) {
    const CUresult result = active()->enter("cuModuleGetFunction");
    auto* code = reinterpret_cast<Code*>(module);
    const std::string parameter = std::string(name) + "_param_0[";
    const size_t at = code->ptx.find(parameter);
    const size_t size = at == std::string::npos ? 0 : std::stoul(code->ptx.substr(at + parameter.size()));
    *function = reinterpret_cast<CUfunction>(&code->functions.emplace_back(Function{name, size}));
    return result;
  };
  d.cuOccupancyMaxActiveBlocksPerMultiprocessor = [](int* blocks, CUfunction, int, size_t) {
    *blocks = active()->blocks_each;
    return active()->enter("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  };
  d.cuLaunchKernel = [](CUfunction function, unsigned blocks, unsigned y, unsigned z, unsigned threads, unsigned ty,
                        unsigned tz, unsigned shared, CUstream stream, void** parameters, void** extra) {
    const CUresult result = active()->enter("cuLaunchKernel");
    if (result != CUDA_SUCCESS) return result;
    if (blocks == 0 || y * z * ty * tz != 1 || extra != nullptr) active()->faults.emplace_back("a wrong launch");
    return active()->add(
        stream, "cuLaunchKernel",
        [run = active()->make_run(function, blocks, threads, shared, parameters)] { active()->run(run); });
  };
}

inline void Recorder::make_graphs(Driver& d) {
  d.cuGraphCreate = [](CUgraph* graph, unsigned) {
    const CUresult result = active()->enter("cuGraphCreate");
    if (result == CUDA_SUCCESS) *graph = reinterpret_cast<CUgraph>(new Graph), ++active()->live_["graphs"];
    return result;
  };
  d.cuGraphDestroy = [](CUgraph graph) {
    delete reinterpret_cast<Graph*>(graph);
    --active()->live_["graphs"];
    return active()->enter("cuGraphDestroy", never_fails);
  };
  d.cuGraphAddKernelNode = [](CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS* p) {
    Graph& to = *reinterpret_cast<Graph*>(graph);
    const Run run = active()->make_run(p->func, p->gridDimX, p->blockDimX, p->sharedMemBytes, p->kernelParams);
    const CUresult result =
        active()->enter("cuGraphAddKernelNode " + run.entry + " after " + names(to, dependencies, count));
    if (result == CUDA_SUCCESS) *node = reinterpret_cast<CUgraphNode>(&to.nodes.emplace_back(Node{run}));
    return result;
  };
  d.cuGraphInstantiateWithFlags = [](CUgraphExec* exec, CUgraph graph, unsigned long long) {
    const CUresult result = active()->enter("cuGraphInstantiateWithFlags");
    if (result != CUDA_SUCCESS) return result;
    auto* made = new Exec;
    for (const Node& node : reinterpret_cast<Graph*>(graph)->nodes) {
      made->nodes[&node] = node;
      made->order.push_back(&node);
    }
    *exec = reinterpret_cast<CUgraphExec>(made);
    active()->execs_.insert(made);
    ++active()->live_["execs"];
    return result;
  };
  d.cuGraphExecDestroy = [](CUgraphExec exec) {
    active()->execs_.erase(reinterpret_cast<Exec*>(exec));
    delete reinterpret_cast<Exec*>(exec);
    --active()->live_["execs"];
    return active()->enter("cuGraphExecDestroy", never_fails);
  };
  d.cuGraphExecKernelNodeSetParams = [](CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* p) {
    const CUresult result = active()->enter("cuGraphExecKernelNodeSetParams");
    if (result != CUDA_SUCCESS) return result;
    if (p->gridDimX == 0 || p->gridDimY * p->gridDimZ * p->blockDimY * p->blockDimZ != 1) {
      active()->faults.emplace_back("a wrong node");
    }
    reinterpret_cast<Exec*>(exec)->nodes.at(reinterpret_cast<Node*>(node)).run =
        active()->make_run(p->func, p->gridDimX, p->blockDimX, p->sharedMemBytes, p->kernelParams);
    return result;
  };
  d.cuGraphNodeSetEnabled = [](CUgraphExec exec, CUgraphNode node, unsigned enabled) {
    const CUresult result = active()->enter("cuGraphNodeSetEnabled " + std::to_string(enabled));
    if (result == CUDA_SUCCESS) {
      reinterpret_cast<Exec*>(exec)->nodes.at(reinterpret_cast<Node*>(node)).enabled = enabled != 0;
    }
    return result;
  };
  d.cuGraphLaunch = [](CUgraphExec exec, CUstream stream) {
    const CUresult result = active()->enter("cuGraphLaunch");
    if (result != CUDA_SUCCESS) return result;
    std::vector<Run> launched;
    const Exec& from = *reinterpret_cast<Exec*>(exec);
    for (const Node* node : from.order) {
      if (from.nodes.at(node).enabled) launched.push_back(from.nodes.at(node).run);
    }
    return active()->add(stream, "cuGraphLaunch", [launched] {
      for (const Run& run : launched) active()->run(run);
    });
  };
}

}  // namespace qd::rhi::cuda
