#include "core/runtime/launch_plan.h"

#include <algorithm>

namespace qd {

namespace {

void add_to_region(PlanPhase& phase, GroupId group, int32_t task) {
  auto at = std::lower_bound(phase.chains.begin(), phase.chains.end(), group,
                             [](const PlanChain& chain, GroupId id) { return chain.group < id; });
  if (at == phase.chains.end() || at->group != group) at = phase.chains.insert(at, PlanChain{group, {}});
  at->tasks.push_back(task);
}

}  // namespace

int32_t LaunchPlan::width() const {
  size_t widest = 0;
  for (const PlanPhase& phase : phases) widest = std::max(widest, phase.chains.size());
  return static_cast<int32_t>(widest);
}

LaunchPlan plan_launch(const std::vector<OffloadedTask>& tasks) {
  LaunchPlan plan;
  for (size_t i = 0; i < tasks.size(); i++) {
    const bool in_region = tasks[i].group != 0;
    const bool joins = i > 0 && (tasks[i - 1].group != 0) == in_region;
    if (!joins) plan.phases.emplace_back();
    add_to_region(plan.phases.back(), tasks[i].group, static_cast<int32_t>(i));
  }
  return plan;
}

std::string to_string(const LaunchPlan& plan, const std::vector<OffloadedTask>& tasks, int32_t streams) {
  std::string text;
  for (size_t p = 0; p < plan.phases.size(); p++) {
    text += "phase " + std::to_string(p) + ":";
    bool first = true;
    for (const PlanChain& chain : plan.phases[p].chains) {
      if (!first) text += " |";
      first = false;
      if (chain.group != 0) text += " group " + std::to_string(chain.group) + ":";
      text += " [";
      for (size_t t = 0; t < chain.tasks.size(); t++) {
        if (t > 0) text += ", ";
        text += tasks[static_cast<size_t>(chain.tasks[t])].name;
      }
      text += "]";
    }
    const size_t chains = plan.phases[p].chains.size();
    if (streams > 0 && chains > static_cast<size_t>(streams)) {
      text += " (" + std::to_string(chains) + " groups share " + std::to_string(streams) + " streams)";
    }
    text += "\n";
  }
  return text;
}

namespace {

// Names come from source code; quotes and backslashes in them must not end the string.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string to_graphviz(const LaunchPlan& plan, const std::vector<OffloadedTask>& tasks) {
  std::string nodes, edges, last = "start";
  const auto edge = [&edges](const std::string& from, const std::string& to) {
    edges += "  " + from + " -> " + to + ";\n";
  };
  for (size_t p = 0; p < plan.phases.size(); p++) {
    const PlanPhase& phase = plan.phases[p];
    const std::string join = "join" + std::to_string(p);
    std::string end = last;
    for (const PlanChain& chain : phase.chains) {
      end = last;
      for (const int32_t task : chain.tasks) {
        const std::string node = "task" + std::to_string(task);
        std::string label = tasks[static_cast<size_t>(task)].name;
        if (chain.group != 0) label += " (group " + std::to_string(chain.group) + ")";
        nodes += "  " + node + " [label=" + quoted(label) + "];\n";
        edge(end, node);
        end = node;
      }
      if (phase.parallel()) edge(end, join);
    }
    if (phase.parallel()) {
      nodes += "  " + join + " [shape=point];\n";
      end = join;
    }
    last = end;
  }
  edge(last, "end");
  return "digraph plan {\n  rankdir=LR;\n  node [shape=box];\n  start [shape=circle];\n  end [shape=circle];\n" +
         nodes + edges + "}\n";
}

}  // namespace qd
