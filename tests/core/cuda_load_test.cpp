// Finding NVIDIA's driver, a GPU, and the bitcode for mathematical functions: what is said where one is missing.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "core/ir/error.h"
#include "core/rhi/cuda/cuda_device.h"
#include "core/rhi/cuda/load_driver.h"
#include "tests/core/cuda_recorder.h"

namespace qd::rhi {
namespace {

using cuda::Recorder;

template <class F>
std::string message_of(Code code, F&& f) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(e.code, code) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

// The symbols of a driver, but for some.
class Library {
 public:
  Library() {
    std::apply(
        [&](const auto&... entries) {
          ((symbols_[entries.symbol] = reinterpret_cast<void*>(Recorder::table().*entries.member)), ...);
        },
        cuda::kDriverEntries);
  }
  void remove(const std::string& symbol) { ASSERT_EQ(symbols_.erase(symbol), 1U) << symbol; }
  cuda::Driver load() const {
    return cuda::load_driver([this](const char* symbol) {
      const auto at = symbols_.find(symbol);
      return at == symbols_.end() ? nullptr : at->second;
    });
  }

 private:
  std::map<std::string, void*> symbols_;
};

TEST(CudaLoad, TakesEveryFunctionByItsVersion) {
  const Recorder recorder;
  const cuda::Driver driver = Library().load();
  EXPECT_EQ(driver.cuMemcpyHtoDAsync, Recorder::table().cuMemcpyHtoDAsync);
  std::set<std::string> asked;
  EXPECT_THROW(cuda::load_driver([&](const char* symbol) -> void* {
                 asked.insert(symbol);
                 return nullptr;
               }),
               Error);
  // Under the plain names the driver keeps the functions of long ago, with other parameters.
  for (const char* name : {"cuDeviceTotalMem", "cuDevicePrimaryCtxRelease", "cuMemGetInfo", "cuMemHostGetDevicePointer",
                           "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemcpyDtoDAsync", "cuStreamDestroy",
                           "cuEventDestroy", "cuGraphAddKernelNode", "cuGraphExecKernelNodeSetParams"}) {
    EXPECT_TRUE(asked.contains(std::string(name) + "_v2")) << name;
    EXPECT_FALSE(asked.contains(name));
  }
}

TEST(CudaLoad, SaysWhatTheDriverLacks) {
  Recorder recorder;
  Library library;
  library.remove("cuGraphLaunch");
  library.remove("cuMemGetInfo_v2");
  const std::string said = message_of(Code::no_device, [&] { library.load(); });
  EXPECT_EQ(said,
            "the NVIDIA driver (CUDA 12.4) lacks cuMemGetInfo_v2, cuGraphLaunch; CUDA 12.0 (driver 525) or later is "
            "needed");
  library.remove("cuDriverGetVersion");
  EXPECT_NE(message_of(Code::no_device, [&] { library.load(); }).find("unknown version"), std::string::npos);
}

TEST(CudaLoad, SaysBothVersionsOfAnOldDriver) {
  Recorder recorder;
  recorder.version = 11080;
  Library library;
  library.remove("cuGraphAddKernelNode_v2");
  EXPECT_EQ(message_of(Code::no_device, [&] { library.load(); }),
            "the NVIDIA driver is too old: it supports CUDA 11.8, and CUDA 12.0 (driver 525) or later is needed");
}

TEST(CudaLoad, SaysThatThereIsNoDriver) {
  if (void* library = dlopen("libcuda.so.1", RTLD_NOW)) {
    dlclose(library);
    GTEST_SKIP() << "there is a driver";
  }
  const std::string said = message_of(Code::no_device, [] { make_cuda_device({}); });
  EXPECT_TRUE(said.starts_with("no NVIDIA driver: ")) << said;
  EXPECT_NE(said.find("libcuda.so.1"), std::string::npos);
  message_of(Code::no_device, [] { make_cuda_device({}); });  // and again
}

TEST(CudaLoad, SaysWhyThereIsNoGpu) {
  const auto said = [](Recorder& recorder, int32_t ordinal) {
    const std::string text = message_of(Code::no_device, [&] { CudaDevice(Recorder::table(), ordinal); });
    EXPECT_EQ(recorder.not_given_back(), "");
    return text;
  };
  {
    Recorder recorder;
    recorder.always["cuInit"] = cuda::CUDA_ERROR_NO_DEVICE;
    EXPECT_EQ(said(recorder, 0), "there is an NVIDIA driver, but no NVIDIA GPU");
  }
  {
    Recorder recorder;
    recorder.always["cuInit"] = cuda::CUDA_ERROR_UNKNOWN;
    EXPECT_TRUE(said(recorder, 0).starts_with("the NVIDIA driver does not start: CUDA_ERROR_OF_A_TEST"));
  }
  {
    Recorder recorder;
    recorder.devices = 0;
    EXPECT_EQ(said(recorder, 0), "there is an NVIDIA driver, but no NVIDIA GPU");
    recorder.devices = 2;
    EXPECT_EQ(said(recorder, 2), "no CUDA device 2: there are 2, from 0 on");
    recorder.memory_pools = 0;
    EXPECT_NE(said(recorder, 1).find("memory pools"), std::string::npos);
  }
}

TEST(CudaLoad, RefusesAnOrdinalThatIsNoNumber) {
  for (const char* text : {"one", "1x", "-1", "99999999999"}) {
    setenv("QD_CUDA_DEVICE", text, 1);
    EXPECT_EQ(message_of(Code::invalid, [] { make_cuda_device({}); }),
              "QD_CUDA_DEVICE is \"" + std::string(text) + "\", not the number of a GPU");
  }
  setenv("QD_CUDA_DEVICE", "3", 1);
  EXPECT_EQ(cuda_ordinal({}), 3);
  EXPECT_EQ(cuda_ordinal({.device = 1}), 1);
  unsetenv("QD_CUDA_DEVICE");
  EXPECT_EQ(cuda_ordinal({}), 0);
}

class CudaMath : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "cuda_math_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  std::string file(const std::string& path) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << "bitcode of " << path;
    return root_ + path;
  }
  cuda::DeviceMath find() {
    return cuda::find_device_math(
        [this](const char* name) {
          const auto at = environment_.find(name);
          return at == environment_.end() ? nullptr : at->second.c_str();
        },
        root_);
  }
  std::string root_;
  std::map<std::string, std::string> environment_;
};

