// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/run/replay_stream.h"

namespace palimpsest {

struct ReportRequest {
    std::vector<std::filesystem::path> inputs;  ///< run folders, or folders that hold run folders
    std::filesystem::path out;                  ///< made when absent; files of the same name are replaced
    std::vector<std::string> formats;           ///< of reportFormats(); empty: html, png, svg, pdf
    std::string style = "screen";               ///< of the figures; see figureStyles()
    std::optional<std::int64_t> moment = {};    ///< images seen, of a confusion matrix; absent: the last evaluation
    bool each_run = false;                      ///< of several runs also the figures of each
    bool story = true;                          ///< captions of a run's curves say what its last evaluation found
    ReplayStreamFinder replay_stream = {};      ///< images for a replay; empty: it has none
};

/// html, pdf, svg, png, gif, pgfplots, latex, markdown, csv, replay.
std::vector<std::string> reportFormats();

/// Writes a page (report.html), figures, their captions (captions.txt) and tables about one or several runs and returns
/// the files in that order. Runs that differ only in the seed are shown as mean and standard deviation. The same runs
/// give the same bytes. A replay (replay.html) is of one run or two. Throws Error(Input) for an unknown format or
/// style, an input that is not a run, a folder that cannot be written, and formats of which there is nothing to write.
/// `leftOut`: gets a sentence on each run of a named folder that cannot be read, `unread` on what cannot be read of the
/// others and on each format that is missing.
std::vector<std::filesystem::path> writeReport(const OptionTable& table, const ReportRequest& request,
                                               std::vector<std::string>* leftOut = nullptr,
                                               std::vector<std::string>* unread = nullptr);

}  // namespace palimpsest
