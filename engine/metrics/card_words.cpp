// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/card_words.h"

#include "engine/stream/stream_text.h"

namespace palimpsest {

std::string cardPercent(double fraction) {
    const std::string text = decimal(100 * fraction, 1);
    return text.starts_with('-') ? "−" + text.substr(1) : text;
}

std::string cardPoints(double difference) {
    const std::string text = cardPercent(difference);
    if (text == "0.0" || text == "−0.0") return "±0.0";
    return difference > 0 ? "+" + text : text;
}

std::string cardList(const std::vector<std::string>& terms, const char* sign) {
    constexpr std::size_t kMost = 5, kFirst = 3;
    std::string text;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const bool left_out = terms.size() > kMost && i >= kFirst && i + 1 < terms.size();
        if (left_out && i > kFirst) continue;
        text += (text.empty() ? "" : sign) + (left_out ? "…" : terms[i]);
    }
    return text;
}

std::string cardMean(const std::vector<std::string>& terms, double value) {
    const std::string sum = cardList(terms, " + ");
    return (terms.size() > 1 ? "(" + sum + ")" : sum) + " / " + std::to_string(terms.size()) + " = " +
           cardPercent(value) + " %";
}

}  // namespace palimpsest
