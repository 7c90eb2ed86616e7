// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// How fast a machine learns with a backbone, beside what it could do at best.

namespace palimpsest {

/// The choice of what is measured.
struct SpeedSettings {
    std::string device = "auto";
    std::int64_t threads = 0;    ///< 0: all
    std::int64_t batch = 0;      ///< images of the stream's batch; 0: 32, or fewer where they would take long
    bool graph = false;          ///< updates are recorded, as with the option gpu.graph
    std::string adam = "fused";  ///< as the option gpu.adam
    bool quick = false;          ///< small products and two repetitions: shows that it works, not how fast
};

/// Machine and settings that a page was measured with.
struct SpeedMachine {
    std::string processor;  ///< name of the processor; empty: not known
    std::string device;     ///< "cpu", "cuda:0"
    std::int64_t threads = 0;
    std::string libtorch;  ///< version
    double load = 0;       ///< processes that wanted to run in the last minute, on average
};
SpeedMachine speedMachine(const SpeedSettings& settings);

/// The precisions that pay off on the device: float32, bfloat16 on a GPU or a processor with tiles for it, and TF32 on
/// a GPU that has both.
std::vector<std::string> usualPrecisions(const SpeedSettings& settings);

/// The best product of two square matrices that the program can do, operations a second: of several sizes and
/// repetitions the fastest, since a machine with other work is slower by chance, never faster.
struct Roof {
    std::string precision;
    double libtorch = 0;
    double own = 0;  ///< of the program's kernels; 0: they have none in this precision or on this device

    double best() const { return own > libtorch ? own : libtorch; }
};
Roof measuredRoof(const SpeedSettings& settings, const std::string& precision);

/// A stage of learning.
struct StageSpeed {
    std::string stage;            ///< "query", "forward", "backward", "evaluation", "update"
    std::int64_t images = 0;      ///< in one repetition
    std::int64_t operations = 0;  ///< in one repetition, by formula
    std::int64_t repetitions = 0;
    double median = 0, least = 0, most = 0;  ///< seconds of a repetition

    double imagesPerSecond() const { return static_cast<double>(images) / median; }
    double operationsPerSecond() const { return static_cast<double>(operations) / median; }
};

/// Throws Error(Input) for an unknown backbone.
void requireBackbone(const std::string& backbone);

/// Measures DualPrompt on a backbone of random weights; `onStage` gets each stage when it is known.
void measureStages(const SpeedSettings& settings, const std::string& backbone, const std::string& precision,
                   const std::function<void(const StageSpeed&)>& onStage);

}  // namespace palimpsest
