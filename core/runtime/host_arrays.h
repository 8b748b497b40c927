// Host memory among a launch's arguments, for devices that cannot reach it: copied there before, and back afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rhi/device.h"
#include "core/runtime/array_arguments.h"

namespace qd {

class HostArrays {
 public:
  HostArrays(rhi::Device& device, rhi::Stream stream) : device_(device), stream_(stream) {}
  ~HostArrays();  // waits for the stream, since what is queued may use the copies
  HostArrays(const HostArrays&) = delete;
  HostArrays& operator=(const HostArrays&) = delete;

  // Copies the arrays in and puts the copies' addresses into args. Arrays that share memory share it in the copy.
  void copy_in(const std::vector<ArrayArguments::Placed>& arrays, void* args);
  // After the launch: copies back what it may have written, and returns when that is done.
  void copy_out(const std::vector<bool>& written);

 private:
  struct Copy {
    uint64_t begin = 0, end = 0;  // on the host
    void* memory = nullptr;       // where `begin` lies is as far from a 64-byte line as on the host
    int64_t allocated = 0;
    char* at(uint64_t address) const { return static_cast<char*>(memory) + begin % 64 + (address - begin); }
  };
  const Copy& copy_of(uint64_t address) const;

  rhi::Device& device_;
  const rhi::Stream stream_;
  std::vector<ArrayArguments::Placed> arrays_;
  std::vector<Copy> copies_;  // by address, apart from each other
};

}  // namespace qd
