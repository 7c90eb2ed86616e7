// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace palimpsest {

/// A folder on another machine, which is reached by ssh. Its parts can stand in a command: none begins with a dash, and
/// host and user hold no sign that ssh, rsync or a shell reads as anything else.
struct RemotePlace {
    std::string user;  ///< empty: as ssh's own settings say
    std::string host;  ///< a name, an alias of ssh's settings, or an address; IPv6 without brackets
    int port = 0;      ///< 0: as ssh's own settings say
    std::string path;  ///< without a slash at its end; one that does not begin with a slash is below the home folder

    /// "ssh://me@node1:2222/data/runs/one".
    std::string text() const;
    /// Last part of the path; empty for the root and the home folder.
    std::string name() const;
    /// A folder or file in this one; or beside it, with `ending` behind its name.
    RemotePlace below(std::string_view name) const;
    RemotePlace beside(std::string_view ending) const;
    /// The path as a word of a command: never empty, never taken for an option.
    std::string word() const;
    bool operator==(const RemotePlace&) const = default;
};

/// True for a text that begins with "ssh://".
bool isRemotePlace(std::string_view text);

/// Reads ssh://[USER@]HOST[:PORT][/PATH]; a path that begins with ~/ is below the home folder, nothing else is special
/// in it. Throws Error(Input) for anything else.
RemotePlace parseRemotePlace(std::string_view text);

}  // namespace palimpsest
