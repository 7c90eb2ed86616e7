// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/library/foreign_results.h"

namespace palimpsest {

/// Logs of other programs for continual learning.
enum class LogKind {
    Mammoth,    ///< logs.pyd: a Python dict a run and line (aimagelab/mammoth, utils/loggers.py)
    Pilot,      ///< LAMDA-PILOT and PyCIL (trainer.py): curves and accuracies by group after each task
    Blurry,     ///< MISA, FlyGCL and Si-Blurry (methods/_trainer.py): tests on the way and a list after each task
    Avalanche,  ///< eval_results.csv or training_results.csv of CSVLogger (avalanche/logging/csv_logger.py)
};

/// By what the text says; absent: no such log.
std::optional<LogKind> logKindOf(std::string_view text);

/// The runs of a log, at least one. Where it was cut off, or a part of it cannot be read, what is whole is given and
/// a note says so. Images seen are counted as `every` a session where the log does not tell them, else taken from the
/// size of a known data set, and a note says that too. Throws Error(Input) where nothing is whole.
std::vector<ForeignResults> readForeignLog(LogKind kind, const std::filesystem::path& file, std::string_view text,
                                           std::int64_t every);

}  // namespace palimpsest
