// SPDX-License-Identifier: Apache-2.0
// Writes a results file with the variables that every file must have (docs/results-file.md), from a C++
// program that times its own steps: here a sum over numbers, on one thread and on two.
//
//   h5c++ -std=c++20 examples/minimal.cpp -o minimal -pthread
//   ./minimal mine.h5 && breakeven check mine.h5 && breakeven report mine.h5
#include <hdf5.h>
#include <hdf5_hl.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int batch = 4096, steps = 200;

// Names by dimensions, and the type of each: text, a whole number by its bytes, or a double that is NaN
// unless known.
const std::vector<std::pair<std::string, std::string>> tables{
    {"", "rank:i4 step:i4 phase:text peer:i4 launch:i4 run:text"},
    {"run",
     "model:text batch:u4 gpus:i4 strategy:text precision:text gemm:text collective:text scaling:text "
     "instrument:text "
     "graph:i1 data:text repeat:u4 order:u4 launch_index:u4 warmup:u4 steps:u4 parameters:u8 status:u1"},
    {"run rank step phase", "seconds"},
    {"run rank step", "host_seconds loss"},
    {"run rank",
     "steps_host_seconds steps_device_seconds setup_seconds first_step_seconds warmup_seconds busy_fraction "
     "peak_memory_bytes exchange_bytes exchange_calls test_accuracy utilization_percent sm_clock_hz "
     "temperature_celsius power_watts energy_joules throttle_reasons device_memory_bytes checksum:u8"},
    {"launch",
     "started:text command_line:text git_revision:text versions:text settings:text environment:text "
     "ranks:u4"},
    {"launch rank",
     "host:text backend:text gpu_name:text gpu_uuid:text pci_address:text multiprocessors:i4 "
     "compute_capability:i4 "
     "memory_bytes:u8 numa_node:i4"},
    {"launch rank peer",
     "link:text peer_access:i1 link_bytes_per_second link_latency_seconds link_data_right:i1"}};
const std::map<std::string, hsize_t> extents{{"rank", 2}, {"step", steps}, {"phase", 10},
                                             {"peer", 2}, {"launch", 1},   {"run", 2}};
constexpr int step_phase = 9;  // the last: the whole step

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

hid_t text_type() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

hid_t type_of(const std::string& word) {
  static const std::map<std::string, hid_t> types{{"text", text_type()},     {"i1", H5T_NATIVE_INT8},
                                                  {"i4", H5T_NATIVE_INT32},  {"u1", H5T_NATIVE_UINT8},
                                                  {"u4", H5T_NATIVE_UINT32}, {"u8", H5T_NATIVE_UINT64},
                                                  {"f8", H5T_NATIVE_DOUBLE}};
  return types.at(word);
}

// A variable with its dimensions; a coordinate has itself for a dimension. Doubles that nobody fills are NaN.
void create(hid_t file, const std::string& name, const std::string& type, const std::string& dimensions) {
  const std::vector<std::string> axes = words(dimensions.empty() ? name : dimensions);
  std::vector<hsize_t> shape;
  for (const std::string& axis : axes) shape.push_back(extents.at(axis));
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  const double unknown = NAN;
  if (type == "f8") H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &unknown);
  const hid_t made =
      H5Dcreate2(file, name.c_str(), type_of(type), space, H5P_DEFAULT, properties, H5P_DEFAULT);
  if (dimensions.empty()) H5DSset_scale(made, name.c_str());
  for (unsigned axis = 0; !dimensions.empty() && axis < axes.size(); ++axis) {
    const hid_t scale = H5Dopen2(file, axes[axis].c_str(), H5P_DEFAULT);
    H5DSattach_scale(made, scale, axis);
    H5Dclose(scale);
  }
  H5Dclose(made), H5Pclose(properties), H5Sclose(space);
}

