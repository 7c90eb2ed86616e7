// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/data/sources.h"
#include "engine/memory/sample_memory.h"

namespace palimpsest {

struct UpdateInput;
struct UpdateResult;

/// A stream batch before its updates.
struct StreamBatch {
    const std::vector<std::int64_t>& samples;  ///< positions in the training set, those that can be read
    const std::vector<std::int64_t>& units;    ///< of each
    /// Images of any samples that have been streamed, unvaried.
    std::function<ShownImages(const std::vector<std::int64_t>&)> plain;
};

/// The means of a method when a session has ended and work is left to do on it. Work that takes long reports how far it
/// is and asks whether to go on.
class SessionWork {
public:
    virtual ~SessionWork() = default;
    /// The session's samples in stream order, those that could be read, and their units.
    virtual const std::vector<std::int64_t>& streamed() const = 0;
    /// Contents of the memory, by slot.
    virtual const std::vector<std::int64_t>& remembered() const = 0;
    virtual std::int64_t unit(std::int64_t sample) const = 0;
    /// An update's input of these samples under the training mask, varied like a training batch by the draws of number
    /// `draw`, from 0, which belong to this session's work alone. Images that are lost meanwhile are left out; without
    /// any, `images` is undefined.
    virtual UpdateInput input(const std::vector<std::int64_t>& samples, std::int64_t draw) = 0;
    /// Reports an update that was made.
    virtual void updated(const UpdateResult& result) = 0;
    /// Called before the first change to what the method or the memory holds, and before the first updated(); calling
    /// it again changes nothing. A run that is stopped within the work goes on from here, by doing all of it again: a
    /// method that only reads until the end of its work needs no such moment.
    virtual void changing() {}
    /// Replaces the contents of the memory, after changing().
    virtual void remember(const std::vector<std::int64_t>& samples) = 0;
    /// Reports progress, and may block while paused. `what` is for the user: "Training on the memory, pass". False:
    /// leave everything as it is and return; the run ends.
    virtual bool mayContinue(const std::string& what, std::int64_t done, std::int64_t total) = 0;
};

}  // namespace palimpsest
