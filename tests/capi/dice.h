// Random choices, repeatable from a seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}

  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return number(1, 100) <= percent; }
  template <class T>
  const T& any_of(const std::vector<T>& from) {
    return from[static_cast<size_t>(number(0, static_cast<int>(from.size()) - 1))];
  }
  const char* pick_text() {
    static const std::vector<std::string> texts = {"",  "x",      "a name",  "%v",
                                                   "%", "%%%v%d", "größe\n", std::string(2000, 'q')};
    return chance(3) ? nullptr : any_of(texts).c_str();
  }
  int32_t junk() {
    static const std::vector<int32_t> junk = {-1, 0, 1, 2, 7, 100, 1000, INT32_MAX, INT32_MIN};
    return any_of(junk);
  }

 private:
  std::mt19937_64 random_;
};
