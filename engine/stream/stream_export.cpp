// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/stream_export.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/stream/index_list.h"
#include "engine/stream/stream_statistics.h"
#include "engine/support/format.h"
#include "engine/support/json.h"

namespace palimpsest {
namespace {

using List = std::vector<std::int64_t>;
using TextRows = std::vector<std::vector<std::string>>;

std::string nameOf(std::size_t label, std::span<const std::string> names) {
    return label < names.size() ? names[label] : std::string();
}

/// Width in letters rather than bytes, so that names with accents stay in their columns.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// "3 (Dress)", or "3" when the class has no name.
std::string classText(std::int64_t label, std::span<const std::string> names) {
    const auto index = static_cast<std::size_t>(label);
    return std::to_string(label) + (index < names.size() ? " (" + names[index] + ")" : "");
}

/// "disjoint", "blurry", or "none" for a class that never occurs.
const char* kindWord(const ClassHome& home) {
    return home.session < 0 ? "none" : home.blurry ? "blurry" : "disjoint";
}

/// Text table with columns as wide as their longest cell; the first column is left-aligned, the others right-aligned.
std::string alignedTable(const TextRows& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string space(widths[i] - width(row[i]), ' ');
            text += i == 0 ? row[i] + space : "  " + space + row[i];
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json balanceJson(const Balance& balance) {
    return {{"samples", balance.samples},
            {"classes", balance.classes},
            {"imbalance", orNull(balance.imbalance)},
            {"evenness", orNull(balance.evenness)},
            {"effective_classes", balance.effective_classes},
            {"disjoint_share", balance.disjoint_share},
            {"blurry_share", balance.blurry_share}};
}

Json statisticsJson(const StreamReport& report) {
    const StreamStatistics statistics = streamStatistics(report.plan, report.labels);
    const auto counts = countSamples(report.plan, report.labels);
    Json json;
    json["whole"] = balanceJson(statistics.whole);
    json["sessions"] = Json::array();
    for (std::size_t j = 0; j < statistics.sessions.size(); ++j) {
        Json session = balanceJson(statistics.sessions[j]);
        session["class_counts"] = Json::array();
        for (const List& row : counts) session["class_counts"].push_back(row[j]);
        json["sessions"].push_back(std::move(session));
    }
    json["classes"] = Json::array();
    for (std::size_t c = 0; c < statistics.classes.size(); ++c) {
        const ClassAppearance& seen = statistics.classes[c];
        json["classes"].push_back({{"class", c},
                                   {"name", nameOf(c, report.class_names)},
                                   {"kind", kindWord(seen.home)},
                                   {"samples", seen.samples},
                                   {"sessions", seen.sessions},
                                   {"first_session", seen.first_session},
                                   {"last_session", seen.last_session},
                                   {"first_position", seen.first_position},
                                   {"last_position", seen.last_position}});
    }
    return json;
}

Json planJson(const StreamPlan& plan) {
    return {{"sessions", plan.sessions},
            {"disjoint_classes", plan.disjoint_classes},
            {"blurry_classes", plan.blurry_classes},
            {"fingerprint", plan.fingerprint()}};
}

/// Edits in the form that an experiment file has them.
Json editsJson(const StreamPlan& plan) {
    Json edits = Json::array();
    for (const AppliedEdit& applied : plan.edits) edits.push_back(toText(applied.edit));
    return edits;
}

std::string asJson(const StreamReport& report) {
    Json json = planJson(report.plan);
    json["labels_fingerprint"] = labelsFingerprint(report.labels);
    if (!report.plan.edits.empty()) json["edits"] = editsJson(report.plan);
    json["warnings"] = report.warnings;
    if (report.statistics) json["statistics"] = statisticsJson(report);
    return dumped(json);
}

std::string asCsv(const StreamReport& report) {
    const std::vector<ClassHome> homes = classHomes(report.plan);
    std::string text = "session,position,sample,class,kind\n";
    text.reserve(32 * static_cast<std::size_t>(report.plan.totalSamples()));
    std::int64_t position = 0;
    for (std::size_t j = 0; j < report.plan.sessions.size(); ++j)
        for (const std::int64_t sample : report.plan.sessions[j]) {
            const std::int32_t label = report.labels[static_cast<std::size_t>(sample)];
            const ClassHome home = homes[static_cast<std::size_t>(label)];
            text += std::to_string(j) + ',' + std::to_string(position++) + ',' + std::to_string(sample) + ',' +
                    std::to_string(label) + ',' + kindWord(home) + '\n';
        }
    return text;
}

/// "-" for a negative number, which stands for never.
std::string groupedOrDash(std::int64_t number) {
    return number < 0 ? "-" : grouped(number);
}

/// The same, counted from 1 instead of 0.
std::string countedFromOne(std::int64_t number) {
    return number < 0 ? "-" : grouped(number + 1);
}

std::string joinedSets(const std::vector<List>& sets, std::size_t session) {
    if (session >= sets.size() || sets[session].empty()) return "none";
    std::string text;
    for (const std::int64_t number : sets[session]) text += (text.empty() ? "" : " ") + std::to_string(number);
    return text;
}

std::vector<std::string> balanceRow(std::string name, const Balance& balance) {
    return {std::move(name),
            grouped(balance.samples),
            std::to_string(balance.classes),
            decimal(balance.imbalance, 2),
            decimal(balance.evenness, 3),
            decimal(balance.effective_classes, 2),
            decimal(100 * balance.disjoint_share, 1) + " %",
            decimal(100 * balance.blurry_share, 1) + " %"};
}

std::string statisticsText(const StreamReport& report) {
    const StreamStatistics statistics = streamStatistics(report.plan, report.labels);
    TextRows sessions{{"", "samples", "classes", "imbalance", "evenness", "effective", "disjoint", "blurry"}};
    for (std::size_t j = 0; j < statistics.sessions.size(); ++j)
        sessions.push_back(balanceRow("Session " + std::to_string(j + 1), statistics.sessions[j]));
    sessions.push_back(balanceRow("All", statistics.whole));

    TextRows classes{
        {"Class", "kind", "samples", "sessions", "first session", "last session", "first after", "last after"}};
    for (std::size_t c = 0; c < statistics.classes.size(); ++c) {
        const ClassAppearance& seen = statistics.classes[c];
        classes.push_back({classText(static_cast<std::int64_t>(c), report.class_names), kindWord(seen.home),
                           grouped(seen.samples), std::to_string(seen.sessions), countedFromOne(seen.first_session),
                           countedFromOne(seen.last_session), groupedOrDash(seen.first_position),
                           groupedOrDash(seen.last_position)});
    }
    return "\n" + alignedTable(sessions) +
           "imbalance: largest class / smallest; evenness: entropy / ln(classes); effective: exp(entropy)\n\n" +
           alignedTable(classes) + "first after, last after: samples of the stream before\n";
}

std::string asText(const StreamReport& report) {
    const StreamPlan& plan = report.plan;
    const std::string origin = plan.settings.partition == Partition::Imported
                                   ? "imported"
                                   : "seed " + std::to_string(plan.settings.seed) +
                                         (plan.settings.sampler == Sampler::Older ? ", older sampler" : "");
    std::string text = counted(plan.totalSamples(), "sample", "samples") + " in " +
                       counted(std::ssize(plan.sessions), "session", "sessions") + ", " +
                       std::to_string(plan.disjoint_count) + " disjoint and " + std::to_string(plan.blurry_count) +
                       " blurry classes, " + origin + (plan.edits.empty() ? "" : ", edited") + "\n";
    for (std::size_t j = 0; j < plan.sessions.size(); ++j)
        text += "Session " + std::to_string(j + 1) + ": " + counted(std::ssize(plan.sessions[j]), "sample", "samples") +
                "; disjoint classes: " + joinedSets(plan.disjoint_classes, j) +
                "; blurry classes: " + joinedSets(plan.blurry_classes, j) + "\n";
    for (const AppliedEdit& applied : plan.edits)
        text += "Edit: " + toText(applied.edit) + " (" + counted(applied.moved, "sample", "samples") + ")\n";
    if (report.statistics) text += statisticsText(report) + "\n";
    for (const std::string& warning : report.warnings) text += "Note: " + warning + "\n";
    return text + "Fingerprint: " + plan.fingerprint() + "\n";
}

const char* word(Sameness sameness) {
    switch (sameness) {
        case Sameness::Identical:
            return "identical";
        case Sameness::SameSessions:
            return "same-sessions";
        case Sameness::SameSamples:
            return "same-samples";
        case Sameness::OtherData:
            return "other-data";
        case Sameness::Different:
            break;
    }
    return "different";
}

Json overlapJson(const Overlap& overlap) {
    return {{"shared", overlap.shared},
            {"only_first", overlap.only_first},
            {"only_second", overlap.only_second},
            {"jaccard", overlap.jaccard()}};
}

Json timingJson(const ClassAppearance& seen) {
    return {{"kind", kindWord(seen.home)},
            {"first_session", seen.first_session},
            {"last_session", seen.last_session},
            {"first_position", seen.first_position}};
}

}  // namespace

StreamFormat streamFormatOf(std::string_view fileName) {
    if (fileName.ends_with(".csv")) return StreamFormat::Csv;
    if (fileName.ends_with(".txt")) return StreamFormat::Text;
    return StreamFormat::Json;
}

std::string formatStream(const StreamReport& report, StreamFormat format) {
    switch (format) {
        case StreamFormat::Text:
            return asText(report);
        case StreamFormat::Csv:
            return asCsv(report);
        case StreamFormat::Json:
            break;
    }
    return asJson(report);
}

std::string decimal(std::optional<double> value, int digits) {
    return value && std::isfinite(*value) ? fixedText(*value, digits) : "-";
}

std::string formatIndexList(const StreamPlan& plan) {
    return dumped(planJson(plan));
}

std::string formatComparisonJson(const StreamComparison& comparison, std::span<const std::string> classNames) {
    Json json{{"first", comparison.first},
              {"second", comparison.second},
              {"sameness", word(comparison.sameness)},
              {"sentence", sentenceOf(comparison)}};
    if (comparison.sameness == Sameness::OtherData) return dumped(json);
    json["samples"] = overlapJson(comparison.samples);
    json["sessions"] = Json::array();
    for (const Overlap& session : comparison.sessions) json["sessions"].push_back(overlapJson(session));
    json["classes"] = Json::array();
    for (const ClassTiming& timing : comparison.classes)
        json["classes"].push_back({{"class", timing.label},
                                   {"name", nameOf(static_cast<std::size_t>(timing.label), classNames)},
                                   {"differs", timing.differs()},
                                   {"first", timingJson(timing.first)},
                                   {"second", timingJson(timing.second)}});
    return dumped(json);
}

std::string formatComparisonText(const StreamComparison& comparison, std::span<const std::string> classNames) {
    std::string text =
        sentenceOf(comparison) + "\nFingerprints: " + comparison.first + " and " + comparison.second + "\n";
    if (comparison.sameness == Sameness::OtherData) return text;
    TextRows sessions{{"", "shared", "only first", "only second", "Jaccard"}};
    const auto add = [&](std::string name, const Overlap& overlap) {
        sessions.push_back({std::move(name), grouped(overlap.shared), grouped(overlap.only_first),
                            grouped(overlap.only_second), decimal(overlap.jaccard(), 3)});
    };
    for (std::size_t j = 0; j < comparison.sessions.size(); ++j)
        add("Session " + std::to_string(j + 1), comparison.sessions[j]);
    add("All", comparison.samples);
    text += "\n" + alignedTable(sessions);

    TextRows classes{{"Class", "first session", "in the second", "first after", "in the second", "later by"}};
    for (const ClassTiming& timing : comparison.classes) {
        if (!timing.differs()) continue;
        const bool both = timing.first.first_position >= 0 && timing.second.first_position >= 0;
        classes.push_back({classText(timing.label, classNames), countedFromOne(timing.first.first_session),
                           countedFromOne(timing.second.first_session), groupedOrDash(timing.first.first_position),
                           groupedOrDash(timing.second.first_position),
                           both ? grouped(timing.second.first_position - timing.first.first_position) : "-"});
    }
    if (classes.size() == 1) return text + "\nEvery class comes at the same time in both.\n";
    return text + "\n" + alignedTable(classes) + "first after: samples of the stream before the first of the class\n";
}

}  // namespace palimpsest
