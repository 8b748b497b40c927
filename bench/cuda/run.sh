#!/bin/sh
# Compares the kernels of bench/ on an NVIDIA GPU with the same programs in CUDA C++ (twins.cu), run in turn on this
# machine, and prints ratios: the twin's time over ours (above 1: ours is faster).
#
#   bench/cuda/run.sh BENCH [ROUNDS]
#
# BENCH is the built benchmark (go build -o BENCH ./bench), which is called as "BENCH -arch cuda -format text". Both print
# lines of a name and nanoseconds, as medians by the GPU's event clock. Beside the workloads:
#   launch, launch-host   an empty kernel with three arrays: on the GPU, and the host's time to queue it
#                         (ours with other arrays each time)
#   region-2, region-8    a kernel of as many scopes of one store; graphs.cu launches as many kernels at a time by hand
#   spin, spin-G          one thread that computes, and G of them in G scopes
# Launches are measured four times as often as the rest: they are the host's work, and a process may be a good deal slower
# at them than the next. Needs nvcc.
set -eu

bench=${1:?usage: bench/cuda/run.sh BENCH [ROUNDS]}
rounds=${2:-5}
here=$(dirname "$0")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

for program in twins graphs; do
  nvcc -O3 -arch=native -std=c++17 "$here/$program.cu" -o "$out/$program" -lcuda
done
round=0
while [ "$round" -lt "$rounds" ]; do
  "$out/twins" >>"$out/twin.txt"
  "$out/graphs" >>"$out/twin.txt"
  "$bench" -arch cuda -format text >>"$out/ours.txt"
  for again in 1 2 3; do
    "$out/twins" launch launch-host >>"$out/twin.txt"
    "$out/graphs" >>"$out/twin.txt"
    "$bench" -arch cuda -format text -only launch,launch-host,region-2,region-8 >>"$out/ours.txt"
  done
  round=$((round + 1))
done

awk '
function median(values, n,   sorted, i, j, t) {
  for (i = 1; i <= n; i++) sorted[i] = values[i]
  for (i = 2; i <= n; i++) {
    t = sorted[i]
    for (j = i - 1; j >= 1 && sorted[j] > t; j--) sorted[j + 1] = sorted[j]
    sorted[j + 1] = t
  }
  least = sorted[1]; most = sorted[n]
  return sorted[int((n + 1) / 2)]
}
# Of the times of one name.
function time_of(times, count, name,   values, i) {
  for (i = 1; i <= count[name]; i++) values[i] = times[name, i]
  return median(values, count[name])
}
# Of launches: fastest and slowest too, in the twin'\''s median.
function ratio(what, ours_name, graph_name, limit,   launch, t) {
  if (!(ours_name in ours_count) || !("launch" in twin_count)) return
  launch = time_of(twin, twin_count, "launch")
  t = time_of(ours, ours_count, ours_name)
  printf "%-44s %6.2f (%.2f..%.2f)   (at most %s wanted; ", what, t / launch, least / launch, most / launch, limit
  t = time_of(twin, twin_count, graph_name)
  printf "a graph by hand: %.2f, %.2f..%.2f)\n", t / launch, least / launch, most / launch
}
NF < 2 || $2 + 0 <= 0 { next }
FNR == NR {
  if (!($1 in twin_count)) order[++names] = $1
  twin[$1, ++twin_count[$1]] = $2
  if (NF > 2) bytes[$1] = $3
  next
}
{ ours[$1, ++ours_count[$1]] = $2 }
END {
  if ("device-copy" in twin_count) {
    copied = bytes["device-copy"] / time_of(twin, twin_count, "device-copy")
    printf "a copy by the driver: %.2f TB/s, read and written\n\n", copied / 1e3
  }
  printf "%-14s %12s %12s   %-22s %s\n", "workload", "CUDA (µs)", "ours (µs)", "CUDA / ours (min..max)", "of the copy'\''s rate"
  for (k = 1; k <= names; k++) {
    name = order[k]
    if (!(name in ours_count) || name ~ /^(launch|graph)/) continue
    t = time_of(twin, twin_count, name); o = time_of(ours, ours_count, name)
    n = twin_count[name] < ours_count[name] ? twin_count[name] : ours_count[name]
    for (i = 1; i <= n; i++) each[i] = twin[name, i] / ours[name, i]
    r = median(each, n)
    printf "%-14s %12.1f %12.1f   %5.2f (%.2f..%.2f)     ", name, t / 1e3, o / 1e3, r, least, most
    if (name in bytes) printf "%6.1f %%", 100 * bytes[name] / o / copied
    printf "\n"
  }
  printf "\n"
  ratio("a launch, in cuLaunchKernels", "launch", "graph-1", "0.5")
  ratio("a region of 2 scopes, likewise", "region-2", "graph-2", "0.8")
  ratio("a region of 8 scopes, likewise", "region-8", "graph-8", "3.5")
  if (("launch-host" in ours_count) && ("launch-host" in twin_count)) {
    t = time_of(twin, twin_count, "launch-host"); o = time_of(ours, ours_count, "launch-host")
    printf "the host'\''s side of a launch: %.0f ns, by cuLaunchKernel %.0f ns, %+.0f   (at most +300 wanted)\n", o, t, o - t
  }
  for (g = 2; g <= 32; g *= 2) {
    name = "spin-" g
    if (!(name in ours_count) || !("spin" in ours_count)) continue
    r = g * time_of(ours, ours_count, "spin") / time_of(ours, ours_count, name)
    printf "overlap of %2d scopes: %.2f   (at least %.2f wanted)\n", g, r, 0.98 * g
  }
}' "$out/twin.txt" "$out/ours.txt"
