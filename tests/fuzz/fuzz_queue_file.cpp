// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/queue_file.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_queue_file {

FUZZ_TARGET(queue_file, 400) {
    fuzz::answers([&] {
        const QueueFile queue = parseQueue(input, "queue.json");
        const std::string text = formatQueue(queue);
        fuzz::require(formatQueue(parseQueue(text, "queue.json")) == text, "a queue does not come back");
    });
    if (const auto program = parseQueueProgram(input)) {
        const std::string text = formatQueueProgram(*program);
        const auto back = parseQueueProgram(text);
        fuzz::require(back && formatQueueProgram(*back) == text, "a program does not come back");
    }
    fuzz::answers([&] {
        const std::vector<std::int64_t> seeds = parsedSeeds(input, 1'000'000'000);
        fuzz::require(parsedSeeds(seedsText(seeds), 1'000'000'000) == seeds, "seeds do not come back");
    });
}

}  // namespace palimpsest::fuzz_queue_file
