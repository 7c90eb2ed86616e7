// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/goal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <span>
#include <utility>
#include <variant>

#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {

/// What the nodes of a goal are made of.
namespace goal_parts {

enum class Kind { Number, Text, Truth };

/// Nothing: not known yet.
using Value = std::variant<std::monostate, double, std::string, bool>;

enum class Form {
    Constant,
    Quantity,  ///< of one run
    GuessDrawn,
    Setting,    ///< an option of one run
    Retention,  ///< `number`: the session, from 1
    Fall,       ///< likewise
    Statistic,  ///< best, worst, mean or spread of a quantity over runs
    Count,      ///< of runs
    Seeds,      ///< different ones of runs
    Sum,
    Difference,
    Compare,
    Not,
    And,
    Or
};

enum class RunStatistic { Best, Worst, Mean, Spread };
enum class Order { Less, AtMost, More, AtLeast, Equal, Unequal };

static std::optional<double> inPerCent(const std::optional<double>& fraction) {
    return fraction ? std::optional(*fraction * 100) : std::nullopt;
}

struct Quantity {
    const char* word;
    Kind kind;
    Value (*of)(const LessonRun& run);
};

static Value numberOr(const std::optional<double>& number) {
    return number ? Value(*number) : Value();
}

inline constexpr std::array<Quantity, 8> kQuantities{{
    {"accuracy", Kind::Number, [](const LessonRun& run) { return numberOr(inPerCent(run.accuracy)); }},
    {"a_auc", Kind::Number, [](const LessonRun& run) { return numberOr(inPerCent(run.a_auc)); }},
    {"a_last", Kind::Number, [](const LessonRun& run) { return numberOr(inPerCent(run.a_last)); }},
    {"forgetting", Kind::Number, [](const LessonRun& run) { return numberOr(inPerCent(run.forgetting)); }},
    {"samples", Kind::Number, [](const LessonRun& run) { return Value(static_cast<double>(run.samples)); }},
    {"sessions", Kind::Number, [](const LessonRun& run) { return Value(static_cast<double>(run.sessions)); }},
    {"finished", Kind::Truth, [](const LessonRun& run) { return Value(run.finished); }},
    {"guessed", Kind::Truth, [](const LessonRun& run) { return Value(run.guessed); }},
}};

inline constexpr std::array<std::pair<const char*, RunStatistic>, 4> kRunStatistics{{{"best", RunStatistic::Best},
                                                                                     {"worst", RunStatistic::Worst},
                                                                                     {"mean", RunStatistic::Mean},
                                                                                     {"spread", RunStatistic::Spread}}};

static const Quantity* quantityNamed(std::string_view word) {
    const auto found = std::ranges::find(kQuantities, word, &Quantity::word);
    return found == kQuantities.end() ? nullptr : found;
}

}  // namespace goal_parts

struct Goal::Node {
    goal_parts::Form form = goal_parts::Form::Constant;
    goal_parts::Kind kind = goal_parts::Kind::Truth;
    goal_parts::Value value{};  // Constant
    const goal_parts::Quantity* quantity = nullptr;
    std::string key{};  // Setting: for messages
    std::function<OptionValue(const Experiment&)> option{};
    const Option* row = nullptr;  // while it is read
    std::int64_t session = 0;
    goal_parts::RunStatistic statistic = goal_parts::RunStatistic::Best;
    goal_parts::Order order = goal_parts::Order::Equal;
    std::vector<Node> parts{};
};

