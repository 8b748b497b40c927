#include "core/rhi/sim/sim_slot.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/rhi/cpu/float_control.h"
#include "core/rhi/cpu/iteration_space.h"

namespace qd::rhi {
namespace {

constexpr double kSecondsOfALaunch = 1e-6, kSecondsOfAnInstruction = 1e-9;
constexpr uint64_t kMostPieces = 4;

// A task that has begun.
struct Running {
  const CompiledTask task;
  bool begun = false;
  std::vector<std::pair<int64_t, int64_t>> pieces{};
};

bool stopped(const LaunchHeader& header) { return header.state != static_cast<int32_t>(LaunchState::running); }

}  // namespace

std::function<void()> SimSlot::upload(const QueuedLaunch& launch) {
  std::vector<unsigned char> filled(kHeaderSize + launch.args_size);
  const LaunchHeader header{.state = static_cast<int32_t>(LaunchState::running),
                            .check = 0,
                            .values = {},
                            .seed = launch.seed,
                            .launch = launch.number,
                            .host = launch.host};
  std::memcpy(filled.data(), &header, sizeof header);
  if (launch.args_size > 0) std::memcpy(filled.data() + kHeaderSize, launch.args, launch.args_size);
  return [this, image = std::move(filled), temps = launch.temps_size] {
    const size_t size = image.size() + static_cast<size_t>(temps);
    block_.resize(std::max(block_.size(), (size + sizeof(Line) - 1) / sizeof(Line)));
    std::memset(block(), 0, size);
    std::memcpy(block(), image.data(), image.size());
  };
}

SimWork SimSlot::work(const CompiledTask& task, SimScheduler& scheduler) {
  SimWork work;
  work.seconds = kSecondsOfALaunch;
  auto running = std::make_shared<Running>(Running{.task = task});
  work.step = [this, running, &scheduler](SimWork& self) {
    if (block_.empty() || stopped(header())) return true;
    const DefaultFloatControl control;
    if (!running->begun) {
      running->begun = true;
      const CompiledTask& t = running->task;
      std::optional<int64_t> count = 1;
      if (t.task.type != TaskType::serial) count = iteration_count(t, block());
      if (!count) {
        fail_too_many(t, block());
        return true;
      }
      self.seconds += static_cast<double>(*count) * static_cast<double>(t.task.cost) * kSecondsOfAnInstruction;
      const bool whole = t.task.type == TaskType::serial || t.task.options.serialize;
      const int64_t pieces = whole ? 1 : std::min(*count, static_cast<int64_t>(1 + scheduler.random(kMostPieces)));
      for (int64_t i = 0; i < pieces && *count > 0; ++i) {
        running->pieces.emplace_back(*count / pieces * i, i == pieces - 1 ? *count : *count / pieces * (i + 1));
      }
    }
    if (running->pieces.empty()) return true;
    const auto at = running->pieces.begin() + static_cast<std::ptrdiff_t>(scheduler.random(running->pieces.size()));
    const auto [begin, end] = *at;
    running->pieces.erase(at);
    running->task.function(block(), begin, end);
    return running->pieces.empty();
  };
  return work;
}

void SimSlot::collect() {
  if (block_.empty() || header().state != static_cast<int32_t>(LaunchState::failed) || failure) return;
  FailedLaunch failed{.number = header().launch, .check = header().check};
  std::copy(std::begin(header().values), std::end(header().values), failed.values.begin());
  failure = failed;
}

}  // namespace qd::rhi
