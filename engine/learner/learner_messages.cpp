// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learner/learner_messages.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

/// Bytes of an error of its own that are shown.
constexpr std::size_t kShownError = 500;

constexpr const char* kProtocolHint = "The guide's page on the learner protocol says what it must answer.";

Error badAnswer(const std::string& who, const std::string& what) {
    return inputError(who + " " + what + ".", kProtocolHint);
}

/// A short plain line of an object; absent where the object has none.
std::optional<std::string> lineOf(const Json& object, const char* key, std::size_t most, const std::string& who) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return std::nullopt;
    if (!found->is_string()) throw badAnswer(who, std::string("gives \"") + key + "\" as something else than text");
    std::string line = found->get<std::string>();
    if (line.size() > most || !isPlainLine(line))
        throw badAnswer(
            who, std::string("gives \"") + key + "\" as more than a plain line of " + std::to_string(most) + " bytes");
    return line;
}

/// The number outside the range of double that a line of JSON has, such as 1e999; empty where it is no other fault.
std::string overflowingNumber(std::string_view line) {
    if (jsonExtent(line).too_deep) return {};
    try {
        [[maybe_unused]] const nlohmann::json parsed = nlohmann::json::parse(line);
    } catch (const nlohmann::json::out_of_range& fault) {
        // "... number overflow parsing '1e999'": the digits stand in the only quotes.
        const std::string_view words = fault.what();
        const std::size_t begin = words.find('\''), end = words.rfind('\'');
        return begin < end ? shortLine(words.substr(begin + 1, end - begin - 1)) : std::string("a number in it");
    } catch (const nlohmann::json::exception&) {
        // Something else is wrong with it.
    }
    return {};
}

bool isKey(const std::string& key) {
    return !key.empty() && key.size() <= learner_limit::kWord && std::ranges::all_of(key, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
               c == '-';
    });
}

std::optional<OptionType> typeOf(const std::string& word) {
    if (word == "boolean") return OptionType::Boolean;
    if (word == "integer") return OptionType::Integer;
    if (word == "real") return OptionType::Real;
    if (word == "text") return OptionType::Text;
    if (word == "choice") return OptionType::Choice;
    return std::nullopt;
}

/// The value of a JSON scalar as the option's type has it; absent where it has another one, or lies out of range.
std::optional<OptionValue> valueOf(const Option& option, const Json& value) {
    switch (option.type) {
        case OptionType::Boolean:
            if (value.is_boolean()) return value.get<bool>();
            break;
        case OptionType::Integer:
            if (value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() >> 53U)) {
                const auto number = value.get<std::int64_t>();
                if (static_cast<double>(number) >= option.minimum && static_cast<double>(number) <= option.maximum)
                    return number;
            }
            break;
        case OptionType::Real:
            if (value.is_number()) {
                const auto number = value.get<double>();
                if (std::isfinite(number) && number >= option.minimum && number <= option.maximum) return number;
            }
            break;
        case OptionType::Text:
        case OptionType::Choice:
            if (value.is_string()) {
                std::string text = value.get<std::string>();
                const bool known =
                    option.type == OptionType::Text ||
                    std::ranges::any_of(option.choices, [&](const Choice& c) { return c.value == text; });
                if (known && text.size() <= learner_limit::kHelp && isPlainLine(text)) return text;
            }
            break;
    }
    return std::nullopt;
}

/// Whole numbers of an option lie within what a double has exactly.
constexpr double kLargestWhole = 9007199254740992.0;

/// allowedText() without bounds that are those of the number's type.
std::string allowedWords(const Option& option) {
    if (option.type == OptionType::Integer && option.minimum == -kLargestWhole && option.maximum == kLargestWhole)
        return "a whole number";
    if (option.type == OptionType::Real && option.maximum == std::numeric_limits<double>::max() &&
        option.minimum == -option.maximum)
        return "a number";
    return allowedText(option);
}

double boundOf(const Json& row, const char* key, const Option& option, double usual, const std::string& who) {
    const auto found = row.find(key);
    if (found == row.end() || found->is_null()) return usual;
    const double bound = found->is_number() ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!std::isfinite(bound) || (option.type == OptionType::Integer && std::abs(bound) > kLargestWhole))
        throw badAnswer(who, "describes the option " + option.key + ", whose " + key + " is no number");
    return bound;
}

