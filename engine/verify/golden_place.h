// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/tensor.h"
#include "engine/verify/case_check.h"

namespace palimpsest {

/// The device that golden cases are computed on and the slack of their tolerances, while this lives; else the processor
/// and none. One verification at a time.
class GoldenPlace {
public:
    GoldenPlace(at::Device device, double slack) {
        current() = device;
        CaseCheck::slack() = slack;
    }
    ~GoldenPlace() {
        current() = at::kCPU;
        CaseCheck::slack() = 1;
    }
    GoldenPlace(const GoldenPlace&) = delete;
    GoldenPlace& operator=(const GoldenPlace&) = delete;

    static at::Device device() { return current(); }

private:
    static at::Device& current() {
        static at::Device device = at::kCPU;
        return device;
    }
};

}  // namespace palimpsest
