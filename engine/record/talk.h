// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

// A talk: a script of moments and runs that a speaker walks through, one key a scene.

/// Most bytes of a talk's file, scenes, runs, runs of one scene, and characters of a caption and of a note: far beyond
/// what one talk has.
inline constexpr std::uint64_t kLongestTalk = 1'000'000;
inline constexpr std::size_t kMostScenes = 200, kMostTalkRuns = 50, kMostSceneRuns = 8;
inline constexpr std::size_t kLongestCaption = 160, kLongestNote = 2000;

/// Times as fast as a run learned, at which a scene may play it.
inline constexpr std::array<std::int64_t, 8> kTalkSpeeds{1, 2, 3, 5, 10, 20, 50, 100};

/// What can stand in front, as the window's pages and figures are called. "Accuracy" is the page of both of the next
/// two.
inline constexpr std::array<const char*, 11> kTalkFigures{"Accuracy", "Anytime accuracy", "Retention", "Classes",
                                                          "Sessions", "Confusion",        "Loss",      "Prompts",
                                                          "Memory",   "Pushes",           "Features"};

/// A run that scenes show. Exactly one of `recorded`, `folder` and `experiment` is not empty.
struct TalkRun {
    std::string name;        ///< what scenes and captions call it: letters, digits and hyphens
    std::string recorded;    ///< one of kDemoRuns, which come with the program
    std::string folder;      ///< of a run: below the folder of runs, or absolute
    std::string experiment;  ///< a preset, or an experiment file in or below the talk's folder: a run that is made here
    std::vector<std::pair<std::string, OptionValue>> set = {};  ///< options of that experiment that differ
    double seconds = 0;  ///< that it took where the talk was written; 0: not known
    bool operator==(const TalkRun&) const = default;
};

/// The moment that a scene shows.
struct TalkMoment {
    enum class Kind {
        End,      ///< all that was measured
        Images,   ///< behind so many images
        Session,  ///< at the end of this session, from 1
    };
    Kind kind = Kind::End;
    std::int64_t number = 0;
    bool operator==(const TalkMoment&) const = default;
};

/// What the speaker shows at once. Without runs or without a figure, those of the scene before stay.
struct TalkScene {
    std::string caption;            ///< one line, with placeholders: see talk_caption.h
    std::string note = {};          ///< for the speaker alone
    std::vector<std::string> runs;  ///< names; the first is the one in full colour
    std::string figure = {};        ///< one of kTalkFigures
    bool now = false;               ///< the panel Now stands beside the figure
    TalkMoment at = {};
    std::int64_t play = 0;   ///< the runs play from that moment on at this speed, one of kTalkSpeeds; 0: they stand
    bool spotlight = false;  ///< the pointer is a spotlight
    std::string start = {};  ///< name of a run that is made here, and begins at the next key
    bool operator==(const TalkScene&) const = default;
};

struct Talk {
    std::string title;
    double minutes = 0;  ///< that it takes; 0: not said
    std::vector<TalkRun> runs;
    std::vector<TalkScene> scenes;

    /// Null: there is none of this name.
    const TalkRun* run(std::string_view name) const;
    /// A scene with the runs and the figure that it takes over from those before it.
    TalkScene scene(std::size_t index) const;
    /// Names of the runs that must be there before the talk begins: all but those that a scene starts.
    std::vector<std::string> needed() const;
    bool operator==(const Talk&) const = default;
};

/// Reads TOML. Throws Error(Input) that names file, line and key of every problem and, for an unknown word, the
/// nearest known one.
Talk parseTalk(std::string_view toml, const std::string& origin);
Talk readTalk(const std::filesystem::path& file);
/// TOML; parse(format(talk)) == talk.
std::string formatTalk(const Talk& talk);
/// Throws Error(Input) where it cannot be written, and for a talk that could not be read again.
void writeTalk(const Talk& talk, const std::filesystem::path& file);

struct ShippedTalk {
    std::filesystem::path file;
    std::string title;
};
/// The talks that come with the program, by their titles.
std::vector<ShippedTalk> shippedTalks();

/// The experiment of a run that is made here. `folder`: of the talk's file; empty: it has none. Throws Error(Input)
/// that says of which run the experiment cannot be read, or cannot be learned as it is.
Experiment talkExperiment(const OptionTable& table, const TalkRun& run, const std::filesystem::path& folder);
/// The same experiment, on whatever device, in whatever precision and with however many threads.
bool sameTalkExperiment(const OptionTable& table, const Experiment& a, const Experiment& b);

}  // namespace palimpsest
