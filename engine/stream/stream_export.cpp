// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/stream_export.h"

#include <nlohmann/json.hpp>

#include "engine/stream/index_list.h"
#include "engine/stream/stream_statistics.h"
#include "engine/stream/stream_text.h"
#include "engine/support/format.h"
#include "engine/support/json.h"

namespace palimpsest {

namespace {
using List = std::vector<std::int64_t>;

std::string nameOf(std::size_t label, std::span<const std::string> names) {
    return label < names.size() ? names[label] : std::string();
}

std::string dumped(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
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
                                   {"kind", kindWord(seen.home.session, seen.home.blurry)},
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
    return dumped(json, -1);
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
                    std::to_string(label) + ',' + kindWord(home.session, home.blurry) + '\n';
        }
    return text;
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
    std::vector<std::vector<std::string>> sessions{
        {"", "samples", "classes", "imbalance", "evenness", "effective", "disjoint", "blurry"}};
    for (std::size_t j = 0; j < statistics.sessions.size(); ++j)
        sessions.push_back(balanceRow("Session " + std::to_string(j + 1), statistics.sessions[j]));
    sessions.push_back(balanceRow("All", statistics.whole));

    std::vector<std::vector<std::string>> classes{
        {"Class", "kind", "samples", "sessions", "first session", "last session", "first after", "last after"}};
    for (std::size_t c = 0; c < statistics.classes.size(); ++c) {
        const ClassAppearance& seen = statistics.classes[c];
        const auto when = [&](std::int64_t number, std::int64_t plus) {
            return number < 0 ? std::string("-") : grouped(number + plus);
        };
        classes.push_back({classText(static_cast<std::int64_t>(c), report.class_names),
                           kindWord(seen.home.session, seen.home.blurry), grouped(seen.samples),
                           std::to_string(seen.sessions), when(seen.first_session, 1), when(seen.last_session, 1),
                           when(seen.first_position, 0), when(seen.last_position, 0)});
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
    return {{"kind", kindWord(seen.home.session, seen.home.blurry)},
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

std::string formatIndexList(const StreamPlan& plan) {
    return dumped(planJson(plan), -1);
}

std::string formatComparisonJson(const StreamComparison& comparison, std::span<const std::string> classNames) {
    Json json{{"first", comparison.first},
              {"second", comparison.second},
              {"sameness", word(comparison.sameness)},
              {"sentence", sentenceOf(comparison)}};
    if (comparison.sameness == Sameness::OtherData) return dumped(json, -1);
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
    return dumped(json, -1);
}

std::string formatComparisonText(const StreamComparison& comparison, std::span<const std::string> classNames) {
    std::string text =
        sentenceOf(comparison) + "\nFingerprints: " + comparison.first + " and " + comparison.second + "\n";
    if (comparison.sameness == Sameness::OtherData) return text;
    std::vector<std::vector<std::string>> sessions{{"", "shared", "only first", "only second", "Jaccard"}};
    const auto add = [&](std::string name, const Overlap& overlap) {
        sessions.push_back({std::move(name), grouped(overlap.shared), grouped(overlap.only_first),
                            grouped(overlap.only_second), decimal(overlap.jaccard(), 3)});
    };
    for (std::size_t j = 0; j < comparison.sessions.size(); ++j)
        add("Session " + std::to_string(j + 1), comparison.sessions[j]);
    add("All", comparison.samples);
    text += "\n" + alignedTable(sessions);

    std::vector<std::vector<std::string>> classes{
        {"Class", "first session", "in the second", "first after", "in the second", "later by"}};
    for (const ClassTiming& timing : comparison.classes) {
        if (!timing.differs()) continue;
        const auto when = [](std::int64_t number, std::int64_t plus) {
            return number < 0 ? std::string("-") : grouped(number + plus);
        };
        const bool both = timing.first.first_position >= 0 && timing.second.first_position >= 0;
        classes.push_back({classText(timing.label, classNames), when(timing.first.first_session, 1),
                           when(timing.second.first_session, 1), when(timing.first.first_position, 0),
                           when(timing.second.first_position, 0),
                           both ? grouped(timing.second.first_position - timing.first.first_position) : "-"});
    }
    if (classes.size() == 1) return text + "\nEvery class comes at the same time in both.\n";
    return text + "\n" + alignedTable(classes) + "first after: samples of the stream before the first of the class\n";
}

}  // namespace palimpsest
