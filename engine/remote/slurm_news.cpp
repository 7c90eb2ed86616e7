// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/slurm_news.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "engine/remote/remote_job.h"
#include "engine/remote/remote_sweep.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/sweep/slurm_cluster.h"

namespace palimpsest {

using std::chrono::steady_clock;

bool SlurmNews::over() {
    if (hasSlurmScripts(copy_.local()) && (!asked_ || steady_clock::now() - *asked_ >= settings_.pause)) ask();
    // Twice: a task that queues itself again leaves the queue for a moment.
    return quiet_ >= 2;
}

void SlurmNews::ask() {
    asked_ = steady_clock::now();
    try {
        // It only lists, which every version that fits does alike.
        if (program_.empty())
            program_ =
                findRemoteProgram(copy_.shell(), settings_.program, settings_.version, [](const std::string&) {});
        const RemoteSweep sweep(copy_.shell().place(), program_);
        const std::optional<bool> goes_on = sweep.goesOn();
        quiet_ = goes_on && !*goes_on ? quiet_ + 1 : 0;
        const std::map<std::int64_t, SlurmTask> tasks = parseListedTasks(sweep.list(true));
        active_ = goes_on.value_or(std::ranges::any_of(tasks, [](const auto& task) { return task.second.active(); }));
        const std::string text = formatListedTasks(tasks);
        if (text != noted_) replaceTextFile(copy_.local() / kSlurmNote, text, Keep::Written, FilePlace::InFolder);
        noted_ = text;
        if (!std::exchange(told_, {}).empty()) settings_.noted({});
    } catch (const RemoteError&) {
        // When the connection is back, the complaint is made anew.
        told_.clear();
        throw;
    } catch (const Error& error) {
        // The files come all the same.
        if (std::exchange(told_, error.sentence()) != error.sentence()) settings_.noted(error.sentence());
    }
}

}  // namespace palimpsest
