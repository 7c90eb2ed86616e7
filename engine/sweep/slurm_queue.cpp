// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/slurm_queue.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/text.h"
#include "engine/sweep/number_ranges.h"
#include "engine/sweep/sweep_grid.h"
#include "engine/sweep/sweep_slurm.h"

namespace palimpsest {
namespace {

/// Of an array that a cluster could have; Slurm's own limit is 4,000,001.
constexpr std::int64_t kMostIndex = 4'000'000;
/// Tasks of one answer; a hostile one would else multiply few bytes to many tasks.
constexpr std::size_t kMostTasks = 100'000;

std::optional<std::int64_t> wholeNumber(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 0) return std::nullopt;
    return value;
}

/// A plain number up to Slurm 22.05, {"set": true, "infinite": false, "number": 3} since 23.02.
std::optional<std::int64_t> numberOf(const Json& job, const char* key) {
    const auto found = job.find(key);
    if (found == job.end()) return std::nullopt;
    const auto whole = [](const Json& value) -> std::optional<std::int64_t> {
        if (!value.is_number_integer()) return std::nullopt;
        return value.get<std::int64_t>();
    };
    if (!found->is_object()) return whole(*found);
    const auto set = found->find("set"), number = found->find("number");
    if (set == found->end() || *set != true || number == found->end()) return std::nullopt;
    return whole(*number);
}

/// A word up to 22.05, a list of words since 23.02: the first is the state, others are flags such as "REQUEUED".
std::string wordOf(const Json& job, const char* key) {
    const auto found = job.find(key);
    if (found == job.end()) return {};
    const Json& first = found->is_array() && !found->empty() ? found->front() : *found;
    return first.is_string() ? plainLine(first.get_ref<const std::string&>()) : std::string();
}

/// Slurm's words for "nothing".
std::string unlessNone(std::string text) {
    return text == "None" || text == "(null)" || text == "None assigned" || text == "N/A" ? std::string() : text;
}

std::vector<std::string_view> split(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(by, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

/// "1-3,7%2", "1-9:2" as indices; none for anything else.
std::vector<std::int64_t> indicesOf(std::string_view text) {
    std::vector<std::int64_t> indices;
    if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
    text = text.substr(0, text.find('%'));
    for (const std::string_view part : split(text, ',')) {
        const std::size_t dash = part.find('-'), colon = part.find(':');
        const auto first = wholeNumber(part.substr(0, std::min(dash, colon)));
        const auto last =
            dash == std::string_view::npos
                ? first
                : wholeNumber(part.substr(dash + 1, colon == std::string_view::npos ? colon : colon - dash - 1));
        const auto step =
            colon == std::string_view::npos ? std::optional<std::int64_t>(1) : wholeNumber(part.substr(colon + 1));
        if (!first || !last || !step || *step < 1 || *last > kMostIndex) return {};
        for (std::int64_t one = *first; one <= *last; one += *step) {
            if (indices.size() == kMostTasks) return indices;
            indices.push_back(one);
            // A step can be as large as a number can.
            if (*step > *last - one) break;
        }
    }
    return indices;
}

/// "CANCELLED by 1000": the word alone.
std::string firstWord(std::string_view text) {
    return plainLine(text.substr(0, text.find(' ')));
}

}  // namespace

bool isSlurmJobNumber(std::string_view text) {
    return !text.empty() && text.size() < 20 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string SlurmTask::name() const {
    return std::to_string(job) + (index >= 0 ? "_" + std::to_string(index) : "");
}

bool SlurmTask::active() const {
    static constexpr std::array kActive = {"PENDING",     "RUNNING",   "SUSPENDED",    "COMPLETING",
                                           "CONFIGURING", "REQUEUED",  "REQUEUE_HOLD", "REQUEUE_FED",
                                           "RESIZING",    "SIGNALING", "STAGE_OUT",    "STOPPED"};
    return std::ranges::find(kActive, state) != kActive.end();
}

std::string SlurmTask::words() const {
    static constexpr std::array<std::pair<const char*, const char*>, 15> kWords = {{
        {"PENDING", "waiting"},
        {"RUNNING", "running"},
        {"SUSPENDED", "suspended"},
        {"COMPLETING", "ending"},
        {"CONFIGURING", "about to run"},
        {"REQUEUED", "queued again"},
        {"REQUEUE_HOLD", "held"},
        {"COMPLETED", "ended"},
        {"CANCELLED", "cancelled"},
        {"FAILED", "failed"},
        {"TIMEOUT", "out of time"},
        {"OUT_OF_MEMORY", "out of memory"},
        {"NODE_FAIL", "its machine failed"},
        {"PREEMPTED", "preempted"},
        {"DEADLINE", "past its deadline"},
    }};
    const auto* const known = std::ranges::find_if(kWords, [&](const auto& word) { return state == word.first; });
    std::string text = known != kWords.end() ? known->second : state;
    if (active() && state != "PENDING" && !nodes.empty()) text += " on " + nodes;
    if (state == "PENDING" && !reason.empty()) text += ": " + reason;
    if (restarts > 0) text += ", begun again " + counted(restarts, "time", "times");
    return text;
}

std::vector<SlurmTask> parseSqueueJson(const std::string& text) {
    Json answer;
    try {
        answer = parsedJson(text);
    } catch (const std::exception&) {
        answer = Json();
    }
    const auto jobs = answer.is_object() ? answer.find("jobs") : answer.end();
    if (!answer.is_object() || jobs == answer.end() || !jobs->is_array())
        throw runError("squeue says nothing of jobs.", "Try `squeue --json` in a terminal.");
    std::vector<SlurmTask> tasks;
    for (const Json& job : *jobs) {
        if (!job.is_object()) continue;
        SlurmTask task;
        const std::int64_t array = numberOf(job, "array_job_id").value_or(0);
        task.job = array > 0 ? array : numberOf(job, "job_id").value_or(0);
        task.state = wordOf(job, "job_state");
        task.reason = unlessNone(wordOf(job, "state_reason"));
        task.nodes = unlessNone(wordOf(job, "nodes"));
        task.script = wordOf(job, "command");
        task.restarts = std::max<std::int64_t>(0, numberOf(job, "restart_cnt").value_or(0));
        if (task.job <= 0 || task.state.empty()) continue;
        // Tasks that have not begun stand together: "1-3,7%2".
        if (const std::string together = wordOf(job, "array_task_string"); array > 0 && !together.empty()) {
            for (const std::int64_t index : indicesOf(together)) {
                if (tasks.size() == kMostTasks) return tasks;
                tasks.push_back(task);
                tasks.back().index = index;
            }
            continue;
        }
        if (array > 0) task.index = numberOf(job, "array_task_id").value_or(-1);
        if (tasks.size() == kMostTasks) return tasks;
        tasks.push_back(std::move(task));
    }
    return tasks;
}

std::vector<SlurmTask> parseSqueueLines(std::string_view text) {
    std::vector<SlurmTask> tasks;
    for (const std::string_view line : split(text, '\n')) {
        const std::vector<std::string_view> parts = split(line, '|');
        // A path may hold the sign that parts the fields.
        if (parts.size() < 6) continue;
        const auto job = wholeNumber(parts[0]);
        if (!job) continue;
        const std::size_t script = static_cast<std::size_t>(parts[5].data() - line.data());
        const SlurmTask task{*job,
                             wholeNumber(parts[1]).value_or(-1),
                             firstWord(parts[2]),
                             unlessNone(plainLine(parts[3])),
                             unlessNone(plainLine(parts[4])),
                             plainLine(line.substr(script))};
        if (tasks.size() == kMostTasks) return tasks;
        tasks.push_back(task);
    }
    return tasks;
}

std::vector<SlurmTask> parseSacct(std::string_view text) {
    std::vector<SlurmTask> tasks;
    for (const std::string_view line : split(text, '\n')) {
        const std::vector<std::string_view> parts = split(line, '|');
        if (parts.size() != 3) continue;
        const std::size_t bar = parts[0].find('_');
        const auto job = wholeNumber(parts[0].substr(0, bar));
        if (!job) continue;
        std::vector<std::int64_t> indices = {-1};
        if (bar != std::string_view::npos) indices = indicesOf(parts[0].substr(bar + 1));
        for (const std::int64_t index : indices) {
            if (tasks.size() == kMostTasks) return tasks;
            tasks.push_back({*job, index, firstWord(parts[1]), {}, unlessNone(plainLine(parts[2]))});
        }
    }
    return tasks;
}

std::map<std::int64_t, SlurmTask> parseListedTasks(std::string_view text) {
    std::map<std::int64_t, SlurmTask> tasks;
    for (const std::string_view line : split(text, '\n')) {
        if (line.find("\"slurm\"") == std::string_view::npos) continue;
        const Json run = parsedJson(line);
        if (!run.is_object()) continue;
        const std::int64_t number = numberOf(run, "number").value_or(0);
        const auto slurm = run.find("slurm");
        if (number < 1 || number > kMostSweepRuns || slurm == run.end() || !slurm->is_object()) continue;
        // "12_3", "12".
        const std::string name = wordOf(*slurm, "task");
        const std::size_t bar = name.find('_');
        const auto job = wholeNumber(std::string_view(name).substr(0, bar));
        const auto index = bar == std::string::npos ? std::optional<std::int64_t>(-1)
                                                    : wholeNumber(std::string_view(name).substr(bar + 1));
        SlurmTask task{job.value_or(0), index.value_or(-1), wordOf(*slurm, "state"), wordOf(*slurm, "reason"),
                       wordOf(*slurm, "nodes")};
        if (task.job < 1 || !index || task.state.empty()) continue;
        task.restarts = std::max<std::int64_t>(0, numberOf(*slurm, "restarts").value_or(0));
        tasks.insert_or_assign(number, std::move(task));
    }
    return tasks;
}

std::string formatListedTasks(const std::map<std::int64_t, SlurmTask>& tasks) {
    std::string text;
    for (const auto& [number, task] : tasks) {
        const Json line = {{"number", number},
                           {"slurm",
                            {{"task", task.name()},
                             {"state", task.state},
                             {"reason", task.reason},
                             {"nodes", task.nodes},
                             {"restarts", task.restarts}}}};
        text += line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
    return text;
}

std::vector<std::int64_t> runsOfTask(std::string_view script, std::int64_t index) {
    const std::string_view sign = "\nset -- ";
    const std::size_t at = script.find(sign);
    if (at == std::string_view::npos)
        return index >= 1 && index <= kMostSweepRuns ? std::vector{index} : std::vector<std::int64_t>{};
    const std::size_t begin = at + sign.size();
    const std::vector<std::string_view> tasks = split(script.substr(begin, script.find('\n', begin) - begin), ' ');
    if (index < 1 || index > std::ssize(tasks)) return {};
    try {
        return parsedRanges(tasks[static_cast<std::size_t>(index - 1)], kMostSweepRuns, "a task");
    } catch (const Error&) {
        return {};
    }
}

std::int64_t arraySizeIn(std::string_view configuration) {
    for (const std::string_view line : split(configuration, '\n')) {
        if (!line.starts_with("MaxArraySize")) continue;
        const std::size_t digits = line.find_first_of("0123456789");
        if (digits == std::string_view::npos) break;
        const auto size = wholeNumber(line.substr(digits, line.find_first_not_of("0123456789", digits) - digits));
        if (size && *size >= 2) return *size;
    }
    return kUsualArraySize;
}

}  // namespace palimpsest
