// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/replay_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "engine/metrics/metric_catalogue.h"
#include "engine/record/moment_story.h"
#include "engine/record/predictions.h"
#include "engine/record/run_history.h"
#include "engine/report/captions.h"
#include "engine/report/markup.h"
#include "engine/report/publication.h"
#include "engine/report/report_inputs.h"
#include "engine/report/run_groups.h"
#include "engine/support/base64.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/resource_folder.h"
#include "engine/support/text.h"

namespace palimpsest::report {
namespace {

// Most of what a page holds of one run, so that it stays small however long the run was. What is left out lies evenly
// between what is kept.
constexpr std::int64_t kMostPoints = 4000;       // of a curve, and batch borders
constexpr std::int64_t kMostPushes = 100'000;    // classes times moments
constexpr std::int64_t kMostMixUps = 120'000;    // cells of all confusion matrices
constexpr std::int64_t kMostPresences = 60'000;  // classes times parts of the stream
constexpr std::int64_t kMostStreamParts = 128;   // of the stream
constexpr std::int64_t kMostStories = 500;
constexpr std::int64_t kMostRetained = 200;  // sessions whose retention is drawn; each has a row after each later one
constexpr std::int64_t kMostBorders = 1000;  // as many as a stream of the program's own has sessions
constexpr std::int64_t kMostChanges = 200;
constexpr std::size_t kMostReplayName = 60;    // characters of a run's name
constexpr std::size_t kMostReplayText = 1000;  // of a sentence, and of the facts on a run

/// The number with so many significant digits: the file stays small, and no eye sees the others.
double roundedTo(double value, int digits) {
    if (value == 0 || !std::isfinite(value)) return 0;
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double scale = std::pow(10.0, digits - 1 - magnitude);
    return std::isfinite(scale) ? std::round(value * scale) / scale : value;
}

// Six digits of an accuracy, so that the page rounds to the tenth of a point that every other list shows.
Json accuracyJson(double value) {
    return std::isfinite(value) ? Json(roundedTo(value, 6)) : Json(nullptr);
}
Json accuracyJson(const std::optional<double>& value) {
    return value ? accuracyJson(*value) : Json(nullptr);
}
Json pushJson(float value) {
    return std::isfinite(value) ? Json(roundedTo(value, 4)) : Json(nullptr);
}

/// Positions of `count` moments that are kept of them: the last one always, the first one too where two are kept.
std::vector<std::size_t> keptMoments(std::size_t count, std::int64_t most) {
    std::vector<std::size_t> kept;
    if (count == 0 || most <= 0) return kept;
    const auto last = static_cast<std::int64_t>(count) - 1, steps = std::min(last, most - 1);
    if (steps == 0) return {static_cast<std::size_t>(last)};
    for (std::int64_t i = 0; i <= steps; ++i) kept.push_back(static_cast<std::size_t>(i * last / steps));
    return kept;
}

/// Every cell that is not 0 as two numbers: how far it lies behind the one before, and its count.
class SparseCells {
public:
    void add(std::int64_t place, std::int64_t count) {
        if (count == 0) return;
        cells_.push_back(place - std::exchange(last_, place));
        cells_.push_back(count);
    }
    Json take() { return std::move(cells_); }

private:
    Json cells_ = Json::array();
    std::int64_t last_ = 0;
};

/// Formula of the catalogue in pieces, in turn plain and subscript.
Json formulaJson(std::string_view html) {
    constexpr std::string_view kOpen = "<sub>", kClose = "</sub>";
    Json pieces = Json::array();
    bool inside = false;
    while (!html.empty()) {
        const std::size_t end = std::min(html.find(inside ? kClose : kOpen), html.size());
        pieces.push_back(plainFormula(html.substr(0, end)));
        html.remove_prefix(std::min(html.size(), end + (inside ? kClose : kOpen).size()));
        inside = !inside;
    }
    return pieces;
}

template <class Entry>
Json meaningJson(const Entry& entry) {
    return {{"title", entry.title}, {"formula", formulaJson(entry.formula)}, {"meaning", entry.meaning}};
}

Json meaningsJson() {
    Json all;
    for (const CurveMeaning& curve : curveMeanings()) all[curve.key] = meaningJson(curve);
    for (const char* key : {"a_auc", "a_last", "f_last", "ncm_a_auc"}) all[key] = meaningJson(*findMetric(key));
    // The one number here that is none of a run's summary.
    all["push"] = {{"title", "Push"},
                   {"formula", formulaJson("push(k) = Σ ( y<sub>k</sub> − p<sub>k</sub> )")},
                   {"meaning",
                    "Summed over the images that were learned: y is 1 for the image’s own class, else 0; p is the "
                    "probability that the network gave class k among those that the mask let through. Above 0 the "
                    "class was pulled up, below 0 it was pushed down. A class that the mask hides has p = 0: nothing "
                    "pushes it."}};
    return all;
}

/// All that is known of one run, and how it is written down.
class ReplayedRun {
public:
    ReplayedRun(const OptionTable& table, const RunRecord& run) : table_(table), run_(run) {
        // Imported results are a table of numbers: no folder holds a history of them, and none is missed.
        if (run.state != RecordedState::Imported) history_ = readHistory(run.folder, run.class_names.size());
        for (std::size_t i = 0; i < history_.seen.size(); ++i) place_[history_.seen[i]] = static_cast<std::int64_t>(i);
        for (const double x : history_.loss.xs()) {
            const auto seen = static_cast<std::int64_t>(x);
            if (batches_.empty() || batches_.back() < seen) batches_.push_back(seen);
        }
    }

