// SPDX-License-Identifier: Apache-2.0
// Intervals of predicted speed-ups hold the truth as often as they promise, on machines whose truth is known;
// and advice is scored beside rules that are simpler.
#include <gtest/gtest.h>

#include <cmath>

#include "src/predict/launch_errors.h"
#include "src/predict/score.h"
#include "src/statistics/sample.h"
#include "tests/support/machine_by_hand.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

const std::vector<std::string> simulated_models{
    "64-64-8",        "128-256-64",         "256-256-256-64", "512-1024-512", "1024-1024-1024-256",
    "1024-2048-1024", "2048-2048-2048-512", "4096-4096-1024"};
const std::vector<std::uint32_t> simulated_batches{16, 128, 1024, 4096, 16384};
const std::vector<std::string> simulated_strategies{"single", "ddp", "zero1"};

Case simulated_case(const std::string& model, std::uint32_t batch, const std::string& strategy) {
  const bool is_single = strategy == "single";
  return {.model = model,
          .batch = batch,
          .gpus = is_single ? 1 : 2,
          .strategy = strategy,
          .precision = Precision::fp32,
          .gemm = GemmKernel::tuned,
          .transport = is_single ? Transport::none : Transport::nccl,
          .scaling = Scaling::strong,
          .graph = true,
          .data = DataPlacement::resident};
}

// A random walk in the logarithm of the model's parameters, of deviation 1 after a factor of e.
double walk(std::uint32_t replication, std::uint32_t series, const Case& what) {
  constexpr double step = 0.05;
  double sum = 0;
  const double end = std::log(double(what.model.value().parameters()));
  for (std::uint32_t i = 0; i * step < end; ++i) sum += std::sqrt(step) * normal(replication, series, i);
  return sum;
}

// A machine of known factors. What the terms miss is partly shared by all strategies at a model and batch,
// and partly each one's own, which may drift with the model's size; a launch adds an error of its own to each
// case.
struct Machine {
  std::uint32_t replication = 0;
  double shared = 0.15, own = 0.04, of_launch = 0;  // deviations of the logarithm
  std::uint32_t launches = 1;
  double drift = 0;  // of the logarithm, after a factor of e in the parameters

  predict::Observation measure(std::uint32_t place, std::size_t strategy, const Case& what) const {
    const auto series = static_cast<std::uint32_t>(strategy);
    const predict::Factors truth{4, 7, 1.4, 2.5, 0.9, 1.2, 1.1};
    const predict::StepTerms terms =
        *predict::terms_of_case(what, roofline_by_hand(), message_times_by_hand());
    const double seconds =
        predict::seconds_by(truth, terms) *
        std::exp(shared * normal(replication, 99, place) + own * normal(replication, series, place) +
                 drift * walk(replication, 300 + series, what));
    predict::Observation one{what, terms};
    std::vector<double> all;
    for (std::uint32_t launch = 0; launch < launches; ++launch) {
      all.push_back(seconds * std::exp(of_launch * normal(replication, 200 + 10 * launch + series, place)));
      one.in_launch[launch] = all.back();
    }
    one.seconds = statistics::mean(all);
    return one;
  }
  std::vector<predict::Observation> measure(const std::vector<std::string>& of, std::uint32_t place) const {
    std::vector<predict::Observation> observations;
    for (const std::string& model : of)
      for (const std::uint32_t batch : simulated_batches) {
        ++place;
        for (std::size_t i = 0; i < simulated_strategies.size(); ++i)
          observations.push_back(measure(place, i, simulated_case(model, batch, simulated_strategies[i])));
      }
    return observations;
  }
};

struct Count {
  std::size_t inside = 0, asked = 0;
  double widths = 0;  // the sum of the half widths, in the logarithm
  double share() const { return static_cast<double>(inside) / static_cast<double>(asked); }
  void add(const predict::ModelSelector& advise, const std::vector<predict::Observation>& held_out) {
    for (const predict::Cell& cell : predict::cells_of(held_out)) {
      const std::vector<statistics::Interval> speedups = advise.speedups(cell);
      for (std::size_t i = 0; i < cell.size(); ++i) {
        if (cell[i]->what.gpus == 1) continue;
        const double truth = predict::fastest_single_seconds(cell) / cell[i]->seconds;
        asked += 1;
        inside += speedups[i].low <= truth && truth <= speedups[i].high ? 1 : 0;
        widths += std::log(speedups[i].high / speedups[i].low) / 2;
      }
    }
  }
};

