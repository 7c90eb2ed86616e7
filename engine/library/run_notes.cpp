// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/run_notes.h"

#include <algorithm>

#include "engine/record/run_documents.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kLargestNotes = 1 << 20;

bool isColour(const std::string& text) {
    return text.size() == 7 && text[0] == '#' &&
           text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

/// Null: not to be understood.
Json jsonIn(const fs::path& file) {
    // Most runs have none.
    if (!isPlainFile(file)) return nullptr;
    try {
        Json json = parsedJson(readTextFile(file, FilePlace::InFolder, kLargestNotes));
        return json.is_object() ? json : Json(nullptr);
    } catch (const Error&) {
        return nullptr;
    }
}

bool flagAt(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_boolean() && found->get<bool>();
}

std::string textAt(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::vector<std::string> tagsIn(std::string_view text) {
    std::vector<std::string> tags;
    constexpr std::string_view kBetween = " ,;\t\n\r";
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(kBetween), text.size()));
        if (text.empty()) return tags;
        const std::size_t end = std::min(text.find_first_of(kBetween), text.size());
        const std::string tag = plainLine(text.substr(0, end));
        if (std::find(tags.begin(), tags.end(), tag) == tags.end()) tags.push_back(tag);
        text.remove_prefix(end);
    }
}

std::string tagsText(const std::vector<std::string>& tags) {
    std::string text;
    for (const std::string& tag : tags) text += (text.empty() ? "" : " ") + tag;
    return text;
}

std::string plainNote(std::string_view text) {
    std::string note;
    while (true) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        note += plainSentence(text.substr(0, end));
        if (end == text.size()) return note;
        note += '\n';
        text.remove_prefix(end + 1);
    }
}

RunNotes readNotes(const fs::path& run) {
    RunNotes notes;
    const Json json = jsonIn(run / "library.json");
    if (json.is_null()) return notes;
    if (const auto tags = json.find("tags"); tags != json.end() && tags->is_array()) {
        std::string all;
        for (const Json& tag : *tags)
            if (tag.is_string()) all += tag.get<std::string>() + " ";
        notes.tags = tagsIn(all);
    }
    notes.note = plainNote(textAt(json, "note"));
    if (const std::string colour = textAt(json, "colour"); isColour(colour)) notes.colour = colour;
    notes.hidden = flagAt(json, "hidden");
    notes.left_alone = flagAt(json, "left_alone");
    return notes;
}

void writeNotes(const fs::path& run, const RunNotes& notes) {
    std::error_code error;
    if (!fs::exists(run / "run.json", error))
        throw inputError("The run folder " + run.string() + " is gone.", "It may have been moved or deleted.");
    const fs::path file = run / "library.json";
    // Entries that a later version added are kept.
    Json json = jsonIn(file);
    if (json.is_null()) {
        if (fs::exists(fs::symlink_status(file, error))) fs::rename(file, run / "library.json.damaged", error);
        json = Json::object();
    }
    json["tags"] = notes.tags;
    json["note"] = notes.note;
    json["colour"] = notes.colour;
    json["hidden"] = notes.hidden;
    if (notes.left_alone || json.contains("left_alone")) json["left_alone"] = notes.left_alone;
    try {
        replaceTextFile(file, documentText(json), Keep::OnDiskWithName, FilePlace::InFolder);
    } catch (const Error& failure) {
        throw inputError(std::string("What you said of this run is not kept: ") + failure.what(),
                         "Make its folder writable, or copy it to one that is.");
    }
}

}  // namespace palimpsest
