// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_history.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "engine/record/predictions.h"
#include "engine/support/csv_table.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostWarnings = 5;  // of one file

class HistoryReading {
public:
    HistoryReading(const fs::path& folder, std::size_t classes) : folder_(folder), classes_(classes) {}

    RunHistory read() {
        each("training.csv", {"samples_seen", "loss"}, [this](std::span<const double> row) {
            const std::int64_t seen = countIn(row[0]);
            if (seen < 0 || (!history_.loss.empty() && static_cast<double>(seen) < lastX())) return false;
            history_.loss.add(static_cast<double>(seen), row[1]);
            return true;
        });
        each("classes.csv", {"samples_seen", "class", "accuracy"}, [this](std::span<const double> row) {
            const std::int64_t seen = countIn(row[0]), label = countIn(row[1]);
            const bool back = !history_.classes.empty() && seen < history_.classes.back().samples_seen;
            if (seen < 0 || label < 0 || label >= static_cast<std::int64_t>(kMostClasses) || back) return false;
            history_.addClass(seen, static_cast<std::int32_t>(label), row[2]);
            return true;
        });
        if (there("prompts.csv"))
            each("prompts.csv", {"samples_seen", "prompt", "count"}, [this](std::span<const double> row) {
                const std::int64_t seen = countIn(row[0]), prompt = countIn(row[1]), uses = countIn(row[2]);
                const bool back = !history_.prompts.empty() && seen < history_.prompts.back().samples_seen;
                if (seen < 0 || prompt < 0 || uses < 0 || back) return false;
                history_.addPrompt(seen, static_cast<std::size_t>(prompt), uses);
                return true;
            });
        if (there("pushes.csv"))
            each("pushes.csv", {"samples_seen", "class", "push", "since"}, [this](std::span<const double> row) {
                const std::int64_t seen = countIn(row[0]), label = countIn(row[1]);
                const bool back = !history_.pushes.empty() && seen < history_.pushes.back().samples_seen;
                if (seen < 0 || label < 0 || label >= static_cast<std::int64_t>(kMostClasses) || back) return false;
                // As they are kept: in single precision.
                constexpr double kMost = std::numeric_limits<float>::max();
                if (std::abs(row[2]) > kMost || !(std::abs(row[3]) <= kMost)) return false;
                history_.addPush(seen, static_cast<std::int32_t>(label), row[2], row[3]);
                return true;
            });
        readMemory();
        readPredictions();
        return std::move(history_);
    }

private:
    double lastX() const { return history_.loss.x(history_.loss.size() - 1); }

    bool there(const char* name) const {
        std::error_code ignored;
        return fs::exists(folder_ / name, ignored);
    }

    /// `take`: false for a row that cannot be.
    void each(const char* name, const std::vector<std::string>& columns,
              const std::function<bool(std::span<const double>)>& take) {
        bool odd = false;
        CsvScan scan = scanCsv(folder_ / name, columns, [&](std::span<const double> row) { odd = !take(row) || odd; });
        if (odd) scan.warnings.push_back(std::string(name) + ": rows that make no sense were skipped.");
        const std::size_t kept = std::min(scan.warnings.size(), kMostWarnings);
        for (std::size_t i = 0; i < kept; ++i) history_.warnings.push_back(std::move(scan.warnings[i]));
        if (scan.warnings.size() > kept)
            history_.warnings.push_back(std::string(name) + ": " + std::to_string(scan.warnings.size() - kept) +
                                        " more lines were skipped.");
    }

    void readMemory() {
        if (!there("memory.csv") || classes_ == 0 || classes_ > kMostClasses) return;
        each("memory.csv", memoryColumns(classes_), [this](std::span<const double> row) {
            MemoryBalance balance;
            balance.samples_seen = countIn(row[0]);
            if (balance.samples_seen < 0) return false;
            for (const double cell : row.subspan(1)) {
                const std::int64_t count = countIn(cell);
                if ((count < 0 && !std::isnan(cell)) || count > kMostKeptOfClass) return false;
                balance.kept.push_back(std::isnan(cell) ? std::nullopt : std::optional(count));
            }
            history_.memory.push_back(std::move(balance));
            return true;
        });
    }

