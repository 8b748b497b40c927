#include "core/codegen/task_codegen.h"
#include "core/ir/error.h"

namespace qd {

TaskCodegen::CountedLoop TaskCodegen::begin_loop(Value begin, Value end) {
  LLVMBasicBlockRef before = ir_.current_block();
  CountedLoop loop{.header = ir_.new_block("loop"), .latch = ir_.new_block("next"), .exit = ir_.new_block("done")};
  LLVMBasicBlockRef body = ir_.new_block("body");
  ir_.jump(loop.header);
  ir_.enter(loop.header);
  loop.index = ir_.phi(ir_.i64());
  IrBuilder::add_incoming(loop.index, begin, before);
  ir_.branch(ir_.compare(LLVMIntSLT, loop.index, end), body, loop.exit);
  ir_.enter(body);
  return loop;
}

void TaskCodegen::end_loop(const CountedLoop& loop) {
  ir_.jump(loop.latch);
  ir_.enter(loop.latch);
  IrBuilder::add_incoming(loop.index, ir_.add_nsw(loop.index, ir_.constant_i64(1)), loop.latch);
  ir_.jump(loop.header);
  ir_.enter(loop.exit);
}

void TaskCodegen::bind_loop(const Stmt* loop, const LoopIndices& indices, LLVMBasicBlockRef continue_to,
                            LLVMBasicBlockRef break_to) {
  targets_[loop] = {indices, continue_to, break_to};
}

const TaskCodegen::Target& TaskCodegen::target(const Stmt* loop) const {
  const auto found = targets_.find(loop);
  if (found == targets_.end()) throw Error(Code::internal, "codegen: a statement names a loop it is not in", loop->pos);
  return found->second;
}

void TaskCodegen::emit(const IfStmt& stmt) {
  const bool has_else = !stmt.blocks[1]->statements.empty();
  LLVMBasicBlockRef yes = ir_.new_block("then");
  LLVMBasicBlockRef no = has_else ? ir_.new_block("else") : nullptr;
  LLVMBasicBlockRef end = ir_.new_block("endif");
  ir_.branch(value(stmt.operands[0]), yes, has_else ? no : end);
  ir_.enter(yes);
  emit(*stmt.blocks[0]);
  ir_.jump(end);
  if (has_else) {
    ir_.enter(no);
    emit(*stmt.blocks[1]);
    ir_.jump(end);
  }
  ir_.enter(end);
}

void TaskCodegen::emit(const RangeForStmt& stmt) {
  std::vector<CountedLoop> loops;
  LoopIndices indices{};
  for (size_t axis = 0; axis < static_cast<size_t>(stmt.dims); ++axis) {
    loops.push_back(begin_loop(value(stmt.operands[2 * axis]), value(stmt.operands[2 * axis + 1])));
    indices[axis] = loops.back().index;
  }
  bind_loop(&stmt, indices, loops.back().latch, loops.front().exit);
  emit(*stmt.blocks[0]);
  end_loop(loops.back());
  note_back_edge(LLVMGetBasicBlockTerminator(loops.back().latch), stmt);
  for (loops.pop_back(); !loops.empty(); loops.pop_back()) end_loop(loops.back());
}

void TaskCodegen::emit(const LoopStmt& stmt) {
  LLVMBasicBlockRef body = ir_.new_block("loop");
  LLVMBasicBlockRef post = ir_.new_block("post");
  LLVMBasicBlockRef exit = ir_.new_block("done");
  ir_.jump(body);
  ir_.enter(body);
  bind_loop(&stmt, {}, post, exit);
  emit(*stmt.blocks[0]);
  ir_.jump(post);
  ir_.enter(post);
  emit(*stmt.blocks[1]);
  if (!ir_.terminated()) {
    ir_.jump(body);
    note_back_edge(LLVMGetBasicBlockTerminator(ir_.current_block()), stmt);
  }
  ir_.enter(exit);
}

void TaskCodegen::emit(const ScopeStmt& stmt) {
  LLVMBasicBlockRef exit = ir_.new_block("done");
  bind_loop(&stmt, {}, nullptr, exit);
  emit(*stmt.blocks[0]);
  ir_.jump(exit);
  ir_.enter(exit);
}

void TaskCodegen::emit(const BreakStmt& stmt) { ir_.jump(target(stmt.operands[0]).break_to); }
void TaskCodegen::emit(const ContinueStmt& stmt) { ir_.jump(target(stmt.operands[0]).continue_to); }

}  // namespace qd
