// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/followed_file.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <system_error>
#include <utility>

#include "engine/remote/remote_place.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/file_lock.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr int kFollowedVersion = 1;
constexpr const char* kFollowedName = ".followed.json";
/// Holds the lock: the list itself is replaced by another file at each change.
constexpr const char* kFollowedLock = ".followed.lock";

[[noreturn]] void refuseFollowed(const std::string& origin, const std::string& what) {
    throw inputError("The list of what is followed, " + origin + ", is damaged: " + what + ".",
                     "`palimpsest-cli follow ssh://HOST/PATH` follows a run or a sweep that it named.");
}

/// Whether only the user belongs to a group, as to the one that many systems make for each user.
bool isGroupOfOne(gid_t group) {
    std::array<char, 16384> room{}, more{};
    passwd user{}, *found = nullptr;
    struct group entry {
    }, *known = nullptr;
    if (getpwuid_r(geteuid(), &user, room.data(), room.size(), &found) != 0 || found == nullptr) return false;
    if (getgrgid_r(group, &entry, more.data(), more.size(), &known) != 0 || known == nullptr) return false;
    if (user.pw_gid != group || std::string_view(user.pw_name) != entry.gr_name) return false;
    for (char** member = entry.gr_mem; *member != nullptr; ++member)
        if (std::string_view(*member) != user.pw_name) return false;
    return true;
}

/// The list names machines to reach and programs to call there, so it must be the user's own word.
void requireOwn(const fs::path& place) {
    struct stat now {};
    if (lstat(place.c_str(), &now) != 0) return;
    const bool others = (now.st_mode & S_IWOTH) != 0 || ((now.st_mode & S_IWGRP) != 0 && !isGroupOfOne(now.st_gid));
    if (now.st_uid == geteuid() && !others) return;
    throw inputError(
        "What is followed on other machines is not kept or taken up here, since " + place.string() +
            (others ? " may be changed by others." : " belongs to somebody else."),
        others ? "`chmod go-w " + shellQuoted(place.string()) +
                     "` leaves it to you alone; look at the list in it before you open the window again."
               : "Choose a folder of runs of your own; `palimpsest-cli follow ssh://HOST/PATH` follows one thing.");
}

Error newerList(const std::string& origin) {
    return inputError("The list of what is followed, " + origin + ", was written by a newer version of the program.",
                      "Use that version; this one leaves the file as it is.");
}

std::string textIn(const Json& entry, const char* key, const std::string& origin) {
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_string()) refuseFollowed(origin, std::string(key) + " is no text");
    return found->get<std::string>();
}

Followed entryOf(const Json& json, const std::string& origin) {
    if (!json.is_object()) refuseFollowed(origin, "an entry is no object");
    Followed entry;
    const std::string kind = textIn(json, "kind", origin);
    if (kind != "run" && kind != "sweep") refuseFollowed(origin, "there is no kind " + shortLine(kind));
    entry.sweep = kind == "sweep";
    try {
        entry.place = parseRemotePlace(textIn(json, "place", origin)).text();
    } catch (const Error& error) {
        refuseFollowed(origin, error.what());
    }
    entry.folder = textIn(json, "folder", origin);
    if (!entry.folder.is_absolute() || entry.folder.native().find('\0') != std::string::npos)
        refuseFollowed(origin, "folder is no whole path");
    entry.program = textIn(json, "program", origin);
    if (!isPlainLine(entry.program)) refuseFollowed(origin, "program is no path");
    return entry;
}

}  // namespace

std::string formatFollowed(const std::vector<Followed>& list) {
    Json entries = Json::array();
    for (const Followed& one : list)
        entries.push_back({{"kind", one.sweep ? "sweep" : "run"},
                           {"place", one.place},
                           {"folder", one.folder.string()},
                           {"program", one.program}});
    const Json whole = {{"version", kFollowedVersion}, {"followed", std::move(entries)}};
    // Paths may hold bytes that are no UTF-8; such a copy is then made anew under another name.
    return whole.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool newerFollowed(std::string_view text) {
    const Json json = parsedJson(text);
    if (!json.is_object()) return false;
    const auto version = json.find("version");
    return version != json.end() && version->is_number_integer() && *version > kFollowedVersion;
}

std::vector<Followed> parseFollowed(std::string_view text, const std::string& origin) {
    const Json json = parsedJson(text);
    if (!json.is_object()) refuseFollowed(origin, "it is no JSON object");
    const auto version = json.find("version"), entries = json.find("followed");
    if (version == json.end() || !version->is_number_integer()) refuseFollowed(origin, "it has no version");
    if (*version > kFollowedVersion) throw newerList(origin);
    if (*version != kFollowedVersion) refuseFollowed(origin, "its version is unknown");
    if (entries == json.end() || !entries->is_array()) refuseFollowed(origin, "it lists nothing");
    if (entries->size() > kMostFollowed)
        refuseFollowed(origin, "it has more than " + grouped(static_cast<std::int64_t>(kMostFollowed)) + " entries");
    std::vector<Followed> list;
    for (const Json& entry : *entries) list.push_back(entryOf(entry, origin));
    return list;
}

FollowedFile::FollowedFile(const fs::path& runs)
    : folder_(fs::absolute(runs).lexically_normal()), file_(folder_ / kFollowedName) {}

FollowedFile::~FollowedFile() = default;

void FollowedFile::hold() {
    if (lock_) return;
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error)
        throw inputError("Cannot make the folder " + folder_.string() + ": " + error.message() + ".",
                         "Make room, or see to it that you may write there.");
    lock_ = FileLock::take(openLockFile(folder_ / kFollowedLock));
    if (!lock_)
        throw inputError("Another window on the same folder of runs keeps the list of what is followed.",
                         "What this window follows, it follows as long as it is open.");
}

FollowedFile::Found FollowedFile::open() {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file_, error))) return {};
    for (const fs::path& place : {folder_, file_}) requireOwn(place);
    hold();
    return take();
}

FollowedFile::Found FollowedFile::take() {
    Found found;
    std::error_code error;
    removeAsideFiles(folder_, kFollowedName);
    const std::string text = readTextFile(file_, FilePlace::InFolder, file_limit::kSettings);
    try {
        found.list = parseFollowed(text, file_.string());
        return found;
    } catch (const Error&) {
        newer_ = newerFollowed(text);
        if (newer_) throw;
    }
    found.aside = folder_ / ".followed.damaged.json";
    for (int i = 2; fs::exists(fs::symlink_status(found.aside, error)); ++i)
        found.aside = folder_ / (".followed.damaged." + std::to_string(i) + ".json");
    fs::rename(file_, found.aside, error);
    if (error)
        throw inputError("The damaged list " + file_.string() + " cannot be put aside: " + error.message() + ".",
                         "Move it away, and open the window again.");
    return found;
}

void FollowedFile::write(const std::vector<Followed>& list) {
    if (newer_) throw newerList(file_.string());
    for (const fs::path& place : {folder_, file_}) requireOwn(place);
    if (!lock_) {
        hold();
        std::error_code error;
        // Another program may have had it until now.
        if (fs::exists(fs::symlink_status(file_, error))) others_ = take().list;
    }
    // A folder that this program follows is its own from then on.
    std::erase_if(others_, [&](const Followed& other) {
        return std::ranges::any_of(list, [&](const Followed& one) { return one.folder == other.folder; });
    });
    std::vector<Followed> whole = list;
    for (const Followed& other : others_)
        if (whole.size() < kMostFollowed) whole.push_back(other);
    replaceTextFile(file_, formatFollowed(whole), Keep::OnDiskWithName, FilePlace::InFolder);
}

}  // namespace palimpsest
