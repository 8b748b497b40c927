// A deep copy of a kernel as built: lowering consumes its tree, and variants and dumps need it again.
#pragma once

#include "core/frontend/ast.h"

namespace qd {

AST clone(const AST& ast);

}  // namespace qd
