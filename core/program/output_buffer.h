// What kernels printed and nobody has taken yet.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace qd {

class OutputBuffer {
 public:
  enum Stream : int32_t { standard_output = 0, standard_error = 1 };

  // Appends whole; past the limit text is dropped, and a line says so.
  void append(Stream stream, std::string_view text);
  // Moves up to size bytes to buffer; returns the number moved.
  int64_t take(Stream stream, char* buffer, int64_t size);
  bool empty() const { return bytes_.load(std::memory_order_acquire) == 0; }

 private:
  static constexpr size_t kLimit = size_t{64} << 20;  // bytes a stream
  struct Text {
    std::string bytes;
    size_t taken = 0;
    bool dropping = false;
  };
  std::mutex mutex_;
  std::array<Text, 2> streams_;
  std::atomic<int64_t> bytes_{0};
};

}  // namespace qd
