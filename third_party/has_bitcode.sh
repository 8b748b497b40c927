#!/usr/bin/env bash
# Finds a file of this name among those that follow, and checks that LLVM could read it: bitcode starts with BC C0 DE.
set -euo pipefail
name=$1
shift
for file in "$@"; do
  if [ "$(basename "$file")" = "$name" ]; then
    [ "$(head -c 4 "$file" | od -An -tx1 | tr -d ' \n')" = 4243c0de ] || { echo "$file is not LLVM bitcode" >&2; exit 1; }
    exit 0
  fi
done
echo "no $name among: $*" >&2
exit 1