// A speed-up's interval from both sides' errors as if they were independent would hold all of these.
TEST(SpeedupErrors, IntervalsOfNewModelsHoldTheTruth) {
  Count found;
  for (std::uint32_t replication = 0; replication < 200; ++replication) {
    const Machine machine{.replication = replication};
    const predict::ModelSelector advise(machine.measure(simulated_models, 0));
    found.add(advise, machine.measure({"100-300-100", "700-1500-700-200", "3000-3000-500"}, 1000));
  }
  EXPECT_EQ(found.asked, 200u * 3 * 5 * 2);
  EXPECT_GE(found.share(), 0.93);
  EXPECT_LE(found.share(), 0.97);
  EXPECT_LT(found.widths / static_cast<double>(found.asked), 0.25)
      << "from both sides' errors it would be 0.5";
}

// Of unevenly spaced sizes, as recorded: without one of the two small models, the other is far from all.
// Divided by errors of fits that know its model, and by its own, errors would give intervals that hold 92.8
// %.
TEST(SpeedupErrors, IntervalsHoldTheTruthBetweenUnevenSizes) {
  const std::vector<std::string> uneven{
      "256-256-256-64", "medium", "1024-1024-1024-256", "large", "3072-3072-3072-1024", "xl", "xxl"};
  Count found;
  for (std::uint32_t replication = 0; replication < 60; ++replication) {
    const auto all = Machine{.replication = replication, .own = 0.02, .drift = 0.1}.measure(uneven, 0);
    for (const std::string& model : uneven) {
      std::vector<predict::Observation> known, asked;
      for (const predict::Observation& one : all) (one.what.model == model ? asked : known).push_back(one);
      found.add(predict::ModelSelector(known), asked);
    }
  }
  EXPECT_GE(found.share(), 0.93);
  EXPECT_LE(found.share(), 0.97);
}

// Few models, measured in several launches: many errors, but of few units.
TEST(SpeedupErrors, FewModelsAreNotManyErrors) {
  Count found;
  for (std::uint32_t replication = 0; replication < 100; ++replication) {
    const Machine machine{.replication = replication, .own = 0.05, .of_launch = 0.01, .launches = 3};
    const std::vector<std::string> few(simulated_models.begin() + 2, simulated_models.begin() + 6);
    const auto reviews = predict::review_held_out(predict::StepModel(machine.measure(few, 0)));
    found.inside += reviews.front().coverage.inside;
    found.asked += reviews.front().coverage.asked;
  }
  EXPECT_GE(found.share(), 0.93);
  EXPECT_LE(found.share(), 0.985);
}

