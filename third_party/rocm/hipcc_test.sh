#!/usr/bin/env bash
# hipcc runs and tells its version: the benchmark twins can be asked of it.
set -euo pipefail
"$1" --version | grep -q 'HIP version'