    const std::vector<std::int64_t>& batches() const { return batches_; }

    /// Sentences on what could not be read of the run, each with its folder's name before it.
    std::vector<std::string> unread() const {
        ReportedRuns noted;
        for (const auto* sentences : {&run_.warnings, &history_.warnings, &unread_})
            noteUnread(noted, run_.folder, *sentences);
        return noted.unread;
    }

    Json json(const std::string& name, bool story) {
        Json all;
        all["name"] = name;
        all["facts"] = shortName(facts(), kMostReplayText);
        all["state"] = toText(run_.state);
        all["imported"] = run_.state == RecordedState::Imported;
        all["total"] = run_.total_samples;
        all["sessions"] = run_.session_starts.size();
        addBorders(all);
        all["classes"] = classesJson();
        all["anytime"] = anytimeJson();
        all["ends"] = endsJson();
        addRetention(all);
        all["batches"] = keptBatches();
        all["stories"] = story ? storiesJson() : Json::array();
        all["pushes"] = pushesJson();
        all["confusion"] = confusionJson();
        all["changes"] = changesJson();
        // How many there were, so that the page tells what it leaves out from what was never measured.
        const auto recorded = [&](const char* list, std::size_t count) { return all[list].empty() ? 0 : count; };
        all["recorded"] = {{"stories", recorded("stories", history_.classes.size())},
                           {"pushes", recorded("pushes", history_.pushes.size())},
                           {"confusion", recorded("confusion", history_.predicted.size())}};
        return all;
    }

    static Error namesTooLarge() {
        return inputError("The names of these runs' classes alone are more than the 3 MB that a replay has at most.",
                          "Name one run, of fewer classes.");
    }

    /// When each class was learned: from the order of the images where it is known, else from the pushes.
    Json streamJson(const ReplayStream& stream) const {
        Json all;
        std::vector<std::int64_t> edges{0};
        SparseCells cells;
        all["known"] = stream.labels.empty() ? (history_.pushes.empty() ? "first" : "pushes") : "images";
        if (!stream.labels.empty()) {
            for (const std::size_t i : keptMoments(batches_.size(), partsWanted())) edges.push_back(batches_[i]);
            addCounts(stream.labels, edges, cells);
        } else if (!history_.pushes.empty()) {
            const std::vector<std::size_t> kept = keptMoments(history_.pushes.size(), partsWanted());
            for (const std::size_t i : kept) edges.push_back(history_.pushes[i].samples_seen);
            addPresences(kept, cells);
        }
        all["edges"] = edges;
        all["cells"] = cells.take();
        return all;
    }

