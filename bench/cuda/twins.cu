// The workloads of bench/ in CUDA C++, each as one writes it by hand for speed. Built by run.sh with
//   nvcc -O3 -arch=native -std=c++17 twins.cu -lcuda
// Usage: twins [WORKLOAD…] prints, for each, its name, the median nanoseconds by the GPU's event clock, and the bytes that
// it must read and write, if that is what bounds it.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

// Those of the benchmark for CUDA; arrays do not fit a GPU's caches.
#ifndef N_VECTOR
#define N_VECTOR (1 << 28)
#endif
#ifndef N_SMALL
#define N_SMALL (1 << 14)
#endif
#ifndef N_HISTOGRAM
#define N_HISTOGRAM (1 << 26)
#endif
#ifndef BINS
#define BINS 256
#endif
#ifndef N_GRID
#define N_GRID 16384
#endif
#ifndef N_MATRIX
#define N_MATRIX 1024
#endif
#ifndef N_BODIES
#define N_BODIES 32768
#endif
#ifndef N_IMAGE
#define N_IMAGE 1024
#endif
#ifndef ITERATIONS
#define ITERATIONS 200
#endif
#ifndef N_LCG
#define N_LCG 4096
#endif
#ifndef N_SPIN
#define N_SPIN 5000000
#endif
#ifndef PARTICLES
#define PARTICLES 8192
#endif
#ifndef CELLS
#define CELLS 128
#endif
static_assert(N_VECTOR % 4 == 0 && N_SMALL % 4 == 0 && N_HISTOGRAM % 4 == 0 && N_GRID % 4 == 0, "four elements a thread");

static void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  fprintf(stderr, "twins: %s: %s\n", what, cudaGetErrorString(result));
  exit(1);
}
static void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "?";
  cuGetErrorName(result, &name);
  fprintf(stderr, "twins: %s: %s\n", what, name);
  exit(1);
}

static cudaStream_t stream;
static int multiprocessors;

template <class T>
static T* zeroed(size_t count) {
  T* p = nullptr;
  check(cudaMalloc(&p, count * sizeof(T)), "allocating");
  check(cudaMemset(p, 0, count * sizeof(T)), "zeroing");
  return p;
}

template <class T>
static T* numbers(size_t count, T (*f)(size_t)) {
  std::vector<T> host(count);
  for (size_t i = 0; i < count; i++) host[i] = f(i);
  T* p = zeroed<T>(count);
  check(cudaMemcpy(p, host.data(), count * sizeof(T), cudaMemcpyHostToDevice), "copying in");
  return p;
}

static float mod7(size_t i) { return i % 7; }
static float mod13(size_t i) { return i % 13; }
static float mod17(size_t i) { return i % 17; }
static float mod101(size_t i) { return i % 101; }
static float mod1000(size_t i) { return i % 1000; }

static unsigned blocks(size_t threads, unsigned block) { return (unsigned)((threads + block - 1) / block); }

__global__ void empty(float*, float*, float*) {}

__global__ void fill(float4* y, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = make_float4(1, 1, 1, 1);
}

__global__ void copy(float4* __restrict__ y, const float4* __restrict__ x, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

__global__ void saxpy(float4* __restrict__ y, const float4* __restrict__ x, float a, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 u = x[i], v = y[i];
  v.x += a * u.x, v.y += a * u.y, v.z += a * u.z, v.w += a * u.w;
  y[i] = v;
}

__global__ void reduce(float* total, const float4* __restrict__ x, size_t n) {
  float s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    float4 v = x[i];
    s += (v.x + v.y) + (v.z + v.w);
  }
  for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(~0u, s, d);
  __shared__ float warps[32];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  s = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
  for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(~0u, s, d);
  if (threadIdx.x == 0) atomicAdd(total, s);
}

