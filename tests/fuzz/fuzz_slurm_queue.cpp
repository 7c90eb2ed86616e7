// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstddef>
#include <string>

#include "engine/support/text.h"
#include "engine/sweep/slurm_queue.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_slurm_queue {
namespace {

void check(const std::vector<SlurmTask>& tasks) {
    constexpr std::size_t kMostTasks = 100'000;
    fuzz::require(tasks.size() <= kMostTasks, "tasks are bounded");
    for (const SlurmTask& task : tasks)
        for (const std::string& text : {task.words(), task.name(), task.script})
            fuzz::require(plainLine(text) == text, "what is shown is a plain line");
}

}  // namespace

FUZZ_TARGET(slurm_queue, 400) {
    fuzz::answers([&] { check(parseSqueueJson(std::string(input))); });
    check(parseSqueueLines(input));
    check(parseSacct(input));
    const auto listed = parseListedTasks(input);
    for (const auto& [number, task] : listed) check({task});
    const std::string text = formatListedTasks(listed);
    fuzz::require(formatListedTasks(parseListedTasks(text)) == text, "what is listed comes back");
    fuzz::require(runsOfTask(input, 2).size() <= 10'000, "runs are bounded");
    fuzz::require(arraySizeIn(input) >= 2, "an array has room for a task");
}

}  // namespace palimpsest::fuzz_slurm_queue