    /// The lists themselves are read when their moment is shown.
    void readPredictions() {
        try {
            history_.predicted = predictionMoments(folder_);
            if (history_.predicted.empty()) return;
            history_.test_labels =
                std::make_shared<const std::vector<std::int32_t>>(readClassList(trueClassesFile(folder_)));
        } catch (const std::exception& error) {
            history_.warnings.emplace_back(error.what());
        }
    }

    const fs::path folder_;
    const std::size_t classes_;
    RunHistory history_;
};

}  // namespace

void RunHistory::add(const RunStarted& event) {
    test_labels = event.test_labels;
}

void RunHistory::add(const UpdateDone& event) {
    loss.add(static_cast<double>(event.samples_seen), event.loss);
}

void RunHistory::add(const Evaluated& event) {
    // The end of a session may fall on an anytime evaluation: the same weights.
    if (!classes.empty() && classes.back().samples_seen == event.samples_seen) return;
    for (const ClassCount& count : event.classes)
        addClass(event.samples_seen, count.label,
                 count.samples > 0 ? static_cast<double>(count.correct) / static_cast<double>(count.samples)
                                   : std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < event.prompt_use.size(); ++i) addPrompt(event.samples_seen, i, event.prompt_use[i]);
    for (const ClassPush& push : event.pushes)
        addPush(event.samples_seen, push.label, push.push.value_or(std::numeric_limits<double>::quiet_NaN()),
                push.since);
    if (!event.predictions) return;
    predicted.push_back(event.samples_seen);
    newest = event.predictions;
}

void RunHistory::add(const MemoryHeld& event, std::size_t named) {
    MemoryBalance balance = balanceOf(event, named);
    if (memory.empty() || !(memory.back() == balance)) memory.push_back(std::move(balance));
}

std::size_t RunHistory::classCount() const {
    std::size_t count = 0;
    for (const std::int32_t label : seen) count = std::max(count, static_cast<std::size_t>(label) + 1);
    return count;
}

void RunHistory::addClass(std::int64_t samplesSeen, std::int32_t label, double accuracy) {
    if (label < 0 || static_cast<std::size_t>(label) >= kMostClasses) return;
    if (classes.empty() || classes.back().samples_seen != samplesSeen) classes.push_back({samplesSeen, {}});
    std::vector<float>& row = classes.back().accuracy;
    const auto place = static_cast<std::size_t>(label);
    if (place >= row.size()) row.resize(place + 1, std::numeric_limits<float>::quiet_NaN());
    row[place] = static_cast<float>(accuracy);
    if (place >= met_.size()) met_.resize(place + 1, false);
    if (!met_[place]) seen.push_back(label);
    met_[place] = true;
}

void RunHistory::addPrompt(std::int64_t samplesSeen, std::size_t prompt, std::int64_t uses) {
    constexpr std::size_t kMostPrompts = 100'000;
    if (prompt >= kMostPrompts) return;
    if (prompts.empty() || prompts.back().samples_seen != samplesSeen) prompts.push_back({samplesSeen, {}});
    std::vector<std::int64_t>& row = prompts.back().uses;
    if (prompt >= row.size()) row.resize(prompt + 1, 0);
    row[prompt] = uses;
}

void RunHistory::addPush(std::int64_t samplesSeen, std::int32_t label, double push, double since) {
    if (label < 0 || static_cast<std::size_t>(label) >= kMostClasses) return;
    if (pushes.empty() || pushes.back().samples_seen != samplesSeen) pushes.push_back({samplesSeen, {}, {}});
    PushMoment& moment = pushes.back();
    const auto place = static_cast<std::size_t>(label);
    for (std::vector<float>* row : {&moment.push, &moment.since})
        if (place >= row->size()) row->resize(place + 1, std::numeric_limits<float>::quiet_NaN());
    moment.push[place] = static_cast<float>(push);
    moment.since[place] = static_cast<float>(since);
}

std::vector<ClassPush> classPushes(const PushMoment& moment, const std::vector<std::int32_t>& seen) {
    std::vector<ClassPush> pushes;
    for (const std::int32_t label : seen) {
        const auto place = static_cast<std::size_t>(label);
        if (place >= moment.since.size() || std::isnan(moment.since[place])) continue;
        const float push = moment.push[place];
        pushes.push_back({label, std::isnan(push) ? std::nullopt : std::optional<double>(push), moment.since[place]});
    }
    return pushes;
}

RunHistory readHistory(const fs::path& folder, std::size_t classes) {
    return HistoryReading(folder, classes).read();
}

}  // namespace palimpsest
