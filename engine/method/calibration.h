// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/method/method.h"
#include "engine/method_options/calibration_options.h"

namespace palimpsest {

/// Throws Error(Input) when method.calibration_file is not there. Opens no file.
void requireCalibrationFile(const CalibrationOptions& options);

/// MePo's calibration of features (phase 2; the covariance file is its phase 1): centred features get the covariance
/// that the means of the pretraining classes had, are scaled to unit length and mixed with the feature itself.
///
/// "as-published": statistics of each batch by itself, in evaluation too, and A = L^-1 L_t of the Cholesky factors,
/// which does not give the target covariance; a batch of one is left alone. "exact": A = L^-T L_t^T, which does, with a
/// running mean and covariance of the training batches (our reading), so that the prediction for an image does not
/// depend on the images beside it.
class Calibration {
public:
    /// Reads method.calibration_file. Throws Error(Input) when it does not hold "covariance" [D, D], or one that is no
    /// covariance.
    explicit Calibration(const MethodSetup& setup);

    /// True if features stay as they are.
    bool isOff() const { return form_ == Form::None; }

    /// Features [B, D] -> what the head gets, [B, D]. Computed in double. Throws Error(Run) for features that are not
    /// finite, and others whose covariance has no Cholesky factor. `again`: an earlier pass has counted these images
    /// (UpdateInput::again), so that running statistics stay as they are.
    Tensor training(const Tensor& features, bool again = false);
    Tensor evaluation(const Tensor& features) const;
    /// "calibration.mean" [D] and "calibration.covariance" [D, D] of the exact form; else none.
    std::vector<NamedTensor> keptTensors() const;
    void keep(StateArchive& archive);

private:
    enum class Form { None, Exact, Published };
    Tensor mixed(const Tensor& features, const Tensor& mean, const Tensor& covariance) const;

    Form form_ = Form::None;
    double share_ = 0;
    Tensor target_;             // double: lower Cholesky factor of the pretraining covariance
    Tensor mean_, covariance_;  // double, running; undefined before the first batch
};

}  // namespace palimpsest
