// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/prompt_file_lock.h"

#include <stop_token>
#include <system_error>

#include "engine/support/error.h"

namespace palimpsest {

std::unique_ptr<FolderLock> claimPrompts(const std::filesystem::path& file) {
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    std::error_code unreadable;
    // checkWritable() reports why a file cannot be written.
    if (!std::filesystem::is_directory(folder, unreadable)) return nullptr;
    std::stop_source taken;
    std::unique_ptr<FolderLock> claim;
    try {
        claim = std::make_unique<FolderLock>(
            folder, [&] { taken.request_stop(); }, taken.get_token(), "." + file.filename().string() + ".lock");
    } catch (const Error&) {
        return nullptr;
    }
    if (!claim->held())
        throw inputError("Another adaptation is writing to " + file.string() + ".",
                         "Wait for its end, or name another file.");
    return claim;
}

}  // namespace palimpsest
