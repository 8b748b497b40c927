#include "core/codegen/cuda/cuda_task.h"

#include <algorithm>
#include <cstddef>

#include "core/analysis/access.h"
#include "core/codegen/cuda/entries.h"
#include "core/codegen/cuda/inner_loops.h"
#include "core/codegen/task_list.h"
#include "core/ir/edit.h"
#include "core/ir/error.h"

namespace qd {

namespace {

constexpr auto kFunction = static_cast<unsigned>(LLVMAttributeFunctionIndex);

int32_t threads_of_block(const OffloadedStmt& task) {
  if (task.task == TaskType::serial) return 1;
  if (task.options.block_dim > 0) return std::min((task.options.block_dim + 31) / 32 * 32, 1024);
  // A GPU starts about one block a cycle: with fewer threads that is what limits a task that only writes.
  return 256;
}

}  // namespace

CudaTaskCodegen::CudaTaskCodegen(const TaskContext& context, CudaTaskPlace place)
    : TaskCodegen(context),
      place_(std::move(place)),
      launch_begin_(find_launch_begin()),
      lanes_plan_(plan_lanes(context)),
      reductions_(find_reductions(context.task)),
      effects_(&block(offloaded_block::body)) {
  for (size_t i = 1; i < place_.scopes.size(); ++i) emits_also(place_.scopes[i]->task);
  for (const Block* code : blocks()) {
    const ArrayAccess access = gather_access(code);
    written_.insert(access.writes.begin(), access.writes.end());
    written_.insert(access.atomics.begin(), access.atomics.end());
  }
  bounds_on_host_ = has_host_bounds(context.task);
  strided_ = is_range() && (!bounds_on_host_ || !block(offloaded_block::epilogue).statements.empty());
  block_dim_ = threads_of_block(context.task);
  if (bounds_on_host_) private_array_ = find_private_array(context);
  const bool one_by_one =
      is_range() && lanes_plan_.width == 1 && !private_array_ && block(offloaded_block::prologue).statements.empty();
  if (one_by_one) loop_arrays_ = arrays_read_in_order(context.task);
}

std::vector<const Block*> CudaTaskCodegen::blocks() const {
  std::vector<const Block*> all;
  for (const TaskContext* scope : place_.scopes) {
    for (const Block* block : blocks_of(scope->task)) all.push_back(block);
  }
  return all;
}

size_t CudaTaskCodegen::find_launch_begin() const {
  if (is_range()) return 0;
  bool prints = false, temps = place_.zero_temps > 0;
  for (const Block* code : blocks()) {
    walk(code, [&](const Stmt* stmt) {
      prints |= stmt->kind == StmtKind::print;
      temps |= stmt->kind == StmtKind::temp_ptr;
    });
  }
  if (prints) return offsetof(CudaLaunch, prints);
  if (context_.reads_random) return offsetof(CudaLaunch, seed);
  if (temps) return offsetof(CudaLaunch, temps);
  return place_.scopes.size() > 1 ? offsetof(CudaLaunch, first_scope) : offsetof(CudaLaunch, state);
}

std::vector<CudaTask> CudaTaskCodegen::descriptions() const {
  std::vector<CudaTask> tasks;
  for (const TaskContext* scope : place_.scopes) {
    CudaTask& task = tasks.emplace_back(description());
    task.task = describe(*scope);
    task.scope = static_cast<int32_t>(tasks.size()) - 1;
  }
  return tasks;
}

CudaTask CudaTaskCodegen::description() const {
  CudaTask task{.entry = place_.entry,
                .task = describe(context_),
                .launch_begin = launch_begin_,
                .scopes = static_cast<int32_t>(place_.scopes.size()),
                .bounds_on_host = bounds_on_host_,
                .strided = strided_,
                .width = lanes_plan_.width,
                .vector = lanes_plan_.vector,
                .rows = rows(),
                .wide_arrays = {},
                .private_array = {},
                .block_dim = block_dim_,
                .shared_bytes = shared_bytes_,
                .reads_number = reads_number_};
  const auto add_wide = [&](int32_t array, int32_t items) {
    const Param& param = context_.kernel.params[static_cast<size_t>(array)];
    task.wide_arrays.push_back({param.offset, param.rank, items});
  };
  if (lanes_plan_.width > 1) {
    for (int32_t array : lanes_plan_.arrays) add_wide(array, lanes_plan_.vector);
  }
  for (int32_t array : loop_arrays_) add_wide(array, static_cast<int32_t>(kUnrolled));
  if (private_array_) {
    const Param& param = context_.kernel.params[static_cast<size_t>(private_array_->param)];
    task.private_array = {param.offset, param.rank, static_cast<int32_t>(private_array_->type->size),
                          lanes_plan_.looping};
  }
  return task;
}

void CudaTaskCodegen::build() { define_entry(); }

void CudaTaskCodegen::define_entry() {
  Value function = ir_.add_function(place_.entry.c_str(), ir_.void_type(), {ir_.pointer()});
  LLVMSetFunctionCallConv(function, LLVMPTXKernelCallConv);
  ir_.attribute(function, kFunction, "nounwind");
  const auto size = sizeof(CudaLaunch) - launch_begin_ + static_cast<uint64_t>(context_.kernel.params_size);
  static constexpr std::string_view kByval = "byval";
  const unsigned byval = LLVMGetEnumAttributeKindForName(kByval.data(), kByval.size());
  LLVMTypeRef parameter = LLVMArrayType2(ir_.int_type(8), size);
  LLVMAddAttributeAtIndex(function, 1, LLVMCreateTypeAttribute(ir_.context(), byval, parameter));
  ir_.attribute(function, 1, "align", 16);
  ir_.attribute(function, 1, "readonly");
  ir_.attribute(function, 1, "noalias");
  // The first where LLVM 21 or later asks, the second before.
  const std::string most = std::to_string(block_dim_);
  static constexpr std::string_view kMost = "nvvm.maxntid";
  LLVMAddAttributeAtIndex(function, kFunction,
                          LLVMCreateStringAttribute(ir_.context(), kMost.data(), static_cast<unsigned>(kMost.size()),
                                                    most.data(), static_cast<unsigned>(most.size())));
#if LLVM_VERSION_MAJOR < 21
  static constexpr std::string_view kOldMost = "maxntidx";
  LLVMMetadataRef note[] = {LLVMValueAsMetadata(function),
                            LLVMMDStringInContext2(ir_.context(), kOldMost.data(), kOldMost.size()),
                            LLVMValueAsMetadata(ir_.constant(ir_.int_type(32), static_cast<uint64_t>(block_dim_)))};
  LLVMAddNamedMetadataOperand(ir_.module(), "nvvm.annotations",
                              LLVMMetadataAsValue(ir_.context(), LLVMMDNodeInContext2(ir_.context(), note, 3)));
#endif
  TaskArguments arguments(context_.kernel, blocks());
  Value body = define_body(arguments, false);
  Value aligned = loop_arrays_.empty() ? nullptr : define_body(arguments, true);

  Value launch = LLVMGetParam(function, 0);
  begin_function(function, launch, &arguments);
  const bool has_temps = launch_begin_ <= offsetof(CudaLaunch, temps);
  arguments.load(ir_, launch_field(sizeof(CudaLaunch)),
                 has_temps ? field_pointer(offsetof(CudaLaunch, temps)) : nullptr, kGlobal);
  std::vector<Value> passed{launch};
  for (Value argument : arguments.values()) passed.push_back(argument);
  if (aligned != nullptr) {
    Value wide = field(scalar_type(Primitive::u8), offsetof(CudaLaunch, wide));
    LLVMBasicBlockRef yes = ir_.new_block("aligned");
    LLVMBasicBlockRef no = ir_.new_block("anywhere");
    ir_.branch(ir_.compare(LLVMIntNE, wide, LLVMConstNull(ir_.int_type(8))), yes, no);
    ir_.enter(yes);
    ir_.call(aligned, passed);
    LLVMBuildRetVoid(ir_.get());
    ir_.enter(no);
  }
  ir_.call(body, std::move(passed));
  end_function();
}

// What loops read in order starts, and so do its rows, where a 16-byte access may.
void CudaTaskCodegen::assume_alignment(const TaskArguments& arguments) {
  for (const int32_t array : loop_arrays_) {
    ir_.assume_aligned(arguments.data(array), 16);
    const int32_t rank = context_.kernel.params[static_cast<size_t>(array)].rank;
    if (rank == 1) continue;
    Value rest = LLVMBuildAnd(ir_.get(), arguments.dim(array, rank - 1), ir_.constant_i64(kUnrolled - 1), "");
    ir_.assume(ir_.compare(LLVMIntEQ, rest, ir_.constant_i64(0)));
  }
}

Value CudaTaskCodegen::define_body(TaskArguments& arguments, bool aligned) {
  std::vector<LLVMTypeRef> parameters{ir_.pointer()};
  for (LLVMTypeRef type : arguments.types(ir_)) parameters.push_back(type);
  const std::string name = place_.entry + (aligned ? "_aligned" : "_body");
  Value function = ir_.add_function(name.c_str(), ir_.void_type(), std::move(parameters));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  for (const char* fact : {"nounwind", "alwaysinline"}) ir_.attribute(function, kFunction, fact);
  for (const char* fact : {"noalias", "readonly"}) ir_.attribute(function, 1, fact);
  arguments.bind(function, 1);
  arguments.annotate(ir_, function, 1, !context_.options.may_alias);

  begin_function(function, LLVMGetParam(function, 0), &arguments);
  leave_ = ir_.new_block("leave");
  fail_ = nullptr;
  arguments.assume_lengths(ir_);
  if (aligned) assume_alignment(arguments);
  begin_iteration(ir_.constant_i64(0));
  if (is_range()) {
    require_stable_bounds(context_.task);
    emit_range();
  } else {
    emit_serial();
  }
  ir_.jump(leave_);
  emit_fail_block();
  ir_.enter(leave_);
  emit_flush_private();
  if (!block(offloaded_block::epilogue).statements.empty()) emit_epilogue();
  end_function();
  return function;
}

void CudaTaskCodegen::emit_serial() {
  if (place_.zero_temps > 0) {
    LLVMBuildMemSet(ir_.get(), field_pointer(offsetof(CudaLaunch, temps)), LLVMConstNull(ir_.int_type(8)),
                    ir_.constant_i64(place_.zero_temps), 8);
  }
  emit_leave_if_ended();
  if (place_.scopes.size() == 1) {
    emit(block(offloaded_block::body));
    return;
  }
  Value first = field(scalar_type(Primitive::u64), offsetof(CudaLaunch, first_scope));
  Value scope = add(first, widen(special_register("ctaid.x")));
  Value choice = LLVMBuildSwitch(ir_.get(), scope, leave_, static_cast<unsigned>(place_.scopes.size()));
  for (size_t i = 0; i < place_.scopes.size(); ++i) {
    LLVMBasicBlockRef start = ir_.new_block("scope");
    LLVMAddCase(choice, ir_.constant(ir_.i64(), i), start);
    ir_.enter(start);
    emit(*place_.scopes[i]->task.blocks[offloaded_block::body]);
    ir_.jump(leave_);
  }
}

Value CudaTaskCodegen::launch_field(size_t offset) const {
  if (offset < launch_begin_) throw Error(Code::internal, "codegen: a task reads more of its launch than it gets");
  return ir_.byte_offset(launch_block_, static_cast<int64_t>(offset - launch_begin_));
}

Value CudaTaskCodegen::special_register(const char* name) const {
  return ir_.intrinsic((std::string("llvm.nvvm.read.ptx.sreg.") + name).c_str(), {}, {});
}

TaskCodegen::RandomSource CudaTaskCodegen::random_source() {
  const Type* u64 = scalar_type(Primitive::u64);
  Value seed = field(u64, offsetof(CudaLaunch, seed));
  return {seed, number()};
}

void CudaTaskCodegen::note_access(Value instruction, const Stmt* pointer) {
  const auto* element = as<ElementPtrStmt>(pointer_root(pointer));
  if (element == nullptr) return;
  const bool loads = LLVMIsALoadInst(instruction) != nullptr;
  constexpr size_t kMostEarly = 16;
  if (loads && ended_ != nullptr && early_loads_.size() < kMostEarly) early_loads_.push_back(instruction);
  if (loads && !context_.options.may_alias && !written_.contains(element->param)) {
    static constexpr std::string_view kKind = "invariant.load";
    LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(ir_.context(), kKind.data(), kKind.size()),
                    LLVMMetadataAsValue(ir_.context(), LLVMMDNodeInContext2(ir_.context(), nullptr, 0)));
  }
  const auto lane = in_lanes_ ? lane_access(pointer, context_.task) : std::nullopt;
  if (!lane) return;
  // Lane 0 is where a whole access may start; so is every vector-th item from there.
  const int64_t vector = lanes_plan_.vector;
  const int64_t item = (static_cast<int64_t>(lane_) + lane->offset) & (vector - 1);
  const int64_t aligned_items = item == 0 ? vector : item & -item;
  LLVMSetAlignment(instruction, static_cast<unsigned>(aligned_items * pointer->type->element->size));
}

