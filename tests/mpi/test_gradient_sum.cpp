// SPDX-License-Identifier: Apache-2.0
// Every form of a gradient's sum over several steps: against its definition by one plain loop, the same bits
// on every rank, at the cost that its formulas say, and after a gradient that was not finite.
#include "src/compression/gradient_sum.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "tests/support/exchange_checks.h"
#include "tests/support/mpi_session.h"
#include "tests/support/near.h"
#include "tests/support/serial_sums.h"

namespace breakeven {
namespace {

constexpr int steps = 6;
constexpr double topk_part = 0.05;
constexpr int powersgd_rank = 2;

// A form, its definition, and how far rounding lets them be apart, in units of the sum of the ranks' sizes.
struct Form {
  std::string name;
  std::function<std::unique_ptr<SerialSum>(const GradientRange&, int ranks)> serial;
  double tolerance;
};

std::unique_ptr<SerialSum> halves(const GradientRange& range, int ranks, Dtype dtype) {
  const auto decode = [=](const auto&, const Floats& values) { return decoded_halves(values, dtype); };
  return std::make_unique<DecodedSum>(range, ranks, decode, dtype);
}

// NCCL adds 16-bit elements in an order of its own: of two ranks there is only one.
std::vector<Form> forms(int ranks) {
  const bool one_order = ranks <= 2 || !testing_on_cuda();
  const auto plain = [](const auto&, const Floats& values) { return values; };
  const auto largest = [](const auto&, const Floats& values) { return decoded_topk(values, topk_part); };
  return {
      {"none", [=](auto& r, int n) { return std::make_unique<DecodedSum>(r, n, plain); }, 4 * fp32_roundoff},
      {"bf16", [](auto& r, int n) { return halves(r, n, Dtype::bf16); }, one_order ? 0 : 3 * 0x1p-8},
      {"fp16", [](auto& r, int n) { return halves(r, n, Dtype::fp16); }, one_order ? 0 : 3 * 0x1p-11},
      {"int8", [](auto& r, int n) { return std::make_unique<DecodedSum>(r, n, decoded_int8); }, 0},
      {"topk:0.05", [=](auto& r, int n) { return std::make_unique<DecodedSum>(r, n, largest); }, 0},
      {"powersgd:2", [](auto& r, int n) { return std::make_unique<LowRankSum>(r, n, powersgd_rank); }, 2e-5},
      {"onebit", [](auto& r, int n) { return std::make_unique<DecodedSum>(r, n, decoded_onebit); },
       8 * fp32_roundoff},
  };
}

class GradientSumTest : public testing::Test {
 protected:
  GradientSumTest()
      : device(make_test_device()),
        stream(device->make_stream()),
        range(range_of_layers(ParameterLayout({"", {37, 31, 19, 5}, 0}), 0, 3)) {
    MPI_Comm group = test_session().world();
    communicator =
        testing_on_cuda() ? make_nccl_communicator(group, *device) : make_mpi_communicator(group, *device);
  }

  int ranks() const { return communicator->size(); }

  // Random in the weights and biases, zero in the padding; each step ten times as large as the one before.
  Floats gradient_of(int rank, int step) const {
    Floats gradient(range.floats, 0.0f);
    const auto fill = [&](std::size_t first, std::size_t count) {
      const auto salt = static_cast<std::uint32_t>(1000 * step + rank);
      const std::vector<double> values = random_values(first + count, salt);
      for (std::size_t i = first; i < first + count; ++i) {
        gradient[i] = static_cast<float>(values[i] * std::pow(10.0, step - 4));
      }
    };
    for (const auto& weight : range.weights) {
      for (std::int64_t row = 0; row < weight.rows; ++row) {
        fill(weight.first + static_cast<std::size_t>(row * weight.ld), static_cast<std::size_t>(weight.cols));
      }
    }
    for (const auto& bias : range.biases) fill(bias.first, bias.floats);
    return gradient;
  }

