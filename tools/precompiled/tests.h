// As core.h, for the tests.
#include <gtest/gtest.h>

#include "tools/precompiled/core.h"
