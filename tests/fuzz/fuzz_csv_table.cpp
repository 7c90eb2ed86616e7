// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/memory_balance.h"
#include "engine/support/csv_table.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_csv_table {

FUZZ_TARGET(csv_table, 1500) {
    const std::filesystem::path file = fuzz::fileWith(input, "table.csv");
    const CsvTable table = readCsv(file, {"samples_seen", "accuracy"});
    fuzz::requireLines(table.warnings);
    for (const std::vector<double>& row : table.rows) {
        fuzz::require(row.size() == 2, "a row of another width");
        fuzz::require(countIn(row[0]) >= -1, "a count below -1");
    }
    lastInCsv(file, "samples_seen");
    const LastBalance last = readLastBalance(file, 10);
    fuzz::requireLines(last.warnings);
    if (last.balance) fuzz::require(last.balance->total() >= 0, "a memory of fewer than no images");
}

}  // namespace palimpsest::fuzz_csv_table
