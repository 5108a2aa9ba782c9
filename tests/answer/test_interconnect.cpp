// SPDX-License-Identifier: Apache-2.0
// Calls on many ranks: the formulas by hand, what is fitted to measured calls, machines of several levels.
#include "src/predict/collective_forms.h"
#include "src/predict/interconnect.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/predict/topology_file.h"
#include "src/predict/transport.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

constexpr std::size_t nccl = 1;
constexpr double start = 5e-6, alpha = 0.5e-6, beta = 3e11;
constexpr std::uint64_t mebibyte = 1 << 20;

// Calls of a machine that obeys the law, by the forms that NCCL has; each off by a factor of its own.
MessageTimes obedient(int largest_group, double noise = 0, std::uint32_t replication = 0) {
  MessageTimes times(largest_group);
  for (int n = 2; n <= largest_group; n *= 2) {
    const double ring = n - 1.0, tree = 2 * std::ceil(std::log2(n));
    const auto fill = [&](Collective kind, double hops, double volume) {
      for (std::size_t size = 0; size < message_sizes; ++size) {
        const double seconds = start + hops * alpha + volume * double(message_size(size)) / beta;
        const auto place = static_cast<std::uint32_t>(100 * n + size);
        const double off =
            noise > 0 ? noise * normal(replication, static_cast<std::uint32_t>(kind), place) : 0;
        times.of(nccl, n, kind)[size] = seconds * std::exp(off);
      }
    };
    fill(Collective::all_reduce, std::min(2 * ring, tree), 2 * ring / n);
    fill(Collective::reduce_scatter, ring, ring / n);
    fill(Collective::all_gather, ring, ring / n);
    fill(Collective::broadcast, ring, 1);
    fill(Collective::reduce, ring, 1);
    if (n == 2) fill(Collective::send, 1, 1);
  }
  return times;
}

predict::CallCosts fitted(int largest_group = 2) {
  return *predict::fit_calls(obedient(largest_group), Transport::nccl, largest_group);
}

predict::Interconnect interconnect(
    std::vector<predict::LinkLevel> levels = predict::machine_as_measured().levels) {
  return predict::Interconnect({"test", std::move(levels)}, Transport::nccl, fitted());
}

double seconds_of(const predict::Interconnect& interconnect, Collective kind, std::uint64_t bytes, int ranks,
                  int stride = 1) {
  return interconnect.call({kind, bytes, ranks}, stride).time.seconds();
}

TEST(CallCosts, StartHopAndBytesAreFound) {
  for (const int group : {2, 4, 8}) {
    const predict::CallCosts costs = fitted(group);
    for (const Collective kind :
         {Collective::all_reduce, Collective::reduce_scatter, Collective::broadcast}) {
      const predict::CallCosts::SmallCall small = costs.small_call(kind, group);
      EXPECT_NEAR(small.start_seconds / start, 1, 1e-3) << group;
      EXPECT_NEAR(small.hop_seconds / alpha, 1, 1e-3) << group;
    }
    EXPECT_EQ(costs.largest_group, group);
    const double seconds = costs.seconds_of_bytes(Collective::all_reduce, 64 * mebibyte, group);
    EXPECT_NEAR(seconds / (64.0 * mebibyte / beta), 1, 1e-4) << group;
  }
  EXPECT_FALSE(predict::fit_calls(MessageTimes(4), Transport::nccl, 4));
  EXPECT_FALSE(predict::fit_calls(obedient(2), Transport::mpi, 2));
}

