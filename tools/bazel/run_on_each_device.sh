#!/usr/bin/env bash
# Runs a program on each device, in an empty folder as a deployed program would be; it prints "<device> ok" last.
set -euo pipefail
program=$PWD/$1
shift
cd "$(mktemp -d "${TEST_TMPDIR:-/tmp}/program.XXXXXX")"
for arch in cpu go; do
  out=$(QD_ARCH=$arch "$program" "$@" 2>&1) || { echo "$out"; echo "failed on $arch" >&2; exit 1; }
  [ "$(tail -n 1 <<<"$out")" = "$arch ok" ] || { echo "$out"; echo "did not end with '$arch ok'" >&2; exit 1; }
  echo "$arch ok"
done
