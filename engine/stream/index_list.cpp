// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/index_list.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace {

using List = std::vector<std::int64_t>;
using Lists = std::vector<List>;
using nlohmann::json;

/// Upper limit of the option stream.sessions, so that every tool can show them.
constexpr std::size_t kMostListedSessions = 1000;
constexpr const char* kShape = R"(Write {"sessions": [[0, 1, ...], ...]}, or the list of lists alone.)";

std::string place(const std::string& origin, const std::string& lists, std::size_t session) {
    return origin + ", " + (lists == "sessions" ? "session " : lists + " of session ") + std::to_string(session + 1);
}

std::string place(const std::string& origin, const std::string& lists, std::size_t session, std::size_t entry) {
    return place(origin, lists, session) + ", entry " + std::to_string(entry + 1);
}

/// A value as it is written in the file, short enough for a sentence.
std::string quotedJson(const json& value) {
    constexpr std::size_t kLongest = 40;
    // Serialising a value recurses, and a hostile file nests a million lists.
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

bool isNumber(const json& value) {
    return value.is_number_unsigned()
               ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
               : value.is_number_integer();
}

Lists readLists(const json& value, const std::string& name, const std::string& origin) {
    if (!value.is_array()) throw inputError(origin + ": \"" + name + "\" is not a list of lists.", kShape);
    const char* what = name == "sessions" ? "sample" : "class";
    Lists lists;
    for (const json& entries : value) {
        if (!entries.is_array())
            throw inputError(place(origin, name, lists.size()) + ": " + quotedJson(entries) + " is not a list of " +
                                 what + " numbers.",
                             kShape);
        List& list = lists.emplace_back();
        list.reserve(entries.size());
        for (const json& entry : entries) {
            if (!isNumber(entry))
                throw inputError(place(origin, name, lists.size() - 1, list.size()) + ": " + quotedJson(entry) +
                                     " is not a " + what + " number.",
                                 "Write whole numbers, counted from 0.");
            list.push_back(entry.get<std::int64_t>());
        }
    }
    return lists;
}

std::string readText(const json& object, const char* key, const std::string& origin) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    if (!found->is_string())
        throw inputError(origin + ": \"" + key + "\" is " + quotedJson(*found) + ", not a text.",
                         "Correct it or leave it out.");
    return found->get<std::string>();
}

json parsedJson(std::string_view text, const std::string& origin) {
    if (jsonExtent(text).too_deep) throw inputError(origin + ": its lists lie too deep in each other.", kShape);
    try {
        return json::parse(text);
    } catch (const json::out_of_range&) {
        throw inputError(origin + ": a number in it is too large to be read.", "Write whole numbers, counted from 0.");
    } catch (const json::parse_error& error) {
        const std::string_view before = text.substr(0, error.byte == 0 ? 0 : error.byte - 1);
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::size_t column = before.size() - (before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1) + 1;
        throw inputError(
            origin + ", line " + std::to_string(line) + ", column " + std::to_string(column) + ": this is not JSON.",
            kShape);
    }
}

void checkSamples(const IndexList& list, std::int64_t samples) {
    for (std::size_t j = 0; j < list.sessions.size(); ++j) {
        const List& session = list.sessions[j];
        const auto wrong = std::find_if(session.begin(), session.end(),
                                        [&](std::int64_t sample) { return sample < 0 || sample >= samples; });
        if (wrong == session.end()) continue;
        throw inputError(place(list.origin, "sessions", j, static_cast<std::size_t>(wrong - session.begin())) +
                             ": there is no sample " + std::to_string(*wrong) + " among the " + grouped(samples) +
                             " training samples, which are counted from 0.",
                         "The list may belong to another data set, or stream.train_limit leaves samples out.");
    }
}

void checkClasses(const Lists& lists, const char* name, const IndexList& list, std::int64_t classes, bool mayBeLonger) {
    const std::size_t sessions = list.sessions.size();
    if (lists.size() < sessions || (lists.size() > sessions && !mayBeLonger))
        throw inputError(list.origin + ": \"" + name + "\" has " + std::to_string(lists.size()) + " lists for " +
                             std::to_string(sessions) + " sessions.",
                         "Give one list a session, or leave out both lists of classes.");
    for (std::size_t j = 0; j < lists.size(); ++j)
        for (std::size_t i = 0; i < lists[j].size(); ++i)
            if (lists[j][i] < 0 || lists[j][i] >= classes)
                throw inputError(place(list.origin, name, j, i) + ": there is no class " + std::to_string(lists[j][i]) +
                                     " among " + std::to_string(classes) + ", which are counted from 0.",
                                 "The list may belong to another data set.");
}

/// Checks that the file's lists of classes agree with its sessions.
void checkHomes(const StreamPlan& plan, const Lists& counts, const std::string& origin) {
    const char* hint = "Correct disjoint_classes and blurry_classes, or leave out both; they are derived then.";
    const std::vector<ClassHome> homes = classHomes(plan);
    for (std::size_t c = 0; c < homes.size(); ++c)
        for (std::size_t j = 0; j < counts[c].size(); ++j) {
            if (counts[c][j] == 0) continue;
            if (homes[c].session < 0)
                throw inputError(origin + ": class " + std::to_string(c) + " comes in session " +
                                     std::to_string(j + 1) +
                                     ", but is neither in disjoint_classes nor in blurry_classes.",
                                 hint);
            if (!homes[c].blurry && homes[c].session != static_cast<std::int64_t>(j))
                throw inputError(origin + ": class " + std::to_string(c) + " is a disjoint class of session " +
                                     std::to_string(homes[c].session + 1) + ", but comes in session " +
                                     std::to_string(j + 1) + ".",
                                 hint);
        }
}

