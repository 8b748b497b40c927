#include "core/codegen/cpu/host_symbols.h"

#include <math.h>
#include <string.h>

// The compiler's runtime: conversions that the CPU has no instruction for. Only their addresses are used, so their true
// signatures, which need a float16 type, do not matter.
extern "C" {
void __extendhfsf2();
void __truncsfhf2();
void __truncdfhf2();
}

namespace qd {

namespace {

template <class Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

// <math.h> overloads these names in C++; the type picks the C function.
using Double = double(double);
using Double2 = double(double, double);
using Float = float(float);
using Float2 = float(float, float);

void* of(Double* function) { return address(function); }
void* of2(Double2* function) { return address(function); }

}  // namespace

const std::vector<HostSymbol>& host_symbols() {
  static const std::vector<HostSymbol> symbols = {
      {"sin", of(sin)},
      {"cos", of(cos)},
      {"tan", of(tan)},
      {"asin", of(asin)},
      {"acos", of(acos)},
      {"atan", of(atan)},
      {"sinh", of(sinh)},
      {"cosh", of(cosh)},
      {"tanh", of(tanh)},
      {"exp", of(exp)},
      {"exp2", of(exp2)},
      {"exp10", address<Double>(exp10)},
      {"log", of(log)},
      {"log2", of(log2)},
      {"log10", of(log10)},
      {"expm1", of(expm1)},
      {"log1p", of(log1p)},
      {"cbrt", of(cbrt)},
      {"floor", of(floor)},
      {"ceil", of(ceil)},
      {"trunc", of(trunc)},
      {"round", of(round)},
      {"roundeven", address<Double>(roundeven)},
      {"rint", of(rint)},
      {"nearbyint", of(nearbyint)},
      {"sqrt", of(sqrt)},
      {"pow", of2(pow)},
      {"atan2", of2(atan2)},
      {"hypot", of2(hypot)},
      {"fmod", of2(fmod)},
      {"fma", address<double(double, double, double)>(fma)},
      {"ldexp", address<double(double, int)>(ldexp)},
      {"sincos", address<void(double, double*, double*)>(sincos)},
      {"sinf", address<Float>(sinf)},
      {"cosf", address<Float>(cosf)},
      {"tanf", address<Float>(tanf)},
      {"asinf", address<Float>(asinf)},
      {"acosf", address<Float>(acosf)},
      {"atanf", address<Float>(atanf)},
      {"sinhf", address<Float>(sinhf)},
      {"coshf", address<Float>(coshf)},
      {"tanhf", address<Float>(tanhf)},
      {"expf", address<Float>(expf)},
      {"exp2f", address<Float>(exp2f)},
      {"exp10f", address<Float>(exp10f)},
      {"logf", address<Float>(logf)},
      {"log2f", address<Float>(log2f)},
      {"log10f", address<Float>(log10f)},
      {"expm1f", address<Float>(expm1f)},
      {"log1pf", address<Float>(log1pf)},
      {"cbrtf", address<Float>(cbrtf)},
      {"floorf", address<Float>(floorf)},
      {"ceilf", address<Float>(ceilf)},
      {"truncf", address<Float>(truncf)},
      {"roundf", address<Float>(roundf)},
      {"roundevenf", address<Float>(roundevenf)},
      {"rintf", address<Float>(rintf)},
      {"nearbyintf", address<Float>(nearbyintf)},
      {"sqrtf", address<Float>(sqrtf)},
      {"powf", address<Float2>(powf)},
      {"atan2f", address<Float2>(atan2f)},
      {"hypotf", address<Float2>(hypotf)},
      {"fmodf", address<Float2>(fmodf)},
      {"fmaf", address<float(float, float, float)>(fmaf)},
      {"ldexpf", address<float(float, int)>(ldexpf)},
      {"sincosf", address<void(float, float*, float*)>(sincosf)},
      {"memcpy", address<void*(void*, const void*, size_t)>(memcpy)},
      {"memmove", address<void*(void*, const void*, size_t)>(memmove)},
      {"memset", address<void*(void*, int, size_t)>(memset)},
      {"memcmp", address<int(const void*, const void*, size_t)>(memcmp)},
      {"bcmp", address<int(const void*, const void*, size_t)>(memcmp)},
      {"__extendhfsf2", address(__extendhfsf2)},
      {"__truncsfhf2", address(__truncsfhf2)},
      {"__truncdfhf2", address(__truncdfhf2)},
  };
  return symbols;
}

}  // namespace qd
