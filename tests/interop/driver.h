// The little of CUDA's driver interface that the tests of this folder need, without CUDA's headers.
// All functions give a CUresult, 0 where they worked.
#pragma once

#include <stdint.h>

enum { INTEROP_NO_DRIVER = -1 };

int interop_start(void);
int interop_new_stream(uintptr_t* stream);
int interop_slow_store(uintptr_t stream, uint64_t address, uint64_t cycles, int32_t value);
int interop_load(uintptr_t stream, uint64_t address, int32_t* value);
int interop_crash(uintptr_t stream);
int interop_destroy(uintptr_t stream);
