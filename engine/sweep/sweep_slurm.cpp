// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_slurm.h"

#include <algorithm>

#include "engine/support/error.h"
#include "engine/support/text.h"
#include "engine/sweep/number_ranges.h"

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
            throw inputError("--slurm holds " + word + ", but the sweep itself numbers the tasks of the array.",
                             "Leave it out; --throttle N limits how many run at once.");
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

/// What a task does besides the run: Slurm sends USR1 before the time limit (--signal) and TERM when it takes the
/// machine away. The shell hears them only while it waits; it passes them on, and the program writes a checkpoint.
/// After TERM nothing is requeued here: Slurm itself requeues what it preempts, and what a person cancels stays
/// cancelled.
constexpr const char* kTask = R"(child=
warned=0
pass() { [ -z "$child" ] || kill -"$1" "$child" 2>/dev/null; }
trap 'warned=1; pass USR1' USR1
trap 'pass TERM' TERM
)";
constexpr const char* kWait = R"( &
child=$!
wait "$child"
code=$?
while kill -0 "$child" 2>/dev/null; do
  wait "$child"
  code=$?
done
if [ "$code" -eq @STOPPED@ ] && [ "$warned" -eq 1 ]; then
  if [ "${SLURM_RESTART_COUNT:-0}" -ge @MOST@ ]; then
    echo "The time was over, and this task was begun @MOST@ times before. To go on: @RESUBMIT@"
  elif scontrol requeue "@TASK@"; then
    echo "The time was over; this task goes on when its turn comes again."
  else
    echo "The time was over, and this cluster does not let a job queue itself again. To go on: @RESUBMIT@"
  fi
fi
exit "$code"
)";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

/// In double quotes of a shell.
std::string insideQuotes(const std::string& text) {
    std::string quoted;
    for (const char c : text) {
        if (c == '"' || c == '\\' || c == '$' || c == '`') quoted += '\\';
        quoted += c;
    }
    return quoted;
}

/// `array`: indices of the tasks; `tasks`: for each the numbers of its runs, from index 1; empty: its index.
std::string scriptOf(const SlurmJob& job, const std::string& name, const std::string& array,
                     const std::vector<std::string>& tasks) {
    constexpr const char* kMostRestarts = "100";
    const bool prompts = job.runs.empty();
    std::string text = "#!/bin/sh\n#SBATCH --job-name=" + slurmWord(job.name) +
                       (prompts ? "" : "\n#SBATCH --array=" + array) + "\n#SBATCH --output=" +
                       slurmWord(slurmPath((job.folder / "slurm").string()) + (prompts ? "-%j.out" : "-%A_%a.out")) +
                       "\n#SBATCH --open-mode=append\n#SBATCH --requeue\n#SBATCH --signal=B:USR1@120\n";
    for (const std::vector<std::string>& line : optionLines(shellWords(job.options))) {
        text += "#SBATCH";
        for (const std::string& word : line) text += " " + slurmWord(word);
        text += "\n";
    }
    text += kTask;
    if (!tasks.empty()) {
        text += "set --";
        for (const std::string& runs : tasks) text += " " + runs;
        text += "\nshift $((SLURM_ARRAY_TASK_ID - 1))\n";
    }
    text += shellQuoted(job.program.string()) + " sweep " + shellQuoted(job.grid.string()) + " --out " +
            shellQuoted(job.folder.string()) +
            (job.prompts.empty() ? "" : " --prompts " + shellQuoted(job.prompts.string())) +
            (prompts         ? " --only-prompts"
             : tasks.empty() ? " --only \"$SLURM_ARRAY_TASK_ID\""
                             : " --only \"$1\"") +
            (job.runs_per_task > 1 && !prompts ? " --jobs " + std::to_string(job.runs_per_task) : "");
    std::string resubmit = "sbatch ";
    if (!prompts) resubmit += "--array=$SLURM_ARRAY_TASK_ID ";
    resubmit += insideQuotes(shellQuoted((job.folder / name).string()));
    std::string wait = replaced(kWait, "@STOPPED@", std::to_string(kStoppedCode));
    wait = replaced(wait, "@MOST@", kMostRestarts);
    wait = replaced(wait, "@TASK@", prompts ? "$SLURM_JOB_ID" : "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID");
    return text + replaced(wait, "@RESUBMIT@", resubmit);
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

std::string slurmScriptName(const SlurmJob& job, std::size_t part) {
    if (job.runs.empty()) return "prompts.sbatch";
    return part == 0 ? "sweep.sbatch" : "sweep-" + std::to_string(part + 1) + ".sbatch";
}

std::vector<std::string> slurmScripts(const SlurmJob& job, std::int64_t arraySize) {
    if (job.runs.empty()) return {scriptOf(job, slurmScriptName(job, 0), "", {})};
    const std::string at = job.throttle > 0 ? "%" + std::to_string(job.throttle) : "";
    if (job.runs_per_task <= 1 && job.runs.back() < arraySize)
        return {scriptOf(job, slurmScriptName(job, 0), numberRanges(job.runs) + at, {})};
    std::vector<std::string> tasks;
    const auto perTask = static_cast<std::size_t>(std::max<std::int64_t>(1, job.runs_per_task));
    for (std::size_t first = 0; first < job.runs.size(); first += perTask) {
        const std::size_t end = std::min(first + perTask, job.runs.size());
        tasks.push_back(numberRanges({job.runs.begin() + static_cast<std::ptrdiff_t>(first),
                                      job.runs.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
    std::vector<std::string> scripts;
    const auto most = static_cast<std::size_t>(std::max<std::int64_t>(2, arraySize) - 1);
    for (std::size_t first = 0; first < tasks.size(); first += most) {
        const std::size_t end = std::min(first + most, tasks.size());
        scripts.push_back(scriptOf(
            job, slurmScriptName(job, scripts.size()),
            (end - first > 1 ? "1-" + std::to_string(end - first) : std::string("1")) + at,
            {tasks.begin() + static_cast<std::ptrdiff_t>(first), tasks.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
    return scripts;
}

}  // namespace palimpsest
