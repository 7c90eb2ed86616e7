// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_slurm.h"

#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace {

/// "--array=1-2", "--ar", "-a1-2": sbatch takes any beginning that no other option has.
bool isArray(const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    return (name.size() > 3 && std::string("--array").starts_with(name)) ||
           (word.starts_with("-a") && !word.starts_with("--"));
}

/// Each option with its values, if they stand apart from it, is a line.
std::vector<std::vector<std::string>> optionLines(const std::vector<std::string>& words) {
    std::vector<std::vector<std::string>> lines;
    for (const std::string& word : words) {
        if (isArray(word)) {
            throw inputError(
                "--slurm holds " + word + ", but the sweep itself numbers the tasks of the array.",
                "Leave it out; `scontrol update JobId=ID ArrayTaskThrottle=N` limits how many run at once.");
        }
        if (word.starts_with('-')) {
            lines.push_back({word});
        } else if (lines.empty()) {
            throw inputError("--slurm begins with \"" + word + "\", which is no option of sbatch.",
                             "Write for example --slurm \"--time=2:00:00 --gres=gpu:1\".");
        } else {
            lines.back().push_back(word);
        }
    }
    return lines;
}

/// A word in the quotes that sbatch reads in its own lines.
std::string slurmWord(const std::string& word) {
    if (!word.empty() && word.find_first_of(" \t\"'\\#") == std::string::npos) return word;
    std::string quoted = "\"";
    for (const char c : word) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}

/// sbatch gives %-signs of file names a meaning.
std::string slurmPath(const std::string& path) {
    std::string text;
    for (const char c : path) text += c == '%' ? std::string("%%") : std::string(1, c);
    return text;
}

}  // namespace

std::vector<std::string> shellWords(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool begun = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n' || c == '\r') throw inputError("--slurm holds a line break.", "Write its options on one line.");
        const bool space = c == ' ' || c == '\t';
        if (quote == 0 && space) {
            if (begun) words.push_back(std::move(word));
            word.clear();
            begun = false;
            continue;
        }
        begun = true;
        if (c == '\\' && quote != '\'' && i + 1 < text.size())
            word += text[++i];
        else if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        else if (c == quote)
            quote = 0;
        else
            word += c;
    }
    if (quote != 0) throw inputError("--slurm opens a quote that it never closes.", "Close it.");
    if (begun) words.push_back(std::move(word));
    return words;
}

std::string numberRanges(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        text += (text.empty() ? "" : ",") + std::to_string(numbers[first]);
        if (last > first) text += "-" + std::to_string(numbers[last]);
        first = last + 1;
    }
    return text;
}

std::string slurmScript(const SlurmJob& job) {
    const bool prompts = job.runs.empty();
    std::string text = "#!/bin/sh\n#SBATCH --job-name=" + slurmWord(job.name) +
                       (prompts ? "" : "\n#SBATCH --array=" + numberRanges(job.runs)) + "\n#SBATCH --output=" +
                       slurmWord(slurmPath((job.folder / "slurm").string()) + (prompts ? "-%j.out" : "-%A_%a.out")) +
                       "\n";
    for (const std::vector<std::string>& line : optionLines(shellWords(job.options))) {
        text += "#SBATCH";
        for (const std::string& word : line) text += " " + slurmWord(word);
        text += "\n";
    }
    return text + "exec " + shellQuoted(job.program.string()) + " sweep " + shellQuoted(job.grid.string()) + " --out " +
           shellQuoted(job.folder.string()) +
           (job.prompts.empty() ? "" : " --prompts " + shellQuoted(job.prompts.string())) +
           (prompts ? " --only-prompts" : " --only \"$SLURM_ARRAY_TASK_ID\"") + "\n";
}

}  // namespace palimpsest
