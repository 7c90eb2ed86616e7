// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/queue_takeover.h"

#include <optional>

#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/json.h"
#include "engine/support/machine.h"
#include "engine/support/process.h"

namespace palimpsest {

bool takeOverFromEarlierStart(const std::filesystem::path& run) {
    const std::optional<QueueTask> task = queueTask();
    if (!task || task->restarts == 0 || readRunState(run) != RecordedState::Running) return false;
    const std::filesystem::path file = run / "run.json";
    Json document;
    try {
        document = parsedJson(readTextFile(file, FilePlace::InFolder, file_limit::kDocument));
    } catch (const Error&) {
        return false;
    }
    if (!document.is_object() || document.value("host", Json()) == hostName()) return false;
    const Json job = document.value("job", Json());
    if (!job.is_object() || job.value("task", Json()) != task->id) return false;
    const Json restarts = job.value("restarts", Json());
    if (!restarts.is_number_integer() || restarts.get<std::int64_t>() >= task->restarts) return false;
    document["state"] = toText(RecordedState::Crashed);
    replaceTextFile(file, document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n", Keep::Written,
                    FilePlace::InFolder);
    return true;
}

}  // namespace palimpsest
