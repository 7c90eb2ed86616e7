// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/target.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "engine/support/scratch_folder.h"
#include "engine/support/text.h"

namespace palimpsest::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestLine = 10'000;

/// In memory unless somebody wants it elsewhere: what a run writes is brought to the disk many times.
fs::path parentOfScratch() {
    const char* memory = "/dev/shm";
    return std::getenv("TMPDIR") == nullptr && access(memory, W_OK) == 0 ? fs::path(memory) : fs::temp_directory_path();
}

void write(int file, std::string_view bytes) {
    require(ftruncate(file, 0) == 0, "a temporary file cannot be written");
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t written = pwrite(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
        require(written > 0, "a temporary file cannot be written");
        done += static_cast<std::size_t>(written);
    }
}

constexpr std::string_view kMark = "@@";

/// The place of the next line that names a file; the end where there is none.
std::size_t nextMark(std::string_view input, std::size_t from) {
    for (std::size_t at = from; at < input.size(); at = std::min(input.find('\n', at), input.size() - 1) + 1)
        if ((at == 0 || input[at - 1] == '\n') && input.substr(at).starts_with(kMark)) return at;
    return input.size();
}

}  // namespace

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "fuzz: %s\n", what);
    std::abort();
}

void requireLine(std::string_view words) {
    if (isPlainLine(words) && words.size() <= kLongestLine) return;
    std::fprintf(stderr, "fuzz: %zu bytes that cannot be shown: %s\n", words.size(),
                 plainLine(words.substr(0, 500)).c_str());
    std::abort();
}

void requireLines(const std::vector<std::string>& words) {
    for (const std::string& line : words) requireLine(line);
}

void requireSentence(const Error& error) {
    const std::string_view what = error.what();
    requireLine(what);
    requireLine(error.hint());
    const auto ends = [](std::string_view sentence) {
        return !sentence.empty() && std::string_view(".?!").find(sentence.back()) != std::string_view::npos;
    };
    if (ends(what) && (error.hint().empty() || ends(error.hint()))) return;
    std::fprintf(stderr, "fuzz: no sentence: %s\n", error.sentence().c_str());
    std::abort();
}

fs::path scratchFolder() {
    static const ScratchFolder folder("fuzz", parentOfScratch());
    return folder.path();
}

fs::path fileWith(std::string_view bytes, const std::string& name) {
    static std::map<std::string, int> opened;
    const fs::path path = scratchFolder() / name;
    const auto [entry, fresh] = opened.try_emplace(name, -1);
    if (fresh) entry->second = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    require(entry->second >= 0, "a temporary file cannot be made");
    write(entry->second, bytes);
    return path;
}

InputFolder::InputFolder(std::vector<std::string> names) : names_(std::move(names)) {
    static int made = 0;
    folder_ = scratchFolder() / ("folder-" + std::to_string(made++));
    clear();
}

void InputFolder::clear() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    fs::create_directory(folder_);
    for (const std::string& name : names_) fs::create_directories((folder_ / name).parent_path());
    there_.clear();
}

void InputFolder::fill(std::string_view input) {
    std::map<std::string, std::string_view> wanted;
    std::string name = names_.front();
    for (std::size_t from = 0; from < input.size();) {
        const std::size_t mark = nextMark(input, from);
        // What stands before the first name is the first file's, if it is anything.
        if ((mark > from || from > 0) && std::find(names_.begin(), names_.end(), name) != names_.end())
            wanted.insert_or_assign(name, input.substr(from, mark - from));
        const std::size_t end = std::min(input.find('\n', mark), input.size());
        name = input.substr(std::min(mark + kMark.size(), end), end - std::min(mark + kMark.size(), end));
        from = end + 1;
    }
    for (auto file = there_.begin(); file != there_.end();) {
        if (wanted.contains(file->first)) {
            ++file;
            continue;
        }
        fs::remove(folder_ / file->first);
        file = there_.erase(file);
    }
    for (const auto& [file, content] : wanted) {
        const auto there = there_.find(file);
        if (there != there_.end() && there->second == content) continue;
        const int opened = open((folder_ / file).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        require(opened >= 0, "a temporary file cannot be made");
        write(opened, content);
        close(opened);
        there_.insert_or_assign(file, std::string(content));
    }
}

}  // namespace palimpsest::fuzz