__global__ void histogram(int* counts, const int4* __restrict__ keys, size_t n) {
  __shared__ int local[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    int4 k = keys[i];
    atomicAdd(&local[k.x], 1), atomicAdd(&local[k.y], 1), atomicAdd(&local[k.z], 1), atomicAdd(&local[k.w], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
    if (local[b] != 0) atomicAdd(&counts[b], local[b]);
  }
}

// Four columns a thread.
__global__ void stencil(float* __restrict__ next, const float* __restrict__ cur, int n, int m) {
  int j = 4 * (blockIdx.x * blockDim.x + threadIdx.x), i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= m) return;
  size_t at = (size_t)i * m + j;
  float4 c = *(const float4*)(cur + at);
  if (i == 0 || i == n - 1) {
    *(float4*)(next + at) = c;
    return;
  }
  float4 up = *(const float4*)(cur + at - m), down = *(const float4*)(cur + at + m), r;
  float left = j > 0 ? cur[at - 1] : 0, right = j + 4 < m ? cur[at + 4] : 0;
  r.x = j == 0 ? c.x : 0.25f * (up.x + down.x + left + c.y);
  r.y = 0.25f * (up.y + down.y + c.x + c.z);
  r.z = 0.25f * (up.z + down.z + c.y + c.w);
  r.w = j + 4 == m ? c.w : 0.25f * (up.w + down.w + c.z + right);
  *(float4*)(next + at) = r;
}

__global__ void matmul(float* __restrict__ c, const float* __restrict__ a, const float* __restrict__ b, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
  c[i * n + j] = s;
}

struct vec3 {
  float x, y, z;
};

__global__ void nbody(vec3* __restrict__ acc, const vec3* __restrict__ pos, int n) {
  extern __shared__ vec3 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  vec3 q = i < n ? pos[i] : vec3{0, 0, 0}, s = {0, 0, 0};
  for (int first = 0; first < n; first += blockDim.x) {
    if (first + (int)threadIdx.x < n) tile[threadIdx.x] = pos[first + threadIdx.x];
    __syncthreads();
    int count = min((int)blockDim.x, n - first);
#pragma unroll 8
    for (int j = 0; j < count; j++) {
      float dx = tile[j].x - q.x, dy = tile[j].y - q.y, dz = tile[j].z - q.z;
      float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
      float f = 1 / (r2 * sqrtf(r2));
      s.x += f * dx, s.y += f * dy, s.z += f * dz;
    }
    __syncthreads();
  }
  if (i < n) acc[i] = s;
}

__global__ void mandelbrot(int* image) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= N_IMAGE || j >= N_IMAGE) return;
  float cr = -2 + 2.5f * j / N_IMAGE, ci = -1.25f + 2.5f * i / N_IMAGE, zr = 0, zi = 0;
  int n = 0;
  while (n < ITERATIONS && zr * zr + zi * zi < 4) {
    float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci, zr = t, n++;
  }
  image[i * N_IMAGE + j] = n;
}

__device__ int lcg_steps(int v, int count) {
  for (int k = 0; k < count; k++) v = (int)((1664525 * (int64_t)v + 1013904223) % 2147483647);
  return v;
}
__global__ void lcg(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = lcg_steps(x[i], 1000);
}
__global__ void spin(int* x) { *x = lcg_steps(*x, N_SPIN); }

// MPM88: see examples/mpm88 for the names and the method.
struct vec2 {
  float v[2];
};
struct mat2 {
  float m[2][2];
};
constexpr float dx = 1.0f / CELLS, dt = 2e-4f, vol = (0.5f / CELLS) * (0.5f / CELLS), mass = vol;

struct Weights {
  int base;
  float f, w[3];
};
__device__ Weights weights(float x) {
  Weights r;
  x *= CELLS;
  r.base = (int)(x - 0.5f);
  float f = r.f = x - r.base;
  r.w[0] = 0.5f * (1.5f - f) * (1.5f - f), r.w[1] = 0.75f - (f - 1) * (f - 1), r.w[2] = 0.5f * (f - 0.5f) * (f - 0.5f);
  return r;
}

