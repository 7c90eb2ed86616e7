// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/session_list.h"

#include <vector>

namespace palimpsest {

std::string sessionList(std::span<const std::size_t> sessions) {
    std::vector<std::string> parts;
    for (std::size_t first = 0; first < sessions.size();) {
        std::size_t last = first;
        while (last + 1 < sessions.size() && sessions[last + 1] == sessions[last] + 1) ++last;
        // Two neighbours are no shorter as a range.
        if (last - first < 2) last = first;
        const std::string from = std::to_string(sessions[first] + 1);
        parts.push_back(last == first ? from : from + "–" + std::to_string(sessions[last] + 1));
        first = last + 1;
    }
    std::string text = sessions.size() == 1 ? "session " : "sessions ";
    for (std::size_t k = 0; k < parts.size(); ++k)
        text += (k == 0 ? "" : k + 1 == parts.size() ? " and " : ", ") + parts[k];
    return text;
}

}  // namespace palimpsest
