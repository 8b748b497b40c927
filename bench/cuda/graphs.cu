// What the driver takes for a graph of kernels that store one number each, all of them at the same time: the least that a
// kernel of as many scopes can cost. Written by hand: made once, then given new arguments and launched. Built by run.sh.
// Prints for 1, 2 and 8 kernels "graph-N" and the median nanoseconds by the GPU's event clock.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(int result, const char* what) {
  if (result == 0) return;
  fprintf(stderr, "graphs: %s: error %d\n", what, result);
  exit(1);
}

__global__ void store(int* x) { *x = 1; }

class StoringGraph {
 public:
  StoringGraph(int count, int* memory) : memory_(memory), nodes_(count) {
    cudaFunction_t function;
    check(cudaGetFuncBySymbol(&function, (const void*)store), "finding a kernel");
    kernel_.func = (CUfunction)function;
    kernel_.gridDimX = kernel_.gridDimY = kernel_.gridDimZ = kernel_.blockDimX = kernel_.blockDimY = kernel_.blockDimZ = 1;
    kernel_.kernelParams = arguments_;
    check(cuGraphCreate(&graph_, 0), "making a graph");
    for (CUgraphNode& node : nodes_) check(cuGraphAddKernelNode(&node, graph_, nullptr, 0, &kernel_), "adding a kernel");
    check(cuGraphInstantiateWithFlags(&exec_, graph_, 0), "making a graph");
  }
  ~StoringGraph() {
    cuGraphExecDestroy(exec_);
    cuGraphDestroy(graph_);
  }

  void launch(CUstream stream) {
    offset_ ^= 64;  // the arguments are new each time
    for (size_t i = 0; i < nodes_.size(); i++) {
      argument_ = memory_ + offset_ + i;
      check(cuGraphExecKernelNodeSetParams(exec_, nodes_[i], &kernel_), "setting arguments");
    }
    check(cuGraphLaunch(exec_, stream), "launching a graph");
  }

 private:
  int* memory_;
  int* argument_ = nullptr;
  void* arguments_[1] = {&argument_};
  size_t offset_ = 0;
  CUDA_KERNEL_NODE_PARAMS kernel_{};
  std::vector<CUgraphNode> nodes_;
  CUgraph graph_;
  CUgraphExec exec_;
};

int main() {
  cudaStream_t stream;
  int* memory;
  cudaEvent_t from, to;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
  check(cudaMalloc(&memory, 128 * sizeof(int)), "allocating");
  check(cudaEventCreate(&from), "making an event");
  check(cudaEventCreate(&to), "making an event");
  for (const int count : {1, 2, 8}) {
    StoringGraph graph(count, memory);
    std::vector<double> times;
    for (int sample = 0; sample < 27; sample++) {
      constexpr int kRuns = 500;
      check(cudaEventRecord(from, stream), "recording");
      for (int i = 0; i < kRuns; i++) graph.launch((CUstream)stream);
      check(cudaEventRecord(to, stream), "recording");
      check(cudaEventSynchronize(to), "running");
      float ms = 0;
      check(cudaEventElapsedTime(&ms, from, to), "timing");
      if (sample >= 2) times.push_back(ms * 1e6 / kRuns);
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    printf("graph-%d %.1f\n", count, times[times.size() / 2]);
  }
  return 0;
}