// As many values as the variable has.
void write(hid_t file, const std::string& name, hid_t type, const void* values) {
  const hid_t variable = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  H5Dwrite(variable, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(variable);
}
void write_numbers(hid_t file, const std::string& name, const std::vector<int>& values) {
  write(file, name, H5T_NATIVE_INT, values.data());
}
void write_words(hid_t file, const std::string& name, const std::vector<const char*>& values) {
  write(file, name, text_type(), values.data());
}

// FNV-1a over the bytes of a run's doubles on each rank, in the order of the tables.
std::vector<std::uint64_t> checksums(hid_t file) {
  std::vector<std::uint64_t> sums(4, 14695981039346656037u);
  for (std::size_t table = 2; table <= 4; ++table) {
    for (const std::string& word : words(tables[table].second)) {
      if (word.find(':') != word.npos) continue;
      std::size_t count = 1;
      for (const std::string& axis : words(tables[table].first)) count *= extents.at(axis);
      std::vector<double> values(count);
      const hid_t variable = H5Dopen2(file, word.c_str(), H5P_DEFAULT);
      H5Dread(variable, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
      H5Dclose(variable);
      std::vector<unsigned char> bytes(count * sizeof(double));
      std::memcpy(bytes.data(), values.data(), bytes.size());
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::uint64_t& sum = sums[i / (bytes.size() / sums.size())];
        sum = (sum ^ bytes[i]) * 1099511628211u;
      }
    }
  }
  return sums;
}

// Seconds of each step, which `threads` threads share.
std::vector<double> train(int threads) {
  std::vector<double> numbers(std::size_t{batch} * 256, 1.0), seconds;
  for (int step = 0; step < steps; ++step) {
    const auto begun = std::chrono::steady_clock::now();
    std::vector<std::jthread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        const auto part = static_cast<std::ptrdiff_t>(numbers.size() / threads);
        volatile double sum =
            std::accumulate(numbers.begin() + t * part, numbers.begin() + (t + 1) * part, 0.0);
        (void)sum;
      });
    }
    workers.clear();  // joins them
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  }
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: minimal FILE.h5\n", stderr), 1;
  const hid_t ordered = H5Pcreate(H5P_FILE_CREATE);  // checksums follow the order of the variables
  H5Pset_link_creation_order(ordered, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  const hid_t file = H5Fcreate(argv[1], H5F_ACC_EXCL, ordered, H5P_DEFAULT);
  if (file < 0) return 5;
  H5LTset_attribute_string(file, "/", "Conventions", "breakeven-results-1");
  for (const auto& [dimensions, names] : tables) {
    for (const std::string& word : words(names)) {
      const std::size_t colon = word.find(':');
      create(file, word.substr(0, colon), colon == word.npos ? "f8" : word.substr(colon + 1), dimensions);
    }
  }
  std::vector<int> places(steps);
  std::iota(places.begin(), places.end(), 0);
  write_numbers(file, "step", places);
  for (const char* name : {"rank", "peer"}) write_numbers(file, name, {0, 1});
  write_words(file, "phase",
              {"input", "forward", "backward", "collect", "exchange", "broadcast", "wait", "optimizer",
               "overhead", "step"});
  write_words(file, "run", {"#0", "#1"});
  write_words(file, "strategy", {"single", "threads"});
  write_numbers(file, "gpus", {1, 2});
  const std::vector<std::pair<std::string, const char*>> same{{"model", "sum"},
                                                              {"precision", "fp64"},
                                                              {"gemm", "mine"},
                                                              {"scaling", "strong"},
                                                              {"instrument", "total"}};
  for (const auto& [name, value] : same) write_words(file, name, {value, value});
  write_numbers(file, "batch", {batch, batch});
  write_numbers(file, "steps", {steps, steps});
  write_numbers(file, "status", {1, 1});
  write_numbers(file, "ranks", {2});
  write_words(file, "backend", {"host", "host"});
  write_words(file, "gpu_name", {"processor core", "processor core"});
  std::array<char, 32> started{};
  const std::time_t now = std::time(nullptr);
  std::strftime(started.data(), started.size(), "%FT%TZ", std::gmtime(&now));
  write_words(file, "started", {started.data()});  // tells the file from others that are read beside it
  write_words(file, "versions", {"{}"});
  write_words(file, "environment", {"{}"});
  write_words(file, "settings", {R"({"recorder": "minimal", "recorded-loss": "none"})"});
  std::vector<double> seconds(std::size_t{2} * 2 * steps * 10, NAN);  // [run][rank][step][phase]
  for (int run = 0; run < 2; ++run) {
    const std::vector<double> made = train(run + 1);
    for (int rank = 0; rank <= run; ++rank) {
      for (int step = 0; step < steps; ++step)
        seconds[static_cast<std::size_t>(((run * 2 + rank) * steps + step) * 10 + step_phase)] =
            made[static_cast<std::size_t>(step)];
    }
  }
  write(file, "seconds", H5T_NATIVE_DOUBLE, seconds.data());
  const std::vector<std::uint64_t> sums = checksums(file);
  write(file, "checksum", H5T_NATIVE_UINT64, sums.data());
  return H5Fclose(file) < 0 ? 5 : 0;
}
