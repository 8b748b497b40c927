// What kernels print: values as text, and the buffer that holds it until it is read.
#include "core/runtime/value_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "core/program/output_buffer.h"

namespace qd {
namespace {

// The expected texts are what Go's fmt prints with %v.
TEST(ValueText, PrintsAsGo) {
  const auto f64 = [](double x) { return value_text(scalar_type(Primitive::f64), std::bit_cast<uint64_t>(x)); };
  const auto f32 = [](float x) { return value_text(scalar_type(Primitive::f32), std::bit_cast<uint64_t>(double{x})); };
  EXPECT_EQ(f64(0), "0");
  EXPECT_EQ(f64(-0.0), "-0");
  EXPECT_EQ(f64(1), "1");
  EXPECT_EQ(f64(0.1), "0.1");
  EXPECT_EQ(f64(-1.5), "-1.5");
  EXPECT_EQ(f64(1e6), "1e+06");
  EXPECT_EQ(f64(123456), "123456");
  EXPECT_EQ(f64(1234567), "1.234567e+06");
  EXPECT_EQ(f64(123456789), "1.23456789e+08");
  EXPECT_EQ(f64(1e20), "1e+20");
  EXPECT_EQ(f64(1e21), "1e+21");
  EXPECT_EQ(f64(0.0001), "0.0001");
  EXPECT_EQ(f64(0.00001), "1e-05");
  EXPECT_EQ(f64(5e-324), "5e-324");
  EXPECT_EQ(f64(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(f64(std::numeric_limits<double>::infinity()), "+Inf");
  EXPECT_EQ(f64(-std::numeric_limits<double>::infinity()), "-Inf");
  EXPECT_EQ(f64(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(f32(0.1F), "0.1");
  EXPECT_EQ(f32(16777216), "1.6777216e+07");
  EXPECT_EQ(value_text(scalar_type(Primitive::i8), static_cast<uint64_t>(-5)), "-5");
  EXPECT_EQ(value_text(scalar_type(Primitive::u64), ~uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(value_text(scalar_type(Primitive::u1), 1), "true");
}

TEST(ValueText, ReplacesVerbs) {
  const std::vector<const Type*> types = {scalar_type(Primitive::i32), scalar_type(Primitive::u1)};
  const uint64_t values[] = {7, 0};
  EXPECT_EQ(format_values("x=%v, %v\n100%%", types, values, 2), "x=7, false\n100%");
  EXPECT_EQ(format_values("%v %v %v", types, values, 2), "7 false %v");
  EXPECT_EQ(format_values("%", types, values, 2), "%");
}

TEST(OutputBuffer, MovesWhatWasPrinted) {
  OutputBuffer output;
  EXPECT_TRUE(output.empty());
  output.append(OutputBuffer::standard_output, "hello");
  output.append(OutputBuffer::standard_error, "!");
  EXPECT_FALSE(output.empty());
  char buffer[8] = {};
  EXPECT_EQ(output.take(OutputBuffer::standard_output, buffer, 3), 3);
  EXPECT_EQ(std::string(buffer, 3), "hel");
  EXPECT_EQ(output.take(OutputBuffer::standard_output, buffer, 8), 2);
  EXPECT_EQ(output.take(OutputBuffer::standard_output, buffer, 8), 0);
  EXPECT_EQ(output.take(OutputBuffer::standard_error, buffer, 8), 1);
  EXPECT_TRUE(output.empty());
}

}  // namespace
}  // namespace qd
