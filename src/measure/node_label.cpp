// SPDX-License-Identifier: Apache-2.0
#include "src/measure/node_label.h"

#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/product.h"
#include "src/core/precision.h"

namespace breakeven::measure {
namespace {

// By GemmLayout: what a layer's product with these operands is for.
constexpr std::array<std::string_view, gemm_layout_names.size()> products{"forward", "data gradient",
                                                                          "weight gradient"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> types{
    {{"__nv_bfloat16", "bf16"}, {"__half", "fp16"}, {"float", "fp32"}}};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where what opens at `place` closes; the end of the text where it never does.
std::size_t closing(std::string_view text, std::size_t place, char open, char close) {
  int depth = 0;
  for (std::size_t i = place; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) return i;
  }
  return text.size();
}

// "a::b::c<a::d>" becomes "c<d>".
std::string without_namespaces(std::string_view name) {
  std::string kept;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i, 2) == "::") {
      while (!kept.empty() && (is_word(kept.back()))) kept.pop_back();
      ++i;
    } else {
      kept += name[i];
    }
  }
  return kept;
}

// "void f<int, (E)1>(g, h)" has the parts "f" and {"int", "(E)1"}.
struct Signature {
  std::string function;
  std::vector<std::string> arguments;
};

std::vector<std::string> split_arguments(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else if (c != ' ' || depth == 0) {
      if (c != ' ' || !parts.back().empty()) parts.back() += c;
    }
  }
  for (std::string& part : parts) {
    while (!part.empty() && part.back() == ' ') part.pop_back();
  }
  if (parts.back().empty()) parts.pop_back();
  return parts;
}

Signature read_signature(const std::string& name) {
  std::string plain;
  for (std::size_t i = 0; i < name.size(); ++i) {  // "(anonymous namespace)::" is a namespace with brackets
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    if (std::string_view(name).substr(i).starts_with(unnamed)) i += unnamed.size();
    if (i < name.size()) plain += name[i];
  }
  plain = without_namespaces(plain);
  if (plain.starts_with("void ")) plain.erase(0, 5);
  const std::size_t open = plain.find_first_of("<(");
  if (open == std::string::npos) return {plain, {}};
  if (plain[open] == '(') return {plain.substr(0, open), {}};
  const std::size_t close = closing(plain, open, '<', '>');
  return {plain.substr(0, open), split_arguments(std::string_view(plain).substr(open + 1, close - open - 1))};
}

// "(TYPE)2" is 2.
std::optional<std::size_t> enumerator(std::string_view argument, std::string_view type) {
  if (!argument.starts_with(fmt::format("({})", type))) return std::nullopt;
  argument.remove_prefix(type.size() + 2);
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(argument.data(), argument.data() + argument.size(), value);
  return error == std::errc{} && end == argument.data() + argument.size() ? std::optional(value)
                                                                          : std::nullopt;
}

struct Meaning {
  std::string product;
  std::string precision;
  std::vector<std::string> others;
};

void read_argument(const std::string& argument, Meaning& meaning) {
  if (const auto layout = enumerator(argument, "GemmLayout"); layout && *layout < products.size()) {
    meaning.product = products[*layout];
    return;
  }
  if (const auto value = enumerator(argument, "Precision"); value && *value < precisions.size()) {
    meaning.precision = precisions[*value].name;
    return;
  }
  for (const auto& [type, word] : types) {
    if (argument != type) continue;
    meaning.precision += (meaning.precision.empty() ? "" : ",") + std::string(word);
    return;
  }
  const std::size_t open = argument.find('<');
  if (open == std::string::npos) {
    meaning.others.push_back(argument);
    return;
  }
  const std::size_t close = closing(argument, open, '<', '>');  // a tile: its arguments are what differs
  for (const std::string& inner :
       split_arguments(std::string_view(argument).substr(open + 1, close - open - 1)))
    read_argument(inner, meaning);
}

}  // namespace

std::string label_of(const NodeRecord& node) {
  if (node.kind == NodeKind::copy) return "copy " + node.name;
  if (node.kind == NodeKind::set) return node.name;
  Signature signature = read_signature(node.name);
  constexpr std::string_view ending = "_kernel";
  if (signature.function.ends_with(ending))
    signature.function.erase(signature.function.size() - ending.size());
  Meaning meaning;
  for (const std::string& argument : signature.arguments) read_argument(argument, meaning);
  std::string label = signature.function;
  if (!meaning.product.empty()) label += " " + meaning.product;
  if (!meaning.precision.empty()) label += " " + meaning.precision;
  if (!meaning.others.empty()) label += fmt::format(" <{}>", fmt::join(meaning.others, ","));
  return label;
}

}  // namespace breakeven::measure
