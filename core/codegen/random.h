// Random numbers as a pure function of where they are drawn: Philox4x32-10 of J. Salmon, M. Moraes, R. Dror, D. Shaw,
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
//
//   key     = mix(mix(mix(seed) ^ launch) ^ task), two 32-bit words, low first;
//             mix is the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014)
//   counter = iteration, low word; iteration, high word; calls made before in this iteration; sequence
//
// 64 bits are taken from the result: word 0 low, word 1 high. A narrower integer takes their low bits, a float in
// [0, 1) their top 24 bits of word 0 (f32), 11 of word 0 (f16) or 53 of all 64 (f64), a bool bit 0.
#pragma once

#include "core/codegen/ir_builder.h"

namespace qd {

// The task's key, i64.
Value emit_random_key(const IrBuilder& ir, Value seed, Value launch, int32_t task);
// iteration: i64; calls: i32. A scalar of the type.
Value emit_random(const IrBuilder& ir, const Type* type, Value key, Value iteration, Value calls, int32_t sequence);

}  // namespace qd
