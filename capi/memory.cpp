// Device memory.
#include <memory>
#include <string>

#include "capi/errors.h"
#include "capi/handles.h"

using namespace qd;
using namespace qd::capi;

namespace {

constexpr int64_t kMaxPattern = 4096;

void* to_pointer(uint64_t memory) { return reinterpret_cast<void*>(static_cast<uintptr_t>(memory)); }

// Memory that nobody owns any more. Streams that may still use it share it, and the last one gives it back.
class FreedMemory {
 public:
  FreedMemory(qd_program* program, uint64_t memory, int64_t size) : program_(program), memory_(memory), size_(size) {
    program_->retain();
  }
  ~FreedMemory() {
    const qd_code code = guard(nullptr, [&] { program_->program->device().free(to_pointer(memory_), size_); });
    if (code == QD_OK) {  // else it was no memory of this program
      process_counts().allocations.fetch_sub(1);
      process_counts().bytes.fetch_sub(size_);
      program_->release();  // the allocation's reference
    }
    program_->release();
  }
  FreedMemory(const FreedMemory&) = delete;
  FreedMemory& operator=(const FreedMemory&) = delete;

 private:
  qd_program* const program_;  // holds a reference
  const uint64_t memory_;
  const int64_t size_;
};

// The open program, after checking that the transfer stays inside one allocation.
Program& check_transfer(qd_program* handle, uint64_t memory, const void* host, int64_t size) {
  Program& program = open_program(handle);
  if (size < 0) throw Error(Code::invalid, "the size is negative");
  if (size > 0) {
    required(static_cast<const char*>(host), "host");
    program.device().require_allocated(to_pointer(memory), size);
  }
  return program;
}

// Where launches are queued, memory that was freed may still wait for them.
void* allocate(Program& program, int64_t size) {
  try {
    return program.device().allocate(size);
  } catch (const Error& error) {
    if (error.code != Code::out_of_memory || program.default_queue == nullptr) throw;
  }
  program.drain();
  return program.device().allocate(size);
}

}  // namespace

uint64_t qd_memory_allocate(qd_program* program, int64_t size, qd_error* error) {
  return guard_value<uint64_t>(error, 0, [&] {
    Program& p = open_program(program);
    void* memory = allocate(p, size);
    program->retain();
    process_counts().allocations.fetch_add(1);
    process_counts().bytes.fetch_add(size);
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(memory));
  });
}

void qd_memory_free(qd_program* program, uint64_t memory, int64_t size) {
  if (program == nullptr || memory == 0) return;
  const std::shared_ptr<Program> alive = program->program;
  guard(nullptr, [&] {
    auto freed = std::make_shared<FreedMemory>(program, memory, size);
    alive->keep(freed);
  });
}

qd_code qd_memory_write(qd_program* program, uint64_t memory, const void* host, int64_t size, qd_error* error) {
  return guard(error, [&] {
    Program& p = check_transfer(program, memory, host, size);
    p.device().copy_in(nullptr, to_pointer(memory), host, size);
  });
}

qd_code qd_memory_read(qd_program* program, void* host, uint64_t memory, int64_t size, qd_error* error) {
  return guard(error, [&] {
    Program& p = check_transfer(program, memory, host, size);
    p.device().copy_out(nullptr, host, to_pointer(memory), size);
  });
}

qd_code qd_memory_fill(qd_program* program, uint64_t memory, int64_t size, const void* pattern, int64_t pattern_size,
                       qd_error* error) {
  return guard(error, [&] {
    if (pattern_size < 1 || pattern_size > kMaxPattern) {
      throw Error(Code::invalid,
                  "a pattern has 1 to " + std::to_string(kMaxPattern) + " bytes, not " + std::to_string(pattern_size));
    }
    required(static_cast<const char*>(pattern), "pattern");
    if (size % pattern_size != 0) throw Error(Code::invalid, "the size is not a multiple of the pattern's size");
    Program& p = check_transfer(program, memory, pattern, size);
    p.device().fill(nullptr, to_pointer(memory), size, pattern, pattern_size);
  });
}
