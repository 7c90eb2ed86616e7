// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/foreign_logs.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>

#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/python_literal.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

using Value = nlohmann::json;

constexpr std::size_t kMostRuns = 500;      ///< of one file
constexpr std::size_t kMostSettings = 300;  ///< that are kept of one run
constexpr std::size_t kLongestName = 120;
constexpr std::int64_t kPlainSession = 1'000;            ///< images of a session of which nothing is known
constexpr std::int64_t kLongestSession = 9'000'000'000;  ///< images

struct Line {
    std::string_view text;
    std::size_t number = 0;  ///< from 1
    bool whole = true;       ///< false: the file ends in it
};

/// Lines without their ends, which may be carriage returns of a progress bar.
class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {
        if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
    }
    bool next(Line& line) {
        if (rest_.empty()) return false;
        const std::size_t end = rest_.find_first_of("\r\n");
        line.text = rest_.substr(0, end);
        line.whole = end != std::string_view::npos;
        line.number = number_;
        if (!line.whole) {
            rest_ = {};
            return true;
        }
        if (rest_[end] == '\n') ++number_;
        rest_.remove_prefix(end + 1);
        return true;
    }

private:
    std::string_view rest_;
    std::size_t number_ = 1;
};

bool isBlank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

template <class Number>
std::optional<Number> numberOf(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// What stands between two words; absent unless both are there.
std::optional<std::string_view> between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t from = text.find(before);
    if (from == std::string_view::npos) return std::nullopt;
    text.remove_prefix(from + before.size());
    const std::size_t end = text.find(after);
    return end == std::string_view::npos ? std::nullopt : std::optional(text.substr(0, end));
}

/// A literal that is the whole of the text; a null value otherwise.
Value literalIn(std::string_view text) {
    std::optional<PythonLiteral> literal = readPythonLiteral(text);
    return literal && isBlank(text.substr(literal->length)) ? std::move(literal->value) : Value();
}

/// A share of `scale`; absent for what is none.
std::optional<double> shareOf(const Value& value, double scale) {
    if (!value.is_number()) return std::nullopt;
    const double share = value.get<double>() / scale;
    return share >= 0 && share <= 1 ? std::optional(share) : std::nullopt;
}

std::optional<double> finite(std::string_view text) {
    const std::optional<double> value = numberOf<double>(trimmed(text));
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string textOf(const Value& value) {
    if (value.is_string()) return shortLine(value.get<std::string>());
    // JSON has no word for these.
    if (value.is_number_float() && !std::isfinite(value.get<double>())) return shortestText(value.get<double>());
    return shortLine(value.dump(-1, ' ', false, Value::error_handler_t::replace));
}

void keepSetting(ForeignResults& run, const std::string& key, const Value& value) {
    if (run.settings.size() >= kMostSettings || value.is_object() || key.empty()) return;
    run.settings.emplace_back(shortLine(key), textOf(value));
}

std::string settingOf(const ForeignResults& run, std::string_view key) {
    for (const auto& [name, value] : run.settings)
        if (name == key) return value;
    return {};
}

std::optional<std::int64_t> seedIn(const ForeignResults& run, std::string_view key) {
    const std::optional<std::int64_t> seed = numberOf<std::int64_t>(settingOf(run, key));
    return seed && *seed >= 0 ? seed : std::nullopt;
}

/// "1, 2 and 5"; of many the first ones.
std::string lineList(const std::vector<std::size_t>& lines) {
    constexpr std::size_t kNamed = 5;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min(lines.size(), kNamed); ++i) words.push_back(std::to_string(lines[i]));
    if (lines.size() > kNamed) words.push_back(grouped(std::ssize(lines) - std::ssize(words)) + " more");
    return (lines.size() == 1 ? "line " : "lines ") + enumeration(words);
}

Error nothingWhole(const fs::path& file, const std::string& what) {
    return inputError(file.string() + " holds no whole " + what + ".",
                      "Nothing was imported; the log may have been cut off before the first one.");
}

/// "cut off after 2 of 5 sessions"; `planned` 0: not known.
std::string cutAfter(std::size_t sessions, std::size_t planned) {
    const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
    return "cut off after " + (planned > sessions
                                   ? grouped(count(sessions)) + " of " + grouped(count(planned)) + " sessions"
                                   : counted(count(sessions), "session", "sessions"));
}

