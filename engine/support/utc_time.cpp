// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/utc_time.h"

#include <chrono>
#include <cstdio>
#include <ctime>

namespace palimpsest {

namespace {

std::string formatted(std::chrono::system_clock::time_point moment, const char* format) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(moment);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[40];
    std::strftime(text, sizeof text, format, &parts);
    return text;
}

}  // namespace

std::string utcNow() {
    const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    char milliseconds[8];
    std::snprintf(milliseconds, sizeof milliseconds, ".%03dZ",
                  static_cast<int>((now - std::chrono::floor<std::chrono::seconds>(now)).count()));
    return formatted(std::chrono::floor<std::chrono::seconds>(now), "%Y-%m-%dT%H:%M:%S") + milliseconds;
}

std::string withoutFraction(const std::string& stamp) {
    const std::size_t point = stamp.find('.');
    return point == std::string::npos || !stamp.ends_with('Z') ? stamp : stamp.substr(0, point) + "Z";
}

std::string utcStamp() {
    return formatted(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()), "%Y%m%d-%H%M%S");
}

}  // namespace palimpsest
