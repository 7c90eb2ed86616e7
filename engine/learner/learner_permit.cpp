// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learner/learner_permit.h"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/file_lock.h"
#include "engine/support/json.h"
#include "engine/support/process.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRemembered = 1000;

std::atomic<bool> g_allLearners = false;
std::mutex g_permitMutex;

/// By their digests.
std::map<std::string, LearnerCommand>& allowedOnce() {
    static std::map<std::string, LearnerCommand> commands;
    return commands;
}

bool isRegular(const std::string& path, struct stat& found) {
    return stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
}

bool isProgram(const std::string& path) {
    struct stat found {};
    return isRegular(path, found) && access(path.c_str(), X_OK) == 0;
}

/// True for a file that nobody but the administrator can change; false for everything if that is who runs this.
bool isSystemFile(const struct stat& file) {
    return geteuid() != 0 && file.st_uid == 0 && (file.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// The file that the path leads to, so that one file is one in a digest.
std::string canonicalPath(const std::string& path) {
    std::error_code unknown;
    const fs::path whole = fs::weakly_canonical(path, unknown);
    return unknown ? fs::absolute(path, unknown).string() : whole.string();
}

/// The path as it was named. A program may go by the name that it is started under: the python3 of a virtual
/// environment is a link to the system's.
std::string absolutePath(const std::string& path) {
    std::error_code unknown;
    const fs::path whole = fs::absolute(path, unknown);
    if (unknown) throw inputError("The present folder is gone.", "Change to another one, or name the whole path.");
    // Behind a link to a folder, ".." leads elsewhere than the words say.
    const bool climbs = std::ranges::find(whole, fs::path("..")) != whole.end();
    return (climbs ? whole : whole.lexically_normal()).string();
}

/// " in FOLDER, ...", where a relative path is looked for.
std::string inPresentFolder(const std::string& path) {
    std::error_code unknown;
    const fs::path present = fs::current_path(unknown);
    if (unknown || path.starts_with('/')) return {};
    return " in " + present.string() + ", the folder in which this program was started";
}

std::string foundProgram(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        struct stat found {};
        if (stat(name.c_str(), &found) == 0 && S_ISDIR(found.st_mode))
            throw inputError(name + " is a folder, and no program.",
                             "Name a program in it, or an interpreter and a "
                             "script.");
        if (!isRegular(name, found))
            throw inputError("There is no program " + name + inPresentFolder(name) + ".",
                             "Name a program by its whole path, or an interpreter and a script.");
        if (!isProgram(name))
            throw inputError(
                "The file " + name + " may not be started as a program.",
                "Make it executable (chmod +x), or write its interpreter in front of it, such as python3.");
        return absolutePath(name);
    }
    const char* const path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const std::string folder(rest.substr(0, colon));
        rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
        // A part that is empty or relative leads below the current folder, in which a stranger's program may lie.
        if (folder.starts_with('/') && isProgram(folder + "/" + name)) return folder + "/" + name;
    }
    throw inputError("There is no program " + name + " in the folders of PATH.",
                     "Name a program by its path, or an interpreter and a script.");
}

void addText(Sha256& digest, std::string_view text) {
    digest.add(std::as_bytes(std::span(text)));
    digest.add(std::as_bytes(std::span("", 1)));
}

/// Absent where there is no file of that name.
std::optional<LearnerFile> fileNamed(const std::string& path) {
    struct stat found {};
    if (!isRegular(path, found)) return std::nullopt;
    return LearnerFile{canonicalPath(path), isSystemFile(found) ? "the system's" : fileHash(path)};
}

/// With the program at its path; its script may be missing.
LearnerCommand commandOf(const std::string& command) {
    LearnerCommand found{commandWords(command), {}};
    found.words.front() = foundProgram(found.words.front());
    Sha256 digest;
    for (const std::string& word : found.words) {
        addText(digest, word);
        const std::optional<LearnerFile> file = word.starts_with('-') ? std::nullopt : fileNamed(word);
        if (!file) continue;
        addText(digest, file->path);
        addText(digest, file->content);
        found.files.push_back(*file);
    }
    found.digest = digest.hex();
    return found;
}

bool hasScriptName(const std::string& word) {
    static constexpr std::array kEndings = {".py", ".pyc", ".pyz", ".r",   ".jl", ".rb",
                                            ".pl", ".sh",  ".js",  ".mjs", ".lua"};
    const std::string ending = asciiLowered(fs::path(word).extension().string());
    return std::ranges::find(kEndings, ending) != kEndings.end();
}

/// Also python3.13 and pypy3.
bool isInterpreter(const std::string& program) {
    static constexpr std::array kNames = {"python", "pypy", "Rscript", "julia", "ruby", "perl",
                                          "node",   "bash", "dash",    "sh",    "zsh",  "lua"};
    const std::string name = fs::path(program).filename().string();
    return std::ranges::any_of(kNames, [&](const std::string_view each) {
        return name.starts_with(each) && name.find_first_not_of("0123456789.", each.size()) == std::string::npos;
    });
}

