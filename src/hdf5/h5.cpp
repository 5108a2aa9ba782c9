// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/h5.h"

#include <optional>
#include <utility>

namespace breakeven::hdf5 {
namespace {

// Called from the API function inwards: the last one seen is where the error was detected.
herr_t keep_innermost(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc && *error->desc) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

void write_value(hid_t object, const char* name, const H5Space& space, hid_t file_type, hid_t memory_type,
                 const void* data) {
  const std::string doing = "writing attribute " + std::string(name);
  const H5Attribute attribute(
      H5_CALL(H5Acreate2(object, name, file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT), doing));
  H5_CALL(H5Awrite(attribute.get(), memory_type, data), doing);
}

H5Space one_number() {
  const hsize_t one = 1;  // netCDF knows no scalar numbers in attributes, only lists of one
  return H5Space(H5_CALL(H5Screate_simple(1, &one, nullptr), "an attribute"));
}

}  // namespace

void fail_h5(const char* call, const char* file, int line, const std::string& doing) {
  std::string cause = "unknown error";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_innermost, &cause);
  std::erase(cause, '\n');  // of a time that HDF5 prints
  throw H5Failure(std::string(file) + ":" + std::to_string(line) + ": " + call, cause, doing);
}

void silence_h5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

void write_attribute(hid_t object, const char* name, std::string_view text) {
  const H5Type type(H5_CALL(H5Tcopy(H5T_C_S1), "the type of an attribute"));
  H5_CALL(H5Tset_size(type.get(), text.size()), name);
  H5_CALL(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), name);
  H5_CALL(H5Tset_cset(type.get(), H5T_CSET_UTF8), name);
  const H5Space space(H5_CALL(H5Screate(H5S_SCALAR), name));
  write_value(object, name, space, type.get(), type.get(), text.data());
}

void write_attribute(hid_t object, const char* name, double number) {
  write_value(object, name, one_number(), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &number);
}

void write_attribute(hid_t object, const char* name, int number) {
  write_value(object, name, one_number(), H5T_STD_I32LE, H5T_NATIVE_INT, &number);
}

namespace {

// The attribute and its type, if it is one text.
struct TextAttribute {
  H5Attribute attribute;
  H5Type type;
  bool has_any_length = false;
};

std::optional<TextAttribute> open_text_attribute(hid_t object, const char* name, const std::string& doing) {
  if (!H5_CALL(H5Aexists(object, name), doing)) return std::nullopt;
  H5Attribute attribute(H5_CALL(H5Aopen(object, name, H5P_DEFAULT), doing));
  H5Type type(H5_CALL(H5Aget_type(attribute.get()), doing));
  if (H5Tget_class(type.get()) != H5T_STRING) return std::nullopt;
  const H5Space space(H5_CALL(H5Aget_space(attribute.get()), doing));
  if (H5_CALL(H5Sget_simple_extent_npoints(space.get()), doing) != 1) return std::nullopt;
  const bool has_any_length = H5_CALL(H5Tis_variable_str(type.get()), doing) > 0;
  return TextAttribute{std::move(attribute), std::move(type), has_any_length};
}

}  // namespace

std::string read_text_attribute(hid_t object, const char* name) {
  const std::string doing = "reading attribute " + std::string(name);
  const auto found = open_text_attribute(object, name, doing);
  if (!found || found->has_any_length) return {};
  std::string text(H5Tget_size(found->type.get()), '\0');
  H5_CALL(H5Aread(found->attribute.get(), found->type.get(), text.data()), doing);
  return text.substr(0, text.find('\0'));
}

std::string read_attribute_of_any_length(hid_t object, const char* name) {
  const std::string doing = "reading attribute " + std::string(name);
  const auto found = open_text_attribute(object, name, doing);
  if (!found || !found->has_any_length) return {};
  char* letters = nullptr;
  H5_CALL(H5Aread(found->attribute.get(), found->type.get(), &letters), doing);
  const std::string text = letters == nullptr ? "" : letters;
  H5_CALL(H5free_memory(letters), doing);
  return text;
}

}  // namespace breakeven::hdf5