TEST_F(CudaMath, PrefersWhatTheUserNames) {
  const std::string libdevice = "/nvvm/libdevice/libdevice.10.bc";
  EXPECT_EQ(find().kind, cuda::DeviceMath::none);
  const std::string libclc = file("/usr/lib/clc/nvptx64--.bc");
  EXPECT_EQ(find().kind, cuda::DeviceMath::libclc);
  EXPECT_EQ(find().path, libclc);
  EXPECT_EQ(find().bitcode, "bitcode of /usr/lib/clc/nvptx64--.bc");
  file("/usr/local/cuda-12.9" + libdevice);
  const std::string newest = file("/usr/local/cuda-12.10" + libdevice);
  EXPECT_EQ(find().kind, cuda::DeviceMath::libdevice);
  EXPECT_EQ(find().path, newest);
  const std::string chosen = file("/usr/local/cuda" + libdevice);
  EXPECT_EQ(find().path, chosen);
  const std::string home = file("/opt/toolkit" + libdevice);
  environment_["CUDA_PATH"] = root_ + "/opt/toolkit";
  EXPECT_EQ(find().path, home);
  environment_["CUDA_HOME"] = root_ + "/opt/nothing";
  EXPECT_EQ(find().path, home);
  environment_["QD_LIBDEVICE"] = file("/own.bc");
  EXPECT_EQ(find().path, root_ + "/own.bc");
  environment_["QD_LIBDEVICE"] = root_ + "/missing.bc";
  EXPECT_NE(message_of(Code::invalid, [&] { find(); }).find("missing.bc"), std::string::npos);
}

TEST(CudaLoad, AsksForNoNewerPtxThanTheDriverReads) {
  EXPECT_EQ(cuda::newest_ptx(12000), 80);
  EXPECT_EQ(cuda::newest_ptx(12060), 85);
  EXPECT_EQ(cuda::newest_ptx(12080), 87);
  EXPECT_EQ(cuda::newest_ptx(13000), 90);
  EXPECT_EQ(cuda::newest_ptx(19000), 91);
}

}  // namespace
}  // namespace qd::rhi
