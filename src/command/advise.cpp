// SPDX-License-Identifier: Apache-2.0
// `breakeven advise FILE`: which way to train a model, from a results file. Needs no GPU and no launcher.
#include <cmath>
#include <cstdio>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/command.h"
#include "src/command/file_command.h"
#include "src/command/write_text.h"
#include "src/file/read_results.h"
#include "src/model/model_shape.h"
#include "src/report/advice_report.h"
#include "src/report/report_format.h"
#include "src/text/command_line.h"
#include "src/text/lists.h"
#include "src/text/numbers.h"
#include "src/text/usage.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

struct AdviseOptions {
  std::string file;
  AdviceRequest request;
  ReportFormat format = ReportFormat::text;
  std::string output;  // "": standard output
};

struct Words {
  std::string format, precisions, memory_limit;
};

po::options_description describe(AdviseOptions& o, Words& words) {
  po::options_description visible("breakeven advise FILE --model M --batch B [OPTION...]");
  auto add = visible.add_options();
  Question& question = o.request.question;
  add("model", po::value(&question.model), "a named model, or its widths as in 784-2048-10");
  add("batch", po::value(&question.batch), "samples a step over all GPUs");
  add("gpus", po::value(&question.most_gpus)->default_value(0),
      "at most so many; 0: as many as were measured");
  add("precisions", po::value(&words.precisions)->value_name("LIST"),
      "those that will do; all measured ones");
  add("lossy", po::bool_switch(&question.with_lossy),
      "strategies that do not compute what one GPU computes, too");
  add("memory-limit", po::value(&words.memory_limit)->value_name("SIZE"), "of a GPU, such as 12GB");
  add("price", po::value(&o.request.price_an_hour)->default_value(0), "of one GPU for an hour");
  add("format", po::value(&words.format)->default_value("text"), "text, markdown, csv or json");
  add("output", po::value(&o.output)->value_name("FILE"), "where to write instead of standard output");
  add("help", "print this text");
  return visible;
}

// What is wrong with the options, or "".
std::string problem(const AdviseOptions& o) {
  const Question& question = o.request.question;
  if (o.file.empty()) return "advise needs a results file: breakeven advise FILE --model M --batch B";
  if (is_same_file(o.file, o.output)) return "--output would overwrite the results file itself";
  if (question.model.empty()) return "--model is missing: a named model, or its widths as in 784-2048-10";
  const auto shape = parse_model(question.model);
  if (const auto* error = std::get_if<UsageError>(&shape)) return error->sentence;
  if (question.batch == 0) return "--batch is missing: a whole number of samples from 1 on";
  if (question.most_gpus < 0) return "--gpus must not be negative; 0 means as many as were measured";
  if (!(o.request.price_an_hour >= 0) || !std::isfinite(o.request.price_an_hour))
    return "--price must be a number from 0 on";
  for (const std::string& precision : question.precisions) {
    if (find_precision(precision) == nullptr)
      return fmt::format("--precisions '{}' is not one of fp32, tf32x3, tf32, bf16, fp16", precision);
  }
  return "";
}

std::variant<AdviseOptions, UsageError, HelpText> parse_advise_options(int argc, char** argv) {
  AdviseOptions options;
  Words words;
  const auto read = read_command_line(argc, argv, describe(options, words), {{"file", &options.file}});
  if (const auto* error = std::get_if<UsageError>(&read)) return *error;
  if (const auto* help = std::get_if<HelpText>(&read)) return *help;
  if (!words.precisions.empty()) options.request.question.precisions = split_list(words.precisions);
  const std::string sentence = problem(options);
  if (!sentence.empty()) return UsageError{sentence};
  const auto parsed = parse_format(words.format);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return *error;
  options.format = std::get<ReportFormat>(parsed);
  std::uint64_t& limit = options.request.question.memory_limit_bytes;
  if (!words.memory_limit.empty() && !parse_bytes(words.memory_limit, limit))
    return UsageError{
        fmt::format("--memory-limit '{}' is not a size such as 12GB or 80GiB", words.memory_limit)};
  return options;
}

}  // namespace

ExitCode advise_command(int argc, char** argv) {
  const auto parsed = parse_advise_options(argc, argv);
  if (const auto code = answered("advise", parsed)) return *code;
  const auto& options = std::get<AdviseOptions>(parsed);
  write_text(make_advice_report(read_results(options.file), options.request, options.format), options.output,
             "the advice");
  return ExitCode::success;
}

}  // namespace breakeven
