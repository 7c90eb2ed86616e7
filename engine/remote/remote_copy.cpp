// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/remote_copy.h"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/record/run_folder.h"
#include "engine/support/file_io.h"
#include "engine/support/file_lock.h"
#include "engine/support/scratch_folder.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// Folders that hold what is large.
constexpr std::array kLargeFolders = {"checkpoints", "prompts", "miniature-data"};
constexpr std::array kSmallEndings = {".json", ".toml", ".csv", ".npy", ".md",    ".tex",
                                      ".txt",  ".log",  ".out", ".err", ".sbatch"};
constexpr std::array kLargeEndings = {".safetensors", ".pt"};
/// What the user notes here, there it is somebody else's.
constexpr std::string_view kOwnNotes = "library.json";
constexpr std::string_view kDamaged = "damaged-";
/// A small file has no more, in bytes.
constexpr std::int64_t kMostSmall = std::int64_t{256} << 20U;
constexpr std::size_t kMostListed = 200'000;
/// A sweep, its runs, a run, its predictions.
constexpr int kDeepest = 4;
constexpr std::chrono::hours kWholeDay{24};
/// Exit codes of rsync: its files cannot be written; some files did not come; a file has gone meanwhile, as a temporary
/// one does.
constexpr int kRsyncCannotWrite = 11, kRsyncLeftSome = 23, kRsyncVanished = 24;
/// Marks of complaints about this side: of rsync, of sftp and of older versions of sftp.
constexpr std::array kOwnSide = {"[receiver]", "[Receiver]", "[generator]", " local ", "Couldn't write to "};

