// SPDX-License-Identifier: Apache-2.0
// HDF5 from C++: owners for its ids, the check that every call goes through, and attributes.
#pragma once

#include <hdf5.h>

#include <string>
#include <string_view>

#include "src/core/failure.h"
#include "src/core/handle.h"

namespace breakeven::hdf5 {

using H5File = Handle<hid_t, H5Fclose, H5I_INVALID_HID>;
using H5Dataset = Handle<hid_t, H5Dclose, H5I_INVALID_HID>;
using H5Space = Handle<hid_t, H5Sclose, H5I_INVALID_HID>;
using H5Type = Handle<hid_t, H5Tclose, H5I_INVALID_HID>;
using H5Attribute = Handle<hid_t, H5Aclose, H5I_INVALID_HID>;
using H5Properties = Handle<hid_t, H5Pclose, H5I_INVALID_HID>;

// A call of HDF5 that failed. what() is "file:line: call -> cause (doing)".
class H5Failure : public Failure {
 public:
  H5Failure(const std::string& call, const std::string& cause, const std::string& doing)
      : Failure(ExitCode::file, call + " -> " + cause + " (" + doing + ")"), cause_(cause), doing_(doing) {}
  const std::string& cause() const { return cause_; }  // the innermost on HDF5's error stack
  const std::string& doing() const { return doing_; }

 private:
  std::string cause_;
  std::string doing_;
};

// Throws H5Failure.
[[noreturn]] void fail_h5(const char* call, const char* file, int line, const std::string& doing);

// Keeps HDF5 from printing its error stack on stderr, which fail_h5() puts into one line.
void silence_h5();

// Attributes of the file and of its variables.
void write_attribute(hid_t object, const char* name, std::string_view text);  // of fixed length, not empty
void write_attribute(hid_t object, const char* name, double number);
void write_attribute(hid_t object, const char* name, int number);

// Empty where there is no such attribute, or it is not text of fixed length.
std::string read_text_attribute(hid_t object, const char* name);

// Text of variable length; empty if the attribute is anything else.
std::string read_attribute_of_any_length(hid_t object, const char* name);

}  // namespace breakeven::hdf5

// H5_CALL(call, doing) is the call's value; HDF5 reports every failure by a negative one. `doing` is
// evaluated only then.
#define H5_CALL(call, doing)                                                           \
  [&] {                                                                                \
    const auto h5_result = (call);                                                     \
    if (h5_result < 0) ::breakeven::hdf5::fail_h5(#call, __FILE__, __LINE__, (doing)); \
    return h5_result;                                                                  \
  }()
