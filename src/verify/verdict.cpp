// SPDX-License-Identifier: Apache-2.0
#include "src/verify/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
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

Verdict compare(const Trajectory& reference, const Trajectory& trajectory, MPI_Comm group) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Verdict verdict{
      {{"mean of the last ten losses, difference", nan, 0.01},
       {"norms of the gradient, correlation", nan, 0.95, true},
       {"weights, mean absolute difference", nan, 1e-4},
       {"weights, relative Frobenius norm of the difference", nan, 1e-5},
       {"weights whose bits differ between ranks", different_bits(trajectory.parameters, group), 0}}};
  int rank = 0;
  MPI_CALL(MPI_Comm_rank(group, &rank));
  if (rank == 0) {
    verdict.checks[0].value = last_losses_difference(reference, trajectory);
    verdict.checks[1].value = correlation(reference.gradient_norms, trajectory.gradient_norms);
    verdict.checks[2].value = mean_difference(reference.parameters, trajectory.parameters);
    verdict.checks[3].value = relative_frobenius(reference.parameters, trajectory.parameters);
  }
  for (Check& check : verdict.checks) MPI_CALL(MPI_Bcast(&check.value, 1, MPI_DOUBLE, 0, group));
  return verdict;
}

}  // namespace breakeven
