// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/nearest_word.h"

#include <algorithm>
#include <vector>

namespace palimpsest {

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const std::size_t substitution = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, substitution});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
}

std::string nearestWord(std::string_view word, std::span<const std::string> known) {
    // Two of three letters wrong is another word.
    std::size_t best = (word.size() < 4 ? 1 : std::max<std::size_t>(2, word.size() / 3)) + 1;
    std::string nearest;
    for (const std::string& candidate : known) {
        const std::size_t distance = editDistance(word, candidate);
        // A word that shares no letter in place is no suggestion, however short both are.
        if (distance < best && distance < std::max(word.size(), candidate.size())) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

}  // namespace palimpsest
