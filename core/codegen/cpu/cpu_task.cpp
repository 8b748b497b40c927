#include "core/codegen/cpu/cpu_task.h"

#include <cstddef>

#include "core/codegen/task_list.h"
#include "core/runtime/launch_block.h"

namespace qd {

namespace {

constexpr auto kFunction = static_cast<unsigned>(LLVMAttributeFunctionIndex);

}  // namespace

std::string task_symbol(int32_t index) { return "task_" + std::to_string(index); }
std::string bounds_symbol(int32_t index) { return task_symbol(index) + "_bounds"; }

void CpuTaskCodegen::build() {
  define_task();
  if (context_.task.task == TaskType::range_for) build_bounds();
}

void CpuTaskCodegen::define_task() {
  const std::string name = task_symbol(context_.index);
  Value function = ir_.add_function(name.c_str(), ir_.void_type(), {ir_.pointer(), ir_.i64(), ir_.i64()});
  ir_.attribute(function, kFunction, "nounwind");
  TaskArguments arguments(context_.kernel, blocks_of(context_.task));
  Value body = define_body(arguments);

  begin_function(function, LLVMGetParam(function, 0), &arguments);
  arguments.load(ir_, header_field(kHeaderSize));
  std::vector<Value> passed{LLVMGetParam(function, 0), LLVMGetParam(function, 1), LLVMGetParam(function, 2)};
  for (Value argument : arguments.values()) passed.push_back(argument);
  ir_.call(body, std::move(passed));
  end_function();
}

Value CpuTaskCodegen::define_body(TaskArguments& arguments) {
  std::vector<LLVMTypeRef> parameters{ir_.pointer(), ir_.i64(), ir_.i64()};
  const auto first = static_cast<unsigned>(parameters.size());
  for (LLVMTypeRef type : arguments.types(ir_)) parameters.push_back(type);
  const std::string name = task_symbol(context_.index) + "_body";
  Value function = ir_.add_function(name.c_str(), ir_.void_type(), std::move(parameters));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  ir_.attribute(function, kFunction, "nounwind");
  // Alias facts of parameters are exact; inlined, they would become metadata that passes may drop.
  ir_.attribute(function, kFunction, "noinline");
  ir_.attribute(function, 1, "noalias");
  arguments.bind(function, first);
  arguments.annotate(ir_, function, first, !context_.options.may_alias);

  begin_function(function, LLVMGetParam(function, 0), &arguments);
  arguments.assume_lengths(ir_);
  begin_iteration(ir_.constant_i64(0));
  if (context_.task.task == TaskType::serial) {
    emit(*context_.task.blocks[offloaded_block::body]);
  } else {
    require_stable_bounds(context_.task);
    emit_chunk(LLVMGetParam(function, 1), LLVMGetParam(function, 2));
  }
  end_function();
  return function;
}

void CpuTaskCodegen::build_bounds() {
  const std::string name = bounds_symbol(context_.index);
  Value function = ir_.add_function(name.c_str(), ir_.void_type(), {ir_.pointer(), ir_.pointer()});
  ir_.attribute(function, kFunction, "nounwind");
  const Block& bounds = *context_.task.blocks[offloaded_block::bounds];
  TaskArguments arguments(context_.kernel, {&bounds});
  begin_function(function, LLVMGetParam(function, 0), &arguments);
  arguments.load(ir_, header_field(kHeaderSize));
  emit(bounds);
  const auto& operands = context_.task.operands;
  for (size_t i = 0; i < operands.size(); ++i) {
    ir_.store(scalar_type(Primitive::i64), value(operands[i]),
              ir_.byte_offset(LLVMGetParam(function, 1), static_cast<int64_t>(8 * i)));
  }
  end_function();
}

void CpuTaskCodegen::emit_print(int32_t site, const std::vector<Value>& values) {
  LLVMBuilderRef b = ir_.get();
  LLVMTypeRef pointer = ir_.pointer();
  LLVMTypeRef i32 = ir_.int_type(32);
  Value array = LLVMConstNull(pointer);
  if (!values.empty()) array = entry_alloca(LLVMArrayType2(ir_.i64(), values.size()), 8);
  for (size_t i = 0; i < values.size(); ++i) {
    LLVMBuildStore(b, values[i], ir_.byte_offset(array, static_cast<int64_t>(8 * i)));
  }
  Value host = LLVMBuildLoad2(b, pointer, header_field(offsetof(LaunchHeader, host)), "");
  auto field = [&](size_t offset) {
    return LLVMBuildLoad2(b, pointer, ir_.byte_offset(host, static_cast<int64_t>(offset)), "");
  };
  Value function = field(offsetof(HostServices, print));
  std::vector<LLVMTypeRef> parameters{pointer, i32, pointer, i32};
  LLVMTypeRef type = LLVMFunctionType(ir_.void_type(), parameters.data(), 4, false);
  std::vector<Value> arguments{field(offsetof(HostServices, context)), ir_.constant(i32, static_cast<uint64_t>(site)),
                               array, ir_.constant(i32, values.size())};
  LLVMBuildCall2(b, type, function, arguments.data(), 4, "");
}

}  // namespace qd
