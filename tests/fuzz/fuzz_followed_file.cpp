// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/followed_file.h"
#include "engine/remote/remote_place.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_followed_file {

FUZZ_TARGET(followed_file, 400) {
    fuzz::answers([&] {
        const std::vector<Followed> list = parseFollowed(input, "list");
        fuzz::require(list.size() <= kMostFollowed, "the list is bounded");
        for (const Followed& one : list) {
            fuzz::require(parseRemotePlace(one.place).text() == one.place, "a place can stand in a command");
            fuzz::require(one.folder.is_absolute(), "a folder is a whole path");
        }
        const std::string text = formatFollowed(list);
        fuzz::require(formatFollowed(parseFollowed(text, "list")) == text, "a list does not come back");
    });
}

}  // namespace palimpsest::fuzz_followed_file
