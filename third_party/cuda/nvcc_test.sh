#!/usr/bin/env bash
# nvcc makes PTX of a kernel: the benchmark twins will compile.
set -euo pipefail
echo '__global__ void twice(float* x) { x[threadIdx.x] *= 2; }' > "$TEST_TMPDIR/twice.cu"
"$1" -ptx -o "$TEST_TMPDIR/twice.ptx" "$TEST_TMPDIR/twice.cu"
grep -q '\.visible \.entry .*twice' "$TEST_TMPDIR/twice.ptx"
