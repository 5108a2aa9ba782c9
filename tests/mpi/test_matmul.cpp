// SPDX-License-Identifier: Apache-2.0
// Every form of a distributed product is right on every number of ranks, also for sizes that are not
// divisible. Every lost transfer and every skipped piece is found.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "mpi/mpi_call.h"
#include "mpi/pack.h"
#include "mpi/transports.h"
#include "src/bench/matmul/matmul_rows.h"
#include "tests/support/lossy_communicator.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

struct TestBench {
  std::unique_ptr<Device> device = make_test_device();
  measure::RunOptions options;
  measure::RunContext bench{test_session(), *device, options, nullptr};
  bench::LinkCache links{bench, usable_transports(site_of(test_session(), bench.device(), false)).front()};

  std::vector<bench::MatmulRow> measure(const std::vector<bench::MatmulCase>& cases, int chunks) {
    bench::MatmulBench matmul(bench, links, {.repeats = 3, .warmup = 1, .chunks = chunks}, nullptr);
    return bench::make_matmul_rows(matmul.measure(cases));
  }
};

std::vector<bench::MatmulCase> every_case(Device& device, std::int64_t size, Precision precision) {
  const GemmKernel kernel = device.gemm_kernels(precision).front();
  std::vector<bench::MatmulCase> cases{{&bench::single_form(), 1, size, precision, kernel}};
  for (const bench::FormInfo& form : bench::matmul_forms()) {
    for (int gpus = 1; gpus <= test_session().size(); ++gpus)
      cases.push_back({&form, gpus, size, precision, kernel});
  }
  return cases;
}

void expect_right(const std::vector<bench::MatmulRow>& rows) {
  for (const bench::MatmulRow& row : rows) {
    EXPECT_TRUE(row.right) << label_of(row.what) << ": error " << row.error << ", limit " << row.error_limit;
    double sum = 0;
    for (const double part : row.parts) sum += part;
    EXPECT_NEAR(sum, row.seconds.centre, 1e-9) << label_of(row.what);
    EXPECT_GT(row.median_seconds, 0) << label_of(row.what);
  }
}

TEST(Matmul, EveryFormIsRightWhateverTheSize) {
  TestBench test;
  for (const std::int64_t size : {1, 3, 37, 64}) {
    for (const int chunks : {1, 3}) {
      const auto rows = test.measure(every_case(*test.device, size, Precision::fp32), chunks);
      ASSERT_EQ(rows.size(), 1 + 5 * static_cast<std::size_t>(test_session().size()));
      if (test_session().is_root()) expect_right(rows);
    }
  }
}

TEST(Matmul, EveryFormIsRightInEveryPrecision) {
  TestBench test;
  for (const PrecisionInfo& info : precisions) {
    const auto rows = test.measure(every_case(*test.device, 101, info.precision), 4);
    if (test_session().is_root()) expect_right(rows);
  }
}

// Computes one product on all ranks and returns its error on every rank; `loss` is this rank's.
double error_with_loss(TestBench& test, const bench::Problem& problem, bench::MatmulForm& form, Loss& loss,
                       int lost) {
  const auto stream = test.device->make_stream();
  bench::PartMarks marks(*test.device);
  form.clear(*stream);
  stream->synchronize();
  loss = {.lost = lost};
  form.multiply(marks, *stream);
  stream->synchronize();
  const MPI_Comm world = test_session().world();
  const double elements = static_cast<double>(problem.size() * problem.size());
  return bench::relative_error(gather_records(world, std::vector{problem.compare(form.result(), *stream)}),
                               elements);
}

TEST(Matmul, EveryLostTransferIsFound) {
  TestBench test;
  const int ranks = test_session().size();
  const auto stream = test.device->make_stream();
  const bench::Problem problem(*test.device, *stream, 37, Precision::fp32, 42);
  const GemmKernel kernel = test.device->gemm_kernels(Precision::fp32).front();
  for (const bench::FormInfo& info : bench::matmul_forms()) {
    Loss loss;
    LossyLinks lossy(test.links.links(ranks), *test.device, loss);
    const auto form = info.make({&problem, kernel, lossy.links(), 3});
    EXPECT_LE(error_with_loss(test, problem, *form, loss, -1), problem.error_limit()) << info.name;
    const std::vector<int> arriving = gather_records(test_session().world(), std::vector{loss.seen});
    int tried = 0;
    for (int victim = 0; victim < ranks; ++victim) {
      for (int number = 0; number < arriving[static_cast<std::size_t>(victim)]; ++number, ++tried) {
        const bool mine = test_session().rank() == victim;
        const double error = error_with_loss(test, problem, *form, loss, mine ? number : -1);
        EXPECT_FALSE(error <= problem.error_limit())
            << info.name << ": transfer " << number << " to rank " << victim << ", error " << error;
      }
    }
    EXPECT_EQ(tried > 0, ranks > 1 && info.name != "resident") << info.name;
    EXPECT_LE(error_with_loss(test, problem, *form, loss, -1), problem.error_limit()) << info.name;
  }
}

