// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/remote_place.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

constexpr std::string_view kScheme = "ssh://";
constexpr std::size_t kLongestPath = 3000;

bool isLetterOrDigit(char c) {
    return (c >= '0' && c <= '9') || (asciiLower(c) >= 'a' && asciiLower(c) <= 'z');
}

/// Letters, digits and some of these signs, which never stand first.
bool isName(std::string_view text, std::string_view signs) {
    if (text.empty() || text.size() > 255) return false;
    if (!isLetterOrDigit(text.front()) && text.front() != '_') return false;
    return std::ranges::all_of(text,
                               [&](char c) { return isLetterOrDigit(c) || signs.find(c) != std::string_view::npos; });
}

bool isAddress6(std::string_view text) {
    return text.find(':') != std::string_view::npos && text.size() <= 64 &&
           std::ranges::all_of(text, [](char c) { return isLetterOrDigit(c) || c == ':' || c == '.' || c == '%'; });
}

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
    throw inputError("\"" + shortLine(text) + "\" names no folder on another machine: " + why + ".",
                     "Write ssh://HOST/PATH, or ssh://USER@HOST:PORT/PATH; /~/ at the path's beginning is the home "
                     "folder there.");
}

}  // namespace

std::string RemotePlace::text() const {
    std::string text = std::string(kScheme) + (user.empty() ? "" : user + "@");
    text += host.find(':') == std::string::npos ? host : "[" + host + "]";
    if (port > 0) text += ":" + std::to_string(port);
    if (path.empty()) return text + "/~";
    return text + (path.starts_with('/') ? path : "/~/" + path);
}

std::string RemotePlace::name() const {
    return std::filesystem::path(path).filename().string();
}

RemotePlace RemotePlace::below(std::string_view name) const {
    RemotePlace place = *this;
    place.path = (std::filesystem::path(path) / name).string();
    return place;
}

RemotePlace RemotePlace::beside(std::string_view ending) const {
    RemotePlace place = *this;
    place.path += ending;
    return place;
}

std::string RemotePlace::word() const {
    if (path.empty()) return ".";
    return path.starts_with('/') ? path : "./" + path;
}

bool isRemotePlace(std::string_view text) {
    return text.starts_with(kScheme);
}

RemotePlace parseRemotePlace(std::string_view text) {
    if (!isRemotePlace(text)) refuse(text, "it does not begin with ssh://");
    if (!isPlainLine(text)) refuse(text, "it holds a sign that no path should have");
    std::string_view rest = text.substr(kScheme.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    std::string_view machine = rest.substr(0, slash);
    RemotePlace place;
    if (const std::size_t at = machine.rfind('@'); at != std::string_view::npos) {
        place.user = machine.substr(0, at);
        machine.remove_prefix(at + 1);
        if (!isName(place.user, "._-+")) refuse(text, "no user is called \"" + place.user + "\"");
    }
    std::size_t end = std::min(machine.find(':'), machine.size());
    if (machine.starts_with('[')) {
        end = std::min(machine.find(']'), machine.size());
        place.host = machine.substr(1, end == 0 ? 0 : end - 1);
        if (end == machine.size() || !isAddress6(place.host)) refuse(text, "what stands in brackets is no address");
        ++end;
    } else {
        place.host = machine.substr(0, end);
        if (!isName(place.host, "._-")) refuse(text, "no machine is called \"" + place.host + "\"");
    }
    if (end < machine.size()) {
        const std::string_view digits = machine.substr(end + 1);
        const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), place.port);
        if (machine[end] != ':' || error != std::errc() || stop != digits.data() + digits.size() || place.port < 1 ||
            place.port > 65535)
            refuse(text, "a port is a number from 1 to 65535");
    }
    std::string path = std::filesystem::path(rest.substr(slash)).lexically_normal().string();
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    if (path == "/~")
        path.clear();
    else if (path.starts_with("/~/"))
        path.erase(0, 3);
    if (path.size() > kLongestPath) refuse(text, "its path is too long");
    place.path = path;
    return place;
}

}  // namespace palimpsest