void checkRuns(const fs::path& file, std::size_t runs) {
    if (runs > kMostRuns)
        throw inputError(file.string() + " holds more than " + std::to_string(kMostRuns) + " runs.",
                         "Nothing was imported; split the file.");
}

void checkSessions(const fs::path& file, std::size_t line, std::size_t sessions) {
    if (sessions > kMostForeignSessions)
        throw inputError(file.string() + " line " + std::to_string(line) + ": there are more than " +
                             grouped(std::int64_t{kMostForeignSessions}) + " sessions.",
                         "Nothing was imported.");
}

/// Training images of data sets whose classes all have equally many.
struct KnownData {
    std::string_view name;
    std::int64_t images, classes;
};
constexpr KnownData kKnownData[] = {{"cifar10", 50'000, 10},
                                    {"cifar100", 50'000, 100},
                                    {"cifar224", 50'000, 100},
                                    {"tinyimg", 100'000, 200},
                                    {"tinyimagenet", 100'000, 200}};

const KnownData* knownData(std::string_view dataset) {
    if (dataset.starts_with("seq-")) dataset.remove_prefix(4);
    const auto* const found = std::find_if(std::begin(kKnownData), std::end(kKnownData),
                                           [&](const KnownData& known) { return known.name == dataset; });
    return found == std::end(kKnownData) ? nullptr : found;
}

/// Makes the points of a log that tells only accuracies at the ends of sessions. `planned`: sessions of the whole
/// stream; `classes`: seen at each end, may be empty.
void placeSessions(ForeignResults& run, std::size_t planned, std::span<const std::int64_t> classes,
                   std::int64_t every) {
    const std::size_t count = run.session_ends.size();
    const KnownData* known = every > 0 ? nullptr : knownData(run.dataset);
    if (known && classes.size() < count && planned < count) known = nullptr;
    const auto seenAt = [&](std::size_t session) {
        const std::int64_t ended = static_cast<std::int64_t>(session) + 1;
        if (every > 0) return ended * std::min(every, kLongestSession);
        if (!known) return ended * kPlainSession;
        if (classes.size() >= count) return known->images * classes[session] / known->classes;
        return known->images * ended / static_cast<std::int64_t>(planned);
    };
    std::vector<std::int64_t> seen;
    for (std::size_t session = 0; session < count; ++session) seen.push_back(seenAt(session));
    const bool grows = std::adjacent_find(seen.begin(), seen.end(), std::greater_equal<>()) == seen.end();
    if (known && (!grows || seen.front() <= 0 || seen.back() > known->images)) {
        known = nullptr;
        for (std::size_t session = 0; session < count; ++session) seen[session] = seenAt(session);
    }
    run.anytime = false;
    run.points.clear();
    for (std::size_t session = 0; session < count; ++session) {
        AnytimePoint& point = run.points.emplace_back();
        point.samples_seen = seen[session];
        point.session = static_cast<std::int64_t>(session);
        point.accuracy = run.session_ends[session];
        point.loss = std::nan("");
        if (classes.size() >= count) point.classes_seen = classes[session];
    }
    if (every > 0) return;
    run.notes.push_back(known ? "The log does not say how many images were seen: they are counted from the " +
                                    grouped(known->images) + " training images of " + run.dataset + "."
                              : "The log does not say how many images were seen: each session counts as " +
                                    grouped(kPlainSession) + ". --every says how many it had.");
}

/// Settings that say where and when a run was made, not what was done.
bool isPassing(std::string_view key) {
    constexpr std::string_view kNames[] = {"seed",     "rnd_seed",     "seeds",     "device",   "log_path",
                                           "data_dir", "results_path", "base_path", "ckpt_name"};
    if (std::find(std::begin(kNames), std::end(kNames), key) != std::end(kNames)) return true;
    return key.starts_with("conf_") || key.starts_with("wandb") || key.find("timestamp") != std::string_view::npos;
}

/// Names each run after its method and data set and, where runs of one file would share a name, what differs.
void nameRuns(std::vector<ForeignResults>& runs) {
    std::map<std::string, std::vector<ForeignResults*>> shared;
    for (ForeignResults& run : runs) {
        if (run.method.empty()) continue;
        run.name = run.method + (run.dataset.empty() ? "" : " on " + run.dataset);
        shared[run.name].push_back(&run);
    }
    for (const auto& [name, alike] : shared) {
        std::map<std::string, std::set<std::string>> values;
        for (const ForeignResults* run : alike)
            for (const auto& [key, value] : run->settings)
                if (!isPassing(key)) values[key].insert(value);
        std::erase_if(values, [](const auto& setting) { return setting.second.size() < 2; });
        for (ForeignResults* run : alike) {
            for (const auto& [key, value] : run->settings)
                if (values.contains(key)) run->name += ", " + key + " " + value;
            if (run->name.size() > kLongestName) run->name = plainLine(run->name.substr(0, kLongestName));
        }
    }
}

// ---- Mammoth ----

constexpr std::string_view kMeanOfTask = "accmean_task";

/// The setting of the benchmark, which is the third folder above the file: class-il, task-il, domain-il, ...
std::string settingByFolder(const fs::path& file) {
    const std::string name =
        fs::absolute(file).lexically_normal().parent_path().parent_path().parent_path().filename().string();
    return name == "task-il" || name == "domain-il" || name == "biased-class-il" ? name : std::string();
}

bool isResultKey(std::string_view key) {
    return key.starts_with(kMeanOfTask) || (key.starts_with("accuracy_") && key.find("_task") != key.npos) ||
           key.ends_with("_memory_usage") || key.ends_with("_transfer") || key == "forgetting";
}

/// "accmean_task1 is nan, which is no accuracy from 0 to 100 %".
std::string noAccuracy(const std::string& key, const Value& value) {
    return key + " is " + (value.is_null() ? "None" : textOf(value)) + ", which is no accuracy from 0 to 100 %";
}

/// Why a line that ends as a dict does is none that can be read: the entry at which reading stops. Empty for one that
/// was cut off.
std::string unreadEntry(std::string_view line) {
    line = trimmed(line);
    if (!line.ends_with('}')) return {};
    constexpr std::string_view kNext = ", '";
    const std::size_t stop = std::min(pythonLiteralEnd(line), line.size() - 1);
    const std::size_t before = line.substr(0, stop + 1).rfind(kNext);
    const std::size_t end = std::min(line.find(kNext, stop), line.size() - 1);
    const std::size_t from = std::min(end, before == std::string_view::npos ? 1 : before + 2);
    return '"' + shortLine(line.substr(from, end - from)) + "\" is no plain value";
}

/// What stands against a dict as the results of a run; empty: it is one.
std::string readMammothRun(const fs::path& file, std::size_t line, const Value& dict, ForeignResults& run) {
    for (std::size_t task = 1;; ++task) {
        const std::string key = std::string(kMeanOfTask) + std::to_string(task);
        const auto mean = dict.find(key);
        if (mean == dict.end()) break;
        const std::optional<double> share = shareOf(*mean, 100);
        if (!share) return noAccuracy(key, *mean);
        run.session_ends.push_back(*share);
        checkSessions(file, line, task);
    }
    if (run.session_ends.empty()) return "there is no accmean_task1";
    for (std::size_t after = 1; after <= run.session_ends.size(); ++after) {
        auto& row = run.retention.emplace_back();
        // Tasks that are still to come have zeros there.
        for (std::size_t task = 1; task <= after; ++task) {
            const std::string key = "accuracy_" + std::to_string(task) + "_task" + std::to_string(after);
            const auto found = dict.find(key);
            row.push_back(found == dict.end() ? std::nullopt : shareOf(*found, 100));
            if (found == dict.end() || row.back()) continue;
            run.notes.push_back("Of each task nothing was imported: " + noAccuracy(key, *found) + ".");
            break;
        }
        if (std::find(row.begin(), row.end(), std::nullopt) == row.end()) continue;
        run.retention.clear();
        break;
    }
    for (const auto& [key, value] : dict.items())
        if (!isResultKey(key)) keepSetting(run, key, value);
    run.program = "Mammoth";
    run.dataset = settingOf(run, "dataset");
    run.method = settingOf(run, "model");
    if (const std::string setting = settingByFolder(file); !run.method.empty() && !setting.empty())
        run.method += " (" + setting + ")";
    run.seed = seedIn(run, "seed");
    return {};
}

std::vector<ForeignResults> readMammoth(const fs::path& file, std::string_view text, std::int64_t every) {
    std::vector<ForeignResults> runs;
    std::vector<std::size_t> cut, bad;
    std::string first;  // what stands against the first bad one
    Lines lines(text);
    for (Line line; lines.next(line);) {
        if (isBlank(line.text)) continue;
        const Value dict = literalIn(line.text);
        ForeignResults run;
        run.files = {file};
        if (std::string against =
                dict.is_object() ? readMammothRun(file, line.number, dict, run) : unreadEntry(line.text);
            !dict.is_object() || !against.empty()) {
            if (bad.empty()) first = against;
            (against.empty() ? cut : bad).push_back(line.number);
            continue;
        }
        placeSessions(run, run.session_ends.size(), {}, every);
        runs.push_back(std::move(run));
        checkRuns(file, runs.size());
    }
    if (runs.empty() && !bad.empty())
        throw inputError(file.string() + " line " + std::to_string(bad.front()) + ": " + first + ".",
                         "Nothing was imported; mend the line or take it out.");
    if (runs.empty()) throw nothingWhole(file, "record of a run with accmean_task1");
    const std::string of = "Of " + plainLine(file.filename().string()) + " ";
    if (!cut.empty())
        runs.front().notes.push_back(of + lineList(cut) +
                                     (cut.size() == 1 ? " is no whole record of results and was left out."
                                                      : " are no whole records of results and were left out."));
    if (!bad.empty())
        runs.front().notes.push_back(
            of + lineList(bad) +
            (bad.size() == 1 ? " was left out: " : " were left out: on line " + std::to_string(bad.front()) + " ") +
            first + ".");
    return runs;
}

// ---- LAMDA-PILOT and PyCIL ----

constexpr std::string_view kTrainer = "[trainer.py] => ";

/// Accuracies after each task by one of the two ways to answer: the head (CNN) or the nearest mean (NME).
struct GroupedAccuracies {
    std::vector<double> totals;
    RMatrix rows;
    std::vector<std::int64_t> classes;  ///< seen
    std::vector<double> curve;          ///< as printed; needs no rows
};

class PilotReading {
public:
    PilotReading(const fs::path& file, std::int64_t every) : file_(file), every_(every) {}

    std::vector<ForeignResults> read(std::string_view text) {
        Lines lines(text);
        for (Line line; lines.next(line);) {
            const std::size_t at = line.text.find(kTrainer);
            if (at == std::string_view::npos)
                cut_ = cut_ || !line.whole;
            else
                take(line.text.substr(at + kTrainer.size()), line);
        }
        finish();
        if (runs_.empty()) throw nothingWhole(file_, "accuracy of a task");
        return std::move(runs_);
    }

private:
    void take(std::string_view message, const Line& line) {
        cut_ = false;
        if (message.starts_with("All params:")) {
            ++begun_;
        } else if (message.starts_with("CNN: ")) {
            takeGroups(message.substr(5), head_, line);
        } else if (message.starts_with("NME: ")) {
            takeGroups(message.substr(5), means_, line);
        } else if (message.starts_with("CNN top1 curve: ")) {
            takeCurve(message.substr(16), head_, line);
        } else if (message.starts_with("NME top1 curve: ")) {
            takeCurve(message.substr(16), means_, line);
        } else {
            takeSetting(message, line);
        }
    }

    void takeGroups(std::string_view text, GroupedAccuracies& to, const Line& line) {
        const Value groups = literalIn(text);
        const auto total = groups.is_object() ? groups.find("total") : groups.end();
        const std::optional<double> share = total == groups.end() ? std::nullopt : shareOf(*total, 100);
        if (!share) return leaveOut(line);
        to.totals.push_back(*share);
        checkSessions(file_, line.number, to.totals.size());
        // Keys such as "00-09", which do not sort as texts beyond 100 classes.
        std::map<std::int64_t, std::optional<double>> row;
        std::int64_t classes = 0;
        for (const auto& [key, value] : groups.items()) {
            const std::size_t dash = key.find('-');
            if (dash == std::string::npos) continue;
            const auto first = numberOf<std::int64_t>(std::string_view(key).substr(0, dash));
            const auto last = numberOf<std::int64_t>(std::string_view(key).substr(dash + 1));
            if (!first || !last || *last >= 1'000'000 || row.size() > kMostForeignSessions) continue;
            row[*first] = shareOf(value, 100);
            classes = std::max(classes, *last + 1);
        }
        to.classes.push_back(classes);
        auto& cells = to.rows.emplace_back();
        for (const auto& [first, cell] : row) cells.push_back(cell);
    }

    void takeCurve(std::string_view text, GroupedAccuracies& to, const Line& line) {
        const Value list = literalIn(text);
        if (!list.is_array()) return leaveOut(line);
        checkSessions(file_, line.number, list.size());
        std::vector<double> curve;
        for (const Value& entry : list) {
            const std::optional<double> share = shareOf(entry, 100);
            if (!share) return leaveOut(line);
            curve.push_back(*share);
        }
        to.curve = std::move(curve);
    }

    void takeSetting(std::string_view message, const Line& line) {
        const std::size_t colon = message.find(": ");
        if (colon == std::string_view::npos || !line.whole) {
            cut_ = !line.whole;
            return;
        }
        const std::string key(message.substr(0, colon));
        const bool plain = std::all_of(key.begin(), key.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        });
        if (!plain) return;
        // All seeds of one start share a log.
        if (!head_.totals.empty() || !head_.curve.empty()) finish();
        if (settings_.settings.size() < kMostSettings && settingOf(settings_, key).empty())
            settings_.settings.emplace_back(shortLine(key), shortLine(trimmed(message.substr(colon + 2))));
    }

    void leaveOut(const Line& line) {
        if (line.whole)
            bad_.push_back(line.number);
        else
            cut_ = true;
    }

    void finish() {
        const std::size_t before = runs_.size();
        add(head_, "");
        add(means_, " (NME)");
        if (runs_.size() > before) {
            std::vector<std::string>& notes = runs_[before].notes;
            const std::size_t ended = runs_[before].session_ends.size();
            std::string part;
            if (begun_ > ended || cut_) {
                part = cutAfter(ended, 0);
                notes.push_back("The log ends within session " + grouped(std::ssize(runs_[before].session_ends) + 1) +
                                "; the " + counted(std::ssize(runs_[before].session_ends), "session", "sessions") +
                                " before it " + (ended == 1 ? "was" : "were") + " imported.");
            }
            const KnownData* known = knownData(runs_[before].dataset);
            const std::int64_t classes = head_.classes.empty() ? 0 : head_.classes.back();
            if (known && classes > 0 && classes < known->classes) {
                if (part.empty()) part = grouped(classes) + " of " + grouped(known->classes) + " classes";
                notes.push_back("The log tells of " + grouped(classes) + " of the " + grouped(known->classes) +
                                " classes of " + runs_[before].dataset + ".");
            }
            for (std::size_t each = before; each < runs_.size(); ++each) runs_[each].part = part;
            if (!bad_.empty())
                notes.push_back("What stands on " + lineList(bad_) + " cannot be read and was left out.");
        }
        head_ = {};
        means_ = {};
        settings_ = {};
        bad_.clear();
        begun_ = 0;
        cut_ = false;
    }

    void add(const GroupedAccuracies& from, const char* variant) {
        const bool rows = !from.totals.empty() && from.totals.size() >= from.curve.size();
        if (!rows && from.curve.empty()) return;
        ForeignResults run = settings_;
        run.program = settingOf(run, "convnet_type").empty() ? "LAMDA-PILOT" : "PyCIL";
        run.files = {file_};
        run.dataset = settingOf(run, "dataset");
        run.method = settingOf(run, "model_name");
        if (!run.method.empty()) run.method += variant;
        run.seed = seedIn(run, "seed");
        run.session_ends = rows ? from.totals : from.curve;
        // Groups are sessions unless the first session has more classes than the others.
        bool sessions = rows;
        for (std::size_t row = 0; sessions && row < from.rows.size(); ++row)
            sessions = from.rows[row].size() == row + 1 &&
                       std::find(from.rows[row].begin(), from.rows[row].end(), std::nullopt) == from.rows[row].end();
        if (sessions) run.retention = from.rows;
        placeSessions(run, 0, rows ? std::span(from.classes) : std::span<const std::int64_t>(), every_);
        runs_.push_back(std::move(run));
        checkRuns(file_, runs_.size());
    }

    const fs::path& file_;
    const std::int64_t every_;
    std::vector<ForeignResults> runs_;
    ForeignResults settings_;
    GroupedAccuracies head_, means_;
    std::vector<std::size_t> bad_;
    std::size_t begun_ = 0;
    bool cut_ = false;
};

// ---- MISA, FlyGCL, Si-Blurry ----

class BlurryReading {
public:
    BlurryReading(const fs::path& file, std::int64_t every) : file_(file), every_(every) {}

    std::vector<ForeignResults> read(std::string_view text) {
        Lines lines(text);
        for (Line line; lines.next(line);) take(messageOf(line.text), line);
        finish();
        if (runs_.empty()) throw nothingWhole(file_, "evaluation");
        if (empty_ > 0)
            runs_.front().notes.push_back("The log begins " + counted(empty_, "run", "runs") +
                                          " more, of which it holds no whole evaluation; " +
                                          (empty_ == 1 ? "it was" : "they were") + " left out.");
        return std::move(runs_);
    }

private:
    /// FlyGCL writes date, level and place before it.
    static std::string_view messageOf(std::string_view line) {
        const std::size_t source = line.find(".py:");
        const std::size_t at = source == std::string_view::npos ? source : line.find(" > ", source);
        return at == std::string_view::npos ? line : line.substr(at + 3);
    }

    void take(std::string_view message, const Line& line) {
        if (isBlank(message)) return;
        if (std::exchange(list_due_, false)) {
            takeList(message, line);
        } else if (const std::size_t at = message.find("Namespace("); at != std::string_view::npos) {
            finish();
            takeSettings(message.substr(at));
        } else if (message.starts_with("[1] Select a ")) {
            if (hasContent() || !method_.empty()) finish();
            begun_ = true;
            fly_ = message.find(" GCL ") != std::string_view::npos;
            method_ = std::string(between(message, "(", ")").value_or(""));
        } else if (message.starts_with("[2] Incrementally training ")) {
            const auto tasks = between(message, "training ", " tasks");
            planned_ = tasks ? numberOf<std::size_t>(*tasks).value_or(0) : 0;
        } else if (message.starts_with("# Task ")) {
            const auto task = between(message, "# Task ", " iteration");
            const auto number = task ? numberOf<std::int64_t>(*task) : std::nullopt;
            if (number && *number >= 0 && *number < std::int64_t{kMostForeignSessions}) session_ = *number;
        } else if (message.starts_with("Test | Sample # ")) {
            takeTest(message, line);
        } else if (message.starts_with("[2-5] Report task result")) {
            list_due_ = true;
        } else if (message.starts_with("A_auc ")) {
            takeSummary(message);
        } else if (message.starts_with("BWT_last ")) {
            if (line.whole) run_.bwt_last = finite(message.substr(9));
        }
    }

    bool hasContent() const { return !run_.points.empty() || !run_.session_ends.empty(); }

    void takeSettings(std::string_view text) {
        begun_ = true;
        const std::optional<PythonLiteral> literal = readPythonLiteral(text);
        if (!literal || !literal->value.is_object()) return;
        for (const auto& [key, value] : literal->value.items()) keepSetting(run_, key, value);
    }

    /// The bar at its end says that the number before it is whole.
    void takeTest(std::string_view message, const Line& line) {
        const auto field = [&](std::string_view name) {
            const auto text = between(message, name, " |");
            return text ? numberOf<double>(trimmed(*text)) : std::nullopt;
        };
        const auto seen = field("Sample # ");
        const auto accuracy = field("test_acc ");
        if (!seen || !accuracy) {
            if (line.whole) bad_.push_back(line.number);
            return;
        }
        const auto bad = [&](const std::string& why) {
            return inputError(file_.string() + " line " + std::to_string(line.number) + ": " + why,
                              "Nothing was imported; mend the file.");
        };
        if (!(*accuracy >= 0 && *accuracy <= 1)) throw bad("the accuracy is no fraction.");
        if (!(*seen >= 1 && *seen < 9e15)) throw bad("the number of images seen is none.");
        AnytimePoint point;
        point.samples_seen = std::llround(*seen);
        point.session = session_;
        point.accuracy = *accuracy;
        point.loss = field("test_loss ").value_or(std::nan(""));
        if (!run_.points.empty() && point.samples_seen <= run_.points.back().samples_seen)
            throw bad("the number of images seen does not grow (" + std::to_string(point.samples_seen) + " after " +
                      std::to_string(run_.points.back().samples_seen) + ").");
        if (!run_.points.empty()) point.session = std::max(point.session, run_.points.back().session);
        run_.points.push_back(point);
        if (++points_ > kMostForeignPoints)
            throw inputError(file_.string() + " holds more than a million evaluations.", "Thin them out first.");
    }

    void takeList(std::string_view message, const Line& line) {
        const Value list = literalIn(message);
        std::vector<double> ends;
        bool sound = list.is_array();
        if (sound) checkSessions(file_, line.number, list.size());
        for (std::size_t i = 0; sound && i < list.size(); ++i) {
            const std::optional<double> share = shareOf(list[i], 1);
            sound = share.has_value();
            ends.push_back(share.value_or(0));
        }
        if (sound)
            run_.session_ends = std::move(ends);
        else if (line.whole)
            bad_.push_back(line.number);
    }

    void takeSummary(std::string_view message) {
        const auto share = between(message, "A_auc ", " |");
        const auto forgetting = message.find("F_last ");
        if (!share || forgetting == std::string_view::npos) return;
        run_.a_auc = finite(*share);
        // -999 stands for a stream of one session, in which nothing can be forgotten.
        run_.f_last_classwise = finite(message.substr(forgetting + 7));
        ended_ = true;
    }

    void finish() {
        if (hasContent())
            add();
        else if (begun_)
            ++empty_;
        run_ = {};
        bad_.clear();
        method_.clear();
        planned_ = 0;
        session_ = 0;
        ended_ = fly_ = begun_ = list_due_ = false;
    }

    void add() {
        run_.files = {file_};
        run_.dataset = settingOf(run_, "dataset");
        run_.method = method_.empty() ? settingOf(run_, fly_ ? "method" : "mode") : method_;
        run_.seed = seedIn(run_, "rnd_seed");
        run_.program = fly_ ? "FlyGCL" : settingOf(run_, "isa").empty() ? "Si-Blurry" : "MISA";
        if (run_.a_auc && !(*run_.a_auc >= 0 && *run_.a_auc <= 1)) run_.a_auc.reset();
        if (run_.f_last_classwise && std::abs(*run_.f_last_classwise) > 1) run_.f_last_classwise.reset();
        if (run_.bwt_last && std::abs(*run_.bwt_last) > 1) run_.bwt_last.reset();
        const std::size_t sessions = run_.session_ends.size();
        if (!ended_) {
            run_.part = cutAfter(sessions, planned_);
            run_.notes.push_back(
                "The log" + (run_.seed ? " of seed " + std::to_string(*run_.seed) : std::string()) +
                " ends before its summary, after " + counted(std::ssize(run_.session_ends), "session", "sessions") +
                (planned_ > sessions ? " of " + grouped(static_cast<std::int64_t>(planned_)) : std::string()) +
                "; what is whole was imported.");
        }
        if (!bad_.empty())
            run_.notes.push_back("What stands on " + lineList(bad_) + " cannot be read and was left out.");
        if (run_.points.empty()) placeSessions(run_, std::max(planned_, sessions), {}, every_);
        runs_.push_back(std::move(run_));
        checkRuns(file_, runs_.size());
    }

    const fs::path& file_;
    const std::int64_t every_;
    std::vector<ForeignResults> runs_;
    ForeignResults run_;
    std::vector<std::size_t> bad_;
    std::string method_;
    std::size_t planned_ = 0, points_ = 0;
    std::int64_t session_ = 0, empty_ = 0;
    bool list_due_ = false, ended_ = false, fly_ = false, begun_ = false;
};

// ---- Avalanche ----

constexpr std::string_view kAvalancheEval = "eval_exp,training_exp,eval_accuracy";
constexpr std::string_view kAvalancheTraining = "training_exp,epoch,training_accuracy";

/// "0.5" or "tensor(0.5)".
std::optional<double> avalancheNumber(std::string_view cell) {
    const Value value = literalIn(cell);
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::vector<ForeignResults> readAvalanche(const fs::path& file, std::string_view text, std::int64_t every) {
    // Tensors begin a line of their own.
    std::string joined;
    joined.reserve(text.size());
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find("\ntensor("), rest.size());
        joined += rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    std::map<std::int64_t, std::map<std::int64_t, double>> accuracies;  // after an experience, on each
    std::vector<std::size_t> bad;
    bool cut = false;
    Lines lines(joined);
    Line line;
    lines.next(line);  // the header
    std::size_t rows = 0;
    while (lines.next(line)) {
        if (isBlank(line.text)) continue;
        std::vector<std::string_view> cells;
        for (std::string_view rest = line.text; cells.size() < 8;) {
            const std::size_t comma = rest.find(',');
            cells.push_back(trimmed(rest.substr(0, comma)));
            if (comma == std::string_view::npos) break;
            rest.remove_prefix(comma + 1);
        }
        if (++rows > kMostForeignPoints)
            throw inputError(file.string() + " holds more than a million evaluations.", "Thin them out first.");
        // Before the first training.
        if (line.whole && cells.size() == 5 && cells[1] == "None") continue;
        const auto on = cells.size() == 5 ? numberOf<std::int64_t>(cells[0]) : std::nullopt;
        const auto after = cells.size() == 5 ? numberOf<std::int64_t>(cells[1]) : std::nullopt;
        const auto accuracy = cells.size() == 5 ? avalancheNumber(cells[2]) : std::nullopt;
        const bool sound = on && after && accuracy && *on >= 0 && *after >= 0 && *accuracy >= 0 && *accuracy <= 1;
        if (!line.whole)
            cut = true;
        else if (!sound)
            bad.push_back(line.number);
        else if (std::max(*on, *after) >= std::int64_t{kMostForeignSessions})
            checkSessions(file, line.number, kMostForeignSessions + 1);
        else
            accuracies[*after][*on] = *accuracy;
    }
    ForeignResults run;
    run.program = "Avalanche";
    run.files = {file};
    std::size_t left_out = 0;
    for (const auto& [after, row] : accuracies) {
        // Experiences are trained in their order, and each is whole when all up to it were evaluated.
        std::vector<std::optional<double>> cells;
        double sum = 0;
        const auto session = static_cast<std::int64_t>(run.session_ends.size());
        for (std::int64_t on = 0; on <= after && after == session; ++on) {
            const auto found = row.find(on);
            if (found == row.end()) break;
            cells.emplace_back(found->second);
            sum += found->second;
        }
        if (cells.size() != static_cast<std::size_t>(session) + 1) {
            ++left_out;
            continue;
        }
        run.session_ends.push_back(sum / static_cast<double>(cells.size()));
        run.retention.push_back(std::move(cells));
    }
    if (run.session_ends.empty()) throw nothingWhole(file, "evaluation of the experiences up to the one trained");
    if (left_out > 0 || cut) {
        run.part = cutAfter(run.session_ends.size(), 0);
        run.notes.push_back("The log is cut off or has gaps: the first " +
                            counted(std::ssize(run.session_ends), "session", "sessions") +
                            ", which are whole, were imported.");
    }
    if (!bad.empty()) run.notes.push_back("What stands on " + lineList(bad) + " cannot be read and was left out.");
    run.notes.emplace_back(
        "Accuracies on all are plain means over the experiences, since their sizes are not in the log.");
    placeSessions(run, 0, {}, every);
    return {std::move(run)};
}

/// The accuracies stand in the file beside it.
std::vector<ForeignResults> readAvalancheFolder(const fs::path& training, std::int64_t every) {
    const fs::path file = training.parent_path() / "eval_results.csv";
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        throw inputError(training.string() + " holds the accuracies of training, not those of tests.",
                         "Give the file eval_results.csv that the same logger wrote.");
    const std::string text = readResultsFile(file);
    if (!text.starts_with(kAvalancheEval))
        throw inputError("The file " + file.string() + " is not the one that Avalanche writes.",
                         "Its first line is " + std::string(kAvalancheEval) + ",eval_loss,forgetting.");
    std::vector<ForeignResults> runs = readAvalanche(file, text, every);
    runs.front().notes.insert(runs.front().notes.begin(), "Read was eval_results.csv, which stands beside " +
                                                              plainLine(training.filename().string()) +
                                                              ": that one has accuracies of training, " +
                                                              "not of tests.");
    return runs;
}

}  // namespace

std::optional<LogKind> logKindOf(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (text.starts_with(kAvalancheEval) || text.starts_with(kAvalancheTraining)) return LogKind::Avalanche;
    const auto says = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
    if (first != std::string_view::npos && text[first] == '{' && (says(kMeanOfTask) || says("'model'")))
        return LogKind::Mammoth;
    if (says(kTrainer)) return LogKind::Pilot;
    if (says("Test | Sample # ") || says("[2-5] Report task result") || says("[1] Select a CIL method") ||
        says("[1] Select a GCL method"))
        return LogKind::Blurry;
    return std::nullopt;
}

std::vector<ForeignResults> readForeignLog(LogKind kind, const fs::path& file, std::string_view text,
                                           std::int64_t every) {
    std::vector<ForeignResults> runs;
    switch (kind) {
        case LogKind::Mammoth:
            runs = readMammoth(file, text, every);
            break;
        case LogKind::Pilot:
            runs = PilotReading(file, every).read(text);
            break;
        case LogKind::Blurry:
            runs = BlurryReading(file, every).read(text);
            break;
        case LogKind::Avalanche:
            runs = text.starts_with(kAvalancheTraining) ? readAvalancheFolder(file, every)
                                                        : readAvalanche(file, text, every);
            break;
    }
    nameRuns(runs);
    return runs;
}

}  // namespace palimpsest
