// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output.h"
#include "engine/run/trust.h"

namespace palimpsest {

/// Prints verdicts as a page of text on standard output; a terminal also shows the present step below them.
class ConsoleTrustPrinter : public TrustObserver {
public:
    void onChecking(const TrustCheckInfo& check, std::int64_t number, std::int64_t total) override;
    void onProgress(const std::string& detail) override;
    void onVerdict(const TrustVerdict& verdict) override;
    void onEnded(const TrustEnded& event) override;

private:
    TerminalBar bar_;
    std::string heading_;  ///< "2 of 7: Order of the test images"
};

/// Prints verdicts in JSON, one object a line: "verdict" for each, "ended".
class JsonTrustPrinter : public TrustObserver {
public:
    void onVerdict(const TrustVerdict& verdict) override;
    void onEnded(const TrustEnded& event) override;
};

}  // namespace palimpsest