  std::vector<Floats> gradients_of_all(int step) const {
    std::vector<Floats> all;
    for (int rank = 0; rank < ranks(); ++rank) all.push_back(gradient_of(rank, step));
    return all;
  }

  std::unique_ptr<compression::GradientSum> make(const std::string& form, int rank) {
    return compression::make_sum(*parse_compression(form), *device, range, {rank, ranks()});
  }

  Floats summed(compression::GradientSum& sum, const Floats& gradient) {
    const DeviceFloats floats(*device, *stream, gradient);
    sum.sum(floats.data(), *communicator, *stream);
    return floats.read();
  }

  void expect_equal_on_all_ranks(const Floats& mine) {
    Floats first = mine;
    MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_FLOAT, 0, test_session().world());
    EXPECT_EQ(std::memcmp(first.data(), mine.data(), first.size() * sizeof(float)), 0);
  }

  static testing::AssertionResult agree(const Floats& actual, const Floats& expected,
                                        const std::vector<Floats>& gradients, double tolerance) {
    double size = 0;
    for (const Floats& gradient : gradients) {
      for (const float value : gradient) size = std::max<double>(size, std::abs(value));
    }
    return near(actual, expected, tolerance * size * static_cast<double>(gradients.size()));
  }

  std::unique_ptr<Device> device;
  std::unique_ptr<Stream> stream;
  GradientRange range;
  std::unique_ptr<Communicator> communicator;
};

TEST_F(GradientSumTest, EveryCompressionEqualsItsDefinition) {
  for (const Form& form : forms(ranks())) {
    SCOPED_TRACE(form.name);
    const std::unique_ptr<compression::GradientSum> sum = make(form.name, communicator->rank());
    const std::unique_ptr<SerialSum> serial = form.serial(range, ranks());
    for (int step = 0; step < steps; ++step) {
      SCOPED_TRACE(step);
      const std::vector<Floats> all = gradients_of_all(step);
      const Floats actual = summed(*sum, gradient_of(communicator->rank(), step));
      EXPECT_TRUE(agree(actual, serial->sum(all), all, form.tolerance));
      expect_equal_on_all_ranks(actual);
    }
  }
}

TEST_F(GradientSumTest, OneDeviceMakesTheSameSums) {
  for (const Form& form : forms(ranks())) {
    SCOPED_TRACE(form.name);
    std::vector<std::unique_ptr<compression::GradientSum>> sums;
    std::vector<compression::GradientSum*> of_ranks;
    for (int rank = 0; rank < ranks(); ++rank) {
      sums.push_back(make(form.name, rank));
      of_ranks.push_back(sums.back().get());
    }
    const std::unique_ptr<SerialSum> serial = form.serial(range, ranks());
    for (int step = 0; step < steps; ++step) {
      SCOPED_TRACE(step);
      const std::vector<Floats> all = gradients_of_all(step);
      std::vector<std::unique_ptr<DeviceFloats>> memory;
      std::vector<float*> gradients;
      for (const Floats& gradient : all) {
        memory.push_back(std::make_unique<DeviceFloats>(*device, *stream, gradient));
        gradients.push_back(memory.back()->data());
      }
      compression::sum_in_turn(of_ranks, gradients, *device, *stream);
      const Floats expected = serial->sum(all);
      for (const auto& of_rank : memory) EXPECT_TRUE(agree(of_rank->read(), expected, all, form.tolerance));
    }
  }
}

// All that is sent arrives in the end: with gradients of zero after the first, what is summed over the steps
// comes to the sum of the first gradients.
TEST_F(GradientSumTest, ErrorFeedbackAddsTheResidual) {
  const Floats mine = gradient_of(communicator->rank(), 4);
  Floats expected(range.floats, 0.0f);
  for (const Floats& gradient : gradients_of_all(4)) {
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += gradient[i];
  }
  for (const std::string form : {"int8", "topk:0.05"}) {
    const std::unique_ptr<compression::GradientSum> sum = make(form, communicator->rank());
    Floats total = summed(*sum, mine);
    const double first_error = frobenius_error(total, expected);
    for (int step = 1; step < 20; ++step) {
      const Floats more = summed(*sum, Floats(range.floats, 0.0f));
      for (std::size_t i = 0; i < total.size(); ++i) total[i] += more[i];
    }
    const double last_error = frobenius_error(total, expected);
    EXPECT_GT(first_error, 1e-4) << form;
    EXPECT_TRUE(last_error <= 0.01 * first_error) << form << ": " << first_error << " became " << last_error;
  }
}

TEST_F(GradientSumTest, CostsWhatTheFormulasSay) {
  for (const Form& form : forms(ranks())) {
    SCOPED_TRACE(form.name);
    const SumCost cost = parse_compression(form.name)->cost(range, ranks());
    const std::size_t memory_before = device->bytes_in_use();
    const std::unique_ptr<compression::GradientSum> sum = make(form.name, communicator->rank());
    EXPECT_EQ(device->bytes_in_use() - memory_before, cost.memory_bytes);
    for (int step = 0; step < 2; ++step) {
      const Traffic before = communicator->traffic();
      summed(*sum, gradient_of(communicator->rank(), step));
      EXPECT_EQ(communicator->traffic(), before + traffic_of(cost.messages));
    }
  }
}

// NaN or infinity of any rank, in a weight or in a bias, is seen by all ranks; and the steps around it are
// what they are without it.
TEST_F(GradientSumTest, NonFiniteValuesReachAllRanksAndLeaveNoResidual) {
  const std::vector<std::size_t> places{range.weights[1].first + 3, range.biases[2].first + 1};
  for (const Form& form : forms(ranks())) {
    const std::unique_ptr<compression::GradientSum> sum = make(form.name, communicator->rank());
    const std::unique_ptr<compression::GradientSum> undisturbed = make(form.name, communicator->rank());
    int step = 0;
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()}) {
      for (const std::size_t place : places) {
        SCOPED_TRACE(testing::Message() << form.name << " with " << bad << " at " << place);
        Floats spoiled = gradient_of(communicator->rank(), 2);
        if (communicator->rank() == step % ranks()) spoiled[place] = bad;
        const Floats seen = summed(*sum, spoiled);
        EXPECT_FALSE(std::isfinite(seen[place]));
        const Floats gradient = gradient_of(communicator->rank(), step % steps);
        EXPECT_EQ(summed(*sum, gradient), summed(*undisturbed, gradient));
        ++step;
      }
    }
  }
}

TEST_F(GradientSumTest, ReplayedSumsEqualDirectOnes) {
  ASSERT_TRUE(communicator->capturable());
  for (const Form& form : forms(ranks())) {
    SCOPED_TRACE(form.name);
    const std::unique_ptr<compression::GradientSum> direct = make(form.name, communicator->rank());
    const std::unique_ptr<compression::GradientSum> replayed = make(form.name, communicator->rank());
    const DeviceFloats memory(*device, *stream, Floats(range.floats, 0.0f));
    summed(*replayed, gradient_of(communicator->rank(), 0));  // products make their scratch at the first call
    summed(*direct, gradient_of(communicator->rank(), 0));
    const auto graph = device->capture(
        [&](std::span<Event* const>) { replayed->sum(memory.data(), *communicator, *stream); }, {}, *stream);
    for (int step = 1; step < steps; ++step) {
      const Floats gradient = gradient_of(communicator->rank(), step);
      device->copy(memory.data(), gradient.data(), gradient.size() * sizeof(float), *stream);
      graph->launch({}, *stream);
      EXPECT_EQ(memory.read(), summed(*direct, gradient)) << step;
    }
  }
}

}  // namespace
}  // namespace breakeven
