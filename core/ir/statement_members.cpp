// Compile-time proof that members() of every attributes struct names all of its members.
#include <concepts>
#include <utility>

#include "core/ir/stmt.h"

namespace qd {

namespace {

// Converts to whatever a member of Owner wants, but not to Owner itself, which would count as a copy.
template <class Owner>
struct Anything {
  template <class T>
    requires(!std::same_as<T, Owner>)
  operator T() const;
};

template <class T, size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything<T>{})...}; };
}

// An aggregate can be initialised from as many values as it has members, and from no more.
template <class T, size_t N = 0>
constexpr size_t member_count() {
  if constexpr (takes<T>(std::make_index_sequence<N + 1>())) {
    return member_count<T, N + 1>();
  } else {
    return N;
  }
}

template <class T>
constexpr bool lists_all_members() {
  static_assert(std::is_aggregate_v<T>);
  return member_count<T>() == std::tuple_size_v<decltype(std::declval<const T&>().members())>;
}

struct Forgetful {
  int32_t a = 0;
  std::string b;
  LoopOptions c;
  auto members() const { return std::tie(a, c); }
};
static_assert(member_count<Forgetful>() == 3);
static_assert(!lists_all_members<Forgetful>(), "the count itself must be able to fail");

static_assert(lists_all_members<LoopOptions>());

// Instantiated for every kind that visit() knows.
[[maybe_unused]] void check_every_kind(Stmt* stmt) {
  visit(stmt, [](auto* typed) {
    using Attributes = typename std::remove_pointer_t<decltype(typed)>::Attributes;
    static_assert(lists_all_members<Attributes>(), "members() must list every member");
  });
}

}  // namespace

}  // namespace qd
