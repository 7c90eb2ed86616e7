// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/foreign_logs.h"
#include "engine/support/python_literal.h"
#include "engine/support/text.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_foreign_logs {

FUZZ_TARGET(foreign_logs, 4000) {
    if (const auto literal = readPythonLiteral(input))
        fuzz::require(literal->length <= input.size(), "a literal that is longer than its text");
    const std::optional<LogKind> kind = logKindOf(input);
    if (!kind) return;
    fuzz::answers([&] {
        const std::vector<ForeignResults> runs =
            readForeignLog(*kind, fuzz::scratchFolder() / "class-il" / "data" / "er" / "results.csv", input, 0);
        fuzz::require(!runs.empty(), "no run and no error");
        for (const ForeignResults& run : runs) {
            fuzz::require(!run.points.empty(), "a run without a point");
            for (std::size_t i = 0; i < run.points.size(); ++i) {
                const AnytimePoint& point = run.points[i];
                fuzz::require(point.accuracy >= 0 && point.accuracy <= 1, "an accuracy that is no fraction");
                fuzz::require(point.samples_seen > (i > 0 ? run.points[i - 1].samples_seen : 0),
                              "images seen that do not grow");
            }
            for (std::size_t after = 0; after < run.retention.size(); ++after)
                fuzz::require(run.retention[after].size() == after + 1, "a row of another length");
            for (const std::string& note : run.notes) fuzz::requireLine(plainSentence(note));
            for (const auto& [key, value] : run.settings) {
                fuzz::require(isPlainLine(key), "a setting's name that is not plain");
                fuzz::require(isPlainLine(value), "a setting that is not plain");
            }
        }
    });
}

}  // namespace palimpsest::fuzz_foreign_logs