std::vector<Choice> choicesOf(const Json& row, const Option& option, const std::string& who) {
    const auto found = row.find("choices");
    if (found == row.end() || !found->is_array() || found->empty() || found->size() > learner_limit::kChoices)
        throw badAnswer(who, "describes the choice " + option.key + " without a list of 1 to " +
                                 std::to_string(learner_limit::kChoices) + " choices");
    std::vector<Choice> choices;
    for (const Json& each : *found) {
        const std::string word = each.is_string() ? each.get<std::string>() : "";
        // Settings know no way to write a double quote.
        if (word.empty() || word.size() > learner_limit::kWord || !isPlainLine(word) ||
            word.find('"') != std::string::npos)
            throw badAnswer(who, "describes the choice " + option.key +
                                     " with something that is no short word without double quotes");
        choices.push_back({word, word, ""});
    }
    return choices;
}

Option optionOf(const Json& row, const std::string& who) {
    if (!row.is_object()) throw badAnswer(who, "describes an option by something else than an object");
    Option option;
    option.key = lineOf(row, "key", learner_limit::kWord, who).value_or("");
    if (!isKey(option.key))
        throw badAnswer(who, "describes an option without a key of letters, digits, full stops, _ and -");
    option.title = lineOf(row, "title", learner_limit::kWord, who).value_or(option.key);
    option.help = lineOf(row, "help", learner_limit::kHelp, who).value_or("");
    option.unit = lineOf(row, "unit", learner_limit::kWord, who).value_or("");
    const auto type = typeOf(lineOf(row, "type", learner_limit::kWord, who).value_or(""));
    if (!type)
        throw badAnswer(who, "describes the option " + option.key +
                                 ", whose type is none of boolean, integer, real, text and choice");
    option.type = *type;
    const bool whole = option.type == OptionType::Integer;
    const double usual = whole ? kLargestWhole : std::numeric_limits<double>::max();
    option.minimum = boundOf(row, "minimum", option, -usual, who);
    option.maximum = boundOf(row, "maximum", option, usual, who);
    if (option.type == OptionType::Choice) option.choices = choicesOf(row, option, who);
    const auto standard = row.find("default");
    const auto value = standard == row.end() ? std::nullopt : valueOf(option, *standard);
    if (!value)
        throw badAnswer(
            who, "describes the option " + option.key + ", whose default is missing or not " + allowedWords(option));
    option.standard = *value;
    return option;
}

bool holds(const Json& list, std::string_view word) {
    return std::ranges::any_of(list, [&](const Json& each) { return each.is_string() && each == word; });
}

bool isSettingBlank(char c) {
    return c == ' ' || c == '\t';
}

/// A name or a value: blanks around it are none of it, except those that stand in quotes.
class SettingText {
public:
    void add(char c, bool quoted) {
        if (!quoted && isSettingBlank(c)) {
            if (!text_.empty() || quoted_) text_ += c;
            return;
        }
        text_ += c;
        quoted_ = quoted_ || quoted;
        end_ = text_.size();
    }
    std::string trimmed() const { return text_.substr(0, end_); }

private:
    std::string text_;
    std::size_t end_ = 0;  ///< behind the last byte that counts
    bool quoted_ = false;
};

/// The JSON scalar that a text stands for, as the option's type has it.
Json scalarOf(const Option& option, const std::string& text) {
    const auto number = [&]<class Number>(Number value) -> Json {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size() ? Json(value) : Json(nullptr);
    };
    switch (option.type) {
        case OptionType::Boolean:
            return text == "true" ? Json(true) : text == "false" ? Json(false) : Json(nullptr);
        case OptionType::Integer:
            return number(std::int64_t{0});
        case OptionType::Real:
            return number(0.0);
        case OptionType::Text:
        case OptionType::Choice:
            break;
    }
    return text;
}

Json jsonOf(const OptionValue& value) {
    return std::visit([](const auto& v) { return Json(v); }, value);
}

}  // namespace

const Option* LearnerHello::find(std::string_view key) const {
    const auto found = std::ranges::find(options, key, &Option::key);
    return found == options.end() ? nullptr : &*found;
}