namespace goal_parts {
namespace {

using Node = Goal::Node;

Kind kindOf(const Option& option) {
    switch (option.type) {
        case OptionType::Boolean:
            return Kind::Truth;
        case OptionType::Integer:
        case OptionType::Real:
            return Kind::Number;
        case OptionType::Text:
        case OptionType::Choice:
            break;
    }
    return Kind::Text;
}

struct Token {
    enum class Type { End, Word, Number, Text, Sign } type = Type::End;
    std::string text{};
    std::size_t at = 0;  ///< its place, from 1
    double number = 0;
};

[[noreturn]] void refuse(const std::string& why, std::size_t at) {
    throw inputError(why + ", at character " + std::to_string(at) + " of the goal.",
                     "The guide's page on lessons shows how goals are written.");
}

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

std::vector<Token> tokensOf(std::string_view text) {
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++i;
            continue;
        }
        Token token{.at = i + 1};
        std::size_t end = i + 1;
        if (isLetter(c)) {
            while (end < text.size() && (isLetter(text[end]) || isDigit(text[end]) || text[end] == '.')) ++end;
            token.type = Token::Type::Word;
            token.text = text.substr(i, end - i);
        } else if (isDigit(c)) {
            while (end < text.size() && (isDigit(text[end]) || text[end] == '.')) ++end;
            token.type = Token::Type::Number;
            token.text = text.substr(i, end - i);
            const auto [stop, fault] = std::from_chars(text.data() + i, text.data() + end, token.number);
            if (fault != std::errc() || stop != text.data() + end) refuse(token.text + " is no number", token.at);
        } else if (c == '"') {
            end = text.find('"', i + 1);
            if (end == std::string_view::npos) refuse("a text in quotes has no end", token.at);
            token.type = Token::Type::Text;
            token.text = text.substr(i + 1, end - i - 1);
            ++end;
        } else {
            token.type = Token::Type::Sign;
            const std::string_view two = text.substr(i, 2);
            const bool wide = two == "<=" || two == ">=" || two == "==" || two == "!=";
            token.text = wide ? two : text.substr(i, 1);
            end = i + token.text.size();
            static constexpr std::string_view kSigns = "<>(),+-";
            if (!wide && kSigns.find(c) == std::string_view::npos)
                refuse(c == '=' ? "= must be written =="
                                : "the character " + plainLine(text.substr(i, 1)) + " means nothing here",
                       token.at);
        }
        tokens.push_back(std::move(token));
        i = end;
    }
    tokens.push_back({.at = text.size() + 1});
    return tokens;
}

class Parser {
public:
    Parser(const OptionTable& table, std::string_view text) : table_(table), tokens_(tokensOf(text)) {}

    Node whole() {
        Node node = anyOf(0);
        if (now().type != Token::Type::End) refuse("\"" + now().text + "\" is not expected", now().at);
        return node;
    }

private:
    const Token& now() const { return tokens_[next_]; }
    bool isSign(std::string_view text) const { return now().type == Token::Type::Sign && now().text == text; }
    bool isWord(std::string_view text) const { return now().type == Token::Type::Word && now().text == text; }
    bool take(bool present) {
        if (present) ++next_;
        return present;
    }
    void need(std::string_view sign) {
        if (!take(isSign(sign))) refuse(std::string(sign) + " is missing", now().at);
    }
    Node counted(Node node, std::size_t at) {
        if (++parts_ > Goal::kMostParts)
            refuse("the goal has more than " + std::to_string(Goal::kMostParts) + " parts", at);
        return node;
    }
    void deeper(int depth) const {
        if (depth >= Goal::kDeepest)
            refuse("brackets are more than " + std::to_string(Goal::kDeepest) + " deep", now().at);
    }

    Node anyOf(int depth) { return joined(depth, "or", Form::Or, &Parser::allOf); }
    Node allOf(int depth) { return joined(depth, "and", Form::And, &Parser::each); }

    Node joined(int depth, std::string_view word, Form form, Node (Parser::*part)(int)) {
        Node first = (this->*part)(depth);
        if (!isWord(word)) return first;
        Node node{.form = form};
        node.parts.push_back(std::move(first));
        while (take(isWord(word))) node.parts.push_back((this->*part)(depth));
        return counted(std::move(node), now().at);
    }

    Node each(int depth) {
        const std::size_t at = now().at;
        if (take(isWord("not"))) {
            deeper(depth);
            Node node{.form = Form::Not};
            node.parts.push_back(each(depth + 1));
            return counted(std::move(node), at);
        }
        if (take(isSign("("))) {
            deeper(depth);
            Node node = anyOf(depth + 1);
            need(")");
            return node;
        }
        return comparison(depth);
    }

