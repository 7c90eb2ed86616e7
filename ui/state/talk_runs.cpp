// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/talk_runs.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/record/example_runs.h"
#include "engine/support/error.h"
#include "ui/state/run_library.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostAlike = 50;  // runs of one name that are read to find the one that is meant

/// The newest finished run of this experiment; null: there is none.
std::shared_ptr<const RunRecord> runOf(const OptionTable& table, const Experiment& experiment,
                                       const std::vector<RunRowPtr>& rows) {
    std::size_t read = 0;
    for (const RunRowPtr& row : rows) {
        if (row->name != experiment.name || row->seed != experiment.seed || row->state != RecordedState::Finished ||
            !row->changes.empty() || !row->parent.empty())
            continue;
        if (++read > kMostAlike) break;
        try {
            auto record = std::make_shared<const RunRecord>(readRun(table, row->folder));
            if (sameTalkExperiment(table, record->experiment, experiment)) return record;
        } catch (const Error&) {
            // It went meanwhile, or is damaged; the next one may do.
        }
    }
    return nullptr;
}

}  // namespace

TalkRuns::TalkRuns(RunLibrary* library, QObject* parent) : QObject(parent), library_(library) {}

void TalkRuns::look(const Talk& talk, const QString& folder, bool bring) {
    ++looking_;
    background_.run(
        [table = &library_->table(), runs = library_->folder(), rows = library_->rows(), talk,
         place = fs::path(folder.toStdString()), bring] {
            Found found;
            for (const TalkRun& run : talk.runs) {
                try {
                    if (!run.experiment.empty()) {
                        const auto experiment = std::make_shared<const Experiment>(talkExperiment(*table, run, place));
                        found.experiments[run.name] = experiment;
                        if (auto record = runOf(*table, *experiment, rows))
                            found.records[run.name] = std::move(record);
                        else
                            found.missing[run.name] = "The run " + run.name + " was not made here yet.";
                        continue;
                    }
                    const fs::path at = runs / (run.recorded.empty() ? run.folder : run.recorded);
                    std::error_code ignored;
                    if (bring && !run.recorded.empty() && !fs::exists(at, ignored)) {
                        for (const char* name : kDemoRuns)
                            if (const fs::path place = runs / name; !fs::exists(place, ignored))
                                found.brought.append(QString::fromStdString(place.string()));
                        bringDemoRuns(runs);
                    }
                    found.records[run.name] = std::make_shared<const RunRecord>(readRun(*table, at));
                } catch (const Error& error) {
                    found.missing[run.name] = error.what();
                }
            }
            return found;
        },
        [this](Found found) {
            found_ = std::move(found);
            numbers_.clear();
            brought_.append(found_.brought);
            --looking_;
            for (const auto& [name, record] : found_.records) library_->add(record);
            Q_EMIT this->found();
        });
}

std::shared_ptr<const RunRecord> TalkRuns::find(const std::string& name) const {
    const auto record = found_.records.find(name);
    return record == found_.records.end() ? nullptr : record->second;
}

QString TalkRuns::caption(const TalkScene& scene) const {
    const auto numbers = [this](const std::string& name) -> const TalkNumbers* {
        if (const auto known = numbers_.find(name); known != numbers_.end()) return &known->second;
        const auto record = find(name);
        return record ? &(numbers_[name] = talkNumbers(*record)) : nullptr;
    };
    const std::string& first = scene.runs.empty() ? scene.start : scene.runs.front();
    return QString::fromStdString(filledCaption(scene.caption, first, numbers));
}

QString TalkRuns::missing(const std::string& name) const {
    const auto reason = found_.missing.find(name);
    return reason == found_.missing.end() ? QString() : QString::fromStdString(reason->second);
}

std::shared_ptr<const Experiment> TalkRuns::experiment(const std::string& name) const {
    const auto experiment = found_.experiments.find(name);
    return experiment == found_.experiments.end() ? nullptr : experiment->second;
}

}  // namespace palimpsest
