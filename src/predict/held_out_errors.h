// SPDX-License-Identifier: Apache-2.0
// How far predictions are off on held-out cases, which their fit has not seen, and the 95 % intervals that
// follow.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "src/core/case.h"

namespace breakeven::predict {

// Errors of predicted seconds, wherever they are.
struct HeldOut {
  std::vector<double> log_errors;  // log(measured / predicted) of each observation; NaN: not predicted
  std::vector<double> scales;      // the error_scale of each; none: all alike
  void add(double log_error, double scale);
  std::vector<double> known() const;
  double median() const;      // of their sizes
  double half_width() const;  // error_half_width
  // The same at a place of this scale, by the errors over their scales.
  double half_width_at(double scale) const;
};

// Alike in everything but model, batch, GPUs, scaling and timing.
bool is_same_family(const Case& one, const Case& other);

struct PlacedError {
  Case what;
  double log_error = 0;  // log(measured / predicted) by a fit that has not seen the case
  double scale = 1;      // error_scale (interpolate.h); 1: as all others
};

// Errors at one model, or at one model and batch, are alike: of several strategies, and of several launches.
enum class ErrorUnit { model, cell };

// The errors that would be known if the case's unit were not.
using ErrorsWithout = std::function<std::vector<PlacedError>(const Case&)>;

// Errors over their scales: the interval is narrow where predictions like it were good. Locally weighted
// conformal inference (Lei et al., JASA 113, 2018, section 5.2): errors are divided by the size of errors
// that is usual at their place, and the 95 % quantile of these quotients (error_half_width) times the usual
// size is the half width at another place. The usual size is the mean size of the family's errors on other
// models, weighted by exp(-distance / 2) in the logarithms of batch and parameters, with the mean of all its
// errors as one more of weight 2. For a family without errors all families stand in.
//
// What is asked has no error of its own unit, so neither may the usual size that an error is divided by: it
// is made of `without` that unit. Otherwise quotients are those of a case that is surrounded by more known
// ones than any that is asked, and the quantile is not one of the asked quotients (exchangeability: Lei et
// al., section 2.2).
//
// The quantile takes errors at 6 models, or 19 cells, by `unit`. With fewer, Student's t with as many degrees
// of freedom as the units show (clusters.h) times the root mean square of the quotients stands in for it.
class LocalErrors {
 public:
  LocalErrors() = default;
  // Errors that are NaN are left out. Unless `without` says more, an error of another unit is the same
  // whether a unit is known or not.
  LocalErrors(const std::vector<PlacedError>& errors, ErrorUnit unit, const ErrorsWithout& without = {});

  // Half of the interval for this case at scale 1, in the logarithm; NaN for fewer than three units.
  double half_width(const Case& what) const { return quantile_ * usual_.at(what); }

 private:
  class UsualSizes {
   public:
    UsualSizes() = default;
    explicit UsualSizes(const std::vector<PlacedError>& errors);
    double at(const Case& what) const;  // NaN without any error

   private:
    struct Place {
      std::size_t family;  // of families_; their number: none of them
      std::string model;
      double log_parameters, log_batch;
    };
    struct Error {
      Place place;
      double size;
    };
    Place place_of(const Case& what) const;
    std::vector<Case> families_;
    std::vector<Error> errors_;
  };

  UsualSizes usual_;
  double quantile_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace breakeven::predict