void deriveClasses(StreamPlan& plan, const Lists& counts) {
    plan.disjoint_classes.assign(plan.sessions.size(), {});
    plan.blurry_classes.assign(plan.sessions.size(), {});
    for (std::size_t c = 0; c < counts.size(); ++c) {
        const List& row = counts[c];
        const auto home = std::max_element(row.begin(), row.end());
        if (*home == 0) continue;
        const bool once = std::count_if(row.begin(), row.end(), [](std::int64_t count) { return count > 0; }) == 1;
        (once ? plan.disjoint_classes : plan.blurry_classes)[static_cast<std::size_t>(home - row.begin())].push_back(
            static_cast<std::int64_t>(c));
    }
}

void compareFingerprint(StreamPlan& plan, const std::string& origin, const char* whose, const std::string& said,
                        const std::string& found, const char* meaning) {
    if (said.empty() || said == found) return;
    plan.notes.push_back(plainSentence(origin + " says that the fingerprint of " + whose + " is " + said.substr(0, 16) +
                                       ", but it is " + found + ": " + meaning));
}

}  // namespace

std::string labelsFingerprint(std::span<const std::int32_t> labels) {
    Sha256 hash;
    hash.add(labels);
    return hash.hex().substr(0, 16);
}

IndexList parseIndexList(std::string_view text, const std::string& origin) {
    const json file = parsedJson(text, origin);
    IndexList list;
    list.origin = origin;
    if (file.is_array()) {
        list.sessions = readLists(file, "sessions", origin);
    } else if (file.is_object() && file.contains("sessions")) {
        list.sessions = readLists(file["sessions"], "sessions", origin);
        for (const auto& [name, lists] :
             {std::pair("disjoint_classes", &list.disjoint_classes), std::pair("blurry_classes", &list.blurry_classes)})
            if (file.contains(name)) *lists = readLists(file[name], name, origin);
        if (list.disjoint_classes.has_value() != list.blurry_classes.has_value())
            throw inputError(origin + " has only one of disjoint_classes and blurry_classes.",
                             "Give both, or leave out both; they are derived then.");
        list.fingerprint = readText(file, "fingerprint", origin);
        list.labels_fingerprint = readText(file, "labels_fingerprint", origin);
    } else {
        throw inputError(origin + " has no list called \"sessions\".", kShape);
    }
    if (list.sessions.size() > kMostListedSessions)
        throw inputError(origin + " has " + std::to_string(list.sessions.size()) + " sessions, more than " +
                             std::to_string(kMostListedSessions) + ".",
                         "Join some of them.");
    if (std::all_of(list.sessions.begin(), list.sessions.end(), [](const List& session) { return session.empty(); }))
        throw inputError(origin + " holds no samples.", kShape);
    return list;
}

IndexList readIndexList(const std::filesystem::path& file) {
    return parseIndexList(readTextFile(file, FilePlace::Named, file_limit::kList), file.string());
}

StreamPlan importStream(IndexList list, std::span<const std::int32_t> labels, const StreamSettings& settings) {
    checkSamples(list, static_cast<std::int64_t>(labels.size()));
    StreamPlan plan;
    plan.settings = settings;
    plan.settings.partition = Partition::Imported;
    plan.settings.sessions = static_cast<std::int64_t>(list.sessions.size());
    plan.settings.disjoint_percent = 0;
    plan.settings.blurry_percent = 0;
    plan.settings.sampler = Sampler::Current;
    if (list.disjoint_classes) {
        checkClasses(*list.disjoint_classes, "disjoint_classes", list, settings.classes, false);
        // A stream of one new class a session has a blurry set for every class.
        checkClasses(*list.blurry_classes, "blurry_classes", list, settings.classes, true);
    }
    plan.sessions = std::move(list.sessions);
    const Lists counts = countSamples(plan, labels);
    if (list.disjoint_classes) {
        plan.disjoint_classes = std::move(*list.disjoint_classes);
        plan.blurry_classes = std::move(*list.blurry_classes);
        checkHomes(plan, counts, list.origin);
    } else {
        deriveClasses(plan, counts);
    }
    for (const ClassHome& home : classHomes(plan))
        if (home.session >= 0) ++(home.blurry ? plan.blurry_count : plan.disjoint_count);
    compareFingerprint(plan, list.origin, "its sessions", list.fingerprint, plan.fingerprint(),
                       "the list was changed after it was written.");
    if (!list.labels_fingerprint.empty())
        compareFingerprint(plan, list.origin, "the labels", list.labels_fingerprint, labelsFingerprint(labels),
                           "the list was made for another data set or another part of it.");
    return plan;
}

}  // namespace palimpsest
