// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify/label_rule.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <regex>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kMostLabels = 100'000'000;
constexpr int kDeepest = 100;

/// Parser by recursive descent over sum -> product -> value.
class Formula {
public:
    Formula(std::string_view text, std::string_view variable, std::int64_t value)
        : text_(text), variable_(variable), value_(value) {}

    std::int64_t result() {
        const std::int64_t value = sum();
        if (peek() != '\0') refuse();
        return value;
    }

private:
    [[noreturn]] void refuse() const {
        throw inputError("The formula \"" + std::string(text_) + "\" is not understood.",
                         "Use whole numbers, " + std::string(variable_) + ", + - * / % and brackets.");
    }
    char peek() {
        while (place_ < text_.size() && text_[place_] == ' ') ++place_;
        return place_ < text_.size() ? text_[place_] : '\0';
    }
    bool skip(char wanted) {
        if (peek() != wanted) return false;
        ++place_;
        return true;
    }
    std::int64_t floorDivide(std::int64_t a, std::int64_t b) const {
        if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) refuse();
        return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
    }
    std::int64_t sum() {
        std::int64_t value = product();
        for (;;) {
            bool tooLarge = false;
            if (skip('+'))
                tooLarge = __builtin_add_overflow(value, product(), &value);
            else if (skip('-'))
                tooLarge = __builtin_sub_overflow(value, product(), &value);
            else
                return value;
            if (tooLarge) refuse();
        }
    }
    std::int64_t product() {
        std::int64_t value = factor();
        for (;;) {
            if (skip('*')) {
                if (__builtin_mul_overflow(value, factor(), &value)) refuse();
            } else if (skip('/')) {
                skip('/');
                value = floorDivide(value, factor());
            } else if (skip('%')) {
                const std::int64_t divisor = factor();
                floorDivide(value, divisor);  // throws if there is no remainder
                value %= divisor;
                if (value != 0 && (value < 0) != (divisor < 0)) value += divisor;
            } else {
                return value;
            }
        }
    }
    std::int64_t factor() {
        if (++depth_ > kDeepest) refuse();
        const std::int64_t value = unit();
        --depth_;
        return value;
    }
    std::int64_t unit() {
        if (skip('-')) {
            std::int64_t value = factor();
            if (__builtin_sub_overflow(std::int64_t{0}, value, &value)) refuse();
            return value;
        }
        if (skip('(')) {
            const std::int64_t value = sum();
            if (!skip(')')) refuse();
            return value;
        }
        peek();
        if (!variable_.empty() && text_.substr(place_, variable_.size()) == variable_) {
            place_ += variable_.size();
            return value_;
        }
        std::int64_t number = 0;
        const std::size_t begin = place_;
        while (place_ < text_.size() && place_ < begin + 12 && std::isdigit(static_cast<unsigned char>(text_[place_])))
            number = 10 * number + (text_[place_++] - '0');
        if (place_ == begin) refuse();
        return number;
    }

    std::string_view text_;
    std::string_view variable_;
    std::int64_t value_;
    std::size_t place_ = 0;
    int depth_ = 0;
};

std::int64_t wholeNumber(const std::string& digits) {
    if (digits.size() > 9) throw inputError("The number " + digits + " in a label rule is too large.");
    return std::stoll(digits);
}

std::vector<std::int32_t> byFormula(const std::smatch& rule) {
    const std::string variable = rule[1];
    const std::string formula = rule[2];
    std::vector<std::int32_t> labels;
    for (std::int64_t i = wholeNumber(rule[3]), last = wholeNumber(rule[4]); i <= last; ++i) {
        if (labels.size() >= static_cast<std::size_t>(kMostLabels))
            throw inputError("A label rule makes too many labels.");
        const std::int64_t label = evaluateFormula(formula, variable, i);
        if (label < 0 || label > kMostLabels)
            throw inputError("A label rule makes the label " + std::to_string(label) + ".");
        labels.push_back(static_cast<std::int32_t>(label));
    }
    return labels;
}

std::vector<std::int32_t> roundRobin(const std::smatch& rule) {
    const std::string variable = rule[1];
    const std::string formula = rule[2];
    const std::int64_t first = wholeNumber(rule[4]);
    const std::int64_t last = wholeNumber(rule[5]);
    std::vector<std::int64_t> counts;
    std::int64_t total = 0;
    for (std::int64_t c = first; c <= last; ++c) {
        counts.push_back(std::clamp<std::int64_t>(evaluateFormula(formula, variable, c), 0, kMostLabels));
        total += counts.back();
        if (total > kMostLabels) throw inputError("A label rule makes too many labels.");
    }
    std::vector<std::int32_t> labels;
    for (std::int64_t round = 0; static_cast<std::int64_t>(labels.size()) < total; ++round)
        for (std::size_t c = 0; c < counts.size(); ++c)
            if (round < counts[c]) labels.push_back(static_cast<std::int32_t>(first + static_cast<std::int64_t>(c)));
    return labels;
}

}  // namespace

std::int64_t evaluateFormula(std::string_view formula, std::string_view variable, std::int64_t value) {
    return Formula(formula, variable, value).result();
}

std::vector<std::int32_t> labelsByRule(const std::string& kind, const std::string& rule, const LabelSource& source) {
    static const std::regex formula(R"(label\[(\w+)\] = (.+) for \1 in (\d+)\.\.(\d+)\b.*)");
    static const std::regex counts(
        R"(count\[(\w+)\] = ([^;]+); )"
        R"(labels = \[\1 for (\w+) in 0\.\.max\(count\)-1 for \1 in (\d+)\.\.(\d+) if \3 < count\[\1\]\].*)");
    static const std::regex file(R"(the (\d+) labels of .*)");
    static const std::string ending = "-train";
    std::smatch match;
    if (std::regex_match(rule, match, formula)) return byFormula(match);
    if (std::regex_match(rule, match, counts)) return roundRobin(match);
    if (std::regex_match(rule, match, file) && kind.ends_with(ending)) {
        const std::string dataset = kind.substr(0, kind.size() - ending.size());
        std::vector<std::int32_t> labels = source(dataset);
        const auto wanted = static_cast<std::size_t>(wholeNumber(match[1]));
        if (labels.size() < wanted)
            throw inputError("Data set " + dataset + " has only " + std::to_string(labels.size()) + " of " +
                             std::to_string(wanted) + " training labels.");
        labels.resize(wanted);
        return labels;
    }
    throw inputError("The label rule \"" + rule + "\" of kind " + kind + " is not understood.");
}

}  // namespace palimpsest
