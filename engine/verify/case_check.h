// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#include "engine/config/option_table.h"
#include "engine/verify/verify_golden.h"

namespace palimpsest {

/// Collects the comparisons of one golden case: the largest error and the first failure.
class CaseCheck {
public:
    explicit CaseCheck(std::string name) {
        case_.name = std::move(name);
        case_.result = CaseResult::Ok;
    }

    void fail(std::string detail) {
        if (case_.result != CaseResult::Fail) case_.detail = std::move(detail);
        case_.result = CaseResult::Fail;
    }
    void require(bool right, const std::string& detail) {
        if (!right) fail(detail);
    }
    /// Compares whole numbers exactly.
    void same(const std::string& what, std::int64_t got, std::int64_t expected) {
        near(what, static_cast<double>(got), static_cast<double>(expected), 0);
    }
    void near(const std::string& what, double got, double expected, double absolute, double relative = 0) {
        const double error = got == expected ? 0 : std::abs(got - expected);
        const double share = error == 0 ? 0 : error / std::abs(expected);
        const double bound = slack() * std::max(absolute, relative * std::abs(expected));
        // A comparison with nan is false, so the test is for the valid case.
        const bool right = error <= bound;
        const auto worse = [](double old, double now) {
            return std::isnan(now) ? std::numeric_limits<double>::infinity() : std::max(old, now);
        };
        case_.max_abs_error = worse(case_.max_abs_error, error);
        case_.max_rel_error = worse(case_.max_rel_error, share);
        case_.of_tolerance = worse(case_.of_tolerance, error == 0 ? 0 : error / bound);
        if (!right) fail(what + " is " + text(got) + " instead of " + text(expected));
    }

    const VerifiedCase& result() const { return case_; }

    /// Factor of every tolerance.
    static double& slack() {
        static double factor = 1;
        return factor;
    }

private:
    /// Shortest text that distinguishes numbers; whole ones without a point.
    static std::string text(double value) {
        const std::string shortest = toText(OptionValue(value));
        return shortest.ends_with(".0") ? shortest.substr(0, shortest.size() - 2) : shortest;
    }

    VerifiedCase case_;
};

/// Result of a case whose method the program does not have yet.
inline VerifiedCase caseToDo(const std::string& name) {
    return {name, CaseResult::Todo, 0, 0, "its method is still to come"};
}

/// Runs `work`; a malformed case becomes one failed case with its reason instead of ending the verification.
template <class Work>
VerifiedCase guarded(const std::string& name, Work work) {
    try {
        return work();
    } catch (const std::exception& error) {
        // LibTorch adds a backtrace on further lines.
        const std::string reason = error.what();
        return {name, CaseResult::Fail, 0, 0, reason.substr(0, reason.find('\n'))};
    }
}

}  // namespace palimpsest
