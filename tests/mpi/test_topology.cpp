// SPDX-License-Identifier: Apache-2.0
#include "mpi/topology.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mpi/link_probe.h"
#include "mpi/transports.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

std::unique_ptr<Communicator> make_communicator(Device& device) {
  if (!testing_on_cuda()) return make_mpi_communicator(test_session().world(), device);
  return make_nccl_communicator(test_session().world(), device);
}

// Hands on all but one float of one transfer: what a broken link would do.
class CorruptingCommunicator final : public Communicator {
 public:
  CorruptingCommunicator(Communicator& good, Device& device)
      : Communicator(good.group(), good.rank(), good.size()), good_(good), device_(device) {}
  std::string_view name() const override { return "corrupting"; }
  bool capturable() const override { return false; }
  void all_reduce_sum(void*, std::size_t, Dtype, Stream&) override {}
  void reduce_sum(float*, std::size_t, int, Stream&) override {}
  void broadcast(float*, std::size_t, int, Stream&) override {}
  void reduce_scatter_sum(float*, std::size_t, Stream&) override {}
  void all_gather(float*, std::size_t, Stream&) override {}
  void send(const float* data, std::size_t count, int to, Stream& stream) override {
    good_.send(data, count, to, stream);
  }
  void receive(float* data, std::size_t count, int from, Stream& stream) override {
    good_.receive(data, count, from, stream);
    if (from == 0 && rank() == 1) device_.fill_zero(data + count / 2, sizeof(float), stream);
  }
  void check() override {}

 private:
  Communicator& good_;
  Device& device_;
};

TEST(Topology, KnowsEveryRankAndMeasuresEveryPair) {
  const auto device = make_test_device();
  const auto communicator = make_communicator(*device);
  const auto size = static_cast<std::size_t>(test_session().size());

  const Topology topology = measure_topology(test_session(), *device, *communicator);

  ASSERT_EQ(topology.ranks.size(), size);
  ASSERT_EQ(topology.links.size(), size * size);
  const auto& mine = topology.ranks[static_cast<std::size_t>(test_session().rank())];
  EXPECT_EQ(mine.host, test_session().host());
  EXPECT_EQ(mine.device.name, device->info().name);
  EXPECT_EQ(mine.device.uuid, device->info().uuid);
  EXPECT_EQ(mine.device.memory_bytes, device->info().memory_bytes);
  for (std::size_t from = 0; from < size; ++from) {
    for (std::size_t to = 0; to < size; ++to) {
      SCOPED_TRACE(testing::Message() << from << " to " << to);
      const Link& link = topology.links[from * size + to];
      EXPECT_TRUE(link.data_right);
      EXPECT_EQ(link.kind == "self", from == to);
      if (from == to) {
        EXPECT_TRUE(std::isnan(link.bytes_per_second));
        EXPECT_TRUE(std::isnan(link.latency_seconds));
        continue;
      }
      if (!testing_on_cuda()) {
        EXPECT_EQ(link.kind, "SHM");
      }
      EXPECT_TRUE(link.bytes_per_second > 1e6 && link.bytes_per_second < 1e13) << link.bytes_per_second;
      EXPECT_TRUE(link.latency_seconds > 1e-9 && link.latency_seconds < 1) << link.latency_seconds;
    }
  }
}

TEST(Topology, IsTheSameOnEveryRank) {
  const auto device = make_test_device();
  const auto communicator = make_communicator(*device);
  const Topology topology = measure_topology(test_session(), *device, *communicator);
  for (const Link& link : topology.links) {
    if (std::isnan(link.bytes_per_second)) continue;
    double of_root = link.bytes_per_second;
    MPI_Bcast(&of_root, 1, MPI_DOUBLE, 0, test_session().world());
    EXPECT_EQ(of_root, link.bytes_per_second);
  }
}

TEST(Topology, FindsTheLinkThatChangesOneFloat) {
  if (test_session().size() < 2) GTEST_SKIP() << "needs two ranks";
  const auto device = make_test_device();
  const auto good = make_communicator(*device);
  CorruptingCommunicator communicator(*good, *device);
  const auto size = static_cast<std::size_t>(test_session().size());
  const Topology topology = measure_topology(test_session(), *device, communicator);
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    EXPECT_EQ(topology.links[i].data_right, i != 1) << "from " << i / size << " to " << i % size;
  }
}

TEST(Transports, AreTriedWithoutAProblem) {
  const auto device = make_test_device();
  const Session& session = test_session();
  for (const Transport transport : usable_transports(site_of(session, *device, false)))
    EXPECT_EQ(info_of(transport).trial(session.world()), "") << name_of(transport);
}

}  // namespace
}  // namespace breakeven