__global__ void mpm_clear(vec2* gv, float* gm) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < CELLS * CELLS) gv[i] = {{0, 0}}, gm[i] = 0;
}
__global__ void mpm_scatter(const vec2* __restrict__ x, const vec2* __restrict__ v, const mat2* __restrict__ c,
                            const float* __restrict__ jac, vec2* gv, float* gm) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= PARTICLES) return;
  Weights wa = weights(x[p].v[0]), wb = weights(x[p].v[1]);
  float stress = -dt * 4 * 400 * vol / (dx * dx) * (jac[p] - 1);
  vec2 u = v[p];
  mat2 k = c[p];
  float f00 = stress + mass * k.m[0][0], f01 = mass * k.m[0][1], f10 = mass * k.m[1][0], f11 = stress + mass * k.m[1][1];
#pragma unroll
  for (int a = 0; a < 3; a++)
#pragma unroll
    for (int b = 0; b < 3; b++) {
      float d0 = (a - wa.f) * dx, d1 = (b - wb.f) * dx, w = wa.w[a] * wb.w[b];
      int at = (wa.base + a) * CELLS + wb.base + b;
      atomicAdd(&gv[at].v[0], w * (mass * u.v[0] + f00 * d0 + f01 * d1));
      atomicAdd(&gv[at].v[1], w * (mass * u.v[1] + f10 * d0 + f11 * d1));
      atomicAdd(&gm[at], w * mass);
    }
}
__global__ void mpm_grid(vec2* gv, const float* gm) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= CELLS * CELLS || !(gm[i] > 0)) return;
  int a = i / CELLS, b = i % CELLS;
  float u0 = gv[i].v[0] / gm[i], u1 = gv[i].v[1] / gm[i] - dt * 9.8f;
  if ((a < 3 && u0 < 0) || (a > CELLS - 3 && u0 > 0)) u0 = 0;
  if ((b < 3 && u1 < 0) || (b > CELLS - 3 && u1 > 0)) u1 = 0;
  gv[i] = {{u0, u1}};
}
__global__ void mpm_gather(vec2* x, vec2* v, mat2* c, float* jac, const vec2* __restrict__ gv) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= PARTICLES) return;
  Weights wa = weights(x[p].v[0]), wb = weights(x[p].v[1]);
  vec2 nv = {{0, 0}};
  mat2 nc = {{{0, 0}, {0, 0}}};
#pragma unroll
  for (int a = 0; a < 3; a++)
#pragma unroll
    for (int b = 0; b < 3; b++) {
      float d0 = (a - wa.f) * dx, d1 = (b - wb.f) * dx, w = wa.w[a] * wb.w[b];
      vec2 g = gv[(wa.base + a) * CELLS + wb.base + b];
#pragma unroll
      for (int r = 0; r < 2; r++) {
        nv.v[r] += w * g.v[r];
        nc.m[r][0] += 4 * w * g.v[r] * d0 / (dx * dx);
        nc.m[r][1] += 4 * w * g.v[r] * d1 / (dx * dx);
      }
    }
  v[p] = nv, c[p] = nc;
  x[p].v[0] += dt * nv.v[0], x[p].v[1] += dt * nv.v[1];
  jac[p] *= 1 + dt * (nc.m[0][0] + nc.m[1][1]);
}

static double median(std::vector<double>& times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

// Nanoseconds a run, by events around as many runs as take about a millisecond.
static double event_ns(const std::function<void()>& run) {
  cudaEvent_t from, to;
  check(cudaEventCreate(&from), "making an event");
  check(cudaEventCreate(&to), "making an event");
  const auto sample = [&](int count) {
    check(cudaEventRecord(from, stream), "recording");
    for (int i = 0; i < count; i++) run();
    check(cudaEventRecord(to, stream), "recording");
    check(cudaEventSynchronize(to), "running");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, from, to), "timing");
    return ms * 1e6 / count;
  };
  sample(3);
  const int count = (int)std::clamp(1e6 / sample(3), 1.0, 500.0);
  std::vector<double> times;
  for (int i = 0; i < 25; i++) times.push_back(sample(count));
  check(cudaEventDestroy(from), "destroying an event");
  check(cudaEventDestroy(to), "destroying an event");
  return median(times);
}

