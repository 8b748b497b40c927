// The streams of a program, and what those that are gone left unsaid.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace qd {

class Stream;
struct StreamFailure;

class StreamSet {
 public:
  StreamSet();
  ~StreamSet();
  void add(const std::shared_ptr<Stream>& stream);
  // Called by a stream that ends, with the failure that nobody asked it for.
  void remove(std::optional<StreamFailure> failure);

  // Waits until no stream will queue a launch that began before the program was closed.
  void close();
  // Waits for what is queued now on every stream.
  void drain();
  // Forgets and returns the earliest failure of all launches whose numbers are less than `before`.
  std::optional<StreamFailure> take_failure(uint64_t before = std::numeric_limits<uint64_t>::max());
  // Keeps something alive until every stream has passed what is queued on it now.
  void keep(const std::shared_ptr<const void>& kept);

 private:
  std::vector<std::shared_ptr<Stream>> alive() const;

  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<Stream>> streams_;
  std::unique_ptr<StreamFailure> left_;  // the earliest of streams that are gone
};

}  // namespace qd
