// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/index_list.h"
#include "engine/stream/stream_plan.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_index_list {

FUZZ_TARGET(index_list, 3000) {
    static const std::vector<std::int32_t> labels = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    fuzz::answers([&] {
        const IndexList list = parseIndexList(input, "list.json");
        const StreamPlan plan = importStream(list, labels, {.classes = 4, .sessions = 2});
        fuzz::requireLines(plan.notes);
        fuzz::requireLines(lintStream(plan, labels));
        fuzz::require(classHomes(plan).size() == 4 && plan.totalSamples() > 0, "a stream of no samples");
    });
}

}  // namespace palimpsest::fuzz_index_list
