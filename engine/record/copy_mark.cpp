// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/copy_mark.h"

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"

namespace palimpsest {

std::string copiedFrom(const std::filesystem::path& folder) {
    try {
        const std::string text = readTextFile(folder / kCopyMark, FilePlace::InFolder, file_limit::kSettings);
        return plainLine(text.substr(0, text.find('\n')));
    } catch (const Error&) {
        return {};
    }
}

}  // namespace palimpsest