// What a rank gives to its communicators in one product.
std::uint64_t bytes_so_far(const bench::Links& links) {
  std::set<const Communicator*> ways{links.host, links.bridge, links.device, links.mesh_row, links.mesh_col};
  ways.erase(nullptr);
  std::uint64_t bytes = 0;
  for (const Communicator* way : ways) bytes += way->traffic().bytes;
  return bytes;
}

// docs/matmul.md, for rank 0. The size is divisible by everything here, so that no row is padded.
double expected_bytes(std::string_view form, double matrix_bytes, int ranks) {
  const double n = ranks;
  const bench::Mesh mesh = bench::mesh_of(ranks);
  if (ranks == 1 || form == "resident") return 0;
  if (form == "naive") return (n - 1) * (1 + 2 / n) * matrix_bytes;
  if (form == "summa") {
    const double of_a = mesh.cols > 1 ? 1.0 / mesh.rows : 0;
    const double of_b = mesh.rows > 1 ? 1.0 / mesh.cols : 0;
    return (of_a + of_b) * matrix_bytes;
  }
  return (1 + 2 * (n - 1) / n) * matrix_bytes;  // overlapped and library
}

TEST(Matmul, EveryFormSendsTheBytesOfItsPage) {
  TestBench test;
  constexpr std::int64_t size = 96;
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    const auto stream = test.device->make_stream();
    const bench::Problem problem(*test.device, *stream, size, precision, 42);
    const double matrix_bytes = static_cast<double>(size * size * bytes_of(info_of(precision).dtype));
    for (const bench::FormInfo& info : bench::matmul_forms()) {
      const bench::Links& links = test.links.links(test_session().size());
      const auto form = info.make({&problem, test.device->gemm_kernels(precision).front(), links, 4});
      const std::uint64_t before = bytes_so_far(links);
      bench::PartMarks marks(*test.device);
      form->multiply(marks, *stream);
      stream->synchronize();
      if (!test_session().is_root()) continue;
      EXPECT_DOUBLE_EQ(static_cast<double>(bytes_so_far(links) - before),
                       expected_bytes(info.name, matrix_bytes, test_session().size()))
          << info.name;
    }
  }
}

// The resident form without the last row of the last rank.
class SkipsAPiece final : public bench::MatmulForm {
 public:
  using bench::MatmulForm::MatmulForm;
  void multiply(bench::PartMarks& marks, Stream& stream) override {
    bench::Piece rows = my_rows();
    if (links().rank == links().ranks - 1) rows.count -= 1;
    marks.begin(stream);
    gemm(bench::rows_of(whole().a, rows), whole().b, bench::rows_of(whole().c, rows), stream);
    marks.end_of(bench::Part::compute, stream);
  }
  bench::ResultBlock result() const override {
    return {bench::rows_of(whole().c, my_rows()), my_rows().first};
  }
};

TEST(Matmul, AFormThatSkipsAPieceHasNoSpeed) {
  TestBench test;
  constexpr bench::FormInfo faulty{
      .name = "faulty",
      .counted = bench::Counted::in_place,
      .begins = "",
      .ends = "",
      .how = "",
      .make = [](const bench::FormSettings& settings) -> std::unique_ptr<bench::MatmulForm> {
        return std::make_unique<SkipsAPiece>(settings);
      }};
  const GemmKernel kernel = test.device->gemm_kernels(Precision::fp32).front();
  const auto rows = test.measure({{&bench::single_form(), 1, 64, Precision::fp32, kernel},
                                  {&faulty, test_session().size(), 64, Precision::fp32, kernel}},
                                 4);
  if (!test_session().is_root()) return;
  EXPECT_TRUE(rows[0].right);
  EXPECT_FALSE(rows[1].right) << rows[1].error;
  EXPECT_NEAR(rows[1].error, std::sqrt(1.0 / 64), 0.05) << "a row of 64";
  EXPECT_TRUE(std::isnan(rows[1].median_seconds));
  EXPECT_FALSE(bench::all_right(rows)) << "the command then returns ExitCode::wrong_numbers";
}

}  // namespace
}  // namespace breakeven
