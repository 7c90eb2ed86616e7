// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "engine/support/child_process.h"
#include "engine/support/error.h"
#include "engine/support/pipe.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostOutput = std::size_t{64} << 20U;
constexpr std::size_t kMostErrors = std::size_t{64} << 10U;
/// Milliseconds between two looks at whether anybody still wants the answer.
constexpr long long kGlance = 100;

Error cannotRead(const std::filesystem::path& input, int reason) {
    return inputError("Cannot read " + input.string() + ": " + std::strerror(reason) + ".", "Check the path.");
}

}  // namespace

std::optional<CommandResult> runCommand(const std::vector<std::string>& words, std::chrono::milliseconds patience,
                                        const std::filesystem::path& input) {
    const auto end = Clock::now() + patience;
    const ChildFile given(input, O_RDONLY);
    if (given.problem() != 0) throw cannotRead(input, given.problem());
    Pipe output, errors;
    ChildProcess child({.words = words,
                        .searched = true,
                        .input = given.number(),
                        .output = output.writing(),
                        .errors = errors.writing()});
    if (child.problem() == ENOENT) return std::nullopt;
    if (child.problem() != 0)
        throw runError("Cannot start " + plainLine(words.front()) + ": " + std::strerror(child.problem()) + ".",
                       "Try it in a terminal.");
    output.closeWriting();
    errors.closeWriting();
    const auto silent = [&] {
        return runError(
            plainLine(words.front()) + " has not ended within " + std::to_string(patience.count() / 1000) + " seconds.",
            "Try it in a terminal.");
    };
    CommandResult result;
    std::array<pollfd, 2> waiting{pollfd{output.reading(), POLLIN, 0}, pollfd{errors.reading(), POLLIN, 0}};
    while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        StopScope::check();
        const int ready =
            left > 0 ? poll(waiting.data(), waiting.size(), static_cast<int>(std::min<long long>(left, kGlance))) : 0;
        if ((ready < 0 && errno == EINTR) || (ready == 0 && left > kGlance)) continue;
        if (ready <= 0) throw silent();
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
            std::array<char, std::size_t{1} << 16U> room;
            const ssize_t count = read(waiting[i].fd, room.data(), room.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) {
                waiting[i].fd = -1;
                continue;
            }
            std::string& text = i == 0 ? result.output : result.errors;
            const std::size_t most = i == 0 ? kMostOutput : kMostErrors;
            text.append(room.data(), std::min(static_cast<std::size_t>(count), most - text.size()));
            if (i == 0 && text.size() == most)
                throw runError(plainLine(words.front()) + " says more than 64 MB.", "Try it in a terminal.");
        }
    }
    // It may have closed its outputs and go on.
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (!child.hasEnded(std::max(left, std::chrono::milliseconds(0)))) throw silent();
    result.code = child.wait().exitCode();
    return result;
}

}  // namespace palimpsest
