// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <exception>
#include <stop_token>
#include <utility>

namespace palimpsest {

/// Thrown where work is given up because nobody wants it any more. No Error: nothing went wrong.
struct GivenUp : std::exception {
    const char* what() const noexcept override { return "It was given up."; }
};

/// While it lives, the token can end long work on this thread, such as listing a million files, however deep below
/// interfaces that know nothing of stopping. Of several scopes the innermost counts.
class StopScope {
public:
    explicit StopScope(std::stop_token token) : outer_(std::exchange(innermost(), std::move(token))) {}
    ~StopScope() { innermost() = std::move(outer_); }
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

    static std::stop_token token() { return innermost(); }
    /// To be asked in every loop that may take long. Throws GivenUp.
    static void check() {
        if (innermost().stop_requested()) throw GivenUp();
    }

private:
    static std::stop_token& innermost() {
        static thread_local std::stop_token token;
        return token;
    }

    std::stop_token outer_;
};

/// Waits, or throws GivenUp as soon as a StopScope wants that.
void waitUnlessGivenUp(std::chrono::milliseconds time);

}  // namespace palimpsest
