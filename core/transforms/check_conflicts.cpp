// Scopes may run at the same time, so one must not write what another reads or writes, except both by atomics. Accesses
// to one array are compared here; that two arrays share memory is seen only at a launch, which looks at `apart`.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/analysis/element_overlap.h"
#include "core/ir/constant.h"
#include "core/transforms/passes.h"

namespace qd {

namespace {

// Comparing takes microseconds to a millisecond. A kernel with more pairs than these gets warnings instead of proofs.
constexpr int kMaxPairs = 200'000, kMaxCompared = 10'000;
constexpr int kMaxWarnings = 20;  // of an array

// The element's indices where all are constant.
std::string element_text(const ElementAccess& access) {
  std::string text;
  for (const Stmt* index : access.element->operands) {
    const auto* constant = as<ConstantStmt>(index);
    if (constant == nullptr) return {};
    text += "[" + std::to_string(signed_value(constant)) + "]";
  }
  return text;
}

class ConflictChecker {
 public:
  explicit ConflictChecker(KernelIR& kernel)
      : kernel_(kernel), set_(gather_elements(kernel.root.get())), overlap_(set_) {
    std::map<int32_t, std::vector<const ElementAccess*>> by_param;
    for (const ElementAccess& access : set_.accesses) by_param[access.param].push_back(&access);
    arrays_.assign(by_param.begin(), by_param.end());
  }

  std::vector<Conflict> run() {
    for (const auto& [param, accesses] : arrays_) {
      if (set_.written.contains(param)) array(param, accesses);
    }
    std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.order < b.order; });
    std::vector<Conflict> conflicts;
    for (Found& found : found_) conflicts.push_back(std::move(found.conflict));
    return conflicts;
  }

  // Scopes that access two arrays as they must not access one.
  std::vector<ApartPair> apart() const {
    std::map<int32_t, std::vector<ScopeAccess>> uses;
    for (const auto& [param, accesses] : arrays_) {
      std::set<std::pair<GroupId, AccessKind>> seen;
      for (const ElementAccess* access : accesses) {
        if (seen.emplace(access->group, access->kind).second) uses[param].push_back(scope_access(*access));
      }
    }
    std::vector<ApartPair> pairs;
    for (auto first = uses.begin(); first != uses.end(); ++first) {
      for (auto second = std::next(first); second != uses.end(); ++second) {
        if (kernel_.assumed_disjoint.contains({first->first, second->first})) continue;
        const std::string why = exclusion(*first, *second);
        if (!why.empty()) pairs.push_back({first->first, second->first, why});
      }
    }
    return pairs;
  }

 private:
  struct Found {
    ptrdiff_t order = 0;  // of the later access
    Conflict conflict;
  };
  using Line = std::pair<int32_t, int32_t>;  // file and line
  using Uses = std::pair<const int32_t, std::vector<ScopeAccess>>;

  static ScopeAccess scope_access(const ElementAccess& access) { return {access.group, access.kind, access.pos}; }

  // What two scopes do that excludes each other if the arrays are one; "" if nothing does.
  std::string exclusion(const Uses& first, const Uses& second) const {
    const auto& name = [&](const Uses& uses) { return kernel_.params[static_cast<size_t>(uses.first)].name; };
    for (const ScopeAccess& a : first.second) {
      for (const ScopeAccess& b : second.second) {
        if (a.group == b.group || !exclude_each_other(a.kind, b.kind)) continue;
        return describe(a, name(first)) + " while " + describe(b, name(second));
      }
    }
    return {};
  }

  Line line_of(const ElementAccess& access) const {
    const auto& positions = kernel_.positions.positions;
    if (access.pos < 0 || static_cast<size_t>(access.pos) >= positions.size()) return {-1, access.pos};
    const Position& position = positions[static_cast<size_t>(access.pos)];
    return {position.file, position.line};
  }