// Of a reduce-scatter on 2 ranks half goes over the link as fast as a send; what is left grows as a rank's
// own share does, and not with the ranks.
TEST(CallCosts, ARanksOwnShareIsToldFromTheLinks) {
  constexpr double gamma = 8e11;
  MessageTimes times = obedient(2);
  for (const Collective kind : {Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather})
    for (std::size_t size = 0; size < message_sizes; ++size)
      times.of(nccl, 2, kind)[size] += 0.5 * double(message_size(size)) / gamma;
  const predict::Interconnect known({"test", predict::machine_as_measured().levels}, Transport::nccl,
                                    *predict::fit_calls(times, Transport::nccl, 2));
  const std::uint64_t bytes = 64 * mebibyte;
  const double m = double(bytes);
  for (const int n : {2, 4, 8}) {
    const double share = (n - 1.0) / n;
    const double scatter = start + (n - 1) * alpha + share * m / beta + m / n / gamma;
    EXPECT_NEAR(seconds_of(known, Collective::reduce_scatter, bytes, n) / scatter, 1, 1e-4) << n;
    const double reduce = start + 2 * (n - 1) * alpha + 2 * share * m / beta + m / n / gamma;
    EXPECT_NEAR(seconds_of(known, Collective::all_reduce, bytes, n) / reduce, 1, 1e-4) << n;
  }
  for (double& seconds : times.of(nccl, 2, Collective::send)) seconds = not_measured;
  const auto blind = predict::fit_calls(times, Transport::nccl, 2);
  EXPECT_EQ(blind->seconds_of_own_bytes(Collective::reduce_scatter, bytes, 2), 0)
      << "nothing tells of the link";
}

// Each rank of a chain adds the time in which its pipeline fills; all-reduces take another bandwidth on four.
TEST(CallCosts, EveryGroupHasItsOwnCurve) {
  MessageTimes times = obedient(4);
  const auto fill = [](std::size_t size) { return 0.4 * double(message_size(size)) / beta; };
  for (std::size_t size = 0; size < message_sizes; ++size) {
    times.of(nccl, 4, Collective::broadcast)[size] += 2 * fill(size);
    times.of(nccl, 4, Collective::all_reduce)[size] += 1.5 * double(message_size(size)) / beta;
  }
  const predict::Interconnect known({"test", predict::machine_as_measured().levels}, Transport::nccl,
                                    *predict::fit_calls(times, Transport::nccl, 4));
  const std::uint64_t bytes = 64 * mebibyte;
  const double whole = double(bytes) / beta;
  for (const int n : {2, 4, 8}) {
    const double chain = start + (n - 1) * alpha + whole * (1 + 0.4 * (n - 2));
    EXPECT_NEAR(seconds_of(known, Collective::broadcast, bytes, n) / chain, 1, 1e-3) << n;
  }
  EXPECT_NEAR(seconds_of(known, Collective::all_reduce, bytes, 2), start + 2 * alpha + whole, 1e-3 * whole);
  EXPECT_NEAR(seconds_of(known, Collective::all_reduce, bytes, 4), start + 4 * alpha + 3 * whole,
              1e-2 * whole);
}

// Two hops that take as long as one: what a call takes is then all hops, so that more ranks are not free.
TEST(CallCosts, WhatCannotBeToldApartIsHops) {
  MessageTimes times(2);
  for (const Collective kind : {Collective::all_reduce, Collective::broadcast, Collective::send})
    times.of(nccl, 2, kind)[0] = 6e-6;
  const auto costs = predict::fit_calls(times, Transport::nccl, 2);
  ASSERT_TRUE(costs);
  const predict::CallCosts::SmallCall reduce = costs->small_call(Collective::all_reduce, 2);
  EXPECT_EQ(reduce.start_seconds, 0);
  EXPECT_GT(reduce.hop_seconds, 2e-6);
}

// A kind whose calls start later or earlier than those of the others, or take less than their hops.
TEST(CallCosts, EveryKindHasItsOwnStart) {
  MessageTimes times = obedient(4);
  for (const int n : {2, 4}) {
    for (double& seconds : times.of(nccl, n, Collective::broadcast)) seconds += 4e-6;
    for (double& seconds : times.of(nccl, n, Collective::send)) seconds += 3e-6;
    for (double& seconds : times.of(nccl, n, Collective::all_gather))
      seconds -= start + 0.5 * (n - 1) * alpha;
  }
  const predict::Interconnect known({"test", predict::machine_as_measured().levels}, Transport::nccl,
                                    *predict::fit_calls(times, Transport::nccl, 4));
  for (const int n : {2, 4}) {
    EXPECT_NEAR(seconds_of(known, Collective::broadcast, 4, n) / times.of(nccl, n, Collective::broadcast)[0],
                1, 1e-3)
        << n;
    EXPECT_NEAR(
        seconds_of(known, Collective::all_gather, 4, n) / times.of(nccl, n, Collective::all_gather)[0], 1,
        1e-3)
        << n;
  }
  EXPECT_NEAR(seconds_of(known, Collective::send, 4, 2) / times.of(nccl, 2, Collective::send)[0], 1, 1e-3);
  const predict::CallCosts::SmallCall gather = known.costs().small_call(Collective::all_gather, 4);
  EXPECT_EQ(gather.start_seconds, 0);
  EXPECT_GT(gather.hop_seconds, 0);
}