// Nanoseconds that the host takes to queue a run, while the GPU's queue has room.
static double host_ns(const std::function<void()>& run) {
  constexpr int kRuns = 200;
  std::vector<double> times;
  for (int i = 0; i < 50; i++) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < kRuns; k++) run();
    times.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / kRuns);
    check(cudaStreamSynchronize(stream), "running");
  }
  return median(times);
}

static std::vector<const char*> wanted;

// setup returns what is run.
static void measure(const char* name, size_t bytes, const std::function<std::function<void()>()>& setup,
                    double (*ns)(const std::function<void()>&) = event_ns) {
  const auto is_name = [&](const char* w) { return strcmp(w, name) == 0; };
  if (!wanted.empty() && std::none_of(wanted.begin(), wanted.end(), is_name)) return;
  const double result = ns(setup());
  check(cudaGetLastError(), name);
  if (bytes > 0) {
    printf("%s %.1f %zu\n", name, result, bytes);
  } else {
    printf("%s %.1f\n", name, result);
  }
  fflush(stdout);
}

static std::function<void()> empty_by_driver() {
  static float *a = zeroed<float>(8), *b = zeroed<float>(8), *c = zeroed<float>(8);
  static void* arguments[] = {&a, &b, &c};
  cudaFunction_t function;
  check(cudaGetFuncBySymbol(&function, (const void*)empty), "finding a kernel");
  return [function] {
    check(cuLaunchKernel((CUfunction)function, 1, 1, 1, 32, 1, 1, 0, (CUstream)stream, arguments, nullptr), "launching");
  };
}

