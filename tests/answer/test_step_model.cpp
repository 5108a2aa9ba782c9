// SPDX-License-Identifier: Apache-2.0
// Predicted steps, on machines whose truth is known.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "src/predict/step_model.h"
#include "tests/support/machine_by_hand.h"

namespace breakeven {
namespace {

constexpr std::array<const char*, 6> known_models{"64-64-8",        "256-256-256-64",     "512-1024-512",
                                                  "1024-2048-1024", "2048-2048-2048-512", "4096-4096-1024"};
constexpr std::array<std::uint32_t, 5> known_batches{16, 128, 1024, 4096, 16384};

Case tuned_case(const std::string& model, std::uint32_t batch, int gpus, const std::string& strategy) {
  return {.model = model,
          .batch = batch,
          .gpus = gpus,
          .strategy = strategy,
          .precision = Precision::fp32,
          .gemm = GemmKernel::tuned,
          .transport = gpus > 1 ? Transport::nccl : Transport::none,
          .scaling = Scaling::strong,
          .graph = true,
          .data = DataPlacement::resident};
}

// Times made of `truth`, each off by a factor of its own.
class NoisyMachine {
 public:
  explicit NoisyMachine(std::uint64_t seed, double noise) : random_(seed), noise_(0, noise) {}
  predict::Observation measure(const Case& what) {
    const predict::StepTerms terms =
        *predict::terms_of_case(what, roofline_by_hand(), message_times_by_hand());
    return {what, terms, std::exp(noise_(random_)) * predict::seconds_by(truth_, terms)};
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> noise_;
  predict::Factors truth_{4, 7, 1.4, 2.5, 0.9, 1.2, 1.1};
};

std::vector<predict::Observation> all_of(NoisyMachine& machine) {
  std::vector<predict::Observation> observations;
  for (const char* model : known_models) {
    for (const std::uint32_t batch : known_batches) {
      observations.push_back(machine.measure(tuned_case(model, batch, 1, "single")));
      observations.push_back(machine.measure(tuned_case(model, batch, 2, "ddp")));
    }
  }
  return observations;
}

// Of models and batches that were never measured.
TEST(StepModel, IntervalsOfNewModelsHoldTheTruth) {
  std::size_t inside = 0, asked = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    NoisyMachine machine(seed, 0.05);
    const predict::StepModel model(all_of(machine));
    for (const char* name : {"100-300-100", "700-1500-700-200", "3000-3000-500"}) {
      for (const std::uint32_t batch : {64u, 512u, 8192u}) {
        const predict::Observation truth = machine.measure(tuned_case(name, batch, 2, "ddp"));
        const auto prediction = model.predict(truth.what, truth.terms);
        ASSERT_TRUE(prediction);
        EXPECT_EQ(prediction->basis, predict::Basis::fitted);
        EXPECT_NEAR(predict::sum_of(prediction->parts), prediction->seconds, 1e-12);
        asked += 1;
        inside += prediction->low <= truth.seconds && truth.seconds <= prediction->high ? 1 : 0;
      }
    }
  }
  const double share = static_cast<double>(inside) / static_cast<double>(asked);
  EXPECT_GE(share, 0.92);
  EXPECT_LE(share, 0.995);
}

// A model that the machine is 40 % slower at than its terms say: the offset is found by its other batches.
TEST(StepModel, AMeasuredModelCalibrates) {
  NoisyMachine machine(1, 0.01);
  std::vector<predict::Observation> observations = all_of(machine);
  for (predict::Observation& one : observations)
    if (one.what.model == known_models[3]) one.seconds *= 1.4;
  const predict::StepModel model(observations);
  predict::Observation truth = machine.measure(tuned_case(known_models[3], 512, 2, "ddp"));
  truth.seconds *= 1.4;
  const auto prediction = model.predict(truth.what, truth.terms);
  ASSERT_TRUE(prediction);
  EXPECT_EQ(prediction->basis, predict::Basis::calibrated);
  EXPECT_NEAR(prediction->seconds / truth.seconds, 1, 0.1);
}

TEST(StepModel, SaysWhatItRestsOn) {
  NoisyMachine machine(1, 0.01);
  const predict::StepModel model(all_of(machine));
  const Case unknown = tuned_case(known_models[2], 128, 2, "zero1");
  const predict::StepTerms terms =
      *predict::terms_of_case(unknown, roofline_by_hand(), message_times_by_hand());
  const auto prediction = model.predict(unknown, terms);
  ASSERT_TRUE(prediction);
  EXPECT_EQ(prediction->basis, predict::Basis::roofline);
  Case other = unknown;
  other.precision = Precision::bf16;
  EXPECT_FALSE(model.predict(other, terms));
}

TEST(StepModel, TooFewCasesGiveNoInterval) {
  NoisyMachine machine(1, 0.01);
  const predict::StepModel model(std::vector{machine.measure(tuned_case(known_models[0], 16, 1, "single"))});
  const predict::Observation truth = machine.measure(tuned_case(known_models[1], 16, 1, "single"));
  const auto prediction = model.predict(truth.what, truth.terms);
  ASSERT_TRUE(prediction);
  EXPECT_TRUE(std::isnan(prediction->low));
  EXPECT_TRUE(std::isnan(prediction->high));
}

// What is not measured is no term.
TEST(StepTerms, NothingWithoutCeilingsOrMessages) {
  const Case shared = tuned_case(known_models[2], 128, 2, "ddp");
  EXPECT_TRUE(predict::terms_of_case(shared, roofline_by_hand(), message_times_by_hand()));
  EXPECT_FALSE(predict::terms_of_case(shared, Roofline{}, message_times_by_hand()));
  EXPECT_FALSE(predict::terms_of_case(shared, roofline_by_hand(), MessageTimes(2)));
  EXPECT_FALSE(predict::terms_of_case(tuned_case(known_models[2], 128, 2, "no-such"), roofline_by_hand(),
                                      message_times_by_hand()));
}

// Half the rows take half the arithmetic; a pipeline of two stages has three turns for two micro-batches.
TEST(StepTerms, FollowFromTheRanksWork) {
  const auto arithmetic = [](const Case& what) {
    return (*predict::terms_of_case(what, roofline_by_hand(),
                                    message_times_by_hand()))[index_of(predict::StepTerm::arithmetic)];
  };
  const double whole = arithmetic(tuned_case("512-512-512-512", 256, 1, "single"));
  EXPECT_NEAR(arithmetic(tuned_case("512-512-512-512", 256, 2, "ddp")), whole / 2, 1e-12);
  EXPECT_NEAR(arithmetic(tuned_case("512-512-512-512", 256, 2, "ddp:accumulate=2")), whole / 2, 1e-12);
  EXPECT_GT(arithmetic(tuned_case("512-512-512-512", 256, 2, "ddp:checkpoint=activations")), whole / 2);
  EXPECT_GT(arithmetic(tuned_case("512-512-512-512", 256, 2, "pipeline")), whole / 2);
}

}  // namespace
}  // namespace breakeven