Json learnerAnswer(std::string_view line, const std::string& who) {
    const auto quoted = [&] { return "\"" + shortLine(line) + "\""; };
    Json answer = parsedJson(line);
    if (!answer.is_object()) {
        std::string number = overflowingNumber(line);
        // Python writes these words where JSON has none.
        for (const std::string_view word : {"NaN", "Infinity"})
            if (number.empty() && line.find(word) != std::string_view::npos) number = word;
        if (line.starts_with('{') && !number.empty())
            throw inputError(who + " answers " + quoted() + ", and " + number + " is no finite number.",
                             "Let it answer finite numbers, and look why it got one that is not.");
        throw inputError(who + " answers " + quoted() + ", which is no JSON object.",
                         "Its standard output is for answers alone; let it print everything else to standard error.");
    }
    if (const auto error = answer.find("error"); error != answer.end())
        throw runError(
            who + " gives up: " +
                (error->is_string() ? "\"" + plainSentence(error->get<std::string>().substr(0, kShownError)) + "\""
                                    : "it does not say why") +
                ".",
            "The words are its own.");
    return answer;
}

LearnerHello learnerHello(const Json& answer, const std::string& who) {
    const auto protocol = answer.find("protocol");
    if (protocol == answer.end() || !protocol->is_number_integer())
        throw badAnswer(who, "does not say which protocol it speaks");
    if (*protocol != kLearnerProtocol)
        throw inputError(who + " speaks version " + shortLine(protocol->dump()) +
                             " of the learner protocol, and this program version " + std::to_string(kLearnerProtocol) +
                             ".",
                         "Use a learner and a program that speak the same version.");
    LearnerHello hello;
    hello.name = lineOf(answer, "name", learner_limit::kWord, who).value_or("");
    if (hello.name.empty()) throw badAnswer(who, "does not say its name");
    hello.version = lineOf(answer, "version", learner_limit::kWord, who).value_or("");
    const auto list = [&](const char* key, std::size_t most) {
        const auto found = answer.find(key);
        if (found == answer.end() || found->is_null()) return Json(Json::array());
        if (!found->is_array() || found->size() > most)
            throw badAnswer(who, std::string("gives \"") + key + "\" as something else than a list of at most " +
                                     std::to_string(most));
        return *found;
    };
    const Json takes = list("takes", 2), needs = list("needs", 1);
    hello.takes_images = holds(takes, "images");
    hello.takes_features = holds(takes, "features");
    if (static_cast<std::size_t>(hello.takes_images) + static_cast<std::size_t>(hello.takes_features) != takes.size() ||
        takes.empty())
        throw badAnswer(who, "must say in \"takes\" whether it learns from images, features or both");
    hello.needs_sessions = holds(needs, "sessions");
    if (!needs.empty() && !hello.needs_sessions)
        throw badAnswer(who, "asks in \"needs\" for something else than sessions");
    std::set<std::string> keys;
    for (const Json& row : list("options", learner_limit::kOptions)) {
        hello.options.push_back(optionOf(row, who));
        if (!keys.insert(hello.options.back().key).second)
            throw badAnswer(who, "describes the option " + hello.options.back().key + " twice");
    }
    return hello;
}

LearnerObserved learnerObserved(const Json& answer, const std::string& who) {
    const auto number = [&](const char* key) {
        const auto found = answer.find(key);
        const bool finite = found != answer.end() && found->is_number() && std::isfinite(found->get<double>());
        if (!finite) throw badAnswer(who, std::string("has learned a batch, but gives no finite number as ") + key);
        return found->get<double>();
    };
    const LearnerObserved observed{number("loss"), number("accuracy")};
    if (observed.accuracy < 0 || observed.accuracy > 1)
        throw badAnswer(who, "gives the accuracy " + shortestText(observed.accuracy) + ", which is not from 0 to 1");
    return observed;
}

