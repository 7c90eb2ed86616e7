// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/talk_caption.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "engine/metrics/metric_catalogue.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

constexpr const char* kNotKnown = "…";

/// A piece of a caption: words, or what stands in a pair of braces.
struct CaptionPiece {
    bool placeholder = false;
    std::string text;
};

/// A placeholder taken apart.
struct Placeholder {
    std::string run, word;
    std::vector<std::string> arguments;
};

/// Absent where a brace is not closed.
std::optional<std::vector<CaptionPiece>> piecesOf(std::string_view caption) {
    std::vector<CaptionPiece> pieces;
    std::string words;
    for (std::size_t i = 0; i < caption.size(); ++i) {
        const bool doubled = i + 1 < caption.size() && caption[i + 1] == caption[i];
        if (caption[i] != '{' || doubled) {
            words += caption[i];
            if (doubled && (caption[i] == '{' || caption[i] == '}')) ++i;
            continue;
        }
        const std::size_t end = caption.find('}', i);
        if (end == std::string_view::npos) return std::nullopt;
        if (!words.empty()) pieces.push_back({false, std::exchange(words, {})});
        pieces.push_back({true, std::string(trimmed(caption.substr(i + 1, end - i - 1), " "))});
        i = end;
    }
    if (!words.empty()) pieces.push_back({false, words});
    return pieces;
}

Placeholder takenApart(const std::string& text) {
    Placeholder parts;
    std::string rest = text;
    const std::size_t open = rest.find('(');
    if (open != std::string::npos && rest.ends_with(')')) {
        const std::string inside = rest.substr(open + 1, rest.size() - open - 2);
        rest.resize(open);
        for (std::size_t from = 0; from <= inside.size();) {
            const std::size_t comma = std::min(inside.find(',', from), inside.size());
            parts.arguments.emplace_back(trimmed(std::string_view(inside).substr(from, comma - from), " "));
            from = comma + 1;
        }
    }
    const std::size_t point = rest.find('.');
    if (point != std::string::npos) {
        parts.run = trimmed(std::string_view(rest).substr(0, point), " ");
        rest = rest.substr(point + 1);
    }
    parts.word = trimmed(rest, " ");
    return parts;
}

/// A whole number from 1; absent: it is none.
std::optional<std::int64_t> numberOf(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
    return number;
}

/// The number behind "session "; absent: there is none.
std::optional<std::int64_t> sessionOf(std::string_view text) {
    constexpr std::string_view kWord = "session ";
    if (!text.starts_with(kWord)) return std::nullopt;
    return numberOf(text.substr(kWord.size()));
}

constexpr std::array<const char*, 5> kPlainWords{"images", "sessions", "classes", "seconds", "name"};

std::string placeholderProblem(const Talk& talk, const Placeholder& parts, const std::string& text) {
    if (!parts.run.empty() && !talk.run(parts.run)) {
        std::vector<std::string> names;
        for (const TalkRun& run : talk.runs) names.push_back(run.name);
        const std::string near = nearestWord(parts.run, names);
        return "the caption names a run \"" + shortLine(parts.run) + "\" that the talk does not have" +
               didYouMean(near);
    }
    const std::size_t given = parts.arguments.size();
    if (parts.word == "accuracy") {
        if (given == 0 || (given == 1 && (numberOf(parts.arguments[0]) || sessionOf(parts.arguments[0])))) return {};
        return "{" + shortLine(text) + "} must be {accuracy}, {accuracy(1200)} or {accuracy(session 2)}";
    }
    if (parts.word == "retention") {
        const bool whole =
            std::ranges::all_of(parts.arguments, [](const std::string& each) { return numberOf(each).has_value(); });
        if ((given == 1 || given == 2) && whole) return {};
        return "{" + shortLine(text) + "} must be {retention(1)} or {retention(1, 3)}";
    }
    std::vector<std::string> known(kPlainWords.begin(), kPlainWords.end());
    for (const Metric& metric : metrics()) known.push_back(metric.key);
    if (std::ranges::find(known, parts.word) != known.end()) {
        if (given == 0 && text.find('(') == std::string::npos) return {};
        return "{" + shortLine(parts.word) + "} takes nothing in brackets";
    }
    known.insert(known.end(), {"accuracy", "retention"});
    const std::string near = nearestWord(parts.word, known);
    return "unknown placeholder {" + shortLine(text) + "}" +
           (near.empty() ? "; {accuracy} and {retention(1)} are some" : didYouMean("{" + near + "}"));
}

