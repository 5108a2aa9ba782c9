// SPDX-License-Identifier: Apache-2.0
#include "src/predict/interconnect.h"

#include <algorithm>
#include <cmath>

#include "src/core/as_whole.h"
#include "src/predict/collective_forms.h"

namespace breakeven::predict {
namespace {

constexpr int any_number = 1 << 24;  // of GPUs, and more than any machine has

bool is_faster(const Interconnect::Call& one, const Interconnect::Call& other) {
  return one.time.seconds() < other.time.seconds();
}

std::uint64_t whole(double bytes) { return as_whole<std::uint64_t>(std::ceil(std::max(bytes, 1.0))); }

}  // namespace

Machine machine_as_measured() { return {"links as measured here", {{"as measured", any_number}}}; }

bool reaches_all(const Case& what, const Machine& machine) {
  const int most = traits_of(what.transport).most_ranks;
  return most == 0 || what.gpus <= std::min(most, machine.levels.front().joins);
}

int gpus_of(const Machine& machine) {
  double gpus = 1;
  for (const LinkLevel& level : machine.levels) gpus *= level.joins;
  return static_cast<int>(std::min(gpus, double{any_number}));
}

Interconnect::Interconnect(Machine machine, Transport transport, CallCosts costs)
    : machine_(std::move(machine)), transport_(transport), costs_(std::move(costs)) {}

// For ranks at a distance of `stride`: each unit has as many as fit.
std::vector<Interconnect::Part> Interconnect::parts_of(int ranks, int stride) const {
  std::vector<Part> parts;
  double left = ranks;
  double below = 1;
  for (const LinkLevel& level : machine_.levels) {
    const double unit = below * level.joins;
    const double fit = std::max(1.0, std::floor(unit / std::max(below, double(stride))));
    const bool is_last = &level == &machine_.levels.back();
    const double here = is_last ? left : std::min(left, fit);
    if (here > 1) parts.push_back({&level, here});
    left = std::ceil(left / here);
    below = unit;
  }
  return parts;
}

double Interconnect::hop_seconds(const LinkLevel& level, Collective kind, double ranks) const {
  const bool is_measured = level.is_measured || kind == Collective::one_sided;
  return is_measured ? costs_.small_call(kind, ranks).hop_seconds : level.latency_seconds;
}

double Interconnect::seconds_of_bytes(const LinkLevel& level, Collective kind, double bytes,
                                      double ranks) const {
  if (!level.is_measured) return bytes / level.bytes_per_second;
  return costs_.seconds_of_bytes(kind, whole(bytes), ranks);
}

Interconnect::Call Interconnect::flat(const std::vector<Part>& parts, Collective kind, double bytes) const {
  double ranks = 1, hop = 0, of_bytes = 0;
  for (const Part& part : parts) ranks *= part.ranks;
  const double of_own = costs_.seconds_of_own_bytes(kind, whole(bytes), ranks);
  for (const Part& part : parts) {
    hop = std::max(hop, hop_seconds(*part.level, kind, ranks));
    const double here = seconds_of_bytes(*part.level, kind, bytes, ranks);
    of_bytes = here <= of_bytes ? of_bytes : here;  // NaN stays
  }
  Call best{{not_measured, not_measured}, ""};
  for (const CollectiveForm& form : collective_forms) {
    if (!has_form(form, kind, transport_)) continue;
    const Call call{
        {form.terms.hops(ranks) * hop, form.terms.volume(ranks) * of_bytes + form.terms.own(ranks) * of_own},
        std::string(form.name)};
    if (best.form.empty() || is_faster(call, best)) best = call;
  }
  return best;
}

Interconnect::Call Interconnect::within(const Part& part, Collective kind, double bytes) const {
  Call call = flat({part}, kind, bytes);
  call.form += " in " + part.level->name;
  return call;
}

Interconnect::Call Interconnect::by_levels(const std::vector<Part>& parts, std::size_t first, Collective kind,
                                           double bytes) const {
  const Part& part = parts[first];
  if (first + 1 == parts.size()) return within(part, kind, bytes);
  const bool shrinks =
      kind == Collective::all_reduce || kind == Collective::reduce_scatter || kind == Collective::all_gather;
  const Call above = by_levels(parts, first + 1, kind, shrinks ? bytes / part.ranks : bytes);
  if (kind != Collective::all_reduce) {
    const Call here = within(part, kind, bytes);
    return {here.time + above.time, here.form + ", " + above.form};
  }
  const Call scatter = within(part, Collective::reduce_scatter, bytes);
  const Call gather = within(part, Collective::all_gather, bytes);
  return {scatter.time + above.time + gather.time, scatter.form + ", " + above.form};
}

Interconnect::Call Interconnect::call(const Message& message, int stride) const {
  const Collective kind = probed_as(message.kind);
  const std::vector<Part> parts = parts_of(message.ranks, stride);
  if (parts.empty()) return {};
  const auto bytes = static_cast<double>(message.bytes);
  Call best = flat(parts, kind, bytes);
  const bool has_levels = kind != Collective::send && kind != Collective::one_sided;
  if (parts.size() > 1 && has_levels) {
    const Call layered = by_levels(parts, 0, kind, bytes);
    if (is_faster(layered, best)) best = layered;
  }
  best.time.latency += costs_.small_call(kind, message.ranks).start_seconds;
  return best;
}

}  // namespace breakeven::predict
