// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace palimpsest {

/// Notes of the user about a run. They stand in `library.json` of the run's folder, which is the truth: an index that
/// is lost loses none of it, and it goes wherever the folder goes.
struct RunNotes {
    std::vector<std::string> tags;  ///< without spaces or commas, each once, in the order given
    std::string note;
    std::string colour;   ///< "#rrggbb", or empty: the usual one
    bool hidden = false;  ///< left out of the list unless asked for
    /// The run was interrupted, and resuming it is not offered any more. The index does not store this.
    bool left_alone = false;

    bool operator==(const RunNotes&) const = default;
};

/// "good, slow good" → good, slow: words between spaces and commas, each once.
std::vector<std::string> tagsIn(std::string_view text);
std::string tagsText(const std::vector<std::string>& tags);  ///< with spaces between them

/// A note as it may be shown: each of its lines a plainSentence().
std::string plainNote(std::string_view text);

/// Without the file, or with one that cannot be understood, nothing was said. Never throws.
RunNotes readNotes(const std::filesystem::path& run);
/// A file that cannot be understood is set aside, not overwritten. Throws Error(Input) when the folder cannot be
/// written to or is no run.
void writeNotes(const std::filesystem::path& run, const RunNotes& notes);

}  // namespace palimpsest