    Json picturesJson(const ReplayStream& stream) const {
        Json all = Json::array();
        for (const ReplayBatch& batch : stream.batches) {
            Json labels = Json::array();
            for (const std::int32_t label : batch.labels) labels.push_back(placeOf(label));
            all.push_back({{"at", batch.samples_seen},
                           {"of", batch.images},
                           {"classes", std::move(labels)},
                           {"picture", "data:image/jpeg;base64," + base64(std::as_bytes(std::span(batch.picture)))}});
        }
        return all;
    }

private:
    std::int64_t placeOf(std::int32_t label) const {
        const auto found = place_.find(label);
        return found == place_.end() ? -1 : found->second;
    }

    std::int64_t partsWanted() const {
        return std::clamp(kMostPresences / std::max<std::int64_t>(1, std::ssize(history_.seen)), std::int64_t{8},
                          kMostStreamParts);
    }

    std::string facts() const {
        if (run_.state == RecordedState::Imported) return "Results of another program, of which only curves are known.";
        const Catalogue& names = table_.catalogue();
        return choiceTitle(names.datasets, run_.experiment.stream.dataset) + " · " +
               counted(run_.total_samples, "image", "images") + " in " +
               counted(std::ssize(run_.session_starts), "session", "sessions") + " · " +
               methodTitle(names, run_.experiment) + " · mask: " + maskTitle(table_, run_) + " · seed " +
               std::to_string(run_.experiment.seed);
    }

    Json classesJson() const {
        Json all = Json::array();
        for (const std::int32_t label : history_.seen) {
            const auto place = static_cast<std::size_t>(label);
            std::int64_t first = 0;
            for (const ClassMoment& moment : history_.classes) {
                if (place >= moment.accuracy.size() || std::isnan(moment.accuracy[place])) continue;
                first = moment.samples_seen;
                break;
            }
            std::string kind = place < run_.class_kinds.size() ? run_.class_kinds[place] : std::string();
            // Another word of a stranger's file means nothing to the page, and may be of any length.
            if (kind != "disjoint" && kind != "blurry") kind.clear();
            all.push_back(
                {{"name", shortName(className(run_, label), kMostReplayName)}, {"kind", kind}, {"first", first}});
        }
        return all;
    }

    void addBorders(Json& all) const {
        Json at = Json::array(), numbers = Json::array();
        for (const std::size_t i : keptMoments(run_.session_starts.size(), kMostBorders)) {
            at.push_back(run_.session_starts[i]);
            numbers.push_back(i);
        }
        all["borders"] = at;
        all["numbers"] = numbers;
    }

    /// Points of the curve. Each kept one knows the mean and the number of all up to it, for that is A_AUC.
    Json anytimeJson() const {
        Json at = Json::array(), accuracy = Json::array(), classes = Json::array(), reference = Json::array();
        Json mean = Json::array(), count = Json::array();
        double sum = 0;
        std::size_t summed = 0;
        for (const std::size_t i : keptMoments(run_.anytime.size(), kMostPoints)) {
            while (summed <= i) sum += run_.anytime[summed++].accuracy;
            const AnytimePoint& point = run_.anytime[i];
            at.push_back(point.samples_seen);
            accuracy.push_back(accuracyJson(point.accuracy));
            classes.push_back(point.classes_seen);
            reference.push_back(accuracyJson(point.reference));
            mean.push_back(accuracyJson(sum / static_cast<double>(summed)));
            count.push_back(summed);
        }
        return {{"at", at},     {"accuracy", accuracy}, {"classes", classes}, {"reference", reference},
                {"mean", mean}, {"count", count}};
    }

    Json endsJson() const {
        Json at = Json::array(), accuracy = Json::array();
        const std::vector<AnytimePoint> ends = sessionEnds(run_);
        for (const std::size_t i : keptMoments(ends.size(), kMostBorders)) {
            at.push_back(ends[i].samples_seen);
            accuracy.push_back(accuracyJson(ends[i].accuracy));
        }
        return {{"at", at}, {"accuracy", accuracy}};
    }

