// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/calibration_options.h"

#include "engine/config/option_row.h"

namespace palimpsest {
namespace {

std::vector<std::string> calibrationProblems(const Experiment& experiment) {
    const CalibrationOptions& options = experiment.method.of<CalibrationOptions>();
    if (options.form == "none" || !options.file.empty()) return {};
    return {"method.calibration is " + options.form + ", but method.calibration_file names no covariance."};
}

std::string idleCalibrationReason(const Experiment& experiment, const std::string& key) {
    const bool none = experiment.method.of<CalibrationOptions>().form == "none";
    return none && key.starts_with("method.calibration_") ? "Nothing is calibrated." : "";
}

}  // namespace

const SharedOptions& calibrationOptions() {
    using namespace option_row;
    static const SharedOptions options{
        .group = OptionGroup::Calibration,
        .rows = {choice("method.calibration", "Calibration", "none", OPTION_OF(CalibrationOptions, form))
                     .expert()
                     .choices({{"none", "None", "Features go to the head as they are"},
                               {"exact", "Exact",
                                "Features get the covariance they were pretrained with; the statistics run along"},
                               {"as-published", "As published",
                                "With the published transform, and the statistics of each batch by itself"}})
                     .help("Brings the covariance of the features back to that of the pretraining data.")
                     .source("MePo (arXiv 2602.07940)"),
                 text("method.calibration_file", "Covariance", "", OPTION_OF(CalibrationOptions, file))
                     .expert()
                     .help("A .safetensors file with the tensor covariance, width x width: of the pretraining classes' "
                           "mean features."),
                 real("method.calibration_share", "Share of the calibration", 0.5, OPTION_OF(CalibrationOptions, share))
                     .range(0, 1)
                     .expert()
                     .help("How much of the feature that the head gets is calibrated.")
                     .source("MePo: 0.5 for ImageNet-21k weights, 0.7 for others")},
        .problems = calibrationProblems,
        .idleReason = idleCalibrationReason};
    return options;
}

}  // namespace palimpsest
