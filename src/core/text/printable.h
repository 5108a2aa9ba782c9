// SPDX-License-Identifier: Apache-2.0
// Text from files and users, made safe to print. What a terminal would obey, or would not show, becomes
// visible: an escape character becomes "\x1b". Everything that is printed for people passes through here.
#pragma once

#include <string>
#include <string_view>

namespace breakeven {

// Makes control characters but "\n", characters that change the direction of text, and bytes that are not
// UTF-8 visible, as "\x1b" or "\u{202e}".
std::string printable(std::string_view text);

// The same, in one line: "\n" becomes a blank.
std::string printable_line(std::string_view text);

// JSON whose texts hold no control character as it is: "\u009b". Writers of JSON escape those below U+0020
// only.
std::string without_controls(std::string_view json);

}  // namespace breakeven
