// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/foreign_results.h"

#include <string_view>
#include <system_error>

#include "engine/library/foreign_curve.h"
#include "engine/library/foreign_logs.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestFile = 64 << 20;
constexpr std::size_t kBeginning = 4096;

Error noText(const fs::path& file) {
    return inputError("The file " + file.string() + " is no text, so it is no log.",
                      "Give a log, a table, or a .npy list of the official code.");
}

}  // namespace

std::string readResultsFile(const fs::path& file) {
    std::error_code error;
    if (fs::is_directory(file, error))
        throw inputError(file.string() + " is a folder, not a file of results.", "Name the file in it.");
    if (const auto size = fs::file_size(file, error); !error && fs::is_regular_file(file, error) && size > kLargestFile)
        throw inputError("The file " + file.string() + " is larger than any curve.",
                         "Give the accuracies alone; 64 MB is the most that is read.");
    return readTextFile(file, FilePlace::Named, kLargestFile);
}

std::vector<ForeignResults> readForeignResults(const fs::path& file, std::int64_t every) {
    const std::string ending = asciiLowered(file.extension().string());
    if (ending == ".npy") return {readNpyCurve(file, every)};
    const std::string text = readResultsFile(file);
    const bool table = ending == ".csv" || ending == ".tsv";
    // The words of a log may stand in a program. A log that lost power may end in zeros.
    if (std::string_view(text).substr(0, kBeginning).find('\0') != std::string_view::npos) throw noText(file);
    if (const std::optional<LogKind> kind = logKindOf(text)) return readForeignLog(*kind, file, text, every);
    if (table) return {readCsvCurve(file, text)};
    if (text.empty())
        throw inputError("The file " + file.string() + " is empty.",
                         "LAMDA-PILOT and PyCIL write all seeds of one start into the log of the first.");
    if (text.find('\0') != std::string::npos) throw noText(file);
    throw inputError(file.string() + " holds no results in a known form.",
                     "Known are tables with samples_seen and accuracy, seed_N_eval.npy of the official code, and the "
                     "logs of Mammoth (logs.pyd), Avalanche (eval_results.csv), LAMDA-PILOT, PyCIL, MISA and FlyGCL.");
}

}  // namespace palimpsest
