// SPDX-License-Identifier: Apache-2.0
#include "src/verify/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "mpi/mpi_call.h"

namespace breakeven {
namespace {

double mean(std::vector<double>::const_iterator begin, std::vector<double>::const_iterator end) {
  return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
}

double last_losses_difference(const Trajectory& a, const Trajectory& b) {
  const auto last = static_cast<std::ptrdiff_t>(std::min<std::size_t>(10, a.losses.size()));
  return std::abs(mean(a.losses.end() - last, a.losses.end()) - mean(b.losses.end() - last, b.losses.end()));
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean(a.begin(), a.end());
  const double mean_b = mean(b.begin(), b.end());
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

double mean_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(static_cast<double>(a[i]) - b[i]);
  return sum / static_cast<double>(a.size());
}

double relative_frobenius(const std::vector<float>& reference, const std::vector<float>& values) {
  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double d = static_cast<double>(values[i]) - reference[i];
    difference += d * d;
    whole += static_cast<double>(reference[i]) * reference[i];
  }
  return std::sqrt(difference / whole);
}

// Floats whose bits are not those of rank 0, summed over the group.
double different_bits(const std::vector<float>& mine, MPI_Comm group) {
  std::vector<float> roots = mine;
  constexpr std::size_t piece = std::size_t{1} << 28;  // MPI counts are int
  for (std::size_t i = 0; i < roots.size(); i += piece) {
    MPI_CALL(MPI_Bcast(roots.data() + i, static_cast<int>(std::min(piece, roots.size() - i)), MPI_FLOAT, 0,
                       group));
  }
  double different = 0;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    different += std::memcmp(&mine[i], &roots[i], sizeof(float)) != 0 ? 1 : 0;
  }
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &different, 1, MPI_DOUBLE, MPI_SUM, group));
  return different;
}

}  // namespace

bool Verdict::passed() const {
  return !checks.empty() &&
         std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.passed(); });
}

namespace {

std::vector<Check> measure_checks(const References& references, const Trajectory& trajectory, int ranks) {
  const Trajectory& single = references.single;
  const std::vector<float>& shards = references.shards.parameters;
  const double mean_by_rounding = mean_difference(single.parameters, shards);
  const double norm_by_rounding = relative_frobenius(single.parameters, shards);
  std::vector<Check> checks{
      {"mean of the last ten losses, difference", last_losses_difference(single, trajectory), 0.01},
      {"norms of the gradient, correlation", correlation(single.gradient_norms, trajectory.gradient_norms),
       0.95, true},
      {"weights, mean absolute difference", mean_difference(single.parameters, trajectory.parameters),
       std::max(1e-4, 2 * mean_by_rounding)},
      {"weights, relative Frobenius norm of the difference",
       relative_frobenius(single.parameters, trajectory.parameters), std::max(1e-5, 2 * norm_by_rounding)}};
  // A sum of two has one order; of more, the transport chooses it.
  if (ranks <= 2) {
    checks.push_back({"weights, relative difference from the serial definition",
                      relative_frobenius(shards, trajectory.parameters), 0});
  }
  return checks;
}

}  // namespace

Verdict compare(const References& references, const Trajectory& trajectory, MPI_Comm group) {
  int rank = 0;
  int ranks = 0;
  MPI_CALL(MPI_Comm_rank(group, &rank));
  MPI_CALL(MPI_Comm_size(group, &ranks));
  // On the other ranks the same checks of something else, to be overwritten.
  const References any{trajectory, trajectory};
  Verdict verdict{measure_checks(rank == 0 ? references : any, trajectory, ranks)};
  verdict.checks.push_back(
      {"weights whose bits differ between ranks", different_bits(trajectory.parameters, group), 0});
  for (Check& check : verdict.checks) {
    MPI_CALL(MPI_Bcast(&check.value, 1, MPI_DOUBLE, 0, group));
    MPI_CALL(MPI_Bcast(&check.limit, 1, MPI_DOUBLE, 0, group));
  }
  return verdict;
}

}  // namespace breakeven