    /// Retention of the kept sessions after each kept one, and after more of them A_Last and F_Last over all sessions.
    void addRetention(Json& all) const {
        std::map<std::int64_t, std::map<std::int64_t, double>> rows;
        std::set<std::int64_t> sessions;
        for (const RetentionPoint& point : run_.retention) {
            if (point.samples <= 0 && run_.state != RecordedState::Imported) continue;
            rows[point.after_session][point.session] = point.accuracy;
            sessions.insert(point.session);
        }
        const std::set<std::int64_t> shown = keptOf(sessions, kMostRetained);
        std::set<std::int64_t> ended;
        for (const auto& [after, row] : rows) ended.insert(after);
        const std::set<std::int64_t> drawn = keptOf(ended, kMostRetained), told = keptOf(ended, kMostBorders);
        Json groups = Json::array(), numbers = Json::array();
        std::map<std::int64_t, double> best;
        for (const auto& [after, row] : rows) {
            double sum = 0, lost = 0;
            Json whose = Json::array(), accuracy = Json::array();
            for (const auto& [session, value] : row) {
                const auto found = best.try_emplace(session, value).first;
                found->second = std::max(found->second, value);
                sum += value;
                lost += found->second - value;
                if (!shown.contains(session)) continue;
                whose.push_back(session);
                accuracy.push_back(accuracyJson(value));
            }
            const std::int64_t at = samplesAtEndOf(run_, after);
            const auto count = static_cast<double>(row.size());
            if (told.contains(after))
                numbers.push_back({{"at", at},
                                   {"after", after},
                                   {"a_last", accuracyJson(sum / count)},
                                   {"f_last", after > 0 ? accuracyJson(lost / count) : Json(nullptr)}});
            if (drawn.contains(after))
                groups.push_back({{"at", at}, {"after", after}, {"sessions", whose}, {"accuracy", accuracy}});
        }
        all["retention"] = groups;
        all["ended"] = numbers;
        all["retained"] = sessions.size();
    }

    static std::set<std::int64_t> keptOf(const std::set<std::int64_t>& all, std::int64_t most) {
        const std::vector<std::int64_t> list(all.begin(), all.end());
        std::set<std::int64_t> kept;
        for (const std::size_t i : keptMoments(list.size(), most)) kept.insert(list[i]);
        return kept;
    }

    Json keptBatches() const {
        Json at = Json::array();
        for (const std::size_t i : keptMoments(batches_.size(), kMostPoints)) at.push_back(batches_[i]);
        return at;
    }

    Json storiesJson() const {
        Json all = Json::array();
        for (const std::size_t i : keptMoments(history_.classes.size(), kMostStories)) {
            const std::int64_t at = history_.classes[i].samples_seen;
            const std::string text = momentStory(table_, run_, history_, at);
            if (!text.empty()) all.push_back({{"at", at}, {"text", shortName(text, kMostReplayText)}});
        }
        return all;
    }

    Json pushesJson() const {
        Json all = Json::array();
        const std::int64_t most = kMostPushes / std::max<std::int64_t>(1, 2 * std::ssize(history_.seen));
        for (const std::size_t i : keptMoments(history_.pushes.size(), std::max<std::int64_t>(2, most))) {
            const PushMoment& moment = history_.pushes[i];
            Json push = Json::array(), since = Json::array();
            for (const std::int32_t label : history_.seen) {
                const auto place = static_cast<std::size_t>(label);
                const bool come = place < moment.since.size() && !std::isnan(moment.since[place]);
                if (!come) break;  // Classes stand in the order in which they came.
                push.push_back(pushJson(moment.push[place]));
                since.push_back(pushJson(moment.since[place]));
            }
            const std::int64_t from = i == 0 ? 0 : history_.pushes[i - 1].samples_seen;
            all.push_back({{"at", moment.samples_seen}, {"from", from}, {"push", push}, {"since", since}});
        }
        return all;
    }

