// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/run/trust.h"
#include "engine/trust/learned_stream.h"

namespace palimpsest {

/// Thrown by a check that cannot be decided; its verdict is amber, with this reason.
struct Undecided {
    std::string why;  ///< whole sentences
};

/// What a check works on. The trained state is made when a check first asks for it.
class TrustContext {
public:
    struct Setup {
        const OptionTable& table;
        Experiment experiment;      ///< of the run, on its device, in its precision and with its threads
        std::filesystem::path run;  ///< empty: an experiment alone
        bool quick = false;
        const TrustParts& parts;
        RunControl& control;
        std::function<void(const std::string&)> progress;
    };
    explicit TrustContext(Setup setup) : setup_(std::move(setup)) {}

    const OptionTable& table() const { return setup_.table; }
    const Experiment& experiment() const { return setup_.experiment; }
    bool quick() const { return setup_.quick; }
    const TrustParts& parts() const { return setup_.parts; }
    RunControl& control() const { return setup_.control; }
    void say(const std::string& what) const { setup_.progress(what); }
    /// Throws GivenUp once the user has asked for an end.
    void checkEnd() const;

    /// The run's newest checkpoint, or what is left when the experiment has been learned. Throws Undecided where there
    /// is none.
    LearnedStream& trained();
    /// Lets go of that state, with its device and number format, until it is asked for again.
    void forgetTrained() { trained_.reset(); }
    /// Sizes for a stream that is learned for a check alone.
    StreamCut shortCut() const;
    /// The experiment with an evaluation about every tenth of a stream that is cut like that.
    Experiment shortExperiment() const;
    /// A stream that is cut like that, learned to its end. `what` is put before its progress: "Seed 4 of 10".
    std::unique_ptr<LearnedStream> learnShort(const Experiment& experiment, const std::string& what,
                                              bool permuted = false) const;

private:
    Setup setup_;
    std::unique_ptr<LearnedStream> trained_;
    std::optional<std::string> no_state_;  // why there is no trained state
};

/// Measurements of checkPrecision(). Changes are of A_AUC, as fractions.
struct PrecisionFacts {
    bool gpu = false;                    ///< no bits are promised there
    std::vector<std::string> differing;  ///< values that were others the second time
    double again_change = 0;             ///< the second time
    bool same_bits_with_two = false;     ///< threads instead of one
    double threads_change = 0;
    std::string format, other_format;     ///< "float32", "bfloat16"
    std::optional<double> format_change;  ///< from one to the other; absent: not compared
};
/// Colour and sentence.
void judgePrecision(TrustVerdict& verdict, const PrecisionFacts& facts);

/// The checks, each of which returns its verdict without name and time, or throws Undecided.
TrustVerdict checkBatchSize(TrustContext& context);
TrustVerdict checkOrder(TrustContext& context);
TrustVerdict checkLabels(TrustContext& context);
TrustVerdict checkLooking(TrustContext& context);
TrustVerdict checkSeeds(TrustContext& context);
TrustVerdict checkOverlap(TrustContext& context);
TrustVerdict checkPrecision(TrustContext& context);

}  // namespace palimpsest
