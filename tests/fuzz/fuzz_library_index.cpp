// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/run_index.h"
#include "tests/fuzz/option_table.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_library_index {

FUZZ_TARGET(library_index, 100) {
    // A damaged index is set aside, and a new one is made.
    static fuzz::InputFolder runs({".library.sqlite", "a-run/run.json", "a-run/library.json"});
    runs.clear();
    runs.fill(input);
    fuzz::answers([&] {
        RunIndex index(&fuzz::optionTable(), runs.path());
        fuzz::requireLine(index.takeNotice());
        const RunIndex::Scan scan = index.reconcile();
        fuzz::requireLines(scan.unreadable);
        for (const RunRowPtr& row : scan.rows) fuzz::requireLine(row->name);
        fuzz::requireLine(index.takeNotice());
        index.clear();
    });
}

}  // namespace palimpsest::fuzz_library_index
