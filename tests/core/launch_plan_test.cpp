#include "core/runtime/launch_plan.h"

#include <gtest/gtest.h>

namespace qd {
namespace {

OffloadedTask task(const char* name, GroupId group) {
  OffloadedTask made;
  made.name = name;
  made.group = group;
  return made;
}

TEST(LaunchPlan, IsEmptyForAnEmptyKernel) {
  const LaunchPlan plan = plan_launch({});
  EXPECT_TRUE(plan.phases.empty());
  EXPECT_EQ(plan.width(), 0);
  EXPECT_EQ(to_string(plan, {}), "");
}

TEST(LaunchPlan, RunsUngroupedTasksInOrder) {
  const std::vector<OffloadedTask> tasks{task("a", 0), task("b", 0), task("c", 0)};
  const LaunchPlan plan = plan_launch(tasks);
  EXPECT_EQ(to_string(plan, tasks), "phase 0: [a, b, c]\n");
  EXPECT_EQ(plan.width(), 1);
  EXPECT_FALSE(plan.phases[0].parallel());
}

TEST(LaunchPlan, GivesEachGroupAChain) {
  const std::vector<OffloadedTask> tasks{task("a_range", 1), task("b_serial", 2), task("b_range", 2)};
  const LaunchPlan plan = plan_launch(tasks);
  EXPECT_EQ(to_graphviz(plan, tasks),
            "digraph plan {\n  rankdir=LR;\n  node [shape=box];\n  start [shape=circle];\n  end [shape=circle];\n"
            "  task0 [label=\"a_range (group 1)\"];\n  task1 [label=\"b_serial (group 2)\"];\n"
            "  task2 [label=\"b_range (group 2)\"];\n  join0 [shape=point];\n"
            "  start -> task0;\n  task0 -> join0;\n  start -> task1;\n  task1 -> task2;\n  task2 -> join0;\n"
            "  join0 -> end;\n}\n");
  EXPECT_EQ(to_string(plan, tasks), "phase 0: group 1: [a_range] | group 2: [b_serial, b_range]\n");
  EXPECT_EQ(plan.width(), 2);
  EXPECT_TRUE(plan.phases[0].parallel());
}

TEST(LaunchPlan, OrdersChainsByGroupAndKeepsTaskOrder) {
  const std::vector<OffloadedTask> tasks{task("c", 3), task("a", 1), task("d", 3), task("b", 2)};
  EXPECT_EQ(to_string(plan_launch(tasks), tasks), "phase 0: group 1: [a] | group 2: [b] | group 3: [c, d]\n");
}

TEST(LaunchPlan, SaysHowManyStreamsGroupsShare) {
  const std::vector<OffloadedTask> tasks{task("a", 1), task("b", 2), task("c", 3)};
  const std::string chains = "phase 0: group 1: [a] | group 2: [b] | group 3: [c]";
  EXPECT_EQ(to_string(plan_launch(tasks), tasks, 2), chains + " (3 groups share 2 streams)\n");
  EXPECT_EQ(to_string(plan_launch(tasks), tasks, 3), chains + "\n");
}

TEST(LaunchPlan, SeparatesRegionsByWhatStandsBetween) {
  const std::vector<OffloadedTask> tasks{task("a", 0), task("b", 1), task("c", 2), task("d", 0), task("e", 3)};
  const LaunchPlan plan = plan_launch(tasks);
  EXPECT_EQ(to_string(plan, tasks),
            "phase 0: [a]\n"
            "phase 1: group 1: [b] | group 2: [c]\n"
            "phase 2: [d]\n"
            "phase 3: group 3: [e]\n");
  EXPECT_EQ(plan.width(), 2);
}

}  // namespace
}  // namespace qd
