// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/stream_edit.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace {

/// Far beyond any stream, and safe to count with.
constexpr std::int64_t kMostEdits = 1'000'000'000;

std::vector<std::string_view> wordsOf(std::string_view text) {
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t begin = text.find_first_not_of(' ');
        if (begin == std::string_view::npos) return words;
        text.remove_prefix(begin);
        const std::string_view word = text.substr(0, text.find(' '));
        words.push_back(word);
        text.remove_prefix(word.size());
    }
}

std::optional<std::int64_t> number(std::string_view word, std::int64_t least) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < least || value > kMostEdits)
        return std::nullopt;
    return value;
}

/// "class N [from session N] to session N".
std::optional<StreamEdit> parsedEdit(const std::vector<std::string_view>& words) {
    const bool cell = words.size() == 8;
    if (!cell && words.size() != 5) return std::nullopt;
    const std::size_t to = cell ? 5 : 2;
    if (words[0] != "class" || words[to] != "to" || words[to + 1] != "session") return std::nullopt;
    if (cell && (words[2] != "from" || words[3] != "session")) return std::nullopt;
    const auto label = number(words[1], 0), from = cell ? number(words[4], 1) : std::optional<std::int64_t>(0),
               target = number(words[to + 2], 1);
    if (!label || !from || !target) return std::nullopt;
    return StreamEdit{*label, *from - 1, *target - 1};
}

}  // namespace

std::string toText(const StreamEdit& edit) {
    const std::string from =
        edit.from == StreamEdit::kEverySession ? "" : " from session " + std::to_string(edit.from + 1);
    return "class " + std::to_string(edit.label) + from + " to session " + std::to_string(edit.to + 1);
}

std::string toText(const std::vector<StreamEdit>& edits) {
    std::string text;
    for (const StreamEdit& edit : edits) text += (text.empty() ? "" : "; ") + toText(edit);
    return text;
}

std::vector<StreamEdit> editList(const std::string& text) {
    std::vector<StreamEdit> edits;
    for (std::string_view rest = text; wordsOf(rest).size() > 0;) {
        const std::size_t end = rest.find(';');
        const std::string_view one = rest.substr(0, end);
        const std::optional<StreamEdit> edit = parsedEdit(wordsOf(one));
        if (!edit)
            throw inputError("stream.edits has \"" + shortLine(one) + "\", which is no edit.",
                             "Write class 3 to session 2, or class 3 from session 1 to session 2, with semicolons "
                             "between edits.");
        edits.push_back(*edit);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return edits;
}

std::vector<StreamEdit> withEdit(std::vector<StreamEdit> edits, const StreamEdit& edit, std::int64_t drawnSession) {
    if (edit.from == StreamEdit::kEverySession)
        std::erase_if(edits, [&](const StreamEdit& earlier) { return earlier.label == edit.label; });
    const bool home = edit.from == StreamEdit::kEverySession && edit.to == drawnSession;
    if (!home) edits.push_back(edit);
    return edits;
}

}  // namespace palimpsest