// What the program itself prints about its coverage, for every way of holding out.
TEST(SpeedupErrors, PrintedCoverageIsWhatIsPromised) {
  std::vector<Count> found(5);
  for (std::uint32_t replication = 0; replication < 12; ++replication) {
    const Machine machine{.replication = replication, .own = 0.03, .of_launch = 0.03, .launches = 3};
    const auto reviews = predict::review_held_out(predict::StepModel(machine.measure(simulated_models, 0)));
    ASSERT_EQ(reviews.size(), 5u);
    for (std::size_t i = 0; i < reviews.size(); ++i) {
      EXPECT_EQ(reviews[i].by, static_cast<predict::HeldOutBy>(i));
      found[i].inside += reviews[i].coverage.inside;
      found[i].asked += reviews[i].coverage.asked;
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_GE(found[i].share(), 0.93) << name_of(static_cast<predict::HeldOutBy>(i));
    EXPECT_LE(found[i].share(), 0.97) << name_of(static_cast<predict::HeldOutBy>(i));
  }
}

// Its own speed-ups change only what is measured; as one of the other launches they change the interval.
TEST(SpeedupErrors, ALaunchTakesNoPartInItsInterval) {
  const auto intervals_of = [](std::uint32_t launch, double slower) {
    std::vector<predict::Observation> all =
        Machine{.own = 0.03, .of_launch = 0.03, .launches = 3}.measure(simulated_models, 0);
    for (predict::Observation& one : all)
      if (one.what.gpus > 1) one.in_launch.at(launch) *= slower;
    std::vector<double> bounds;
    predict::predict_held_out_launches(
        all, [&](std::uint32_t held_out, const statistics::Interval& predicted, double) {
          if (held_out == 0) bounds.push_back(predicted.high);
        });
    return bounds;
  };
  const std::vector<double> bounds = intervals_of(0, 1);
  EXPECT_EQ(bounds.size(), simulated_models.size() * simulated_batches.size() * 2);
  EXPECT_EQ(bounds, intervals_of(0, 3));
  EXPECT_NE(bounds, intervals_of(1, 3));
}

TEST(SpeedupErrors, AreNarrowWherePredictionsAreGood) {
  std::vector<predict::PlacedError> errors;
  for (std::size_t place = 0; place < simulated_models.size(); ++place)
    for (const std::uint32_t batch : simulated_batches)
      errors.push_back({simulated_case(simulated_models[place], batch, "ddp"),
                        (place < 3 ? 0.2 : 0.02) * normal(1, static_cast<std::uint32_t>(place), batch)});
  const predict::LocalErrors known(errors, predict::ErrorUnit::model);
  const double small = known.half_width(simulated_case("100-300-100", 128, "ddp")),
               large = known.half_width(simulated_case("3000-3000-500", 128, "ddp"));
  EXPECT_GT(small, 2 * large);
  const predict::LocalErrors one({errors[0], errors[0]}, predict::ErrorUnit::cell);
  EXPECT_TRUE(std::isnan(one.half_width(errors[0].what))) << "two errors of one case";
}

// More GPUs are twice as fast from batch 1024 on and half as fast below.
std::vector<predict::Observation> stepwise() {
  std::vector<predict::Observation> observations =
      Machine{.shared = 0, .own = 0}.measure(simulated_models, 0);
  for (predict::Observation& one : observations) {
    const double single = 1e-6 * one.what.batch;
    one.seconds = one.what.gpus == 1 ? single : one.what.batch >= 1024 ? single / 2 : 2 * single;
    if (one.what.strategy == "zero1") one.seconds *= 1.1;
    one.in_launch = {{0, one.seconds}};
  }
  return observations;
}

TEST(Selectors, LearnWhatIsPlanted) {
  const auto reviews = predict::review_held_out(predict::StepModel(stepwise()));
  ASSERT_EQ(reviews.front().by, predict::HeldOutBy::model);
  const std::size_t cells = simulated_models.size() * simulated_batches.size();
  for (const predict::HeldOutScore& score : reviews.front().scores) {
    EXPECT_EQ(score.choices.asked, cells);
    if (score.selector.starts_with("the speed-ups of") ||
        score.selector.starts_with("speed-ups interpolated") || score.selector.starts_with("one strategy")) {
      EXPECT_EQ(score.choices.right, cells) << score.selector;
      EXPECT_EQ(score.right_verdicts, cells) << score.selector;
      EXPECT_NEAR(statistics::highest(score.choices.regrets), 0, 1e-12) << score.selector;
    }
    if (score.selector == "ddp from batch 5,000 on") {
      EXPECT_EQ(score.choices.right, simulated_models.size() * 3);  // wrong at 1024 and 4096
      EXPECT_NEAR(statistics::highest(score.choices.regrets), 1, 1e-12);
      EXPECT_TRUE(score.log_errors.empty());
    }
  }
}

TEST(Selectors, DifferByMoreThanChance) {
  predict::HeldOutScore one, other;
  one.is_right.assign(20, true);
  other.is_right.assign(20, true);
  EXPECT_EQ(predict::difference_by_chance(one, other), 1);
  for (std::size_t i = 0; i < 6; ++i) other.is_right[i] = false;
  EXPECT_NEAR(predict::difference_by_chance(one, other), 2.0 / 64, 1e-12);
}

}  // namespace
}  // namespace breakeven