/// Sum behind a title of rsync's --stats, which groups digits as the system does.
std::int64_t statistic(const std::string& output, std::string_view title) {
    const std::size_t at = output.find(title);
    if (at == std::string::npos) return 0;
    std::string digits;
    for (std::size_t i = at + title.size(); i < output.size() && output[i] != '\n' && output[i] != '('; ++i)
        if (output[i] >= '0' && output[i] <= '9') digits += output[i];
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

/// A word for rsync's --rsh, which parts words at blanks.
std::string rshWord(const std::string& word) {
    if (word.find_first_of(" '\"") == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? "''" : std::string(1, c);
    return quoted + "'";
}

/// A path for a batch of sftp: in quotes, in which it looks for no patterns.
std::string sftpWord(std::string_view path) {
    std::string quoted = "\"";
    for (const char c : path) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}

std::string bracketed(const std::string& host) {
    return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

bool endsWithOneOf(std::string_view name, std::span<const char* const> endings) {
    return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
}

RemoteFolder folderOf(std::string_view word) {
    if (word == "run") return RemoteFolder::Run;
    if (word == "sweep") return RemoteFolder::Sweep;
    if (word == "runs") return RemoteFolder::Runs;
    return word == "other" ? RemoteFolder::Other : RemoteFolder::Missing;
}

/// A line of `ls -ln`: state, number of links, two owners, size, three words of a date, name.
struct LongLine {
    bool folder = false, file = false;
    std::string size, date, name;
};

std::optional<LongLine> longLine(std::string_view line) {
    std::array<std::string_view, 8> fields;
    for (std::string_view& field : fields) {
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin == std::string_view::npos) return std::nullopt;
        line.remove_prefix(begin);
        const std::size_t end = std::min(line.find(' '), line.size());
        field = line.substr(0, end);
        line.remove_prefix(end);
    }
    if (line.size() < 2 || fields[0].size() < 10) return std::nullopt;
    LongLine found{fields[0].front() == 'd', fields[0].front() == '-', std::string(fields[4]),
                   std::string(fields[5]) + " " + std::string(fields[6]) + " " + std::string(fields[7]),
                   std::string(line.substr(1))};
    // Some versions repeat the folder.
    if (const std::size_t slash = found.name.rfind('/'); slash != std::string::npos) found.name.erase(0, slash + 1);
    return found;
}

/// Parts of sftp's output, each what a command of the batch said.
std::vector<std::string_view> answersOf(std::string_view output) {
    std::vector<std::string_view> answers;
    constexpr std::string_view kEcho = "sftp> ";
    while (!output.empty()) {
        const std::size_t line = std::min(output.find('\n'), output.size() - 1) + 1;
        if (output.starts_with(kEcho)) {
            answers.emplace_back(output.substr(line, 0));
        } else if (!answers.empty()) {
            const char* begin = answers.back().data();
            answers.back() = {begin, static_cast<std::size_t>(output.data() + line - begin)};
        }
        output.remove_prefix(line);
    }
    return answers;
}

/// Holds a copy for one that brings files into it: two at once would take each other's unfinished files away.
FileLock lockCopy(const fs::path& mark) {
    return FileLock::wait(openRegularFile(mark, FilePlace::InFolder, O_RDWR), std::chrono::milliseconds(200));
}

RemoteError noRoomHere(const fs::path& local) {
    return {RemoteFault::NoRoomHere, "The disk of this computer is full: " + local.string() + ".",
            "What has come stays. Make room and call it again; the window tries it again by itself."};
}

/// True where rsync or sftp found no room on this side, which is the one that writes.
bool lacksRoomHere(std::string_view errors) {
    while (!errors.empty()) {
        const std::size_t end = std::min(errors.find('\n'), errors.size());
        const std::string_view line = errors.substr(0, end);
        const auto says = [line](const char* sign) { return line.find(sign) != std::string_view::npos; };
        if (saysFull(line) && std::ranges::any_of(kOwnSide, says)) return true;
        errors.remove_prefix(std::min(end + 1, errors.size()));
    }
    return false;
}

/// Removes what rsync has put aside until all files are there (--delay-updates). No file from there has such a name.
void removeUnfinished(const fs::path& folder, int deep = 0) {
    std::error_code ignored;
    fs::remove_all(folder / ".~tmp~", ignored);
    if (deep == kDeepest) return;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        if (fs::is_directory(entry.symlink_status(ignored))) removeUnfinished(entry.path(), deep + 1);
}

[[noreturn]] void copyFailed(const RemotePlace& place, const fs::path& local, const CommandResult& said) {
    if (lacksRoomHere(said.errors)) throw noRoomHere(local);
    // What this side cannot write breaks the connection, too, in the words of the other one.
    if (said.code != kRsyncCannotWrite && said.code != kRsyncLeftSome) throwRemoteFault(place, said);
    const std::string complaint = firstComplaint(said.errors);
    throw runError("Copying " + place.text() + " did not work: " +
                       (complaint.empty() ? "exit code " + std::to_string(said.code) : complaint) + ".",
                   "Check your rights to the folder there, and to " + local.string() + ".");
}

}  // namespace

bool RemoteCopy::wantsFolder(const std::string& name) const {
    if (name.empty() || name.front() == '.' || name.starts_with(kDamaged) || !isPlainLine(name)) return false;
    return checkpoints_ || std::ranges::find(kLargeFolders, name) == kLargeFolders.end();
}

bool RemoteCopy::wantsFile(const std::string& name) const {
    if (name.empty() || name.front() == '.' || name == kOwnNotes || name == kCopyMark || !isPlainLine(name))
        return false;
    return endsWithOneOf(name, kSmallEndings) || (checkpoints_ && endsWithOneOf(name, kLargeEndings));
}

RemoteFolder RemoteCopy::look() {
    const std::string path = shellQuoted(shell_.place().word());
    const bool here = runCommand({"rsync", "--version"}, std::chrono::seconds(30)).has_value();
    try {
        const std::string said = shell_.require(
            "Looking into " + shell_.place().path,
            "if command -v rsync >/dev/null 2>&1; then echo rsync; else echo none; fi; "
            "if [ -d " +
                path + " ]; then cd " + path +
                " || exit 1; "
                "if [ -f run.json ]; then echo run; elif [ -f sweep.toml ]; then echo sweep; else "
                "for file in */run.json; do if [ -f \"$file\" ]; then echo runs; exit 0; fi; done; echo other; fi; "
                "else echo missing; fi");
        way_ = here && said.starts_with("rsync\n") ? Way::Rsync : Way::Sftp;
        const std::size_t line = said.find('\n') + 1;
        return folderOf(std::string_view(said).substr(line, said.find('\n', line) - line));
    } catch (const RemoteError& error) {
        if (error.fault() != RemoteFault::NoShell) throw;
    }
    // No commands, but perhaps files.
    way_ = Way::Sftp;
    const CommandResult said = sftp("-ls -ln " + sftpWord(shell_.place().word()) + "\n");
    if (said.code != 0) copyFailed(shell_.place(), local_, said);
    RemoteFolder found = said.errors.empty() ? RemoteFolder::Other : RemoteFolder::Missing;
    for (const std::string_view answer : answersOf(said.output))
        for (std::size_t begin = 0; begin < answer.size();) {
            const std::size_t end = std::min(answer.find('\n', begin), answer.size());
            const auto line = longLine(answer.substr(begin, end - begin));
            if (line && line->file && line->name == "run.json") return RemoteFolder::Run;
            if (line && line->file && line->name == "sweep.toml") return RemoteFolder::Sweep;
            if (line && line->folder && found == RemoteFolder::Other) found = RemoteFolder::Runs;
            begin = end + 1;
        }
    return found;
}

void RemoteCopy::requireRoom() const {
    requirePlainFolder(local_);
    const std::string from = copiedFrom(local_), place = shell_.place().text();
    if (from == place) return;
    if (!from.empty())
        throw inputError(local_.string() + " is a copy of " + from + ".", "Name another folder with --into.");
    if (!folderEntries(local_).empty())
        throw inputError(local_.string() + " is not empty, and no copy of " + place + ".",
                         "Name another folder with --into.");
}

void RemoteCopy::claim() {
    requireRoom();
    const std::string place = shell_.place().text();
    if (copiedFrom(local_) == place) return;
    std::error_code failed;
    fs::create_directories(local_, failed);
    if (failed)
        throw inputError("Cannot make " + local_.string() + ": " + failed.message() + ".",
                         "Name another folder with --into.");
    replaceTextFile(local_ / kCopyMark, place + "\n", Keep::Written, FilePlace::InFolder);
}

CopiedFiles RemoteCopy::bring() {
    const FileLock lock = lockCopy(local_ / kCopyMark);
    return way_ == Way::Rsync ? bringByRsync() : bringBySftp();
}

std::vector<fs::path> RemoteCopy::runs() const {
    if (isPlainFile(local_ / "run.json")) return {local_};
    std::vector<fs::path> found = findRuns(local_);
    std::error_code ignored;
    if (fs::is_directory(fs::symlink_status(local_ / "runs", ignored)))
        for (fs::path& run : findRuns(local_ / "runs")) found.push_back(std::move(run));
    std::ranges::sort(found);
    return found;
}

CopiedFiles RemoteCopy::bringByRsync() {
    std::string rsh = "ssh";
    for (const std::string& word : shell_.options()) rsh += " " + rshWord(word);
    // Files take their place together, at the end, each whole: a break leaves the older ones.
    std::vector<std::string> words = {"rsync",           "--recursive",    "--times",      "--omit-dir-times",
                                      "--delay-updates", "--protect-args", "--timeout=60", "--stats",
                                      "--rsh=" + rsh};
    const auto leave = [&](const std::string& pattern) { words.push_back("--exclude=" + pattern); };
    const auto take = [&](const std::string& pattern) { words.push_back("--include=" + pattern); };
    leave(".*");
    leave(std::string(kDamaged) + "*/");
    leave(std::string(kOwnNotes));
    leave(kCopyMark);
    if (!checkpoints_) {
        for (const char* folder : kLargeFolders) leave(std::string(folder) + "/");
        words.push_back("--max-size=" + std::to_string(kMostSmall));
    }
    take("*/");
    for (const char* ending : kSmallEndings) take(std::string("*") + ending);
    if (checkpoints_)
        for (const char* ending : kLargeEndings) take(std::string("*") + ending);
    leave("*");
    words.insert(words.end(),
                 {"--prune-empty-dirs", "--", bracketed(shell_.place().host) + ":" + shell_.place().word() + "/",
                  local_.string() + "/"});
    const std::optional<CommandResult> said = runCommand(words, kWholeDay);
    if (!said) throw runError("This computer has no program rsync any more.", "Call it again.");
    if (said->code != 0 && said->code != kRsyncVanished) {
        if (lacksRoomHere(said->errors)) removeUnfinished(local_);
        copyFailed(shell_.place(), local_, *said);
    }
    return {statistic(said->output, "files transferred:"), statistic(said->output, "Total bytes received:")};
}

CommandResult RemoteCopy::sftp(const std::string& batch) const {
    const ScratchFolder scratch("sftp");
    const fs::path file = scratch.path() / "batch";
    replaceTextFile(file, batch);
    std::vector<std::string> words = {"sftp", "-q", "-b", file.string()};
    const std::vector<std::string> given = shell_.options();
    words.insert(words.end(), given.begin(), given.end());
    words.insert(words.end(), {"--", bracketed(shell_.place().host)});
    std::optional<CommandResult> said = runCommand(words, kWholeDay);
    if (!said)
        throw RemoteError(RemoteFault::NoProgram, "This computer has no program sftp.",
                          "Install it: sudo apt install openssh-client.");
    if (said->code == 255) throwRemoteFault(shell_.place(), *said);
    return std::move(*said);
}

std::vector<RemoteCopy::Listed> RemoteCopy::listBySftp() const {
    std::vector<Listed> files;
    std::vector<std::string> folders = {""};
    for (int deep = 0; deep < kDeepest && !folders.empty(); ++deep) {
        std::string batch;
        for (const std::string& folder : folders)
            batch += "ls -ln " + sftpWord(shell_.place().word() + "/" + folder) + "\n";
        const CommandResult said = sftp(batch);
        if (said.code != 0) copyFailed(shell_.place(), local_, said);
        const std::vector<std::string_view> answers = answersOf(said.output);
        std::vector<std::string> below;
        for (std::size_t i = 0; i < std::min(answers.size(), folders.size()); ++i)
            for (std::size_t begin = 0; begin < answers[i].size();) {
                const std::size_t end = std::min(answers[i].find('\n', begin), answers[i].size());
                const auto line = longLine(answers[i].substr(begin, end - begin));
                begin = end + 1;
                if (!line || files.size() + below.size() > kMostListed) continue;
                if (line->folder && wantsFolder(line->name)) below.push_back(folders[i] + line->name + "/");
                std::int64_t size = 0;
                std::from_chars(line->size.data(), line->size.data() + line->size.size(), size);
                if (line->file && wantsFile(line->name) && (checkpoints_ || size <= kMostSmall))
                    files.push_back({folders[i] + line->name, line->size, line->date});
            }
        folders = std::move(below);
    }
    return files;
}

CopiedFiles RemoteCopy::bringBySftp() {
    // Beside the files, so that a name is enough to take their place.
    const ScratchFolder scratch("arriving", local_);
    std::vector<Listed> wanted;
    std::string batch;
    for (const Listed& file : listBySftp()) {
        std::error_code missing;
        const std::uintmax_t size = fs::file_size(local_ / file.name, missing);
        const auto known = seen_.find(file.name);
        // The document of a run that goes on is replaced, often by one of the same length; a date tells minutes alone.
        const bool same = known != seen_.end() ? known->second == file.size + " " + file.date
                                               : !missing && std::to_string(size) == file.size;
        const bool going = file.name.ends_with("sweep.json") ||
                           (file.name.ends_with("run.json") &&
                            readRunState((local_ / file.name).parent_path()) == RecordedState::Running);
        if (same && !missing && !going) continue;
        batch += "get " + sftpWord(shell_.place().word() + "/" + file.name) + " " +
                 sftpWord((scratch.path() / std::to_string(wanted.size())).string()) + "\n";
        wanted.push_back(file);
    }
    CopiedFiles copied;
    if (wanted.empty()) return copied;
    const CommandResult said = sftp(batch);
    if (said.code != 0) copyFailed(shell_.place(), local_, said);
    // What says how a run ended comes last.
    std::vector<std::size_t> order(wanted.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_partition(order, [&](std::size_t i) { return !wanted[i].name.ends_with("run.json"); });
    for (const std::size_t i : order) {
        const fs::path arrived = scratch.path() / std::to_string(i), place = local_ / wanted[i].name;
        std::error_code failed;
        const auto size = static_cast<std::int64_t>(fs::file_size(arrived, failed));
        if (!failed) fs::create_directories(place.parent_path(), failed);
        if (!failed) fs::rename(arrived, place, failed);
        if (failed == std::errc::no_space_on_device) throw noRoomHere(local_);
        if (failed)
            throw runError("Cannot write " + place.string() + ": " + failed.message() + ".",
                           "Check the folder and its rights.");
        copied.bytes += size;
        ++copied.files;
        seen_[wanted[i].name] = wanted[i].size + " " + wanted[i].date;
    }
    return copied;
}

}  // namespace palimpsest