    Node comparison(int depth) {
        const std::size_t at = now().at;
        Node left = sum(depth);
        static constexpr std::array<std::pair<const char*, Order>, 6> kOrders{{{"<", Order::Less},
                                                                               {"<=", Order::AtMost},
                                                                               {">", Order::More},
                                                                               {">=", Order::AtLeast},
                                                                               {"==", Order::Equal},
                                                                               {"!=", Order::Unequal}}};
        const auto found = now().type == Token::Type::Sign
                               ? std::ranges::find(kOrders, now().text, [](const auto& each) { return each.first; })
                               : kOrders.end();
        if (found == kOrders.end()) {
            if (left.kind != Kind::Truth) refuse("this is to be compared with something, such as > 50", now().at);
            return left;
        }
        ++next_;
        Node right = sum(depth);
        if (left.kind != right.kind)
            refuse(std::string(kindWords(left.kind)) + " cannot be compared with " + kindWords(right.kind), at);
        if (left.kind != Kind::Number && found->second != Order::Equal && found->second != Order::Unequal)
            refuse(std::string(kindWords(left.kind)) + " can only be compared by == and !=", at);
        requireChoice(left, right, at);
        requireChoice(right, left, at);
        Node node{.form = Form::Compare, .order = found->second};
        node.parts.push_back(std::move(left));
        node.parts.push_back(std::move(right));
        return counted(std::move(node), at);
    }

    static const char* kindWords(Kind kind) {
        switch (kind) {
            case Kind::Number:
                return "a number";
            case Kind::Text:
                return "a text";
            case Kind::Truth:
                break;
        }
        return "true or false";
    }

    /// A word that the option can never have makes a goal that nobody reaches.
    static void requireChoice(const Node& option, const Node& constant, std::size_t at) {
        if (!option.row || option.row->choices.empty() || constant.form != Form::Constant) return;
        const auto* word = std::get_if<std::string>(&constant.value);
        if (!word || std::ranges::any_of(option.row->choices, [&](const Choice& c) { return c.value == *word; }))
            return;
        std::vector<std::string> words;
        for (const Choice& choice : option.row->choices) words.push_back(choice.value);
        const std::string near = nearestWord(*word, words);
        refuse(
            option.key + " is never \"" + shortLine(*word) + "\"" +
                (near.empty() ? "; it is one of " + enumeration(words, " or ") : " (did you mean \"" + near + "\"?)"),
            at);
    }

    Node sum(int depth) {
        Node left = value(depth);
        while (isSign("+") || isSign("-")) {
            const std::size_t at = now().at;
            Node node{.form = isSign("+") ? Form::Sum : Form::Difference, .kind = Kind::Number};
            ++next_;
            Node right = value(depth);
            if (left.kind != Kind::Number || right.kind != Kind::Number)
                refuse("only numbers can be added and subtracted", at);
            node.parts.push_back(std::move(left));
            node.parts.push_back(std::move(right));
            left = counted(std::move(node), at);
        }
        return left;
    }

    Node value(int depth) {
        const Token token = now();
        if (token.type == Token::Type::End) refuse("the goal ends too early", token.at);
        ++next_;
        if (token.type == Token::Type::Number) return counted({.kind = Kind::Number, .value = token.number}, token.at);
        if (token.type == Token::Type::Text) return counted({.kind = Kind::Text, .value = token.text}, token.at);
        if (token.type == Token::Type::Sign) {
            if (token.text == "-" && now().type == Token::Type::Number) {
                const double number = now().number;
                ++next_;
                return counted({.kind = Kind::Number, .value = -number}, token.at);
            }
            refuse("\"" + token.text + "\" is not expected", token.at);
        }
        return counted(named(token, depth), token.at);
    }

    Node named(const Token& token, int depth) {
        const std::string& word = token.text;
        if (word == "true" || word == "false") return {.kind = Kind::Truth, .value = word == "true"};
        if (word == "guess_drawn") return {.form = Form::GuessDrawn};
        if (word == "retention" || word == "fall") return ofSession(word);
        if (word == "runs" || word == "seeds") {
            requireOutermost(token);
            need("(");
            Node node{.form = word == "runs" ? Form::Count : Form::Seeds, .kind = Kind::Number};
            if (!isSign(")")) node.parts.push_back(inside(depth));
            need(")");
            return node;
        }
        if (const auto found = std::ranges::find(kRunStatistics, word, [](const auto& each) { return each.first; });
            found != kRunStatistics.end()) {
            requireOutermost(token);
            need("(");
            Node node{.form = Form::Statistic, .kind = Kind::Number, .statistic = found->second};
            inside_ = true;
            const std::size_t at = now().at;
            node.parts.push_back(sum(depth));
            inside_ = false;
            if (node.parts[0].kind != Kind::Number) refuse(word + "() takes a number of each run", at);
            if (take(isSign(","))) node.parts.push_back(inside(depth));
            need(")");
            return node;
        }
        if (const Quantity* quantity = quantityNamed(word))
            return {.form = Form::Quantity, .kind = quantity->kind, .quantity = quantity};
        if (const Option* option = table_.find(word))
            return {.form = Form::Setting,
                    .kind = kindOf(*option),
                    .key = option->key,
                    .option = option->get,
                    .row = option};
        const std::string near = nearest(word);
        refuse("there is no quantity or option \"" + shortLine(word) + "\"" +
                   (near.empty() ? "" : " (did you mean " + near + "?)"),
               token.at);
    }

