// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/stat.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "engine/support/random.h"
#include "tests/support/file_content.h"

namespace palimpsest::test {

/// What a disk holds after a loss of power: what was synced for certain, and of the rest what chance has brought to it.
/// `shadow`: as fault_shim.c fills it.
class PowerLoss {
public:
    /// `random`: decides which of the writes and names that nobody waited for are there all the same; null: none.
    PowerLoss(std::filesystem::path shadow, Random* random) : shadow_(std::move(shadow)), random_(random) {}

    /// Makes `after` what the folder `before` is after the loss.
    void apply(const std::filesystem::path& before, const std::filesystem::path& after) const {
        folder(before, inodeOf(before), after);
    }

private:
    struct Entry {
        bool folder = false;
        ino_t inode = 0;
        bool operator==(const Entry&) const = default;
    };
    using Names = std::map<std::string, Entry>;

    static ino_t inodeOf(const std::filesystem::path& path) {
        struct stat now {};
        return lstat(path.c_str(), &now) == 0 ? now.st_ino : 0;
    }

    bool coin() const { return random_ && random_->below(2) == 0; }

    Names syncedNames(ino_t inode) const {
        Names names;
        std::istringstream lines(contentOf(shadow_ / "names" / std::to_string(inode)));
        std::string kind, name;
        for (Entry entry; lines >> kind >> entry.inode && lines.ignore() && std::getline(lines, name);) {
            entry.folder = kind == "d";
            names[name] = entry;
        }
        return names;
    }

    static Names namesNow(const std::filesystem::path& folder) {
        Names names;
        std::error_code gone;
        for (std::filesystem::directory_iterator entry(folder, gone), end; !gone && entry != end; entry.increment(gone))
            names[entry->path().filename().string()] = {entry->is_directory(), inodeOf(entry->path())};
        return names;
    }

    /// `now`: empty where the folder is no longer there.
    void folder(const std::filesystem::path& now, ino_t inode, const std::filesystem::path& after) const {
        std::filesystem::create_directories(after);
        const Names synced = syncedNames(inode), current = namesNow(now);
        std::set<std::string> all;
        for (const auto& [name, entry] : synced) all.insert(name);
        for (const auto& [name, entry] : current) all.insert(name);
        for (const std::string& name : all) {
            const auto was = synced.find(name), is = current.find(name);
            const bool same = was != synced.end() && is != current.end() && was->second == is->second;
            const bool takesCurrent = same || coin();
            if (takesCurrent ? is == current.end() : was == synced.end()) continue;
            const Entry& entry = takesCurrent ? is->second : was->second;
            const std::filesystem::path place = takesCurrent ? now / name : std::filesystem::path();
            if (entry.folder)
                folder(place, entry.inode, after / name);
            else
                file(place, entry.inode, after / name);
        }
    }

    void file(const std::filesystem::path& now, ino_t inode, const std::filesystem::path& after) const {
        const std::string number = std::to_string(inode);
        const std::string synced = contentOf(shadow_ / "contents" / number);
        // A file without a name that was synced before is found by its link.
        const std::string current = contentOf(now.empty() ? shadow_ / "inodes" / number : now);
        std::string content = synced;
        if (random_ && current != synced) {
            const std::uint64_t fate = random_->below(4);
            if (fate == 0) content = current;
            // The new length is there, and none of the new bytes.
            if (fate == 1 && current.size() > synced.size()) content.resize(current.size(), '\0');
            if (fate == 2 && current.size() > synced.size() && current.starts_with(synced))
                content = current.substr(0, synced.size() + random_->below(current.size() - synced.size()));
        }
        std::ofstream(after, std::ios::binary) << content;
    }

    const std::filesystem::path shadow_;
    Random* const random_;
};

}  // namespace palimpsest::test
