// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/folder_kind.h"

#include <algorithm>
#include <array>
#include <string>

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 4;
constexpr int kMostLooked = 20'000;
/// Class folders are often links; that links lead in circles ends at the depth.
constexpr fs::directory_options kOptions =
    fs::directory_options::skip_permission_denied | fs::directory_options::follow_directory_symlink;

bool hasPictureName(const fs::path& file) {
    static constexpr std::array<const char*, 11> kEndings = {".jpg", ".jpeg", ".png",  ".bmp",  ".ppm", ".pgm",
                                                             ".pnm", ".tif",  ".tiff", ".webp", ".gif"};
    std::string ending = file.extension().string();
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

}  // namespace

bool looksLikeImages(const fs::path& folder) {
    std::error_code failure;
    fs::recursive_directory_iterator entry(folder, kOptions, failure);
    int looked = 0;
    for (; !failure && entry != fs::recursive_directory_iterator(); entry.increment(failure)) {
        if (++looked > kMostLooked || hasPictureName(entry->path())) return true;
        if (entry.depth() == kDeepest) entry.disable_recursion_pending();
    }
    return false;
}

bool looksLikeRun(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "run.json", ignored) || fs::exists(folder / "experiment.toml", ignored);
}

}  // namespace palimpsest
