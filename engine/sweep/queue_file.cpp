// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/queue_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/text.h"
#include "engine/sweep/number_ranges.h"

namespace palimpsest {
namespace {

constexpr std::array kQueueStates = {QueueState::Waiting,  QueueState::Held,     QueueState::Running,
                                     QueueState::Stopping, QueueState::Finished, QueueState::Failed};
constexpr std::size_t kMostSeedsTyped = 1'000;
// As ordered documents have a limit of keys that a long queue passes, this one has its keys sorted.
using QueueJson = nlohmann::json;

/// Reads members and refuses what is not of their kind.
class QueueReading {
public:
    explicit QueueReading(std::string origin) : origin_(std::move(origin)) {}

    [[noreturn]] void refuse(const std::string& what) const {
        throw inputError("The queue " + origin_ + " is damaged: " + what + ".",
                         "Move the file away to begin with an empty queue; the runs themselves are in their folders.");
    }
    const QueueJson& at(const QueueJson& object, const char* key) const {
        const auto found = object.find(key);
        if (found == object.end()) refuse(std::string("it has no ") + key);
        return *found;
    }
    std::int64_t whole(const QueueJson& object, const char* key, std::int64_t least) const {
        const QueueJson& value = at(object, key);
        const bool fits =
            value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > kTop);
        if (!fits || value.get<std::int64_t>() < least)
            refuse(std::string(key) + " is no number from " + std::to_string(least));
        return value.get<std::int64_t>();
    }
    std::string text(const QueueJson& object, const char* key) const {
        const QueueJson& value = at(object, key);
        if (!value.is_string()) refuse(std::string(key) + " is no text");
        return value.get<std::string>();
    }
    bool truth(const QueueJson& object, const char* key) const {
        const QueueJson& value = at(object, key);
        if (!value.is_boolean()) refuse(std::string(key) + " is neither true nor false");
        return value.get<bool>();
    }
    std::filesystem::path place(const QueueJson& object, const char* key) const {
        std::filesystem::path path = text(object, key);
        if (!path.is_absolute() || path.native().find('\0') != std::string::npos)
            refuse(std::string(key) + " is no whole path");
        return path;
    }

private:
    static constexpr std::uint64_t kTop = std::uint64_t{1} << 62U;
    const std::string origin_;
};

QueueState queueStateOf(const QueueReading& reading, const std::string& word) {
    for (const QueueState state : kQueueStates)
        if (word == toText(state)) return state;
    reading.refuse("there is no state " + shortLine(word));
}

QueueJob jobOf(const QueueReading& reading, const QueueJson& json,
               const std::map<std::string, std::shared_ptr<const std::string>>& experiments) {
    if (!json.is_object()) reading.refuse("an entry is no object");
    QueueJob job;
    job.id = reading.whole(json, "id", 1);
    job.name = plainSentence(reading.text(json, "name"));
    job.seed = reading.whole(json, "seed", 0);
    if (json.contains("grid")) {
        job.grid = reading.place(json, "grid");
    } else {
        const auto found = experiments.find(reading.text(json, "experiment"));
        if (found == experiments.end()) reading.refuse("an experiment is missing");
        job.experiment = found->second;
    }
    job.folder = reading.place(json, "folder");
    job.state = queueStateOf(reading, reading.text(json, "state"));
    job.sentence = plainSentence(reading.text(json, "sentence"));
    job.pid = reading.whole(json, "pid", 0);
    job.process = reading.text(json, "process");
    const QueueJson& seconds = reading.at(json, "seconds");
    if (!seconds.is_number() || seconds.get<double>() < 0) reading.refuse("seconds is no number from 0");
    job.seconds = seconds.get<double>();
    // Older files do not say it.
    if (json.contains("began")) job.began = reading.whole(json, "began", 0);
    job.starts = reading.whole(json, "starts", 0);
    if (json.contains("resumes")) job.resumes = reading.truth(json, "resumes");
    return job;
}

std::int64_t seedOf(std::string_view digits, std::int64_t most, std::string_view whole) {
    while (!digits.empty() && digits.front() == ' ') digits.remove_prefix(1);
    while (!digits.empty() && digits.back() == ' ') digits.remove_suffix(1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const char* const hint = "Write them as 3, 1-5 or 1-3, 7.";
    if (digits.empty())
        throw inputError(whole.find_first_not_of(' ') == std::string_view::npos
                             ? "There are no seeds."
                             : "The seeds have a comma or a hyphen without a number.",
                         hint);
    if (end != digits.data() + digits.size() || (error != std::errc() && error != std::errc::result_out_of_range) ||
        digits.front() == '-')
        throw inputError(
            "The seed \"" + shortLine(digits) + "\" is no whole number from 0 to " + std::to_string(most) + ".", hint);
    if (error != std::errc() || value > most)
        throw inputError("The seed " + shortLine(digits) + " is too large: " + std::to_string(most) + " at most.", "");
    return value;
}

}  // namespace

const char* toText(QueueState state) {
    switch (state) {
        case QueueState::Waiting:
            return "waiting";
        case QueueState::Held:
            return "held";
        case QueueState::Running:
            return "running";
        case QueueState::Stopping:
            return "stopping";
        case QueueState::Finished:
            return "finished";
        case QueueState::Failed:
            return "failed";
    }
    return "";
}

std::string formatQueue(const QueueFile& queue) {
    QueueJson experiments = QueueJson::object(), jobs = QueueJson::array();
    std::map<std::string, std::string> keys;
    for (const QueueJob& job : queue.jobs) {
        QueueJson json = {{"id", job.id},
                          {"name", job.name},
                          {"seed", job.seed},
                          {"folder", job.folder.string()},
                          {"state", toText(job.state)},
                          {"sentence", job.sentence},
                          {"pid", job.pid},
                          {"process", job.process},
                          {"seconds", job.seconds},
                          {"began", job.began},
                          {"starts", job.starts},
                          {"resumes", job.resumes}};
        if (job.isSweep()) {
            json["grid"] = job.grid.string();
        } else {
            const auto [known, fresh] = keys.try_emplace(*job.experiment, std::to_string(keys.size() + 1));
            if (fresh) experiments[known->second] = *job.experiment;
            json["experiment"] = known->second;
        }
        jobs.push_back(std::move(json));
    }
    const QueueJson whole = {{"version", kQueueVersion}, {"next", queue.next},         {"at_once", queue.at_once},
                             {"paused", queue.paused},   {"experiments", experiments}, {"jobs", jobs}};
    // Paths may hold bytes that are no UTF-8; such a folder is then not found again, and says so.
    return whole.dump(1, ' ', false, QueueJson::error_handler_t::replace) + "\n";
}

bool newerQueue(std::string_view text) {
    const auto json = parsedJson<QueueJson>(text);
    if (!json.is_object()) return false;
    const auto version = json.find("version");
    return version != json.end() && version->is_number_integer() && *version > kQueueVersion;
}

QueueFile parseQueue(std::string_view text, const std::string& origin) {
    const QueueReading reading(origin);
    const auto json = parsedJson<QueueJson>(text);
    if (!json.is_object()) reading.refuse("it is no JSON object");
    if (newerQueue(text))
        throw inputError("The queue " + origin + " was written by a newer version of the program.",
                         "Use that version; this one leaves the file as it is.");
    if (reading.whole(json, "version", 1) != kQueueVersion) reading.refuse("its version is unknown");
    QueueFile queue;
    queue.next = reading.whole(json, "next", 1);
    queue.at_once = static_cast<int>(std::min<std::int64_t>(kMostAtOnce, reading.whole(json, "at_once", 1)));
    queue.paused = reading.truth(json, "paused");
    std::map<std::string, std::shared_ptr<const std::string>> experiments;
    const QueueJson& texts = reading.at(json, "experiments");
    if (!texts.is_object()) reading.refuse("experiments is no object");
    for (const auto& [key, value] : texts.items()) {
        if (!value.is_string()) reading.refuse("an experiment is no text");
        experiments[key] = std::make_shared<const std::string>(value.get<std::string>());
    }
    const QueueJson& jobs = reading.at(json, "jobs");
    if (!jobs.is_array()) reading.refuse("jobs is no list");
    if (jobs.size() > kMostQueued) reading.refuse("it has more than " + grouped(kMostQueued) + " entries");
    std::set<std::int64_t> met;
    for (const QueueJson& one : jobs) {
        queue.jobs.push_back(jobOf(reading, one, experiments));
        if (!met.insert(queue.jobs.back().id).second) reading.refuse("two entries have one number");
        queue.next = std::max(queue.next, queue.jobs.back().id + 1);
    }
    return queue;
}

std::string formatQueueProgram(const QueueProgram& program) {
    const QueueJson json = {{"pid", program.pid}, {"process", program.process}, {"folder", program.folder.string()}};
    return json.dump(1, ' ', false, QueueJson::error_handler_t::replace) + "\n";
}

std::optional<QueueProgram> parseQueueProgram(std::string_view text) {
    const auto json = parsedJson<QueueJson>(text);
    if (!json.is_object()) return std::nullopt;
    try {
        const QueueReading reading("program");
        QueueProgram program{reading.whole(json, "pid", 1), reading.text(json, "process"),
                             reading.place(json, "folder")};
        if (program.process.empty() || program.pid > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
        return program;
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::vector<std::int64_t> parsedSeeds(std::string_view text, std::int64_t most) {
    std::vector<std::int64_t> seeds;
    std::set<std::int64_t> met;
    for (const RangeText& range : rangeTexts(text)) {
        const std::int64_t first = seedOf(range.first, most, text), last = seedOf(range.last, most, text);
        if (last < first)
            throw inputError(
                "The seeds " + std::to_string(first) + "-" + std::to_string(last) + " end before they begin.",
                "Write the smaller number first.");
        if (static_cast<std::uint64_t>(last - first) + 1 + seeds.size() > kMostSeedsTyped)
            throw inputError("These are more than " + grouped(kMostSeedsTyped) + " seeds.", "Name fewer.");
        for (std::int64_t seed = first; seed <= last; ++seed) {
            if (!met.insert(seed).second)
                throw inputError("The seed " + std::to_string(seed) + " comes twice.", "Name each seed once.");
            seeds.push_back(seed);
        }
    }
    return seeds;
}

std::string seedsText(const std::vector<std::int64_t>& seeds) {
    return numberRanges(seeds, ", ");
}

}  // namespace palimpsest
