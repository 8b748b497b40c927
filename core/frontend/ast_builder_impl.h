// ASTBuilder's state, for the files that implement it.
#pragma once

#include "core/frontend/ast_builder.h"
#include "core/frontend/builder_state.h"

namespace qd {

struct ASTBuilder::Impl : BuilderState {
  using BuilderState::BuilderState;
};

}  // namespace qd
