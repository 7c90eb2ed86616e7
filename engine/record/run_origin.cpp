// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_origin.h"

#include <exception>

#include "engine/record/run_processors.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace {

std::vector<std::string> textsIn(const nlohmann::ordered_json& run, const char* key) {
    std::vector<std::string> texts;
    const auto list = run.find(key);
    if (list == run.end() || !list->is_array()) return texts;
    for (const auto& text : *list)
        if (text.is_string()) texts.push_back(plainSentence(text.get<std::string>()));
    return texts;
}

std::string textIn(const nlohmann::ordered_json& run, const char* key) {
    const auto text = run.find(key);
    return text != run.end() && text->is_string() ? plainSentence(text->get<std::string>()) : std::string();
}

}  // namespace

std::string importedFrom(const RunOrigin& origin) {
    const std::string file = origin.source.empty() ? std::string() : origin.source.front();
    return origin.program + (origin.program.empty() || file.empty() ? "" : ", ") + file;
}

RunOrigin readOrigin(const std::string& document) {
    RunOrigin origin;
    Json run;
    try {
        run = parsedJson(document);
    } catch (const std::exception&) {
        return origin;
    }
    if (!run.is_object()) return origin;
    if (const auto versions = run.find("versions"); versions != run.end() && versions->is_object()) {
        for (const auto& [program, version] : versions->items())
            if (version.is_string())
                origin.versions +=
                    (origin.versions.empty() ? "" : ", ") + plainSentence(program + " " + version.get<std::string>());
    }
    origin.warnings = textsIn(run, "warnings");
    origin.source = textsIn(run, "source");
    origin.processors = processorsIn(run);
    origin.program = textIn(run, "program");
    origin.method = textIn(run, "method");
    origin.dataset = textIn(run, "dataset");
    origin.notes = textsIn(run, "notes");
    if (const auto settings = run.find("settings"); settings != run.end() && settings->is_object()) {
        for (const auto& [key, value] : settings->items())
            if (value.is_string())
                origin.settings.emplace_back(plainSentence(key), plainSentence(value.get<std::string>()));
    }
    return origin;
}

}  // namespace palimpsest
