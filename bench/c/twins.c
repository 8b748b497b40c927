// The workloads of bench/ in C with OpenMP, each written as its Go kernel is. Compiled by the benchmark with
//   clang -O3 -march=native -fopenmp
// Usage: twins WORKLOAD SECONDS prints the nanoseconds of each repetition, one a line.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The sizes (N_VECTOR and so on) are passed with -D by the benchmark.

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static void* zeroed(size_t size) {
  void* p = aligned_alloc(64, (size + 63) / 64 * 64);
  memset(p, 0, size);
  return p;
}

static float *x, *y, *z;

static void setup_vectors(void) {
  x = zeroed(N_VECTOR * sizeof *x);
  y = zeroed(N_VECTOR * sizeof *y);
  for (int64_t i = 0; i < N_VECTOR; i++) x[i] = i % 1000, y[i] = i % 7;
}

static void fill(void) {
#pragma omp parallel for
  for (int64_t i = 0; i < N_VECTOR; i++) y[i] = 1;
}

static void copy(void) {
#pragma omp parallel for
  for (int64_t i = 0; i < N_VECTOR; i++) y[i] = x[i];
}

static void saxpy_n(float* restrict b, const float* restrict a, float s, int64_t n) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; i++) b[i] += s * a[i];
}
static void saxpy(void) { saxpy_n(y, x, 0.5f, N_VECTOR); }
static void saxpy_small(void) { saxpy_n(y, x, 0.5f, N_SMALL); }

static float total;
static void reduce(void) {
  float s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int64_t i = 0; i < N_VECTOR; i++) s += x[i];
  total += s;
}

static int32_t *keys, *bins;
static void setup_histogram(void) {
  keys = zeroed(N_HISTOGRAM * sizeof *keys);
  bins = zeroed(BINS * sizeof *bins);
  for (int64_t i = 0; i < N_HISTOGRAM; i++) keys[i] = (int32_t)((uint32_t)i * 2654435761u >> 24) % BINS;
}
static void histogram(void) {
#pragma omp parallel for
  for (int64_t i = 0; i < N_HISTOGRAM; i++) {
#pragma omp atomic
    bins[keys[i]]++;
  }
}

static void setup_grid(void) {
  x = zeroed((size_t)N_GRID * N_GRID * sizeof *x);
  y = zeroed((size_t)N_GRID * N_GRID * sizeof *y);
  for (int64_t i = 0; i < (int64_t)N_GRID * N_GRID; i++) x[i] = i % 101;
}
static void stencil_nm(float* restrict next, const float* restrict cur, int64_t n, int64_t m) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++) {
      if (i == 0 || j == 0 || i == n - 1 || j == m - 1) {
        next[i * m + j] = cur[i * m + j];
        continue;
      }
      next[i * m + j] = 0.25f * (cur[(i - 1) * m + j] + cur[(i + 1) * m + j] + cur[i * m + j - 1] + cur[i * m + j + 1]);
    }
}
static void stencil(void) { stencil_nm(y, x, N_GRID, N_GRID); }

static void setup_matrices(void) {
  size_t size = (size_t)N_MATRIX * N_MATRIX;
  x = zeroed(size * sizeof *x), y = zeroed(size * sizeof *y), z = zeroed(size * sizeof *z);
  for (size_t i = 0; i < size; i++) x[i] = i % 13, y[i] = i % 17;
}
static void matmul_n(float* restrict c, const float* restrict a, const float* restrict b, int64_t n) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++) {
      float s = 0;
      for (int64_t k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
static void matmul(void) { matmul_n(z, x, y, N_MATRIX); }

typedef struct {
  float v[3];
} vec3;
static vec3 *pos, *acc;
static void setup_nbody(void) {
  pos = zeroed(N_BODIES * sizeof *pos), acc = zeroed(N_BODIES * sizeof *acc);
  for (int i = 0; i < N_BODIES; i++) pos[i] = (vec3){{i % 31, i % 37, i % 41}};
}
static void nbody_n(vec3* restrict a, const vec3* restrict p, int64_t n) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; i++) {
    vec3 s = {{0, 0, 0}}, q = p[i];
    for (int64_t j = 0; j < n; j++) {
      float dx = p[j].v[0] - q.v[0], dy = p[j].v[1] - q.v[1], dz = p[j].v[2] - q.v[2];
      float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
      float f = 1 / (r2 * sqrtf(r2));
      s.v[0] += f * dx, s.v[1] += f * dy, s.v[2] += f * dz;
    }
    a[i] = s;
  }
}
static void nbody(void) { nbody_n(acc, pos, N_BODIES); }

static int32_t* image;
static void setup_mandelbrot(void) { image = zeroed((size_t)N_IMAGE * N_IMAGE * sizeof *image); }
static void mandelbrot(void) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < N_IMAGE; i++)
    for (int64_t j = 0; j < N_IMAGE; j++) {
      float cr = -2 + 2.5f * j / N_IMAGE, ci = -1.25f + 2.5f * i / N_IMAGE, zr = 0, zi = 0;
      int32_t n = 0;
      while (n < ITERATIONS && zr * zr + zi * zi < 4) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci, zr = t, n++;
      }
      image[i * N_IMAGE + j] = n;
    }
}

static void setup_lcg(void) { keys = zeroed(N_LCG * sizeof *keys); }
static void lcg(void) {
#pragma omp parallel for
  for (int64_t i = 0; i < N_LCG; i++) {
    int32_t v = keys[i];
    for (int k = 0; k < 1000; k++) v = (int32_t)((1664525 * (int64_t)v + 1013904223) % 2147483647);
    keys[i] = v;
  }
}