LogitsPlace logitsPlace(std::string_view begin, std::uint64_t size, std::int64_t images, std::int64_t classes,
                        const std::string& who) {
    const auto bad = [&](const std::string& what) { return badAnswer(who, "answers with a file of logits " + what); };
    if (begin.size() < 8 || size < begin.size()) throw bad("that is no whole .safetensors file");
    std::uint64_t header = 0;
    for (int i = 7; i >= 0; --i) header = header << 8U | static_cast<unsigned char>(begin[static_cast<std::size_t>(i)]);
    if (header > learner_limit::kHeader || header > begin.size() - 8) throw bad("that is no whole .safetensors file");
    const Json parsed = parsedJson(begin.substr(8, header));
    const auto logits = parsed.is_object() ? parsed.find("logits") : parsed.end();
    if (!parsed.is_object() || logits == parsed.end() || !logits->is_object())
        throw bad("that holds no tensor of that name");
    for (const auto& [name, value] : parsed.items())
        if (name != "logits" && name != "__metadata__") throw bad("that holds other tensors, too");
    const std::string shape = "[" + std::to_string(images) + ", " + std::to_string(classes) + "]";
    const auto type = logits->find("dtype"), sizes = logits->find("shape"), offsets = logits->find("data_offsets");
    if (type == logits->end() || *type != "F32") throw bad("that are not float32 (F32)");
    if (sizes == logits->end() || *sizes != Json::array({images, classes}))
        throw bad("of the shape " + (sizes == logits->end() ? "none" : shortLine(sizes->dump())) + ", and not " +
                  shape);
    const auto bytes = static_cast<std::uint64_t>(images) * static_cast<std::uint64_t>(classes) * sizeof(float);
    if (offsets == logits->end() || *offsets != Json::array({std::uint64_t{0}, bytes}) || size - 8 - header != bytes)
        throw bad("that is longer or shorter than " + shape + " takes");
    return {8 + header};
}

std::string learnerSettingsText(std::span<const std::pair<std::string, std::string>> settings) {
    std::string text;
    for (const auto& [key, value] : settings) {
        if (value.find('"') != std::string::npos || !isPlainLine(value) || !isPlainLine(key))
            throw inputError("The value of " + shortLine(key) + " is \"" + shortLine(value) +
                                 "\", which has a double quote or more than one line.",
                             "Write it without.");
        const auto quoted = [](const std::string& word) {
            const bool blanks = !word.empty() && (isSettingBlank(word.front()) || isSettingBlank(word.back()));
            return blanks || word.find(',') != std::string::npos ? "\"" + word + "\"" : word;
        };
        text += (text.empty() ? "" : ", ") + quoted(key) + "=" + quoted(value);
    }
    return text;
}

std::optional<OptionValue> learnerValue(const Option& option, const std::string& text) {
    return valueOf(option, scalarOf(option, text));
}

std::string learnerAllowedText(const Option& option) {
    return allowedWords(option);
}

std::vector<std::pair<std::string, std::string>> learnerSettings(const std::string& key, std::string_view text) {
    std::vector<std::pair<std::string, std::string>> settings;
    std::set<std::string> known;
    std::size_t at = 0;
    const auto refused = [&](const std::string& why) {
        return inputError(key + " is \"" + shortLine(text) + "\", " + why + ".",
                          "Write KEY=VALUE, and commas between several; a value with a comma stands in double quotes.");
    };
    while (at < text.size()) {
        SettingText name, value;
        bool quoted = false, named = false;
        for (; at < text.size() && (quoted || text[at] != ','); ++at) {
            if (text[at] == '"')
                quoted = !quoted;
            else if (text[at] == '=' && !named)
                named = true;
            else
                (named ? value : name).add(text[at], quoted);
        }
        if (quoted) throw refused("where a double quote is never closed");
        ++at;
        if (name.trimmed().empty() && !named && settings.empty() && at >= text.size()) break;
        if (!named || name.trimmed().empty())
            throw refused("where \"" + shortLine(name.trimmed()) + "\" is no setting");
        if (!known.insert(name.trimmed()).second) throw refused("which sets " + shortLine(name.trimmed()) + " twice");
        settings.emplace_back(name.trimmed(), value.trimmed());
    }
    return settings;
}

Json learnerOptionValues(const LearnerHello& hello, std::span<const std::pair<std::string, std::string>> settings) {
    Json values = Json::object();
    for (const Option& option : hello.options) values[option.key] = jsonOf(option.standard);
    std::vector<std::string> keys;
    for (const Option& option : hello.options) keys.push_back(option.key);
    for (const auto& [key, text] : settings) {
        const Option* const option = hello.find(key);
        if (!option) {
            const std::string near = nearestWord(key, keys);
            throw inputError("The learner " + hello.name + " has no option " + shortLine(key) + ".",
                             !near.empty()  ? "Did you mean " + near + "?"
                             : keys.empty() ? "It has none at all."
                                            : "It has " + enumeration(keys) + ".");
        }
        const auto value = learnerValue(*option, text);
        if (!value)
            throw inputError("The option " + key + " of the learner " + hello.name + " is \"" + shortLine(text) +
                             "\", but must be " + allowedWords(*option) + ".");
        values[key] = jsonOf(*value);
    }
    return values;
}

}  // namespace palimpsest
