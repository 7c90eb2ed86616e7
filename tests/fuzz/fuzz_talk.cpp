// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>

#include "engine/record/talk.h"
#include "engine/record/talk_caption.h"
#include "tests/fuzz/option_table.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_talk {

FUZZ_TARGET(talk, 400) {
    fuzz::answers([&] {
        const Talk talk = parseTalk(input, "talk.toml");
        fuzz::require(parseTalk(formatTalk(talk), "talk.toml") == talk, "a talk that is written reads as another one");
        for (const TalkRun& run : talk.runs) {
            const std::filesystem::path place(run.experiment);
            fuzz::require(!place.is_absolute() && std::ranges::find(place, "..") == place.end(),
                          "an experiment leads out of the talk's folder");
        }
        const TalkNumbers numbers;
        for (std::size_t i = 0; i < talk.scenes.size(); ++i) {
            const TalkScene scene = talk.scene(i);
            fuzz::requireLine(filledCaption(scene.caption, "", [&](const std::string&) { return &numbers; }));
        }
    });
}

}  // namespace palimpsest::fuzz_talk
