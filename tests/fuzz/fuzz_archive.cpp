// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/archive.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_archive {
namespace {

namespace fs = std::filesystem;

/// Nothing is left outside of the folder that an archive is unpacked into.
void requireAlone(const fs::path& parent) {
    for (const fs::directory_entry& entry : fs::directory_iterator(parent))
        fuzz::require(entry.path().filename() == "unpacked", "something was written beside the folder");
}

}  // namespace

FUZZ_TARGET(archive, 300) {
    static const fs::path parent = [] {
        fs::create_directory(fuzz::scratchFolder() / "target");
        return fuzz::scratchFolder() / "target";
    }();
    const fs::path file = fuzz::fileWith(input, "archive");
    ArchiveSettings settings;
    settings.most_bytes = 1 << 20;
    settings.most_entries = 100;
    fuzz::answers([&] {
        std::size_t read = 0;
        visitArchive(
            file,
            [&](const ArchiveMember& member) {
                fuzz::require(!member.name.starts_with('/') && member.size >= 0, "an absolute name");
                read += member.read().size();
                return true;
            },
            settings);
        fuzz::require(read <= (1 << 20), "more bytes than allowed");
    });
    const fs::path target = parent / "unpacked";
    if (fuzz::answers([&] { extractArchive(file, target, settings); })) {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(target))
            fuzz::require(!entry.is_symlink() && !entry.is_other(), "a link or a device was unpacked");
    } else {
        fuzz::require(!fs::exists(target), "something is left of an archive that was refused");
    }
    requireAlone(parent);
    fs::remove_all(target);
}

}  // namespace palimpsest::fuzz_archive
