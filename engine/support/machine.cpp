// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/machine.h"

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "engine/support/text.h"

namespace palimpsest {
namespace {

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

}  // namespace

std::string processorModel() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with("model name")) continue;
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) break;
        const std::size_t first = line.find_first_not_of(" \t", colon + 1);
        return first == std::string::npos ? std::string() : plainLine(std::string_view(line).substr(first));
    }
    return {};
}

std::optional<QueueTask> queueTask() {
    const std::string_view job = environment("SLURM_JOB_ID");
    if (job.empty()) return std::nullopt;
    QueueTask task;
    const std::string_view array = environment("SLURM_ARRAY_JOB_ID"), index = environment("SLURM_ARRAY_TASK_ID");
    task.id = "slurm " + plainLine(array.empty() || index.empty() ? std::string(job)
                                                                  : std::string(array) + "_" + std::string(index));
    const std::string_view restarts = environment("SLURM_RESTART_COUNT");
    std::from_chars(restarts.data(), restarts.data() + restarts.size(), task.restarts);
    return task;
}

}  // namespace palimpsest