int main(int argc, char** argv) {
  wanted.assign(argv + 1, argv + argc);
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "asking for processors");
  const size_t vector_bytes = (size_t)N_VECTOR * sizeof(float), grid_bytes = (size_t)N_GRID * N_GRID * sizeof(float);
  const unsigned vector_blocks = blocks(N_VECTOR / 4, 256);

  measure("launch", 0, empty_by_driver);
  measure("launch-host", 0, empty_by_driver, host_ns);
  measure("launch-runtime", 0, [] {
    float* a = zeroed<float>(8);
    return [=] { empty<<<1, 32, 0, stream>>>(a, a, a); };
  });
  {
    float *x = numbers<float>(N_VECTOR, mod1000), *y = numbers<float>(N_VECTOR, mod7);
    measure("device-copy", 2 * vector_bytes, [=] {
      return [=] { check(cudaMemcpyAsync(y, x, vector_bytes, cudaMemcpyDeviceToDevice, stream), "copying"); };
    });
    measure("fill", vector_bytes, [=] {
      return [=] { fill<<<vector_blocks, 256, 0, stream>>>((float4*)y, N_VECTOR / 4); };
    });
    measure("copy", 2 * vector_bytes, [=] {
      return [=] { copy<<<vector_blocks, 256, 0, stream>>>((float4*)y, (const float4*)x, N_VECTOR / 4); };
    });
    measure("saxpy", 3 * vector_bytes, [=] {
      return [=] { saxpy<<<vector_blocks, 256, 0, stream>>>((float4*)y, (const float4*)x, 0.5f, N_VECTOR / 4); };
    });
    measure("saxpy-small", 0, [=] {
      return [=] {
        saxpy<<<blocks(N_SMALL / 4, 64), 64, 0, stream>>>((float4*)y, (const float4*)x, 0.5f, N_SMALL / 4);
      };
    });
    measure("reduce", vector_bytes, [=] {
      float* total = zeroed<float>(1);
      return [=] { reduce<<<multiprocessors * 8, 256, 0, stream>>>(total, (const float4*)x, N_VECTOR / 4); };
    });
    cudaFree(x), cudaFree(y);
  }
  measure("histogram", (size_t)N_HISTOGRAM * sizeof(int), [] {
    int* counts = zeroed<int>(BINS);
    int* keys = numbers<int>(N_HISTOGRAM, [](size_t i) { return (int)((uint32_t)i * 2654435761u >> 24) % BINS; });
    return [=] { histogram<<<multiprocessors * 8, 256, 0, stream>>>(counts, (const int4*)keys, N_HISTOGRAM / 4); };
  });
  measure("stencil", 2 * grid_bytes, [] {
    float *next = zeroed<float>((size_t)N_GRID * N_GRID), *cur = numbers<float>((size_t)N_GRID * N_GRID, mod101);
    const dim3 block(64, 4), grid(blocks(N_GRID / 4, block.x), blocks(N_GRID, block.y));
    return [=] { stencil<<<grid, block, 0, stream>>>(next, cur, N_GRID, N_GRID); };
  });
  measure("matmul", 0, [] {
    const size_t size = (size_t)N_MATRIX * N_MATRIX;
    float *a = numbers<float>(size, mod13), *b = numbers<float>(size, mod17), *c = zeroed<float>(size);
    const dim3 block(32, 8), grid(blocks(N_MATRIX, block.x), blocks(N_MATRIX, block.y));
    return [=] { matmul<<<grid, block, 0, stream>>>(c, a, b, N_MATRIX); };
  });
  measure("nbody", 0, [] {
    vec3* acc = zeroed<vec3>(N_BODIES);
    vec3* pos = numbers<vec3>(N_BODIES, [](size_t i) { return vec3{float(i % 31), float(i % 37), float(i % 41)}; });
    return [=] { nbody<<<blocks(N_BODIES, 128), 128, 128 * sizeof(vec3), stream>>>(acc, pos, N_BODIES); };
  });
  measure("mandelbrot", 0, [] {
    int* image = zeroed<int>((size_t)N_IMAGE * N_IMAGE);
    const dim3 block(16, 16), grid(blocks(N_IMAGE, block.x), blocks(N_IMAGE, block.y));
    return [=] { mandelbrot<<<grid, block, 0, stream>>>(image); };
  });
  measure("lcg", 0, [] {
    int* x = zeroed<int>(N_LCG);
    return [=] { lcg<<<blocks(N_LCG, 32), 32, 0, stream>>>(x, N_LCG); };
  });
  measure("mpm88", 0, [] {
    vec2* x = numbers<vec2>(PARTICLES, [](size_t i) {
      const uint32_t r = (uint32_t)i * 2654435761u;
      return vec2{{0.2f + 0.4f * float(r >> 16) / 65536, 0.2f + 0.4f * float(r & 0xffff) / 65536}};
    });
    float* jac = numbers<float>(PARTICLES, [](size_t) { return 1.0f; });
    vec2 *v = zeroed<vec2>(PARTICLES), *gv = zeroed<vec2>(CELLS * CELLS);
    mat2* c = zeroed<mat2>(PARTICLES);
    float* gm = zeroed<float>(CELLS * CELLS);
    return [=] {
      mpm_clear<<<blocks(CELLS * CELLS, 128), 128, 0, stream>>>(gv, gm);
      mpm_scatter<<<blocks(PARTICLES, 64), 64, 0, stream>>>(x, v, c, jac, gv, gm);
      mpm_grid<<<blocks(CELLS * CELLS, 128), 128, 0, stream>>>(gv, gm);
      mpm_gather<<<blocks(PARTICLES, 64), 64, 0, stream>>>(x, v, c, jac, gv);
    };
  });
  measure("spin", 0, [] {
    int* x = zeroed<int>(1);
    return [=] { spin<<<1, 1, 0, stream>>>(x); };
  });
  return 0;
}