// Patarasuk and Yuan: 2 (n - 1) alpha + 2 (n - 1) / n m / beta.
TEST(CollectiveForms, EveryTransportHasAFormOfEveryKind) {
  for (std::size_t place = 0; place < collective_names.size(); ++place) {
    const auto kind = static_cast<Collective>(place);
    for (const std::string_view name : probed_transports) {
      const Transport transport = find_value<Transport>(name).value();
      EXPECT_GE(predict::fewest_hops(kind, transport, 4), 1) << name_of(kind);
      EXPECT_GT(predict::form_of_least_volume(kind, transport, 4).terms.volume(4), 0) << name_of(kind);
    }
  }
}

TEST(Interconnect, ALargeAllReduceIsTheRings) {
  const std::uint64_t bytes = 64 * mebibyte;
  for (const int n : {2, 4, 8, 16}) {
    const predict::Interconnect::Call call = interconnect().call({Collective::all_reduce, bytes, n});
    EXPECT_EQ(call.form, "ring") << n;
    const double expected = start + 2 * (n - 1) * alpha + 2.0 * (n - 1) / n * double(bytes) / beta;
    EXPECT_NEAR(call.time.seconds() / expected, 1, 1e-4) << n;
  }
}

TEST(Interconnect, ASmallAllReduceIsTheTrees) {
  const predict::Interconnect::Call call = interconnect().call({Collective::all_reduce, 4, 1024});
  EXPECT_EQ(call.form, "tree");
  EXPECT_NEAR(call.time.latency, start + 2 * 10 * alpha, 1e-8);
}

TEST(Interconnect, TheOtherCallsAreTheirFormulas) {
  const std::uint64_t bytes = 64 * mebibyte;
  const double whole = double(bytes) / beta;
  for (const int n : {2, 4, 8}) {
    const double share = (n - 1.0) / n;
    EXPECT_NEAR(seconds_of(interconnect(), Collective::all_gather, bytes, n),
                start + (n - 1) * alpha + share * whole, 1e-4 * whole);
    EXPECT_NEAR(seconds_of(interconnect(), Collective::broadcast, bytes, n), start + (n - 1) * alpha + whole,
                1e-4 * whole);
  }
  EXPECT_NEAR(seconds_of(interconnect(), Collective::receive, bytes, 2), start + alpha + whole, 1e-4 * whole);
  EXPECT_EQ(seconds_of(interconnect(), Collective::all_reduce, bytes, 1), 0);
}

const std::vector<predict::LinkLevel> nodes_of_four{{"node", 4}, {"net", 16, false, 5e-6, 2e10}};

// Within a node the slow level is not met; beyond it, reduce-scatter inside, all-reduce across of a fourth,
// all-gather inside.
TEST(Interconnect, LevelByLevel) {
  const predict::Interconnect machine = interconnect(nodes_of_four);
  const std::uint64_t bytes = 64 * mebibyte;
  const double m = double(bytes);
  EXPECT_NEAR(seconds_of(machine, Collective::all_reduce, bytes, 4),
              seconds_of(interconnect(), Collective::all_reduce, bytes, 4), 1e-12);
  const predict::Interconnect::Call call = machine.call({Collective::all_reduce, bytes, 16});
  EXPECT_EQ(call.form, "ring in node, ring in net");
  const double inside = 2 * (3 * alpha + 0.75 * m / beta);
  const double across = 2 * 3 * 5e-6 + 1.5 * (m / 4) / 2e10;
  EXPECT_NEAR(call.time.seconds() / (start + inside + across), 1, 1e-4);
}

