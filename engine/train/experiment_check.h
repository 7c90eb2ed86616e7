// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/config/option_table.h"

namespace palimpsest {

/// Finds out before any run begins what would keep it from beginning, its data set and its device aside. On the
/// processor; of several experiments one after the other with the same backbone, its weights are read once.
class RunTrial {
public:
    explicit RunTrial(const OptionTable& table);
    ~RunTrial();

    /// Reads the weights as a run does, makes the prompts that its method names blocks for, and loads those of an
    /// initial session. Throws Error(Input) for files that are not there or no weights, for weights of another backbone
    /// than is named, for blocks that the network lacks and for prompts that do not fit; GivenUp when the thread's
    /// StopScope asks for it.
    void check(const Experiment& experiment);

private:
    struct Known;
    const OptionTable& table_;
    std::unique_ptr<Known> known_;
};

}  // namespace palimpsest