    std::string nearest(const std::string& word) const {
        std::vector<std::string> known = goalWords();
        const std::string near = nearestWord(word, known);
        return near.empty() ? table_.nearest(word) : near;
    }

    Node ofSession(const std::string& word) {
        need("(");
        const Token token = now();
        const bool whole = token.type == Token::Type::Number && token.number == std::floor(token.number);
        if (!whole || token.number < 1 || token.number > 1000)
            refuse(word + "() takes the number of a session, from 1", token.at);
        ++next_;
        need(")");
        return {.form = word == "fall" ? Form::Fall : Form::Retention,
                .kind = Kind::Number,
                .session = static_cast<std::int64_t>(token.number)};
    }

    /// Each looks at every run, so one within another would take too long for many runs, and mean nothing.
    void requireOutermost(const Token& token) const {
        if (inside_) refuse(token.text + "() cannot stand within another such word", token.at);
    }
    Node inside(int depth) {
        deeper(depth);
        inside_ = true;
        Node node = anyOf(depth + 1);
        inside_ = false;
        return node;
    }

    const OptionTable& table_;
    const std::vector<Token> tokens_;
    std::size_t next_ = 0, parts_ = 0;
    bool inside_ = false;
};

Value optionOf(const OptionValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::get<std::string>(value);
}

/// Values of a goal's parts, for one run or, with null, for none.
class Judge {
public:
    explicit Judge(const LessonFacts& facts) : facts_(facts) {}

    Value valueOf(const Node& node, const LessonRun* run) const {
        switch (node.form) {
            case Form::Constant:
                return node.value;
            case Form::Quantity:
                return run ? node.quantity->of(*run) : Value();
            case Form::GuessDrawn:
                return facts_.guess_drawn;
            case Form::Setting:
                return run ? optionOf(node.option(run->experiment)) : Value();
            case Form::Retention:
            case Form::Fall:
                return run ? ofSession(node, *run) : Value();
            case Form::Statistic:
                return statisticOf(node);
            case Form::Count:
                return static_cast<double>(chosen(node, 0).size());
            case Form::Seeds: {
                std::set<std::int64_t> seeds;
                for (const LessonRun* each : chosen(node, 0)) seeds.insert(each->experiment.seed);
                return static_cast<double>(seeds.size());
            }
            case Form::Sum:
            case Form::Difference: {
                const Value left = valueOf(node.parts[0], run), right = valueOf(node.parts[1], run);
                const auto *a = std::get_if<double>(&left), *b = std::get_if<double>(&right);
                if (!a || !b) return {};
                return node.form == Form::Sum ? *a + *b : *a - *b;
            }
            case Form::Compare:
                return compared(node, run);
            case Form::Not: {
                const Value value = valueOf(node.parts[0], run);
                const auto* truth = std::get_if<bool>(&value);
                return truth ? Value(!*truth) : Value();
            }
            case Form::And:
                return joined(node, run, false);
            case Form::Or:
                return joined(node, run, true);
        }
        return {};
    }

    bool isTrue(const Node& node, const LessonRun* run) const {
        const Value value = valueOf(node, run);
        const auto* truth = std::get_if<bool>(&value);
        return truth && *truth;
    }

private:
    static Value ofSession(const Node& node, const LessonRun& run) {
        const auto place = static_cast<std::size_t>(node.session - 1);
        if (place >= run.retention.size()) return {};
        const LessonSession& session = run.retention[place];
        if (!session.now || !session.best) return {};
        return (node.form == Form::Retention ? *session.now : *session.best - *session.now) * 100;
    }

