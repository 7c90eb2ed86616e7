// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/support/json.h"

namespace palimpsest {

// What is said between this program and a learner, a process of somebody else's that plays as a method: one JSON object
// a line each way, numbers of images in files. resources/docs/learner-protocol.md specifies it.

inline constexpr std::int64_t kLearnerProtocol = 1;

/// Bounds of what a learner may say.
namespace learner_limit {
inline constexpr std::size_t kLine = std::size_t{1} << 20U;       ///< bytes of an answer
inline constexpr std::size_t kOptions = 64, kChoices = 64;        ///< in a hello
inline constexpr std::size_t kWord = 80, kHelp = 500;             ///< bytes of a name, and of a help
inline constexpr std::size_t kHeader = std::size_t{64} << 10U;    ///< bytes of the header of its logits
inline constexpr std::uint64_t kState = std::uint64_t{4} << 30U;  ///< bytes of its state
}  // namespace learner_limit

/// What a learner says of itself.
struct LearnerHello {
    std::string name, version;      ///< plain lines; the version may be empty
    bool takes_images = false;      ///< float32 [B, 3, H, W], as the network gets them
    bool takes_features = false;    ///< float32 [B, D], of the frozen network
    bool needs_sessions = false;    ///< cannot do without being told where sessions end
    std::vector<Option> options{};  ///< without get and assign

    const Option* find(std::string_view key) const;
};

/// What it answers to a batch that it has learned.
struct LearnerObserved {
    double loss = 0;      ///< finite
    double accuracy = 0;  ///< 0..1
};

// Each reader throws Error(Input) with a sentence that says what is wrong with the answer; `who` begins it.

/// The object of an answer. An answer that reports an error of its own is an Error(Run) with its words.
Json learnerAnswer(std::string_view line, const std::string& who);
LearnerHello learnerHello(const Json& answer, const std::string& who);
LearnerObserved learnerObserved(const Json& answer, const std::string& who);

/// Where the logits lie in their file.
struct LogitsPlace {
    std::uint64_t begin = 0;  ///< of the data, in bytes from the start of the file
};
/// From the first bytes of a .safetensors file (at most 8 + learner_limit::kHeader of them) that is `size` bytes long
/// in all: it must hold float32 `logits` of exactly this shape.
LogitsPlace logitsPlace(std::string_view begin, std::uint64_t size, std::int64_t images, std::int64_t classes,
                        const std::string& who);

/// "lr=0.01, schedule=cosine" as pairs. A value may stand in double quotes. Throws Error(Input) that names `key`.
std::vector<std::pair<std::string, std::string>> learnerSettings(const std::string& key, std::string_view text);
/// The text that learnerSettings() reads as these. Throws Error(Input) for a value that no text stands for: it has
/// quotation marks, or is no plain line.
std::string learnerSettingsText(std::span<const std::pair<std::string, std::string>> settings);
/// The value that a text of the settings stands for; absent where the option does not allow it.
std::optional<OptionValue> learnerValue(const Option& option, const std::string& text);
/// What the option allows, as in "must be WORDS": "a number from 0 to 1".
std::string learnerAllowedText(const Option& option);
/// The value of every option of the hello: its default, or what the settings say. Throws Error(Input) that names the
/// key, and the nearest one that there is.
Json learnerOptionValues(const LearnerHello& hello, std::span<const std::pair<std::string, std::string>> settings);

}  // namespace palimpsest
