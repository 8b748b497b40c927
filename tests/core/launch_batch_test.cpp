// What a launch queue knows of the launches that it lets go of together.
#include "core/runtime/launch_batch.h"

#include <gtest/gtest.h>

#include <memory>

namespace qd {
namespace {

// A failure finds its own launch among those of one batch, whose owners are kept once for launches in a row.
TEST(LaunchBatch, KnowsWhatEachLaunchWas) {
  LaunchBatch batch;
  const auto a = std::make_shared<int>(1), b = std::make_shared<int>(2);
  const std::shared_ptr<int> none;
  for (uint64_t number : {7, 5, 9}) batch.add(number, a, a.get());
  batch.add(2, b, b.get());
  batch.add(3, none, none.get());
  batch.add(11, a, a.get());
  EXPECT_EQ(a.use_count(), 3);
  EXPECT_EQ(b.use_count(), 2);
  const auto found = [&](uint64_t number) {
    std::shared_ptr<const void> launched;
    EXPECT_TRUE(batch.find(number, launched)) << number;
    return launched.get();
  };
  for (uint64_t number : {7, 5, 9, 11}) EXPECT_EQ(found(number), a.get());
  EXPECT_EQ(found(2), b.get());
  EXPECT_EQ(found(3), nullptr);
  std::shared_ptr<const void> launched;
  EXPECT_FALSE(batch.find(4, launched));
  batch.clear();
  EXPECT_TRUE(batch.empty());
  EXPECT_EQ(a.use_count() + b.use_count(), 2);
}

}  // namespace
}  // namespace qd