    /// Matrices in the order in which classes came; the column behind them is an answer that no class has taken yet.
    Json confusionJson() {
        Json all = Json::array();
        if (!history_.test_labels) return all;
        // A matrix has at most as many cells as there are test images.
        const std::int64_t classes = std::ssize(history_.seen);
        const std::int64_t cells = std::min(classes * (classes + 1), std::ssize(*history_.test_labels));
        const std::int64_t most = std::max<std::int64_t>(2, kMostMixUps / std::max<std::int64_t>(1, cells));
        for (const std::size_t i : keptMoments(history_.predicted.size(), most)) {
            const std::int64_t at = history_.predicted[i];
            try {
                const ConfusionCounts counts = countConfusion(
                    *history_.test_labels,
                    readClassList(predictionsFile(run_.folder, at), std::ssize(*history_.test_labels)), history_.seen);
                all.push_back({{"at", at}, {"cells", cellsOf(counts)}});
            } catch (const Error& error) {
                unread_.emplace_back(error.what());
            }
        }
        return all;
    }

    Json cellsOf(const ConfusionCounts& counts) const {
        const std::int64_t columns = std::ssize(history_.seen) + 1;
        std::map<std::int64_t, std::int64_t> sorted;
        for (std::size_t row = 0; row < counts.labels.size(); ++row)
            for (std::size_t column = 0; column < counts.answers.size(); ++column) {
                if (counts.count(row, column) == 0) continue;
                const std::int64_t place = placeOf(counts.answers[column]);
                sorted[placeOf(counts.labels[row]) * columns + (place < 0 ? columns - 1 : place)] +=
                    counts.count(row, column);
            }
        SparseCells cells;
        for (const auto& [place, count] : sorted) cells.add(place, count);
        return cells.take();
    }

    Json changesJson() const {
        Json all = Json::array();
        for (const std::size_t i : keptMoments(run_.changes.size(), kMostChanges))
            all.push_back({{"at", run_.changes[i].at},
                           {"text", shortName(changeText(table_, run_.changes[i]), kMostReplayText)}});
        return all;
    }

    void addCounts(const std::vector<std::int32_t>& labels, const std::vector<std::int64_t>& edges,
                   SparseCells& cells) const {
        const std::int64_t parts = std::ssize(edges) - 1;
        std::vector<std::int64_t> counts(history_.seen.size() * static_cast<std::size_t>(parts));
        std::int64_t part = 0;
        for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
            while (part < parts && i >= edges[static_cast<std::size_t>(part) + 1]) ++part;
            if (part == parts) break;
            if (const std::int64_t row = placeOf(labels[static_cast<std::size_t>(i)]); row >= 0)
                ++counts[static_cast<std::size_t>(row * parts + part)];
        }
        for (std::size_t i = 0; i < counts.size(); ++i) cells.add(static_cast<std::int64_t>(i), counts[i]);
    }

    /// A class came between two evaluations unless the sum since it was last learned grew by just what pushed it.
    bool came(std::size_t moment, std::size_t label) const {
        const PushMoment& now = history_.pushes[moment];
        if (label >= now.since.size() || std::isnan(now.since[label]) || std::isnan(now.push[label])) return false;
        if (moment == 0) return true;
        const PushMoment& before = history_.pushes[moment - 1];
        if (label >= before.since.size() || std::isnan(before.since[label])) return true;
        const double otherwise = static_cast<double>(before.since[label]) + now.push[label];
        return std::abs(otherwise - now.since[label]) > 1e-4 * std::max(1.0, std::abs(otherwise));
    }

    void addPresences(const std::vector<std::size_t>& kept, SparseCells& cells) const {
        for (std::size_t row = 0; row < history_.seen.size(); ++row) {
            std::size_t next = 0;
            for (std::size_t part = 0; part < kept.size(); ++part) {
                bool there = false;
                for (; next <= kept[part]; ++next)
                    there = there || came(next, static_cast<std::size_t>(history_.seen[row]));
                cells.add(static_cast<std::int64_t>(row * kept.size() + part), there ? 1 : 0);
            }
        }
    }