std::string accuracyText(const TalkNumbers& numbers, const Placeholder& parts) {
    const AnytimePoint* found = nullptr;
    if (parts.arguments.empty()) {
        if (!numbers.evaluations.empty()) found = &numbers.evaluations.back();
    } else {
        const std::optional<std::int64_t> session = sessionOf(parts.arguments[0]);
        const auto sessions = static_cast<std::int64_t>(numbers.session_starts.size());
        std::optional<std::int64_t> reach = numberOf(parts.arguments[0]);
        if (session && *session <= sessions)
            reach = *session == sessions ? numbers.planned : numbers.session_starts[static_cast<std::size_t>(*session)];
        // A run that is on its way, or was stopped, has not been there.
        if (!reach || numbers.evaluations.empty() || numbers.images < *reach) return kNotKnown;
        if (session && numbers.evaluations.back().samples_seen < *reach) return kNotKnown;
        for (const AnytimePoint& point : numbers.evaluations)
            if (point.samples_seen <= *reach) found = &point;
    }
    return found ? perCent(found->accuracy) : kNotKnown;
}

std::string retentionText(const TalkNumbers& numbers, const Placeholder& parts) {
    const std::int64_t session = numberOf(parts.arguments[0]).value_or(0) - 1;
    std::optional<std::int64_t> after;
    if (parts.arguments.size() == 2) after = numberOf(parts.arguments[1]).value_or(0) - 1;
    const RetentionPoint* found = nullptr;
    for (const RetentionPoint& point : numbers.retention)
        if (point.session == session && point.samples > 0 &&
            (after ? point.after_session == *after : !found || point.after_session > found->after_session))
            found = &point;
    return found ? perCent(found->accuracy) : kNotKnown;
}

std::string placeholderText(const TalkNumbers& numbers, const Placeholder& parts) {
    if (parts.word == "accuracy") return accuracyText(numbers, parts);
    if (parts.word == "retention") return parts.arguments.empty() ? kNotKnown : retentionText(numbers, parts);
    if (parts.word == "images") return grouped(numbers.images);
    if (parts.word == "sessions") return grouped(numbers.sessions);
    if (parts.word == "name") return plainLine(numbers.name);
    if (parts.word == "classes")
        return numbers.evaluations.empty() ? kNotKnown : grouped(numbers.evaluations.back().classes_seen);
    if (!numbers.summary) return kNotKnown;
    if (parts.word == "seconds") return fixedText(numbers.summary->seconds, 0);
    const Metric* metric = findMetric(parts.word);
    const std::optional<double> value = metric ? *numbers.summary.*(metric->value) : std::nullopt;
    return value ? perCent(*value) : kNotKnown;
}

}  // namespace

std::vector<AnytimePoint> talkEvaluations(std::vector<AnytimePoint> anytime, const std::vector<AnytimePoint>& ends) {
    anytime.insert(anytime.end(), ends.begin(), ends.end());
    std::ranges::stable_sort(anytime, {}, &AnytimePoint::samples_seen);
    return anytime;
}

TalkNumbers talkNumbers(const RunRecord& record) {
    TalkNumbers numbers;
    numbers.name = record.experiment.name;
    // Nothing comes behind what these have learned, also where images could not be read.
    const bool whole = record.state == RecordedState::Finished || record.state == RecordedState::Imported;
    const auto sessions = static_cast<std::int64_t>(record.session_starts.size());
    numbers.images = record.samples_learned;
    numbers.planned = whole ? record.samples_learned : record.total_samples;
    numbers.sessions = whole ? sessions : record.summary.sessions_ended;
    numbers.evaluations = talkEvaluations(record.anytime, sessionEnds(record));
    numbers.retention = record.retention;
    numbers.session_starts = record.session_starts;
    if (record.state != RecordedState::Running) numbers.summary = record.summary;
    return numbers;
}

std::string captionProblem(const Talk& talk, std::string_view caption) {
    const auto pieces = piecesOf(caption);
    if (!pieces) return "a brace is not closed in the caption; {{ writes one";
    for (const CaptionPiece& piece : *pieces) {
        if (!piece.placeholder) continue;
        std::string problem = placeholderProblem(talk, takenApart(piece.text), piece.text);
        if (!problem.empty()) return problem;
    }
    return {};
}

std::string filledCaption(std::string_view caption, const std::string& first,
                          const std::function<const TalkNumbers*(const std::string&)>& numbers) {
    const auto pieces = piecesOf(caption);
    if (!pieces) return std::string(caption);
    std::string filled;
    for (const CaptionPiece& piece : *pieces) {
        if (!piece.placeholder) {
            filled += piece.text;
            continue;
        }
        const Placeholder parts = takenApart(piece.text);
        const TalkNumbers* known = numbers(parts.run.empty() ? first : parts.run);
        filled += known ? placeholderText(*known, parts) : kNotKnown;
    }
    return filled;
}

}  // namespace palimpsest