    /// Runs for which the condition at this place of the parts holds; all where there is none.
    std::vector<const LessonRun*> chosen(const Node& node, std::size_t place) const {
        std::vector<const LessonRun*> runs;
        for (const LessonRun& run : facts_.runs)
            if (node.parts.size() <= place || isTrue(node.parts[place], &run)) runs.push_back(&run);
        return runs;
    }

    Value statisticOf(const Node& node) const {
        double least = 0, most = 0, sum = 0;
        std::size_t count = 0;
        for (const LessonRun* run : chosen(node, 1)) {
            const Value value = valueOf(node.parts[0], run);
            const auto* number = std::get_if<double>(&value);
            if (!number) continue;
            least = count == 0 ? *number : std::min(least, *number);
            most = count == 0 ? *number : std::max(most, *number);
            sum += *number;
            ++count;
        }
        if (count == 0) return {};
        switch (node.statistic) {
            case RunStatistic::Best:
                return most;
            case RunStatistic::Worst:
                return least;
            case RunStatistic::Mean:
                return sum / static_cast<double>(count);
            case RunStatistic::Spread:
                break;
        }
        // A single run has none.
        return count > 1 ? Value(most - least) : Value();
    }

    Value compared(const Node& node, const LessonRun* run) const {
        const Value left = valueOf(node.parts[0], run), right = valueOf(node.parts[1], run);
        if (left.index() == 0 || right.index() == 0 || left.index() != right.index()) return {};
        switch (node.order) {
            case Order::Less:
                return left < right;
            case Order::AtMost:
                return left <= right;
            case Order::More:
                return left > right;
            case Order::AtLeast:
                return left >= right;
            case Order::Equal:
                return left == right;
            case Order::Unequal:
                break;
        }
        return left != right;
    }

    /// `deciding`: the truth of a part that settles the whole.
    Value joined(const Node& node, const LessonRun* run, bool deciding) const {
        bool known = true;
        for (const Node& part : node.parts) {
            const Value value = valueOf(part, run);
            const auto* truth = std::get_if<bool>(&value);
            if (!truth)
                known = false;
            else if (*truth == deciding)
                return deciding;
        }
        return known ? Value(!deciding) : Value();
    }

    const LessonFacts& facts_;
};

}  // namespace
}  // namespace goal_parts

Goal Goal::parse(const OptionTable& table, std::string_view text) {
    using goal_parts::refuse;
    if (text.size() > kLongest) refuse("the goal is longer than " + std::to_string(kLongest) + " characters", kLongest);
    Goal goal;
    // A goal may be written in several lines, and is shown in one.
    goal.text_ = text;
    std::ranges::replace_if(
        goal.text_, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    if (!isPlainLine(goal.text_)) {
        // The first byte that a question mark would take the place of.
        const std::string plain = plainLine(goal.text_);
        const auto [byte, other] = std::ranges::mismatch(goal.text_, plain);
        refuse("the goal holds characters that cannot be shown",
               static_cast<std::size_t>(byte - goal.text_.begin()) + 1);
    }
    // What the window shows as Markdown.
    for (const std::string_view mark : {"`", "!["})
        if (const std::size_t at = goal.text_.find(mark); at != std::string::npos)
            refuse("a goal may hold neither ` nor ![", at + 1);
    goal.root_ = std::make_shared<const Node>(goal_parts::Parser(table, goal.text_).whole());
    return goal;
}

bool Goal::met(const LessonFacts& facts) const {
    if (!root_) return false;
    const goal_parts::Judge judge(facts);
    return judge.isTrue(*root_, nullptr) ||
           std::ranges::any_of(facts.runs, [&](const LessonRun& run) { return judge.isTrue(*root_, &run); });
}

const std::vector<std::string>& goalWords() {
    static const std::vector<std::string> kWords = [] {
        std::vector<std::string> words = {"retention", "fall", "runs", "seeds", "guess_drawn"};
        for (const goal_parts::Quantity& quantity : goal_parts::kQuantities) words.emplace_back(quantity.word);
        for (const auto& [word, statistic] : goal_parts::kRunStatistics) words.emplace_back(word);
        return words;
    }();
    return kWords;
}

}  // namespace palimpsest