// Ranks that stand a node's width apart meet in the slow level alone.
TEST(Interconnect, RanksApartMeetAbove) {
  const predict::Interconnect machine = interconnect(nodes_of_four);
  const std::uint64_t bytes = 64 * mebibyte;
  const double across = 2 * 3 * 5e-6 + 1.5 * double(bytes) / 2e10;
  EXPECT_NEAR(seconds_of(machine, Collective::all_reduce, bytes, 4, 4) / (start + across), 1, 1e-6);
}

TEST(Interconnect, GrowsWithRanksAndBytes) {
  const predict::Interconnect machine = interconnect(nodes_of_four);
  double before = 0;
  for (const int n : {2, 4, 8, 16, 32, 64}) {
    const double seconds = seconds_of(machine, Collective::all_reduce, mebibyte, n);
    EXPECT_GT(seconds, before) << n;
    EXPECT_GT(seconds_of(machine, Collective::all_reduce, 4 * mebibyte, n), seconds);
    before = seconds;
  }
}

predict::CallCheck all_reduces(const MessageTimes& times, int most_ranks) {
  return predict::check_calls(times, Transport::nccl,
                              most_ranks)[static_cast<std::size_t>(Collective::all_reduce)];
}

TEST(CallCheck, AnObedientMachineHasNoError) {
  const predict::CallCheck two = all_reduces(obedient(2), 2);
  EXPECT_LT(two.median_error, 1e-4);
  EXPECT_TRUE(two.is_assumed);
  EXPECT_EQ(two.error_a_doubling, predict::CallCheck::assumed_error);
  const predict::CallCheck four = all_reduces(obedient(4), 4);
  EXPECT_FALSE(four.is_assumed);
  EXPECT_LT(four.error_a_doubling, 0.07);
  EXPECT_GT(all_reduces(obedient(4, 0.1), 4).error_a_doubling, 0.1);
  EXPECT_TRUE(all_reduces(MessageTimes(2), 2).is_assumed);
}

// What broadcasts are off says nothing against all-reduces.
TEST(CallCheck, EveryKindHasItsOwnError) {
  MessageTimes times = obedient(4);
  for (double& seconds : times.of(nccl, 4, Collective::broadcast)) seconds *= 2;
  const predict::CallChecks checks = predict::check_calls(times, Transport::nccl, 4);
  EXPECT_LT(checks[static_cast<std::size_t>(Collective::all_reduce)].error_a_doubling, 0.07);
  EXPECT_GT(checks[static_cast<std::size_t>(Collective::broadcast)].error_a_doubling, std::log(2.0));
}

TEST(Topology, ALineALevel) {
  const auto parsed = predict::parse_topology(
      "# a machine\nname = two levels\nlevel = nvlink, 8, measured\n"
      "level = infiniband, 32, 2.5us, 50GB/s\n",
      "file.ini");
  const auto* machine = std::get_if<predict::Machine>(&parsed);
  ASSERT_NE(machine, nullptr);
  EXPECT_EQ(machine->name, "two levels");
  ASSERT_EQ(machine->levels.size(), 2u);
  EXPECT_TRUE(machine->levels[0].is_measured);
  EXPECT_EQ(predict::gpus_of(*machine), 256);
  EXPECT_FALSE(machine->levels[1].is_measured);
  EXPECT_DOUBLE_EQ(machine->levels[1].latency_seconds, 2.5e-6);
  EXPECT_DOUBLE_EQ(machine->levels[1].bytes_per_second, 5e10);
}

TEST(Topology, BadLinesAreNamed) {
  for (const char* text : {"", "level = nvlink\n", "level = nvlink, 8\n", "level = nvlink, 0, measured\n",
                           "level = net, 8, fast, 50GB/s\n", "level = net, 8, 2us, 50GB\n",
                           "level = net, 8, 2us, 50GB/s, more\n", "nodes = 8\n",
                           "level = net, 8, -2us, 1GB/s\n", "level:%invalid_line%\n"}) {
    const auto parsed = predict::parse_topology(text, "file.ini");
    const auto* error = std::get_if<UsageError>(&parsed);
    ASSERT_NE(error, nullptr) << text;
    EXPECT_NE(error->sentence.find("file.ini"), std::string::npos) << error->sentence;
    EXPECT_NE(error->sentence.find("level"), std::string::npos) << error->sentence;
  }
}

}  // namespace
}  // namespace breakeven
