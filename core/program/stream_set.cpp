#include "core/program/stream_set.h"

#include <utility>

#include "core/program/stream.h"

namespace qd {

StreamSet::StreamSet() = default;
StreamSet::~StreamSet() = default;

void StreamSet::add(const std::shared_ptr<Stream>& stream) {
  const std::lock_guard lock(mutex_);
  streams_.push_back(stream);
}

void StreamSet::remove(std::optional<StreamFailure> failure) {
  const std::lock_guard lock(mutex_);
  std::erase_if(streams_, [](const std::weak_ptr<Stream>& stream) { return stream.expired(); });
  if (!failure || (left_ && left_->launch < failure->launch)) return;
  left_ = std::make_unique<StreamFailure>(std::move(*failure));
}

std::vector<std::shared_ptr<Stream>> StreamSet::alive() const {
  std::vector<std::shared_ptr<Stream>> alive;
  const std::lock_guard lock(mutex_);
  alive.reserve(streams_.size());
  for (const std::weak_ptr<Stream>& stream : streams_) {
    if (std::shared_ptr<Stream> owned = stream.lock()) alive.push_back(std::move(owned));
  }
  return alive;
}

void StreamSet::close() {
  for (const std::shared_ptr<Stream>& stream : alive()) stream->close();
}

void StreamSet::drain() {
  for (const std::shared_ptr<Stream>& stream : alive()) stream->drain();
}

std::optional<StreamFailure> StreamSet::take_failure(uint64_t before) {
  std::shared_ptr<Stream> first;
  uint64_t launch = before;
  for (const std::shared_ptr<Stream>& stream : alive()) {
    const std::optional<uint64_t> failed = stream->failed_launch();
    if (failed && *failed < launch) {
      launch = *failed;
      first = stream;
    }
  }
  {
    const std::lock_guard lock(mutex_);
    if (left_ && left_->launch < launch) {
      const std::unique_ptr<StreamFailure> left = std::move(left_);
      return std::move(*left);
    }
  }
  return first ? first->take_failure() : std::nullopt;
}

void StreamSet::keep(const std::shared_ptr<const void>& kept) {
  for (const std::shared_ptr<Stream>& stream : alive()) stream->keep(kept);
}

}  // namespace qd
