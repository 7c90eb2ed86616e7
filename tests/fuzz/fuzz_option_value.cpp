// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/stream_edit.h"
#include "engine/run/live_change.h"
#include "tests/fuzz/option_table.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_option_value {

/// KEY=VALUE, as --set and commands.csv have it, and the values that are lists of their own.
FUZZ_TARGET(option_value, 3000) {
    const OptionTable& table = fuzz::optionTable();
    const std::string text(input);
    fuzz::answers([&] {
        const LiveChange change = liveChange(text, 5);
        Experiment experiment = table.defaults();
        table.setText(experiment, change.key, change.value);
        const std::string value = table.text(experiment, *table.find(change.key));
        Experiment again = table.defaults();
        table.setText(again, change.key, value);
        fuzz::require(table.text(again, *table.find(change.key)) == value, "a value reads back as another");
        fuzz::requireLines(table.problems(experiment));
        fuzz::answers([&] { requireLive(table, table.defaults(), change); });
    });
    fuzz::answers([&] {
        const std::vector<StreamEdit> edits = editList(text);
        fuzz::require(editList(toText(edits)) == edits, "edits read back as others");
    });
    fuzz::answers([&] { blockList("method.blocks", text); });
}

}  // namespace palimpsest::fuzz_option_value
