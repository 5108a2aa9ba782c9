// SPDX-License-Identifier: Apache-2.0
#include "src/command/answer/goodput_options.h"

#include <cmath>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/core/text/numbers.h"

namespace breakeven {
namespace {

bool is_positive(double number) { return number > 0 && std::isfinite(number); }

}  // namespace

void describe_goodput(boost::program_options::options_description& options, GoodputWords& words) {
  namespace po = boost::program_options;
  auto add = options.add_options();
  add("mtbf", po::value(&words.mtbf_hours)->value_name("HOURS"),
      "one GPU fails once in so many hours on average: prints goodput, too");
  add("checkpoint-seconds", po::value(&words.checkpoint_seconds)->value_name("SECONDS"),
      "that a checkpoint takes");
  add("disk-bandwidth", po::value(&words.disk_bandwidth)->value_name("RATE"),
      "such as 20GB/s: a checkpoint takes the time of the model's state by it");
  add("checkpoint-interval", po::value(&words.interval)->default_value(words.interval),
      "auto or a number of seconds of work");
  add("restart-seconds", po::value(&words.restart_seconds)->default_value(words.restart_seconds),
      "from a failure until the work goes on");
  add("job-hours", po::value(&words.job_hours)->default_value(words.job_hours), "of work, without losses");
}

std::string read_goodput(const GoodputWords& words, GoodputRequest& request) {
  if (words.mtbf_hours == 0) return "";
  if (!is_positive(words.mtbf_hours)) return "--mtbf must be a positive number of hours";
  if (!is_positive(words.restart_seconds)) return "--restart-seconds must be a positive number";
  if (!is_positive(words.job_hours)) return "--job-hours must be a positive number";
  request.gpu_mtbf_seconds = 3600 * words.mtbf_hours;
  request.restart_seconds = words.restart_seconds;
  request.job_seconds = 3600 * words.job_hours;
  if (words.checkpoint_seconds != 0) {
    if (!is_positive(words.checkpoint_seconds)) return "--checkpoint-seconds must be a positive number";
    request.checkpoint_seconds = words.checkpoint_seconds;
  } else if (const auto bandwidth = parse_bandwidth(words.disk_bandwidth)) {
    request.disk_bytes_per_second = *bandwidth;
  } else if (words.disk_bandwidth.empty()) {
    return "--mtbf needs --checkpoint-seconds, or --disk-bandwidth such as 20GB/s";
  } else {
    return fmt::format("--disk-bandwidth '{}' is not a rate such as 20GB/s", words.disk_bandwidth);
  }
  if (words.interval == "auto") return "";
  const auto seconds = parse_number<float>(words.interval);
  if (!seconds || !(*seconds > 0))
    return fmt::format("--checkpoint-interval '{}' is neither auto nor a positive number of seconds",
                       words.interval);
  request.interval_seconds = *seconds;
  return "";
}

}  // namespace breakeven
