// SPDX-License-Identifier: GPL-3.0-or-later
// Plays the corpus of a target and mutations of it, always the same ones, without libFuzzer:
//   PROGRAM TARGET CORPUS DICTIONARY
// An input that breaks the target is left in the current folder as fuzz-TARGET-broken.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/fuzz/target.h"

namespace palimpsest::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr long kMostMemory = 1 << 20;  // KiB
constexpr std::size_t kLongestInput = 1 << 20;

struct Target {
    int mutations = 0;
    void (*run)(std::string_view) = nullptr;
};

std::map<std::string, Target>& targets() {
    static std::map<std::string, Target> all;
    return all;
}

// For the handler of signals, which may use nothing that allocates.
std::string_view current;
std::string broken;

void keepInput() {
    const int file = open(broken.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || ::write(file, current.data(), current.size()) < 0) return;
    ::close(file);
}

void onSignal(int) {
    keepInput();
    _exit(1);
}

std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> corpusIn(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<std::string> corpus;
    for (const fs::path& file : files) corpus.push_back(contentOf(file));
    return corpus;
}

/// The words of a dictionary of libFuzzer: a line each, name="text" with \xAB, \\ and \" in it.
std::vector<std::string> wordsIn(const fs::path& dictionary) {
    std::vector<std::string> words;
    std::ifstream in(dictionary);
    for (std::string line; std::getline(in, line);) {
        const std::size_t begin = line.find('"'), end = line.rfind('"');
        if (line.starts_with('#') || begin == std::string::npos || end <= begin) continue;
        std::string word;
        for (std::size_t i = begin + 1; i < end; ++i) {
            if (line[i] != '\\') {
                word += line[i];
            } else if (line[++i] == 'x') {
                word += static_cast<char>(std::stoi(line.substr(i + 1, 2), nullptr, 16));
                i += 2;
            } else {
                word += line[i];
            }
        }
        words.push_back(word);
    }
    return words;
}

/// Some of the changes that libFuzzer makes.
class Mutator {
public:
    Mutator(const std::vector<std::string>& corpus, const std::vector<std::string>& words)
        : corpus_(corpus), words_(words) {}

    std::string next() {
        std::string text = corpus_[below(corpus_.size())];
        for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(text);
        if (text.size() > kLongestInput) text.resize(kLongestInput);
        return text;
    }

private:
    /// The same numbers with every standard library.
    std::size_t below(std::size_t count) { return count == 0 ? 0 : static_cast<std::size_t>(random_() % count); }

    void change(std::string& text) {
        const std::size_t at = below(text.size() + 1), length = std::min(below(16) + 1, text.size() - at);
        static constexpr unsigned char kOdd[] = {0, 1, 0x7f, 0x80, 0xff, '"', '\n', '@', '[', '{', '-', '9'};
        switch (below(9)) {
            case 0:
                if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
                break;
            case 1:
                if (at < text.size()) text[at] = static_cast<char>(kOdd[below(sizeof kOdd)]);
                break;
            case 2:
                text.erase(at, length);
                break;
            case 3:
                text.insert(at, text.substr(below(text.size() + 1), length));
                break;
            case 4:
                if (!words_.empty()) text.insert(at, words_[below(words_.size())]);
                break;
            case 5:
                if (!words_.empty()) text.replace(at, length, words_[below(words_.size())]);
                break;
            case 6:
                text.resize(at);
                break;
            case 7: {
                const std::string& other = corpus_[below(corpus_.size())];
                text = text.substr(0, at) + other.substr(below(other.size() + 1));
                break;
            }
            default:
                // A length or a count of four bytes becomes a large one.
                for (std::size_t i = at; i < std::min(at + 4, text.size()); ++i)
                    text[i] = static_cast<char>(kOdd[below(5)]);
        }
    }

    const std::vector<std::string>& corpus_;
    const std::vector<std::string>& words_;
    std::mt19937_64 random_{20250301};
};

void play(const Target& target, std::string_view input) {
    current = input;
    target.run(input);
#ifndef PALIMPSEST_SANITIZED
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    require(used.ru_maxrss < kMostMemory, "more than 1 GiB of memory was taken");
#endif
}

int replay(const std::string& name, const Target& target, const fs::path& corpus, const fs::path& dictionary) {
    broken = "fuzz-" + name + "-broken";
    for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, onSignal);
    const std::vector<std::string> inputs = corpusIn(corpus);
    if (inputs.empty()) {
        std::fprintf(stderr, "There is no input in %s.\n", corpus.c_str());
        return 2;
    }
    int played = 0;
    try {
        for (const std::string& input : inputs) {
            play(target, input);
            ++played;
        }
        const std::vector<std::string> words = wordsIn(dictionary);
        Mutator mutator(inputs, words);
        for (int i = 0; i < target.mutations; ++i) {
            const std::string input = mutator.next();
            play(target, input);
            ++played;
        }
    } catch (const std::exception& error) {
        keepInput();
        std::fprintf(stderr, "fuzz: input %d throws what is no Error: %s\n", played + 1, error.what());
        return 1;
    }
    std::printf("%s: %d inputs\n", name.c_str(), played);
    return 0;
}

}  // namespace

Registration::Registration(const char* name, int mutations, void (*run)(std::string_view)) {
    targets()[name] = {mutations, run};
}

}  // namespace palimpsest::fuzz

int main(int argc, char** argv) {
    using namespace palimpsest::fuzz;
    const auto found = argc == 4 ? targets().find(argv[1]) : targets().end();
    if (found == targets().end()) {
        std::fprintf(stderr, "usage: %s TARGET CORPUS DICTIONARY; targets:\n", argv[0]);
        for (const auto& [name, target] : targets()) std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    return replay(found->first, found->second, argv[2], argv[3]);
}