    const OptionTable& table_;
    const RunRecord& run_;
    RunHistory history_;
    std::map<std::int32_t, std::int64_t> place_;  // of a raw label, among the classes in the order in which they came
    std::vector<std::int64_t> batches_;           // images seen at the end of each
    std::vector<std::string> unread_;             // files of predictions that cannot be read
};

/// Text made safe to stand in any element of a page: no tag can begin in it, and no line end.
std::string embeddedJson(const Json& json) {
    const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    std::string safe;
    for (const char c : text) {
        if (c == '<')
            safe += "\\u003c";
        else if (c == '>')
            safe += "\\u003e";
        else if (c == '&')
            safe += "\\u0026";
        else
            safe += c;
    }
    return safe;
}

/// Source of a policy that allows this one text alone.
std::string hashSource(const std::string& text) {
    Sha256 digest;
    digest.add(std::as_bytes(std::span(text)));
    std::vector<std::byte> bytes;
    const std::string hex = digest.hex();
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    return "'sha256-" + base64(bytes) + "'";
}

std::string replayFile(const char* name) {
    return readTextFile(resourceFolder() / "replay" / name, FilePlace::Named, file_limit::kDocument);
}

/// The template with its places filled. What is filled in is not searched, so a run may be called as a place is.
std::string filled(std::string_view text, const std::map<std::string, std::string, std::less<>>& places) {
    constexpr std::string_view kMark = "@@";
    std::string page;
    while (!text.empty()) {
        const std::size_t begin = text.find(kMark);
        page += text.substr(0, begin);
        if (begin == std::string_view::npos) break;
        text.remove_prefix(begin + kMark.size());
        const std::size_t end = text.find(kMark);
        const auto place = places.find(text.substr(0, end));
        if (end == std::string_view::npos || place == places.end())
            throw runError("The template of the replay page has a place that nothing fills.",
                           "Install the program's resources again.");
        page += place->second;
        text.remove_prefix(end + kMark.size());
    }
    return page;
}

std::string replayStyle() {
    return ":root { color-scheme: light;" + pageColours(false) +
           " }\n@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { color-scheme: dark;" +
           pageColours(true) + " } }\n:root[data-theme=dark] { color-scheme: dark;" + pageColours(true) + " }\n" +
           replayFile("replay.css");
}

void requireReplayCount(std::size_t runs) {
    if (runs == 1 || runs == 2) return;
    throw inputError(
        "A replay shows one run, or two side by side; these are " + grouped(static_cast<std::int64_t>(runs)) + ".",
        "Name one run folder or two.");
}

void requireReplayable(const std::vector<RunRecord>& runs) {
    requireReplayCount(runs.size());
    for (const RunRecord& run : runs)
        if (run.anytime.empty() && run.retention.empty())
            throw inputError("The run in " + run.folder.string() + " has measured nothing that could be replayed.",
                             "Name one that was evaluated at least once.");
}

/// Names that tell the runs apart, and where two are of one experiment also their seeds or folders.
std::vector<std::string> replayNames(const OptionTable& table, const std::vector<RunRecord>& runs) {
    std::vector<std::string> names;
    const ReportedRuns grouped = groupRuns(table, runs);
    for (const RunRecord& run : runs) {
        std::string name = run.experiment.name;
        for (const RunGroup& group : grouped.groups)
            for (const RunRecord& member : group.runs)
                if (member.folder == run.folder) name = group.name;
        names.push_back(shortName(plainSentence(name), kMostReplayName));
    }
    if (names.size() == 2 && names[0] == names[1]) {
        const bool seeds = runs[0].experiment.seed != runs[1].experiment.seed;
        for (std::size_t i = 0; i < names.size(); ++i)
            names[i] += seeds ? ", seed " + std::to_string(runs[i].experiment.seed) : ", " + std::to_string(i + 1);
    }
    return names;
}

/// Differences of two runs, a line for each option: its title, then its value in each.
Json differencesJson(const OptionTable& table, const std::vector<RunRecord>& runs) {
    Json all = Json::array();
    if (runs.size() != 2) return all;
    const std::vector<RunGroup> groups{{"", {runs[0]}}, {"", {runs[1]}}};
    for (const Option* option : differingOptions(table, groups))
        all.push_back({option->title, shortName(plainSentence(optionText(table, runs[0], *option)), kMostReplayName),
                       shortName(plainSentence(optionText(table, runs[1], *option)), kMostReplayName)});
    return all;
}

/// Half of a list of moments, evenly; in the end none.
Json halvedMoments(const Json& list) {
    Json half = Json::array();
    for (const std::size_t i : keptMoments(list.size(), static_cast<std::int64_t>(list.size() / 2)))
        half.push_back(list[i]);
    return half;
}

/// Makes the runs shorter until they fit: the lists of the most bytes each moment first, and what else tells of when
/// classes came last.
void thinOut(Json& runs, const std::function<bool()>& fits) {
    constexpr std::array kLists{"confusion", "pushes", "stories", "retention"};
    if (fits()) return;
    for (bool left = true; left;) {
        left = false;
        for (const char* list : kLists) {
            bool thinner = false;
            for (Json& run : runs) {
                if (run[list].empty()) continue;
                run[list] = halvedMoments(run[list]);
                thinner = true;
            }
            left = left || thinner;
            if (thinner && fits()) return;
        }
    }
    for (Json& run : runs) run["stream"] = {{"known", "first"}, {"edges", {0}}, {"cells", Json::array()}};
    if (!fits()) throw ReplayedRun::namesTooLarge();
}

}  // namespace

