// SPDX-License-Identifier: Apache-2.0
// Memory: zeroed, aligned, counted, given back once, and refused with a sentence where there is not enough.
#include <string>
#include <utility>

#include "src/core/failure.h"
#include "tests/support/device_under_test.h"

namespace breakeven {
namespace {

class Memory : public DeviceTest {
 protected:
  static std::vector<float> read(const Buffer& buffer) {
    std::vector<float> values(buffer.bytes() / sizeof(float), -1.0f);
    device().copy(values.data(), buffer.as(), values.size() * sizeof(float), stream());
    stream().synchronize();
    return values;
  }

  static void write(const std::vector<float>& values, const Buffer& buffer) {
    device().copy(buffer.as(), values.data(), values.size() * sizeof(float), stream());
    stream().synchronize();
  }
};

TEST_F(Memory, IsZeroEvenWhereItWasUsedBefore) {
  for (const bool pinned : {false, true}) {
    for (const std::size_t count : {1u, 799u, 1u << 18}) {
      for (int round = 0; round < 3; ++round) {
        const Buffer buffer(device(), count * sizeof(float), pinned, "zeros");
        EXPECT_EQ(read(buffer), std::vector<float>(count, 0.0f));
        write(std::vector<float>(count, 1.0f), buffer);
      }
    }
  }
}

TEST_F(Memory, IsAlignedForVectorLoads) {
  for (const std::size_t bytes : {1u, 4u, 20u, 1000u}) {
    const Buffer buffer(device(), bytes, false, "border");
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.as()) % 16, 0u);
  }
}

TEST_F(Memory, CopiesInEveryDirection) {
  const std::vector<float> values = to_float(random_values(799, 1));
  const std::size_t bytes = values.size() * sizeof(float);
  const Buffer pinned(device(), bytes, true, "pinned");
  const Buffer first(device(), bytes, false, "first");
  const Buffer second(device(), bytes, false, "second");
  write(values, pinned);
  device().copy(first.as(), pinned.as(), bytes, stream());
  device().copy(second.as(), first.as(), bytes, stream());
  EXPECT_EQ(read(second), values);
  device().fill_zero(first.as() + 100, 10 * sizeof(float), stream());
  std::vector<float> expected = values;
  for (std::size_t i = 100; i < 110; ++i) expected[i] = 0;
  EXPECT_EQ(read(first), expected);
  device().copy(second.as(), second.as(), 0, stream());  // nothing is allowed
  EXPECT_EQ(read(second), values);
}

TEST_F(Memory, CountsBytesInUseAndTheirPeak) {
  const std::size_t before = device().bytes_in_use();
  device().reset_peak_bytes();
  {
    const Buffer first(device(), 1000, false, "first");
    EXPECT_EQ(device().bytes_in_use(), before + 1000);
    { const Buffer second(device(), 5000, false, "second"); }
    EXPECT_EQ(device().bytes_in_use(), before + 1000);
    EXPECT_EQ(device().peak_bytes(), before + 6000);
    const Buffer pinned(device(), 777, true, "pinned memory is the host's");
    EXPECT_EQ(device().bytes_in_use(), before + 1000);
  }
  EXPECT_EQ(device().bytes_in_use(), before);
  EXPECT_EQ(device().peak_bytes(), before + 6000);
  device().reset_peak_bytes();
  EXPECT_EQ(device().peak_bytes(), before);
}

TEST_F(Memory, ABufferHasOneOwner) {
  const std::size_t before = device().bytes_in_use();
  {
    Buffer first(device(), 64, false, "first");
    const float* data = first.as();
    Buffer second(std::move(first));
    EXPECT_EQ(second.as(), data);
    EXPECT_EQ(second.bytes(), 64u);
    EXPECT_EQ(first.as(), nullptr);  // NOLINT: that it is empty is the point
    Buffer third;
    EXPECT_EQ(third.bytes(), 0u);
    third = std::move(second);
    EXPECT_EQ(third.as(), data);
    third = Buffer(device(), 128, false, "fourth");  // gives the first one back
    EXPECT_EQ(device().bytes_in_use(), before + 128);
  }
  EXPECT_EQ(device().bytes_in_use(), before);
}

TEST_F(Memory, TooMuchIsRefusedWithPurposeAndBytes) {
  const std::size_t before = device().bytes_in_use();
  const std::size_t huge = std::size_t{1} << 60;
  try {
    const Buffer buffer(device(), huge, false, "moments of a model too large");
    FAIL() << "was given " << huge << " bytes";
  } catch (const Failure& failure) {
    const std::string text = failure.what();
    EXPECT_EQ(failure.code(), ExitCode::environment);
    EXPECT_NE(text.find("moments of a model too large"), std::string::npos) << text;
    EXPECT_NE(text.find(std::to_string(huge)), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
  EXPECT_EQ(device().bytes_in_use(), before);
  const Buffer after(device(), 4096, false, "the device still works");
  EXPECT_EQ(read(after), std::vector<float>(1024, 0.0f));
}

TEST_F(Memory, TheDeviceKnowsItself) {
  const DeviceInfo& info = device().info();
  EXPECT_TRUE(info.backend == "host" || info.backend == "cuda") << info.backend;
  EXPECT_FALSE(info.name.empty());
  EXPECT_GE(info.multiprocessors, 1);
  EXPECT_GT(info.memory_bytes, std::size_t{1} << 28);
  EXPECT_GE(info.numa_node, -1);
  const bool cuda = info.backend == "cuda";
  EXPECT_EQ(!info.uuid.empty(), cuda);
  EXPECT_EQ(!info.pci_address.empty(), cuda);
  EXPECT_EQ(info.compute_capability > 0, cuda);
}

}  // namespace
}  // namespace breakeven
