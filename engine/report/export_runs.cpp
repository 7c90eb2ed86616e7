// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/export_runs.h"

#include <algorithm>
#include <set>

#include "engine/record/run_folder.h"
#include "engine/report/mlflow_folder.h"
#include "engine/report/report_inputs.h"
#include "engine/report/run_scalars.h"
#include "engine/report/tensorboard_events.h"
#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// A folder for each run, also where two have the same name.
fs::path freeFolder(const fs::path& out, const std::string& name, std::set<std::string>& taken) {
    std::string folder = name;
    for (int number = 2; !taken.insert(folder).second; ++number) folder = name + "-" + std::to_string(number);
    std::error_code error;
    fs::create_directories(out / folder, error);
    if (error)
        throw inputError("The folder " + (out / folder).string() + " cannot be made: " + error.message() + ".",
                         "Choose a folder you may write to.");
    return out / folder;
}

}  // namespace

std::vector<std::string> exportFormats() {
    return {"tensorboard", "mlflow"};
}

std::vector<fs::path> exportRuns(const OptionTable& table, const ExportRequest& request,
                                 std::vector<std::string>* leftOut) {
    const std::vector<std::string> formats = exportFormats();
    if (std::find(formats.begin(), formats.end(), request.format) == formats.end())
        throw inputError("There is no format \"" + shortLine(request.format) + "\".",
                         "Choose " + enumeration(formats, " or ") + ".");
    const bool events = request.format == "tensorboard";
    const std::vector<fs::path> folders = report::collectRunFolders(request.inputs);
    std::vector<fs::path> written;
    std::set<std::string> taken;
    fs::path experiment;
    std::string last;
    for (const fs::path& folder : folders) {
        RunRecord run;
        try {
            run = readRun(table, folder);
        } catch (const Error& error) {
            // One of many must not keep the others from being exported.
            const auto& named = request.inputs;
            if (folders.size() == 1 || std::find(named.begin(), named.end(), folder) != named.end()) throw;
            last = error.what();
            if (leftOut) leftOut->push_back(last);
            continue;
        }
        std::vector<std::string> warnings;
        if (events) {
            written.push_back(freeFolder(request.out, report::exportedName(run), taken));
            warnings = report::writeEventFile(run, written.back());
        } else {
            if (experiment.empty()) experiment = report::makeMlflowExperiment(request.out);
            written.push_back(report::writeMlflowRun(table, run, experiment, warnings));
        }
        for (std::string& warning : warnings) {
            if (!warning.ends_with('.')) warning += '.';
            if (leftOut) leftOut->push_back(report::exportedName(run) + ": " + warning);
        }
    }
    if (written.empty())
        throw inputError("There is no run to export: " + last, "Name at least one run that can be read.");
    return written;
}

}  // namespace palimpsest