/// The word that is the script of an interpreter; null where none is told from options and their values. Other programs
/// take one only as their first word.
const std::string* scriptOf(const std::vector<std::string>& words) {
    if (words.size() < 2) return nullptr;
    const bool interpreted = isInterpreter(words.front());
    if (!words[1].starts_with('-')) return interpreted || hasScriptName(words[1]) ? &words[1] : nullptr;
    if (!interpreted) return nullptr;
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
        // What follows is a module or a text to run.
        if (*word == "-m" || *word == "-c" || *word == "-e") return nullptr;
        if (!word->starts_with('-') && hasScriptName(*word)) return &*word;
    }
    return nullptr;
}

Json plainWords(const std::vector<std::string>& words) {
    Json list = Json::array();
    for (const std::string& word : words) list.push_back(plainLine(word));
    return list;
}

/// As the list has them; null where a path cannot be written there as it is.
Json listedFiles(const LearnerCommand& command) {
    Json list = Json::array();
    for (const LearnerFile& file : command.files) {
        if (plainLine(file.path) != file.path) return nullptr;
        list.push_back(Json::array({file.path, file.content}));
    }
    return list;
}

/// The files of an entry of the list; empty where it says nothing of them.
std::vector<LearnerFile> filesOf(const Json& entry) {
    std::vector<LearnerFile> files;
    if (!entry.is_object() || !entry.contains("files") || !entry["files"].is_array()) return files;
    for (const Json& each : entry["files"]) {
        if (!each.is_array() || each.size() != 2 || !each[0].is_string() || !each[1].is_string()) return {};
        files.push_back({each[0].get<std::string>(), each[1].get<std::string>()});
    }
    return files;
}

/// The paths of those whose content is another one; empty where these are not the same files.
std::vector<std::string> changedOf(const std::vector<LearnerFile>& before, const std::vector<LearnerFile>& now) {
    const auto samePath = [](const LearnerFile& a, const LearnerFile& b) { return a.path == b.path; };
    if (!std::ranges::equal(before, now, samePath)) return {};
    std::vector<std::string> changed;
    for (std::size_t i = 0; i < now.size(); ++i)
        if (before[i].content != now[i].content && std::ranges::find(changed, now[i].path) == changed.end())
            changed.push_back(now[i].path);
    return changed;
}

/// Of the command of an entry of the list.
std::vector<std::string> changedOf(const Json& entry, const LearnerCommand& now) {
    if (!entry.is_object() || !entry.contains("command") || entry["command"] != plainWords(now.words)) return {};
    return changedOf(filesOf(entry), now.files);
}

std::string refusal(const LearnerCommand& command, const std::vector<std::string>& changed) {
    const std::string wants = "The experiment wants to start the program " + commandLine(command.words) + ", ";
    if (changed.empty()) return wants + "which you have not allowed.";
    return wants + (changed.size() == 1 ? "whose file " : "whose files ") + enumeration(changed) +
           (changed.size() == 1 ? " has" : " have") + " changed since you allowed it.";
}

Json remembered(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return Json::array();
    const Json read = parsedJson(readTextFile(file, FilePlace::InFolder, file_limit::kSettings));
    if (!read.is_object() || !read.contains("allowed") || !read["allowed"].is_array())
        throw inputError("The list of allowed learners, " + file.string() + ", is damaged.", "Remove it.");
    return read["allowed"];
}

/// Waits for others who change the list. It locks a file beside it: the list itself is replaced, and NFS keeps the lock
/// of a folder to one machine.
FileLock lockList(const fs::path& list) {
    return FileLock::wait(openLockFile(list.parent_path() / ".allowed.lock"), std::chrono::milliseconds(5));
}

bool holdsDigest(const Json& list, const std::string& digest) {
    for (const Json& each : list)
        if (each.is_object() && each.contains("sha256") && each["sha256"] == digest) return true;
    return false;
}

/// Takes those out of the list for which `goes` is true, and returns how many these were.
template <class Goes>
std::int64_t forgetWhere(const Goes& goes) {
    const fs::path file = allowedLearnersFile();
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return 0;
    const FileLock lock = lockList(file);
    Json kept = Json::array();
    std::int64_t forgotten = 0;
    for (const Json& each : remembered(file)) {
        if (goes(each))
            ++forgotten;
        else
            kept.push_back(each);
    }
    if (forgotten > 0) replaceTextFile(file, Json{{"allowed", kept}}.dump(2) + "\n");
    return forgotten;
}

}  // namespace