// MPM88: see examples/mpm88 for the names and the method.
typedef struct {
  float v[2];
} vec2;
typedef struct {
  float m[2][2];
} mat2;
enum { P = 8192, G = 128 };
static const float dx = 1.0f / G, dt = 2e-4f, vol = (0.5f / G) * (0.5f / G), mass = (0.5f / G) * (0.5f / G);
static vec2 *px, *pv, (*gv)[G];
static mat2* pc;
static float *pj, (*gm)[G];
static void setup_mpm88(void) {
  px = zeroed(P * sizeof *px), pv = zeroed(P * sizeof *pv), pc = zeroed(P * sizeof *pc), pj = zeroed(P * sizeof *pj);
  gv = zeroed(G * sizeof *gv), gm = zeroed(G * sizeof *gm);
  for (int i = 0; i < P; i++) {
    uint32_t r = (uint32_t)i * 2654435761u;
    px[i] = (vec2){{0.2f + 0.4f * (r >> 16) / 65536, 0.2f + 0.4f * (r & 0xffff) / 65536}};
    pj[i] = 1;
  }
}
static inline void spline(float f, float w[3]) {
  w[0] = 0.5f * (1.5f - f) * (1.5f - f), w[1] = 0.75f - (f - 1) * (f - 1), w[2] = 0.5f * (f - 0.5f) * (f - 0.5f);
}
static void mpm88(void) {
#pragma omp parallel for
  for (int a = 0; a < G; a++)
    for (int b = 0; b < G; b++) gv[a][b] = (vec2){{0, 0}}, gm[a][b] = 0;
#pragma omp parallel for
  for (int p = 0; p < P; p++) {
    float xa = px[p].v[0] * G, xb = px[p].v[1] * G, wa[3], wb[3];
    int ba = (int)(xa - 0.5f), bb = (int)(xb - 0.5f);
    float fa = xa - ba, fb = xb - bb;
    spline(fa, wa), spline(fb, wb);
    float stress = -dt * 4 * 400 * vol / (dx * dx) * (pj[p] - 1);
    mat2 f = {
        {{stress + mass * pc[p].m[0][0], mass * pc[p].m[0][1]}, {mass * pc[p].m[1][0], stress + mass * pc[p].m[1][1]}}};
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        float d0 = (a - fa) * dx, d1 = (b - fb) * dx, w = wa[a] * wb[b];
        float m0 = f.m[0][0] * d0 + f.m[0][1] * d1, m1 = f.m[1][0] * d0 + f.m[1][1] * d1;
#pragma omp atomic
        gv[ba + a][bb + b].v[0] += w * (mass * pv[p].v[0] + m0);
#pragma omp atomic
        gv[ba + a][bb + b].v[1] += w * (mass * pv[p].v[1] + m1);
#pragma omp atomic
        gm[ba + a][bb + b] += w * mass;
      }
  }
#pragma omp parallel for
  for (int a = 0; a < G; a++)
    for (int b = 0; b < G; b++)
      if (gm[a][b] > 0) {
        float u0 = gv[a][b].v[0] / gm[a][b], u1 = gv[a][b].v[1] / gm[a][b] - dt * 9.8f;
        if ((a < 3 && u0 < 0) || (a > G - 3 && u0 > 0)) u0 = 0;
        if ((b < 3 && u1 < 0) || (b > G - 3 && u1 > 0)) u1 = 0;
        gv[a][b] = (vec2){{u0, u1}};
      }
#pragma omp parallel for
  for (int p = 0; p < P; p++) {
    float xa = px[p].v[0] * G, xb = px[p].v[1] * G, wa[3], wb[3];
    int ba = (int)(xa - 0.5f), bb = (int)(xb - 0.5f);
    float fa = xa - ba, fb = xb - bb;
    spline(fa, wa), spline(fb, wb);
    vec2 nv = {{0, 0}};
    mat2 nc = {{{0, 0}, {0, 0}}};
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        float d0 = (a - fa) * dx, d1 = (b - fb) * dx, w = wa[a] * wb[b];
        vec2 g = gv[ba + a][bb + b];
        for (int r = 0; r < 2; r++) {
          nv.v[r] += w * g.v[r];
          nc.m[r][0] += 4 * w * g.v[r] * d0 / (dx * dx);
          nc.m[r][1] += 4 * w * g.v[r] * d1 / (dx * dx);
        }
      }
    pv[p] = nv, pc[p] = nc;
    px[p].v[0] += dt * nv.v[0], px[p].v[1] += dt * nv.v[1];
    pj[p] *= 1 + dt * (nc.m[0][0] + nc.m[1][1]);
  }
}

static const struct {
  const char* name;
  void (*setup)(void);
  void (*run)(void);
} workloads[] = {
    {"fill", setup_vectors, fill},     {"copy", setup_vectors, copy},
    {"saxpy", setup_vectors, saxpy},   {"saxpy-small", setup_vectors, saxpy_small},
    {"reduce", setup_vectors, reduce}, {"histogram", setup_histogram, histogram},
    {"stencil", setup_grid, stencil},  {"matmul", setup_matrices, matmul},
    {"nbody", setup_nbody, nbody},     {"mandelbrot", setup_mandelbrot, mandelbrot},
    {"lcg", setup_lcg, lcg},           {"mpm88", setup_mpm88, mpm88},
};

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: twins WORKLOAD SECONDS\n");
    return 2;
  }
  double limit = atof(argv[2]) * 1e9;
  for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++) {
    if (strcmp(argv[1], workloads[w].name) != 0) continue;
    workloads[w].setup();
    workloads[w].run();
    double start = now();
    do {
      double t = now();
      workloads[w].run();
      printf("%.0f\n", now() - t);
    } while (now() - start < limit);
    return 0;
  }
  fprintf(stderr, "twins: no workload '%s'\n", argv[1]);
  return 2;
}