void CudaTaskCodegen::note_back_edge(Value branch, const Stmt& loop) {
  if (is_unrolled(loop)) unroll(ir_, branch, kUnrolled);
}

// The line's words are claimed first, so that lines of different threads do not mix.
void CudaTaskCodegen::emit_print(int32_t site, const std::vector<Value>& values) {
  LLVMBuilderRef b = ir_.get();
  Value prints = field_pointer(offsetof(CudaLaunch, prints));
  Value size = ir_.constant_i64(static_cast<int64_t>(values.size()) + 2);
  Value used = LLVMBuildAtomicRMW(b, LLVMAtomicRMWBinOpAdd, prints, size, LLVMAtomicOrderingMonotonic, false);
  const Type* u64 = scalar_type(Primitive::u64);
  Value capacity = ir_.load(u64, ir_.byte_offset(prints, int64_t{offsetof(CudaPrints, capacity)}));
  LLVMBasicBlockRef write = ir_.new_block("print");
  LLVMBasicBlockRef after = ir_.new_block("printed");
  ir_.branch(ir_.compare(LLVMIntULE, add(used, size), capacity), write, after);
  ir_.enter(write);
  Value words = ir_.byte_offset(prints, int64_t{sizeof(CudaPrints)});
  Value line = LLVMBuildInBoundsGEP2(b, ir_.i64(), words, &used, 1, "");
  const auto header = static_cast<uint64_t>(static_cast<uint32_t>(site)) | uint64_t{values.size()} << 32;
  std::vector<Value> contents{field(u64, offsetof(CudaLaunch, print_tag)), ir_.constant(ir_.i64(), header)};
  contents.insert(contents.end(), values.begin(), values.end());
  for (size_t i = 0; i < contents.size(); ++i) {
    ir_.store(u64, contents[i], ir_.byte_offset(line, static_cast<int64_t>(8 * i)));
  }
  ir_.jump(after);
  ir_.enter(after);
}

}  // namespace qd