std::vector<std::string> commandWords(const std::string& command) {
    std::vector<std::string> words;
    std::string word;
    bool begun = false;
    char quote = 0;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (c == '\\' && quote != '\'') {
            if (++i == command.size())
                throw inputError("The command \"" + command + "\" ends in a backslash.", "Write two, or none.");
            word += command[i];
            begun = true;
        } else if (quote != 0) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
            begun = true;
        } else if (c == ' ' || c == '\t') {
            if (begun) words.push_back(std::exchange(word, {}));
            begun = false;
        } else {
            word += c;
            begun = true;
        }
    }
    if (quote != 0) throw inputError("The command \"" + command + "\" has a quote that is never closed.", "Close it.");
    if (begun) words.push_back(word);
    if (words.empty() || words.front().empty())
        throw inputError("The command of the learner is empty.",
                         "Name a program, or an interpreter and a script, in method.external_command.");
    const char* const home = std::getenv("HOME");
    for (std::string& each : words)
        if (each.starts_with("~/") && home != nullptr) each = home + each.substr(1);
    return words;
}

std::string commandLine(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + shellWord(word);
    return line;
}

LearnerCommand learnerCommand(const std::string& command) {
    LearnerCommand found = commandOf(command);
    const std::string* const script = scriptOf(found.words);
    std::error_code unknown;
    if (script != nullptr && !fs::exists(*script, unknown))
        throw inputError("There is no file " + *script + inPresentFolder(*script) + ".",
                         "Check the command of the learner; name the script by its whole path.");
    return found;
}

bool isLearnerAllowed(const LearnerCommand& command) {
    if (g_allLearners) return true;
    {
        const std::lock_guard lock(g_permitMutex);
        if (allowedOnce().contains(command.digest)) return true;
    }
    return isLearnerAllowedForGood(command);
}

bool isLearnerAllowedForGood(const LearnerCommand& command) {
    return holdsDigest(remembered(allowedLearnersFile()), command.digest);
}

std::vector<std::string> changedSinceAllowed(const LearnerCommand& command) {
    {
        const std::lock_guard lock(g_permitMutex);
        for (const auto& [digest, once] : allowedOnce())
            if (once.words == command.words)
                if (std::vector<std::string> changed = changedOf(once.files, command.files); !changed.empty())
                    return changed;
    }
    try {
        for (const Json& each : remembered(allowedLearnersFile()))
            if (std::vector<std::string> changed = changedOf(each, command); !changed.empty()) return changed;
    } catch (const Error&) {
        // Whoever asks whether it is allowed is told that the list cannot be read.
    }
    return {};
}

LearnerRefused::LearnerRefused(const LearnerCommand& command)
    : Error(ErrorKind::Input, refusal(command, changedSinceAllowed(command)),
            "If you trust it, start the run in the window, which asks you, give --allow-learner, or allow it for good "
            "with `palimpsest-cli learner allow`."),
      command_(command) {}

void requireAllowed(const LearnerCommand& command) {
    if (!isLearnerAllowed(command)) throw LearnerRefused(command);
}

void allowLearnerOnce(const LearnerCommand& command) {
    const std::lock_guard lock(g_permitMutex);
    allowedOnce().insert_or_assign(command.digest, command);
}

void allowAllLearners() {
    g_allLearners = true;
}

bool allLearnersAllowed() {
    return g_allLearners;
}

void rememberLearner(const LearnerCommand& command) {
    const fs::path file = allowedLearnersFile();
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    // Of two programs that remember at once, neither forgets what the other has added.
    const FileLock lock = lockList(file);
    Json list = remembered(file);
    if (holdsDigest(list, command.digest)) return;
    std::erase_if(list.get_ref<Json::array_t&>(), [&](const Json& each) { return !changedOf(each, command).empty(); });
    Json entry{{"command", plainWords(command.words)}, {"sha256", command.digest}};
    if (const Json files = listedFiles(command); !files.is_null()) entry["files"] = files;
    list.push_back(entry);
    while (list.size() > kMostRemembered) list.erase(list.begin());
    replaceTextFile(file, Json{{"allowed", list}}.dump(2) + "\n");
}

std::int64_t forgetLearner(const std::string& command) {
    const Json written = plainWords(commandWords(command));
    Json found = written;
    try {
        found = plainWords(commandOf(command).words);
    } catch (const Error&) {
        // Its program may be gone; then it goes by the words of the list.
    }
    return forgetWhere([&](const Json& each) {
        return each.is_object() && each.contains("command") && (each["command"] == written || each["command"] == found);
    });
}

std::int64_t forgetAllLearners() {
    return forgetWhere([](const Json&) { return true; });
}

std::vector<RememberedLearner> rememberedLearners() {
    std::vector<RememberedLearner> learners;
    for (const Json& each : remembered(allowedLearnersFile())) {
        std::vector<std::string> words;
        if (each.is_object() && each.contains("command") && each["command"].is_array())
            for (const Json& word : each["command"])
                if (word.is_string()) words.push_back(word.get<std::string>());
        const bool changed = std::ranges::any_of(filesOf(each), [](const LearnerFile& before) {
            const std::optional<LearnerFile> now = fileNamed(before.path);
            return !now || now->content != before.content;
        });
        learners.push_back({plainSentence(commandLine(words)), changed});
    }
    return learners;
}

fs::path allowedLearnersFile() {
    return userFolder("PALIMPSEST_LEARNERS", "XDG_CONFIG_HOME", ".config", "learners") / "allowed.json";
}

}  // namespace palimpsest