  // One error a line, one warning for each pair of scopes that has no error.
  void array(int32_t param, const std::vector<const ElementAccess*>& accesses) {
    std::set<Line> reported;
    std::set<std::pair<GroupId, GroupId>> wrong;
    std::map<std::pair<GroupId, GroupId>, std::pair<const ElementAccess*, const ElementAccess*>> unclear;
    // A line that reads and writes is better told that it writes.
    for (const bool reads : {false, true}) {
      for (const ElementAccess* later : accesses) {
        if ((later->kind == AccessKind::read) != reads || reported.contains(line_of(*later))) continue;
        for (const ElementAccess* earlier : accesses) {
          if (earlier->group >= later->group || !exclude_each_other(earlier->kind, later->kind)) continue;
          const bool too_many = ++pairs_ > kMaxPairs;
          const Overlap overlap = too_many ? Overlap::unknown : compare(*earlier, *later);
          if (overlap == Overlap::unknown) unclear.try_emplace({earlier->group, later->group}, earlier, later);
          if (too_many) break;
          if (overlap != Overlap::certain) continue;
          reported.insert(line_of(*later));
          wrong.emplace(earlier->group, later->group);
          add(true, param, *earlier, *later);
          break;
        }
      }
    }
    if (kernel_.assumed_disjoint.contains({param, param})) return;
    int warnings = 0;
    for (const auto& [groups, pair] : unclear) {
      if (wrong.contains(groups) || ++warnings > kMaxWarnings) continue;
      add(false, param, *pair.first, *pair.second);
    }
  }

  void add(bool proven, int32_t param, const ElementAccess& earlier, const ElementAccess& later) {
    const std::string own = element_text(later);
    found_.push_back({.order = &later - set_.accesses.data(),
                      .conflict = {.proven = proven,
                                   .param = param,
                                   .element = own.empty() ? element_text(earlier) : own,
                                   .earlier = scope_access(earlier),
                                   .later = scope_access(later)}});
  }

  Overlap compare(const ElementAccess& earlier, const ElementAccess& later) {
    const auto [known, added] = compared_.try_emplace({shape_of(earlier), shape_of(later)}, Overlap::unknown);
    if (added && static_cast<int>(compared_.size()) <= kMaxCompared) known->second = overlap_.between(earlier, later);
    return known->second;
  }

  // Equal for accesses that overlap with the same others.
  int32_t shape_of(const ElementAccess& access) {
    const auto [known, added] = shape_ids_.try_emplace(&access, 0);
    if (!added) return known->second;
    Shape shape{access.param, access.part.begin, access.part.end, access.part.exact, access.certain, {}, {}};
    for (const Stmt* index : access.element->operands) std::get<5>(shape).push_back(numbers_.number(index));
    for (const LoopAround& around : access.loops) std::get<6>(shape).push_back(around.loop);
    for (const Condition& condition : access.conditions) {
      std::get<6>(shape).push_back(condition.value);
      std::get<6>(shape).push_back(condition.holds ? condition.value : nullptr);
    }
    known->second = shapes_.try_emplace(std::move(shape), static_cast<int32_t>(shapes_.size())).first->second;
    return known->second;
  }

  using Shape = std::tuple<int32_t, int64_t, int64_t, bool, bool, std::vector<ValueNumber>, std::vector<const Stmt*>>;

  KernelIR& kernel_;
  const AccessSet set_;
  ElementOverlap overlap_;
  std::vector<std::pair<int32_t, std::vector<const ElementAccess*>>> arrays_;
  ValueNumbers numbers_;
  std::map<const ElementAccess*, int32_t> shape_ids_;
  std::map<Shape, int32_t> shapes_;
  std::map<std::pair<int32_t, int32_t>, Overlap> compared_;
  int pairs_ = 0;  // looked at so far
  std::vector<Found> found_;
};

}  // namespace

std::vector<Conflict> check_conflicts(KernelIR& kernel, const CompileOptions&) {
  if (kernel.groups < 2) return {};
  ConflictChecker checker(kernel);
  std::vector<Conflict> conflicts = checker.run();
  for (const Conflict& conflict : conflicts) kernel.diagnostics.push_back(describe(conflict, kernel));
  kernel.apart = checker.apart();
  return conflicts;
}

}  // namespace qd
