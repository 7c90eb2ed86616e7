// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest::test {

/// Experiment file of a run of a second: a linear head on the drawn shapes, four batches of so many updates.
inline std::string linearHeadText(int updates = 1) {
    return R"(name = "Tiny"
device = "cpu"
precision = "float32"
threads = 1
[stream]
dataset = "shapes"
sessions = 2
train_limit = 100
test_limit = 20
[backbone]
weights = "random"
[method]
name = "linear-probe"
[training]
updates_per_batch = )" +
           std::to_string(updates) + "\n[evaluation]\nevery_samples = 32\n";
}

}  // namespace palimpsest::test
