// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/remote_shell.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <system_error>
#include <utility>

#include "engine/support/text.h"

namespace palimpsest {
namespace {

/// ssh's own exit code.
constexpr int kSshFailed = 255;
/// Bytes that a slow connection carries in a second.
constexpr std::uintmax_t kSlowestLink = 20'000;
/// Stands before what a script says.
constexpr std::string_view kMark = "@palimpsest@\n";

bool saysOneOf(std::string_view text, std::initializer_list<std::string_view> signs) {
    for (const std::string_view sign : signs)
        if (text.find(sign) != std::string_view::npos) return true;
    return false;
}

std::string loginOf(const RemotePlace& place) {
    std::string text = "ssh ";
    if (place.port > 0) text += "-p " + std::to_string(place.port) + " ";
    return text + (place.user.empty() ? "" : place.user + "@") + place.host;
}

RemoteError fullDisk(const RemotePlace& place) {
    return {RemoteFault::DiskFull, "The disk of " + place.host + " is full, or your share of it is.",
            "Make room there, then call it again."};
}

}  // namespace

bool saysFull(std::string_view text) {
    return saysOneOf(text,
                     {"No space left on device", "Disk quota exceeded", "File too large", "File size limit exceeded"});
}

std::string firstComplaint(std::string_view errors) {
    while (!errors.empty()) {
        const std::size_t end = std::min(errors.find('\n'), errors.size());
        std::string line = plainLine(errors.substr(0, end));
        while (line.ends_with('?') || line.ends_with(' ') || line.ends_with('.')) line.pop_back();
        // What ssh notes, not what it complains of.
        if (!line.empty() && !line.starts_with("Warning: ") && !line.starts_with("@@@")) return shortLine(line);
        errors.remove_prefix(std::min(end + 1, errors.size()));
    }
    return {};
}

void throwRemoteFault(const RemotePlace& place, const CommandResult& said) {
    const std::string_view text = said.errors;
    const std::string& host = place.host;
    const std::string login = "`" + loginOf(place) + "`";
    const std::string reason = firstComplaint(text).empty() ? "ssh gives no reason" : firstComplaint(text);
    if (saysOneOf(text, {"Could not resolve hostname"}))
        throw RemoteError(RemoteFault::UnknownHost, "There is no machine called " + host + ".",
                          "Check the name; " + login + " in a terminal uses the same.");
    if (saysOneOf(text, {"REMOTE HOST IDENTIFICATION HAS CHANGED"}))
        throw RemoteError(RemoteFault::HostKey, host + " has another host key than it had: it may be another machine.",
                          "Ask who looks after it; " + login + " in a terminal says which line of known_hosts it is.");
    if (saysOneOf(text, {"Host key verification failed", "No matching host key", "host key is known for"}))
        throw RemoteError(RemoteFault::HostKey, "This computer does not know the host key of " + host + " yet.",
                          "Call " + login + " once in a terminal, compare the key it shows, and accept it.");
    if (saysOneOf(text, {"Permission denied (", "Too many authentication failures"}))
        throw RemoteError(RemoteFault::Refused, host + " takes none of your keys.",
                          "Passwords are never asked for here: `ssh-copy-id` in a terminal gives it a key, `ssh-add` "
                          "unlocks one that has a pass phrase.");
    if (said.code == kSshFailed || saysOneOf(text, {"connection unexpectedly closed", "Connection closed",
                                                    "Connection reset", "Broken pipe", "timeout in data"}))
        throw RemoteError(RemoteFault::Connection, "No connection to " + host + ": " + reason + ".",
                          "Try " + login + " in a terminal.");
    if (saysFull(text)) throw fullDisk(place);
}

std::vector<std::string> RemoteShell::options() const {
    std::vector<std::string> words;
    if (const char* own = std::getenv("PALIMPSEST_SSH_CONFIG"); own != nullptr && *own != 0) words = {"-F", own};
    // A shared connection that the user has opened serves, but none is opened that would outlive this program.
    for (const char* option :
         {"BatchMode=yes", "ConnectTimeout=15", "ServerAliveInterval=10", "ServerAliveCountMax=3", "ControlMaster=no",
          "ForwardAgent=no", "ForwardX11=no", "ClearAllForwardings=yes", "PermitLocalCommand=no", "RequestTTY=no"}) {
        words.emplace_back("-o");
        words.emplace_back(option);
    }
    if (place_.port > 0) words.insert(words.end(), {"-o", "Port=" + std::to_string(place_.port)});
    if (!place_.user.empty()) words.insert(words.end(), {"-o", "User=" + place_.user});
    return words;
}

CommandResult RemoteShell::run(std::string_view script, std::chrono::milliseconds patience,
                               const std::filesystem::path& input) const {
    if (script.find_first_of("\r\n") != std::string_view::npos || script.find('\0') != std::string_view::npos)
        throw inputError("A word for " + place_.host + " holds a line break.", "Give it another name, on one line.");
    std::vector<std::string> words = {"ssh"};
    const std::vector<std::string> given = options();
    words.insert(words.end(), given.begin(), given.end());
    // In one line, and in quotes that login shells agree on: they read it before sh does.
    words.insert(words.end(),
                 {"--", place_.host,
                  "sh -c " + shellQuoted("echo @palimpsest@; LC_ALL=C; export LC_ALL; " + std::string(script))});
    std::optional<CommandResult> said = runCommand(words, patience, input);
    if (!said)
        throw RemoteError(RemoteFault::NoProgram, "This computer has no program ssh.",
                          "Install it: sudo apt install openssh-client.");
    if (said->code == kSshFailed) throwRemoteFault(place_, *said);
    const std::size_t mark = said->output.find(kMark);
    if (mark == std::string::npos) {
        throwRemoteFault(place_, *said);
        throw RemoteError(RemoteFault::NoShell, place_.host + " runs no commands for you.",
                          "Try `" + loginOf(place_) + " echo works` in a terminal.");
    }
    said->output.erase(0, mark + kMark.size());
    return std::move(*said);
}

std::string RemoteShell::require(const std::string& what, std::string_view script, const std::filesystem::path& input,
                                 std::chrono::milliseconds patience) const {
    CommandResult said = run(script, patience, input);
    if (said.code == 0) return std::move(said.output);
    if (saysFull(said.errors) || said.code == 128 + 25) throw fullDisk(place_);  // SIGXFSZ
    const std::string complaint = firstComplaint(said.errors);
    throw runError(what + " on " + place_.host + " did not work: " +
                       (complaint.empty() ? "exit code " + std::to_string(said.code) : complaint) + ".",
                   "Check the folder " + place_.path + " there and your rights to it.");
}

void sendFile(const RemoteShell& shell, const std::filesystem::path& file, const RemotePlace& to) {
    const std::string place = shellQuoted(to.word()), aside = shellQuoted(to.beside(".part").word());
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error) throw inputError("Cannot read " + file.string() + ": " + error.message() + ".", "Check the path.");
    // Over there, a broken connection looks like the end of the file.
    const std::string torn = "only part of it came";
    shell.require("Writing " + to.path,
                  "{ cat > " + aside + " && { [ $(wc -c < " + aside + ") -eq " + std::to_string(size) +
                      " ] || { echo \"" + torn + "\" >&2; false; }; } && mv -f " + aside + " " + place +
                      "; } || { rm -f " + aside + "; exit 1; }",
                  file, RemoteShell::kPatience + std::chrono::seconds(size / kSlowestLink));
}

}  // namespace palimpsest
