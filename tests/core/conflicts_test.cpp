// check_conflicts: what is said about accesses of two scopes, and what a launch must keep apart.
#include <algorithm>

#include "core/ir/error.h"
#include "tests/core/scopes_fixture.h"

namespace qd {
namespace {

// Writes a[index], a parameter.
Part writes(ExprId (Scopes::*index)()) {
  return [=](Scopes& s) { s.write(s.in_a((s.*index)())); };
}

// ---- what is said ------------------------------------------------------------------------------------------------

TEST(Conflicts, AnErrorNamesBothPlaces) {
  Scopes s;
  s.line(10);
  s.scope([](Scopes& t) { t.loop(t.length(), [&](ExprId i) { t.line(11), t.write(t.in_a(i)); }); });
  s.scope([](Scopes& t) { t.loop(t.length(), [&](ExprId j) { t.line(22), t.write(t.in_a(j)); }); });
  ASSERT_EQ(s.said().size(), 1U);
  EXPECT_EQ(s.said()[0].message, "conflict: scope 2 writes elements of a that scope 1 also writes (kernels.go:11)");
  EXPECT_NE(s.said()[0].hint.find("another kernel"), std::string::npos);
  EXPECT_FALSE(s.said()[0].is_warning);
  EXPECT_EQ(s.line_of(s.said()[0]), 22);
}

TEST(Conflicts, AConstantElementIsNamed) {
  Scopes s;
  s.scope([](Scopes& t) { t.line(11), t.update(t.in_m(t.i64(2), t.i64(3))); });
  s.scope([](Scopes&) {});
  s.scope([](Scopes& t) { t.line(22), t.read(t.in_m(t.i64(2), t.i64(3))); });
  ASSERT_EQ(s.said().size(), 1U);
  EXPECT_EQ(s.said()[0].message, "conflict: scope 3 reads m[2][3], which scope 1 updates (kernels.go:11)");
}

TEST(Conflicts, AWarningNamesBothPlaces) {
  Scopes s;
  s.scope([](Scopes& t) { t.line(11), t.update(t.in_a(t.get_n())); });
  s.scope([](Scopes& t) { t.line(22), t.read(t.in_a(t.get_k())); });
  ASSERT_EQ(s.said().size(), 1U);
  EXPECT_EQ(s.said()[0].message,
            "possible conflict: scope 2 reads elements of a that scope 1 may update (kernels.go:11)");
  EXPECT_NE(s.said()[0].hint.find("AssumeDisjoint(a, a)"), std::string::npos);
  EXPECT_TRUE(s.said()[0].is_warning);
  EXPECT_EQ(s.line_of(s.said()[0]), 22);
}

TEST(Conflicts, AFunctionIsNamedWithItsCall) {
  Scopes s;
  for (const int32_t line : {5, 6}) {
    s.scope([&](Scopes& t) {
      t.line(line);
      t.b.enter_call("set");
      t.line(90);
      t.write(t.in_a(t.i64(0)));
      t.b.leave_call();
    });
  }
  ASSERT_EQ(s.said().size(), 1U);
  EXPECT_EQ(s.said()[0].message,
            "conflict: scope 2 writes a[0], which scope 1 also writes (kernels.go:90, called at kernels.go:5)");
  const Position& at = s.kernel->positions.positions.at(static_cast<size_t>(s.said()[0].pos));
  EXPECT_EQ(at.line, 90);
  EXPECT_EQ(s.kernel->positions.positions.at(static_cast<size_t>(at.caller)).line, 6);
}

TEST(Conflicts, EveryLineIsReportedOnceAndWritesFirst) {
  Scopes s;
  s.scope([](Scopes& t) { t.line(1), t.write(t.in_a(t.i64(0))); });
  s.scope([](Scopes& t) {
    t.line(7),
        t.b.assign(t.in_a(t.i64(0)), t.b.binary(static_cast<int32_t>(BinaryOp::add), t.in_a(t.i64(0)), t.f32(1)));
    t.line(8), t.read(t.in_a(t.i64(0)));
  });
  ASSERT_EQ(s.said().size(), 2U);
  EXPECT_EQ(s.line_of(s.said()[0]), 7);
  EXPECT_NE(s.said()[0].message.find("scope 2 writes a[0]"), std::string::npos);
  EXPECT_EQ(s.line_of(s.said()[1]), 8);
}

TEST(Conflicts, OneWarningForEachPairOfScopes) {
  Scopes s;
  for (int scope = 0; scope < 3; scope++) {
    s.scope([](Scopes& t) {
      t.loop(t.length(), [&](ExprId i) { t.write(t.in_a(t.b.element(t.idx, {i}, true))); });
      t.write(t.in_a(t.get_k()));
    });
  }
  // a[k] is written thrice: proven. The scattered writes add nothing to that.
  EXPECT_EQ(s.verdict(), Verdict::error);
  EXPECT_EQ(std::count_if(s.said().begin(), s.said().end(), [](const Diagnostic& one) { return one.is_warning; }), 0);
}

// ---- kinds of accesses -------------------------------------------------------------------------------------------

TEST(Conflicts, OnlySomeKindsExcludeEachOther) {
  const Part reads = [](Scopes& s) { s.read(s.in_a(s.i64(0))); };
  const Part writes = [](Scopes& s) { s.write(s.in_a(s.i64(0))); };
  const Part updates = [](Scopes& s) { s.update(s.in_a(s.i64(0))); };
  const Part swaps = [](Scopes& s) { s.b.atomic_cas(s.in_a(s.i64(0)), s.f32(0), s.f32(1)); };
  EXPECT_EQ(of(reads, reads), Verdict::none);
  EXPECT_EQ(of(updates, updates), Verdict::none);
  EXPECT_EQ(of(updates, swaps), Verdict::none);
  for (const Part& other : {reads, writes, updates, swaps}) {
    EXPECT_EQ(of(other, writes), Verdict::error);
    EXPECT_EQ(of(writes, other), Verdict::error);
  }
  EXPECT_EQ(of(reads, updates), Verdict::error);
  EXPECT_EQ(of(swaps, reads), Verdict::error);
}

TEST(Conflicts, OneScopeHasNone) {
  Scopes s;
  s.scope([](Scopes& t) { t.write(t.in_a(t.i64(0))), t.write(t.in_a(t.i64(0))); });
  s.scope([](Scopes& t) { t.read(t.in_m(t.i64(0), t.i64(0))); });
  EXPECT_EQ(s.verdict(), Verdict::none);
}

// ---- promises ----------------------------------------------------------------------------------------------------

TEST(Conflicts, APromiseSilencesWarningsOnly) {
  for (const bool proven : {false, true}) {
    Scopes s;
    s.b.assume_disjoint(s.a, s.a);
    s.scope(writes(&Scopes::get_n));
    s.scope(writes(proven ? &Scopes::get_n : &Scopes::get_k));
    EXPECT_EQ(s.verdict(), proven ? Verdict::error : Verdict::none);
  }
  Scopes s;
  s.b.assume_disjoint(s.a, s.idx);
  s.scope(writes(&Scopes::get_n));
  s.scope(writes(&Scopes::get_k));
  EXPECT_EQ(s.verdict(), Verdict::warning) << "the promise is about another pair";
}

TEST(Conflicts, APromiseNeedsArrays) {
  Scopes s;
  EXPECT_THROW(s.b.assume_disjoint(s.a, s.n), Error);
  EXPECT_THROW(s.b.assume_disjoint(-1, s.a), Error);
  EXPECT_THROW(s.b.assume_disjoint(s.a, 99), Error);
  s.scope(writes(&Scopes::get_n));
  EXPECT_EQ(s.verdict(), Verdict::none);
}

// ---- arrays that must be apart -----------------------------------------------------------------------------------

std::vector<std::string> apart(Scopes& s) {
  std::vector<std::string> pairs;
  for (const ApartPair& pair : s.compile().apart) {
    pairs.push_back(s.kernel->params[static_cast<size_t>(pair.first)].name + "," +
                    s.kernel->params[static_cast<size_t>(pair.second)].name + ": " + pair.why);
  }
  return pairs;
}

TEST(Conflicts, ArraysOfTwoScopesMustBeApart) {
  Scopes s;
  s.scope([](Scopes& t) { t.write(t.in_a(t.b.element(t.idx, {t.i64(0)}, true))); });
  s.scope([](Scopes& t) { t.read(t.in_m(t.b.element(t.idx, {t.i64(0)}, true), t.i64(0))); });
  EXPECT_EQ(apart(s), (std::vector<std::string>{"a,m: scope 1 writes a while scope 2 reads m",
                                                "a,idx: scope 1 writes a while scope 2 reads idx"}));
}

TEST(Conflicts, ArraysOfOneScopeNeedNotBeApart) {
  Scopes s;
  s.scope([](Scopes& t) { t.write(t.in_a(t.i64(0))), t.read(t.in_m(t.i64(0), t.i64(0))); });
  s.scope([](Scopes&) {});
  EXPECT_EQ(apart(s), std::vector<std::string>{});
}

TEST(Conflicts, AtomicsNeedNotBeApart) {
  Scopes s;
  s.scope([](Scopes& t) { t.update(t.in_a(t.i64(0))); });
  s.scope([](Scopes& t) { t.update(t.in_m(t.i64(0), t.i64(0))); });
  EXPECT_EQ(apart(s), std::vector<std::string>{});
}

TEST(Conflicts, PromisedArraysNeedNotBeApart) {
  Scopes s;
  s.b.assume_disjoint(s.m, s.a);
  s.scope([](Scopes& t) { t.write(t.in_a(t.i64(0))); });
  s.scope([](Scopes& t) { t.write(t.in_m(t.i64(0), t.i64(0))); });
  EXPECT_EQ(apart(s), std::vector<std::string>{});
}

// ---- effort ------------------------------------------------------------------------------------------------------

// Too many pairs to prove anything about each: that must neither take minutes nor look like a proof.
TEST(Conflicts, ManyPairsAreWarnings) {
  Scopes s;
  for (int64_t scope = 0; scope < 64; scope++) {
    s.scope([&](Scopes& t) {
      t.loop(t.get_n(), [&](ExprId i) {
        for (int64_t c = 0; c < 16; c++) {
          t.write(t.in_a(t.add(t.mul(i, t.i64(2048)), t.i64(scope * 32 + c))));
        }
      });
    });
  }
  EXPECT_EQ(s.verdict(), Verdict::warning);
  EXPECT_LE(s.said().size(), 20U);
}

TEST(Conflicts, ManyScopesApartAreFine) {
  Scopes s;
  for (int64_t scope = 0; scope < 64; scope++) {
    s.scope([&](Scopes& t) {
      t.loop(t.get_n(), [&](ExprId i) { t.write(t.in_a(t.add(t.mul(i, t.i64(64)), t.i64(scope)))); });
    });
  }
  EXPECT_EQ(s.verdict(), Verdict::none);
}

}  // namespace
}  // namespace qd
