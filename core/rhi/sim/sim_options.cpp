#include "core/rhi/sim/sim_options.h"

#include <charconv>
#include <sstream>

#include "core/ir/error.h"

namespace qd::rhi {

SimOptions parse_sim_options(const std::string& text) {
  SimOptions options;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    int64_t value = -1;
    if (equals != std::string::npos) {
      const char *begin = word.data() + equals + 1, *end = word.data() + word.size();
      const auto [stop, error] = std::from_chars(begin, end, value);
      if (error != std::errc() || stop != end) value = -1;
    }
    if (value < 0) throw Error(Code::invalid, "simulated device: \"" + word + "\" is not name=number");
    if (name == "seed") {
      options.seed = static_cast<uint64_t>(value);
    } else if (name == "fail") {
      options.fail_call = value;
    } else if (name == "fails") {
      options.fail_calls = value;
    } else if (name == "lose") {
      options.lose_call = value;
    } else if (name == "streams" && value <= 64) {
      options.group_streams = static_cast<int32_t>(value);
    } else {
      throw Error(Code::invalid,
                  "simulated device: \"" + word + "\"; there are seed, fail, fails, lose and streams (0 to 64)");
    }
  }
  return options;
}

}  // namespace qd::rhi
