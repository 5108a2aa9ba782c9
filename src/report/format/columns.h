// SPDX-License-Identifier: Apache-2.0
// Columns that several tables have. A table of its own names them, under another header where it needs one.
#pragma once

#include "src/core/axes.h"
#include "src/report/format/declared_table.h"

namespace breakeven::report {

// Its key, label, unit and meaning are those of the table of axes.
DeclaredColumn axis_column(Axis axis);

}  // namespace breakeven::report

namespace breakeven::report::columns {

inline const DeclaredColumn model = axis_column(Axis::model);
inline const DeclaredColumn batch = axis_column(Axis::batch);
inline const DeclaredColumn gpus = axis_column(Axis::gpus);
inline const DeclaredColumn strategy = axis_column(Axis::strategy);
inline const DeclaredColumn precision = axis_column(Axis::precision);
inline const DeclaredColumn gemm = axis_column(Axis::gemm);
inline const DeclaredColumn collective = axis_column(Axis::transport);
inline const DeclaredColumn nccl_settings = axis_column(Axis::nccl);
inline const DeclaredColumn scaling = axis_column(Axis::scaling);
inline const DeclaredColumn timing = axis_column(Axis::timing);
inline const DeclaredColumn graph = axis_column(Axis::graph);
inline const DeclaredColumn chosen = axis_column(Axis::chosen);
inline const DeclaredColumn lossy =
    datum("lossy", "", "the strategy does not compute what one GPU computes").typed(JsonType::truth);
inline const DeclaredColumn parameters = number("parameters", "", "", "weights and biases of the model");
inline const DeclaredColumn rank = number("rank", "Rank", "", "of MPI, from 0; it drives one GPU");
inline const DeclaredColumn verdict =
    words("verdict", "Verdict", "pays, does not pay, same within 2 %, undecided, or baseline");
inline const DeclaredColumn steps = number("steps", "Steps", "steps", "steady steps of all runs");
inline const DeclaredColumn runs_done = number("runs_done", "Runs", "", "finished runs");
inline const DeclaredColumn step_seconds =
    number("step_seconds", "Mean", "s", "arithmetic mean of all steps, each as long as on its slowest rank")
        .left();
inline const DeclaredColumn step_seconds_median =
    number("step_seconds_median", "Median", "s", "of the same steps");
inline const DeclaredColumn step_seconds_p95 = number("step_seconds_p95", "p95", "s", "of the same steps");
inline const DeclaredColumn step_seconds_p99 = number("step_seconds_p99", "p99", "s", "of the same steps");
inline const DeclaredColumn samples_per_second =
    number("samples_per_second", "Samples/s", "1/s", "batch / arithmetic mean step");
inline const DeclaredColumn interval_covers =
    words("interval_covers", "Intervals", "what they cover: one launch, or several launches");
inline const DeclaredColumn step_seconds_of_all_steps =
    number("step_seconds_of_all_steps", "Step time with\nthose steps", "s", "mean of all measured steps");
inline const DeclaredColumn steps_set_aside =
    number("steps_set_aside", "Steps\nset aside", "steps", "measured before the steady ones");
inline const DeclaredColumn effective_steps =
    number("effective_steps", "Effective\nsteps", "steps", "independent steps that tell the mean as well");
inline const DeclaredColumn runs_with_late_warmup = number("runs_with_late_warmup", "Runs with\nlate warm-up",
                                                           "", "steady only after the first measured step");
inline const DeclaredColumn runs_not_steady =
    number("runs_not_steady", "Runs not\nsteady", "", "their measured steps drift, or change level late");
inline const DeclaredColumn base_step_seconds =
    number("base_step_seconds", "Single, a step", "s", "arithmetic mean step of `single` on one GPU");
inline const DeclaredColumn base_samples_per_second =
    number("base_samples_per_second", "", "1/s", "batch / arithmetic mean step of `single` on one GPU");
inline const DeclaredColumn speedup_samples_per_second =
    number("speedup_samples_per_second", "Multi-GPU\nsamples/s", "1/s",
           "that the speed-up is of: geometric mean over shared blocks");
inline const DeclaredColumn speedup_base_samples_per_second = number(
    "speedup_base_samples_per_second", "Single GPU\nsamples/s", "1/s", "the same of `single` on one GPU");
inline const DeclaredColumn speedup =
    words("speedup", "Speed-up", "samples/s over those of one GPU: geometric mean over their shared blocks")
        .typed(JsonType::number);
inline const DeclaredColumn efficiency = number("efficiency", "Efficiency", "share", "speed-up / GPUs");
inline const DeclaredColumn quality_reached_runs =
    number("quality_reached_runs", "Reached\nin runs", "", "runs that reached the quality");
inline const DeclaredColumn steps_to_quality =
    number("steps_to_quality", "Steps", "steps", "to the quality, warm-up included").left();
inline const DeclaredColumn samples_to_quality =
    number("samples_to_quality", "Samples", "samples", "steps to the quality times batch");
inline const DeclaredColumn seconds_to_quality =
    number("seconds_to_quality", "Time", "s", "steps to the quality times mean step").left();
inline const DeclaredColumn quality_speedup =
    words("quality_speedup", "Speed-up,\ntime", "baseline's time to the quality / this one")
        .typed(JsonType::number);
inline const DeclaredColumn overhead_seconds =
    number("overhead_seconds", "Overhead\na step", "s", "the step less all phases");
inline const DeclaredColumn timing_overhead =
    number("timing_overhead", "Timing\noverhead", "share", "step timed by `phases` / by `total`, less 1");
inline const DeclaredColumn exchange_bytes =
    number("exchange_bytes", "", "bytes", "a rank hands to the transport in a step");
inline const DeclaredColumn peak_memory_bytes =
    number("peak_memory_bytes", "Memory\nusage", "bytes", "most that the program took on a GPU");
inline const DeclaredColumn device_memory_bytes = number("device_memory_bytes", "Device\nmemory", "bytes",
                                                         "in use by NVML, context and libraries included");
inline const DeclaredColumn utilization_percent =
    number("utilization_percent", "Utilization", "%", "by NVML");
inline const DeclaredColumn busy_fraction =
    number("busy_fraction", "At\nwork", "share", "of a step in which the device worked, by events");
inline const DeclaredColumn sm_clock_hz =
    number("sm_clock_hz", "SM clock", "Hz", "around the measured steps");
inline const DeclaredColumn temperature_celsius = number("temperature_celsius", "Temp.", "°C", "highest");
inline const DeclaredColumn power_watts = number("power_watts", "Power", "W", "mean of one GPU");
inline const DeclaredColumn joules_per_sample =
    number("joules_per_sample", "Energy\na sample", "J", "of all GPUs, by NVML's counter");
inline const DeclaredColumn throttle_reasons =
    words("throttle_reasons", "Clock limited by", "NVML's reasons");
inline const DeclaredColumn settle_seconds =
    number("settle_seconds", "Settled\nfor", "s", "training before the measured steps, mean of the runs");
inline const DeclaredColumn run_seconds =
    number("run_seconds", "Measured\nfor", "s", "all measured steps of a run, mean of the runs");
inline const DeclaredColumn steps_apart =
    number("steps_apart", "Steps a\nrecord", "steps", "for which a recorded step stands");
inline const DeclaredColumn setup_seconds = number("setup_seconds", "Set-up", "s", "network and graph");
inline const DeclaredColumn first_step_seconds =
    number("first_step_seconds", "First step", "s", "in which libraries load");
inline const DeclaredColumn bubble =
    number("bubble", "By\nformula", "share", "of a step idle in each stage, if all are alike");
inline const DeclaredColumn idle_share =
    number("idle_share", "Measured,\nmean", "share", "(`exchange` + `wait`) / step");
inline const DeclaredColumn autotuning_seconds =
    number("autotuning_seconds", "Autotuning\ntook", "s", "prediction and all probes");
inline const DeclaredColumn regret = number("regret", "Regret", "share",
                                            "samples/s of the fastest measured beside the choice, over the "
                                            "choice's, less 1; below 0: the choice was faster")
                                         .left();
inline const DeclaredColumn serial_share =
    number("serial_share", "Serial\npart", "share", "of one GPU's step: what more GPUs do not shorten");
inline const DeclaredColumn gpu_seconds_per_sample =
    number("gpu_seconds_per_sample", "GPU time,\nmore", "s",
           "of all GPUs together, by the arithmetic mean step")
        .left();
inline const DeclaredColumn gpu_hours_gain =
    words("gpu_hours_gain", "Samples of a\nGPU-hour, times", "speed-up / GPUs").typed(JsonType::number);
inline const DeclaredColumn gpu_hours_verdict =
    words("gpu_hours_verdict", "By GPU-hours", "whether that pays");
inline const DeclaredColumn cost_per_million_samples =
    number("cost_per_million_samples", "Money,\nmore", "money", "GPU time times `--price`");
inline const DeclaredColumn energy_gain =
    words("energy_gain", "Samples of a\njoule, times", "over one GPU's").typed(JsonType::number);
inline const DeclaredColumn energy_verdict = words("energy_verdict", "By energy", "whether that pays");
inline const DeclaredColumn loss_seconds =
    number("loss_seconds", "Lost", "s", "the step less the ideal one").left();
inline const DeclaredColumn ideal_step_seconds =
    number("ideal_step_seconds", "", "s", "one GPU's step / GPUs");
inline const DeclaredColumn loss_half_width_seconds =
    number("loss_half_width_seconds", "", "s", "half of its interval");
inline const DeclaredColumn predicted_memory_bytes =
    number("predicted_memory_bytes", "Predicted", "bytes", "by the sum of its parts");
inline const DeclaredColumn memory_bytes_a_row =
    number("memory_bytes_a_row", "Each sample\nof a rank", "bytes", "of its part of the batch");
inline const DeclaredColumn fits =
    words("fits", "Fits", "into `--memory-limit`, or a GPU's memory").typed(JsonType::truth);
inline const DeclaredColumn largest_batch =
    number("largest_batch", "Largest\nbatch", "samples", "that fits, over all GPUs");
inline const DeclaredColumn launch_seconds =
    number("launch_seconds", "Host - device\na step", "s", "by which the host's clock exceeds the device's");
inline const DeclaredColumn device_over_host =
    number("device_over_host", "Device /\nhost clock", "", "their ratio");
inline const DeclaredColumn outlier_runs =
    number("outlier_runs", "Outlier\nruns", "", "modified Z-score over 3.5, of 10 runs or more");
inline const DeclaredColumn outlier_runs_all_ranks =
    number("outlier_runs_all_ranks", "On all\nranks", "", "outlier runs with every rank slow or fast");
inline const DeclaredColumn slow_steps_all_ranks_share =
    number("slow_steps_all_ranks_share", "Slow steps,\nall ranks", "share",
           "far above the run's median on all ranks");
inline const DeclaredColumn slow_steps_some_ranks_share =
    number("slow_steps_some_ranks_share", "Slow steps,\nsome ranks", "share", "on some ranks");
inline const DeclaredColumn ideal = number("ideal", "Ideal", "", "the number of GPUs");
inline const DeclaredColumn amdahl =
    number("amdahl", "Amdahl", "", "highest speed-up that the serial part allows");
inline const DeclaredColumn link =
    number("link", "The\nlink's", "", "highest speed-up that the exchange's bytes allow");
inline const DeclaredColumn gpu_hours_a_million =
    number("gpu_hours_a_million", "GPU-hours\na million", "h", "of a million samples");
inline const DeclaredColumn cost_a_million =
    number("cost_a_million", "Cost of\na million", "money", "GPU-hours of a million times `--price`");
inline const DeclaredColumn predicted_seconds =
    number("predicted_seconds", "Predicted", "s", "predicted step").left();
inline const DeclaredColumn probed_seconds =
    number("probed_seconds", "Step,\nprobed", "s", "median step of the probes");
inline const DeclaredColumn measured_seconds =
    number("measured_seconds", "Measured", "s", "mean over runs, steps and ranks");
inline const DeclaredColumn limited_by = words("limited_by", "What limits", "memory, arithmetic or latency");
inline const DeclaredColumn memory_bytes = number("memory_bytes", "Memory", "bytes", "of the device");
inline const DeclaredColumn basis = words("basis", "Basis",
                                          "how the step is known: measured; or predicted, and its basis: "
                                          "interpolated, calibrated, extrapolated, fitted, roofline");
inline const DeclaredColumn bytes_per_second = number("bytes_per_second", "Bandwidth", "bytes/s", "one way");
inline const DeclaredColumn latency_seconds =
    number("latency_seconds", "Latency", "s", "of a small message, one way");
inline const DeclaredColumn machine = words("machine", "", "devices, their number, hosts");
inline const DeclaredColumn file = words("file", "", "results file");
inline const DeclaredColumn warning_pages =
    datum("warning_pages", "", "of docs/, with the remedy of each warning").typed(JsonType::texts);
inline const DeclaredColumn revision = words("revision", "", "of the source");
inline const DeclaredColumn command_line = words("command_line", "", "of the launch");
inline const DeclaredColumn sentence = words("sentence", "", "as in text");
inline const DeclaredColumn transport = words("transport", "", "what carried the data");
inline const DeclaredColumn speedup_unit = words("speedup_unit", "", "what the speed-up's interval counts");
inline const DeclaredColumn speedup_covers =
    words("speedup_covers", "Its interval", "what it covers: one launch, or several launches");
inline const DeclaredColumn flops_per_second = number("flops_per_second", "TFLOP/s", "1/s", "2 m n k / time");
inline const DeclaredColumn error =
    number("error", "Error", "share", "relative Frobenius norm of the difference");
inline const DeclaredColumn error_limit = number("error_limit", "", "share", "allowed");
inline const DeclaredColumn right =
    words("right", "", "whether all is within the limits").typed(JsonType::truth);
inline const DeclaredColumn format = words("format", "", "what the JSON is");
inline const DeclaredColumn version = number("version", "", "", "raised where a key changes or goes");
inline const DeclaredColumn answer = words("answer", "", "the sentences of the answer");
inline const DeclaredColumn from = number("from", "", "", "rank that sends");
inline const DeclaredColumn to = number("to", "", "", "rank that receives");
inline const DeclaredColumn kind = words("kind", "", "what connects them: NVLinks, PCIe, host, network");
inline const DeclaredColumn peer_access =
    words("peer_access", "", "whether a GPU reaches the other's memory").typed(JsonType::truth);
inline const DeclaredColumn data_right =
    words("data_right", "", "whether all arrived as sent").typed(JsonType::truth);
inline const DeclaredColumn host = words("host", "Host", "name of the computer");
inline const DeclaredColumn uuid = words("uuid", "UUID", "of the device");
inline const DeclaredColumn pci_address = words("pci_address", "PCI", "of the device");
inline const DeclaredColumn numa_node = number("numa_node", "NUMA", "", "to which the device is attached");
inline const DeclaredColumn multiprocessors = number("multiprocessors", "SMs or\ncores", "", "of the device");
inline const DeclaredColumn backend = words("backend", "", "`cuda` or `host`");
inline const DeclaredColumn name = words("name", "", "of the device");
inline const DeclaredColumn label = words("label", "", "name of the run");
inline const DeclaredColumn flops_share =
    number("flops_share", "Of the\nroofline", "share", "of the fastest large product in this precision");

}  // namespace breakeven::report::columns

namespace breakeven::report {

DeclaredColumns axis_columns();           // every axis of a case, and its parameters (tidy_row.cpp)
DeclaredColumns phase_columns();          // seconds of each phase but the step (tidy_row.cpp)
DeclaredColumns budget_columns();         // what add_budget adds (loss_budget.cpp)
DeclaredColumns faster_single_columns();  // what add_faster_single adds (faster_single.cpp)

}  // namespace breakeven::report
