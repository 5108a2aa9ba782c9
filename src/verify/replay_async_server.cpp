// SPDX-License-Identifier: Apache-2.0
// Repeats the asynchronous server's updates one after another: each from the parameters that its rank had
// read, added in the recorded order.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/device.h"
#include "src/verify/serial_definition.h"
#include "src/verify/serial_ranks.h"

namespace breakeven::verify {
namespace {

using Floats = std::vector<float>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Replica {
  std::size_t step = 0;  // the next to be added
  Floats least, most;    // what its rank can have read; empty unless it is reading
  Floats pending;        // its change; empty until its rank has read
  Floats last;           // the change that was added last
};

class Replay {
 public:
  Replay(const Case& what, measure::RunContext& context, const ServedOrder& order, const Rounding& rounding)
      : order_(order),
        settings_(settings_with_own_means(what, context)),
        ranks_(what, context, settings_, rounding),
        served_(download(ranks_.device(), ranks_.parameters(0), ranks_.stream())),
        replicas_(order.size()) {
    for (Replica& replica : replicas_) replica.last.assign(served_.size(), 0);
  }

  Trajectory run() {
    for (std::uint64_t made = 0; made < order_.size() * settings_.total_steps; ++made) {
      begin_reads(made);
      end_reads(made);
      if (!add_update(made)) return invalid();
    }
    const std::span<float> parameters = ranks_.parameters(0);
    ranks_.device().copy(parameters.data(), served_.data(), parameters.size_bytes(), ranks_.stream());
    Trajectory done = ranks_.trajectory(parameters);
    done.read_distance = read_distance_;
    return done;
  }

 private:
  // Of all ranks that began to read when `made` updates had begun. Their own pushes were over.
  void begin_reads(std::uint64_t made) {
    for (std::size_t rank = 0; rank < order_.size(); ++rank) {
      Replica& own = replicas_[rank];
      if (!waits(rank) || order_[rank][own.step].update.pulling != made) continue;
      own.least = own.most = served_;
      for (std::size_t other = 0; other < order_.size(); ++other) {
        if (other == rank || last_has_arrived(other, made)) continue;
        const Floats& last = replicas_[other].last;
        for (std::size_t i = 0; i < served_.size(); ++i) {
          own.least[i] -= std::max(last[i], 0.0f);
          own.most[i] -= std::min(last[i], 0.0f);
        }
      }
    }
  }

  // Whether the rank's last push was over before the `made`th update began: it had begun its next pull.
  bool last_has_arrived(std::size_t rank, std::uint64_t made) const {
    const std::size_t step = replicas_[rank].step;
    return step < order_[rank].size() && order_[rank][step].update.pulling < made;
  }

  void end_reads(std::uint64_t made) {
    for (std::size_t rank = 0; rank < order_.size(); ++rank) {
      Replica& own = replicas_[rank];
      if (own.least.empty() || order_[rank][own.step].update.pulled != made) continue;
      const Floats& read = order_[rank][own.step].read;
      const double distance = distance_from(own, read);
      if (!(distance <= read_distance_) && !std::isnan(read_distance_)) read_distance_ = distance;
      own.least.clear();
      own.pending = change_from(read, static_cast<int>(rank));
    }
  }

  // Whether the rank neither reads nor has a change to be added.
  bool waits(std::size_t rank) const {
    const Replica& own = replicas_[rank];
    return own.least.empty() && own.pending.empty() && own.step < order_[rank].size();
  }

  // Of `read` from the nearest that the rank can have read, relative to the norm of what was served.
  double distance_from(const Replica& reader, const Floats& read) const {
    double squares = 0;
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (read[i] >= reader.least[i] && read[i] <= reader.most[i]) continue;
      const float nearest = read[i] < reader.least[i] ? reader.least[i] : reader.most[i];
      squares += std::pow(static_cast<double>(read[i]) - nearest, 2);
    }
    return std::sqrt(squares) / norm(served_);
  }

  Floats change_from(const Floats& read, int rank) {
    const std::span<float> parameters = ranks_.parameters(rank);
    ranks_.device().copy(parameters.data(), read.data(), parameters.size_bytes(), ranks_.stream());
    ranks_.take_parameters(rank);
    ranks_.make_gradient(rank);
    ranks_.update(rank);
    ranks_.note_gradient(rank);
    Floats change = download(ranks_.device(), ranks_.parameters(rank), ranks_.stream());
    for (std::size_t i = 0; i < change.size(); ++i) change[i] -= read[i];
    return change;
  }

  // False if no rank's update was number `made`: one is missing or was made twice.
  bool add_update(std::uint64_t made) {
    for (std::size_t rank = 0; rank < order_.size(); ++rank) {
      Replica& own = replicas_[rank];
      if (own.pending.empty() || order_[rank][own.step].update.pushed != made) continue;
      for (std::size_t i = 0; i < served_.size(); ++i) served_[i] += own.pending[i];
      for (Replica& reader : replicas_) {
        for (std::size_t i = 0; i < reader.least.size(); ++i) {
          reader.least[i] += std::min(own.pending[i], 0.0f);
          reader.most[i] += std::max(own.pending[i], 0.0f);
        }
      }
      own.last.swap(own.pending);
      own.pending.clear();
      own.step += 1;
      return true;
    }
    return false;
  }

  // All NaN, so that every check fails.
  Trajectory invalid() const {
    Trajectory none;
    none.losses.assign(settings_.total_steps, nan);
    none.gradient_norms.assign(settings_.total_steps, nan);
    none.parameters.assign(served_.size(), std::numeric_limits<float>::quiet_NaN());
    none.read_distance = nan;
    return none;
  }

  const ServedOrder& order_;
  MlpSettings settings_;
  SerialRanks ranks_;
  Floats served_;  // the server's parameters
  std::vector<Replica> replicas_;
  double read_distance_ = 0;
};

}  // namespace

Trajectory replay_async_server(const Case& what, measure::RunContext& context, const ServedOrder& order,
                               const Rounding& rounding) {
  return Replay(what, context, order, rounding).run();
}

}  // namespace breakeven::verify
