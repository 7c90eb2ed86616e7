// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "app/cli/output.h"
#include "engine/run/adaptation.h"

namespace palimpsest {

/// Prints an adaptation in lines on standard output, one every twentieth of its steps. A terminal also has a progress
/// bar below them (on standard error).
class ConsoleAdaptationPrinter : public AdaptationObserver {
public:
    void onPreparing(const std::string& detail) override;
    void onStarted(const AdaptationStarted&) override;
    void onProgress(const AdaptationProgress&) override;
    void onImageLeftOut(const std::string& text) override;
    void onWarning(const std::string& text) override;
    void onEnded(const AdaptationEnded&) override;

private:
    TerminalBar bar_;
    AdaptationStarted started_;
    std::int64_t next_line_ = 0, left_out_ = 0;
};

/// Prints an adaptation in JSON, one object a line: "started", "progress", "image_left_out", "warning", "ended".
class JsonAdaptationPrinter : public AdaptationObserver {
public:
    void onStarted(const AdaptationStarted&) override;
    void onProgress(const AdaptationProgress&) override;
    void onImageLeftOut(const std::string& text) override;
    void onWarning(const std::string& text) override;
    void onEnded(const AdaptationEnded&) override;

private:
    bool compares_ = false;  // there is a first pass that perturbs
};

}  // namespace palimpsest