std::string replayPage(const OptionTable& table, const std::vector<RunRecord>& runs, const ReplaySettings& settings,
                       std::vector<std::string>* unread) {
    requireReplayable(runs);
    std::vector<std::string> sentences;
    const std::vector<std::string> names = replayNames(table, runs);
    const bool same_stream =
        runs.size() == 2 && !runs[0].fingerprint.empty() && runs[0].fingerprint == runs[1].fingerprint;
    Json data;
    data["version"] = PALIMPSEST_VERSION;
    if (settings.moment) data["open"] = *settings.moment;
    data["sameStream"] = same_stream;
    data["told"] = settings.story;
    data["differences"] = differencesJson(table, runs);
    data["meanings"] = meaningsJson();
    std::vector<Json> pictures;
    Json& written = data["runs"] = Json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        ReplayedRun replayed(table, runs[i]);
        const ReplayStream stream = settings.stream ? settings.stream(runs[i], replayed.batches()) : ReplayStream();
        Json own = replayed.json(names[i], settings.story);
        for (const std::string& sentence : replayed.unread()) sentences.push_back(sentence);
        own["stream"] = replayed.streamJson(stream);
        pictures.push_back(replayed.picturesJson(stream));
        written.push_back(std::move(own));
    }
    const std::string style = replayStyle(), script = replayFile("replay.js");
    std::string title = names.front();
    if (names.size() == 2) title += " and " + names.back();
    const auto page = [&] {
        return filled(replayFile("replay.html"), {{"VERSION", PALIMPSEST_VERSION},
                                                  {"STYLE_HASH", hashSource(style)},
                                                  {"SCRIPT_HASH", hashSource(script)},
                                                  {"TITLE", escapeMarkup(title)},
                                                  {"STYLE", style},
                                                  {"SCRIPT", script},
                                                  {"DATA", embeddedJson(data)}});
    };
    std::string bare;
    thinOut(written, [&] {
        bare = page();
        return bare.size() <= kLargestReplay;
    });
    // Two runs of one stream have the same images, which stand in the page once.
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (i > 0 && pictures[i] == pictures[0])
            written[i]["pictures"] = "first";
        else
            written[i]["pictures"] = pictures[i];
    std::string whole = page();
    if (unread) unread->insert(unread->end(), sentences.begin(), sentences.end());
    return whole.size() <= kLargestReplay ? whole : bare;
}

std::string replayPage(const OptionTable& table, const std::vector<std::filesystem::path>& inputs,
                       const ReplaySettings& settings, std::vector<std::string>* unread) {
    const std::vector<std::filesystem::path> folders = collectRunFolders(inputs);
    // A folder of many runs is refused before they are read.
    requireReplayCount(folders.size());
    std::vector<RunRecord> runs;
    for (const std::filesystem::path& folder : folders) runs.push_back(readRun(table, folder));
    return replayPage(table, runs, settings, unread);
}

}  // namespace palimpsest::report
