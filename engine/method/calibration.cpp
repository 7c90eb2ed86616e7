// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/calibration.h"

#include <filesystem>
#include <system_error>

#include "engine/checkpoint/state_archive.h"
#include "engine/network/tensor_file.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr double kRidge = 1e-4;  // MePo
constexpr double kRate = 0.1;    // of a new batch in the running statistics

/// Cholesky factor of a double covariance: a batch of few images leaves most directions empty, where single precision
/// would find them negative. Throws Error(Run) where there is no factor.
Tensor factorOf(const Tensor& covariance) {
    const Tensor regularised = covariance + kRidge * at::eye(covariance.size(0), covariance.options());
    const auto [factor, info] = at::linalg_cholesky_ex(regularised, /*upper=*/false, /*check_errors=*/false);
    // Some LAPACKs do not notice values that are not numbers.
    if (!info.eq(0).logical_and(factor.diagonal().isfinite().all()).item<bool>())
        throw runError("The features of a batch cannot be calibrated: their covariance is not positive.",
                       "Make training.learning_rate smaller, or set method.calibration to none.");
    return factor;
}

Tensor covarianceOf(const Tensor& centred) {
    return at::matmul(centred.t(), centred) / static_cast<double>(centred.size(0) - 1);
}

}  // namespace

void requireCalibrationFile(const CalibrationOptions& options) {
    std::error_code unreadable;
    if (std::filesystem::exists(options.file, unreadable) || unreadable) return;
    throw inputError("There is no covariance " + options.file + ".",
                     "Write the path of a .safetensors file in method.calibration_file.");
}

Calibration::Calibration(const MethodSetup& setup) {
    const std::string& form = setup.method.of<CalibrationOptions>().form;
    if (form == "none") return;
    if (form != "exact" && form != "as-published")
        throw inputError("There is no calibration \"" + form + "\".", "Choose none, exact or as-published.");
    form_ = form == "exact" ? Form::Exact : Form::Published;
    share_ = setup.method.of<CalibrationOptions>().share;
    const std::string& path = setup.method.of<CalibrationOptions>().file;
    const std::int64_t width = setup.vit->shape().width;
    const Tensor given = readSafetensors(path).at("covariance").to(at::kDouble);
    if (given.sizes() != at::IntArrayRef({width, width}))
        throw inputError("The covariance in " + path + " has another shape than " + std::to_string(width) + " x " +
                             std::to_string(width) + ", the width of this network.",
                         "Give the covariance of the same backbone.");
    const auto [factor, info] = at::linalg_cholesky_ex(given + kRidge * at::eye(width, given.options()), false, false);
    if (!at::isfinite(given).all().item<bool>() || info.item<int>() != 0 || !at::allclose(given, given.t(), 1e-3, 1e-5))
        throw inputError("What " + path + " calls covariance is none: it is not symmetric and positive.",
                         "Compute it from the mean features of the pretraining classes.");
    target_ = factor.to(setup.vit->device());
}

Tensor Calibration::mixed(const Tensor& features, const Tensor& mean, const Tensor& covariance) const {
    const Tensor factor = factorOf(covariance);
    // Rows times A: as published L^-1 L_t, exactly L^-T L_t^T.
    const Tensor transform = form_ == Form::Published
                                 ? at::linalg_solve_triangular(factor, target_, /*upper=*/false)
                                 : at::linalg_solve_triangular(factor.t(), target_.t(), /*upper=*/true);
    const Tensor unit = unitLength(at::matmul(features.to(at::kDouble) - mean, transform), 1);
    return (1 - share_) * features + share_ * unit.to(features.scalar_type());
}

Tensor Calibration::training(const Tensor& features, bool again) {
    if (form_ != Form::Exact || again || features.size(0) < 2) return evaluation(features);
    {
        NoGradGuard guard;
        const Tensor fresh = features.detach().to(at::kDouble);
        const Tensor mean = fresh.mean(0), covariance = covarianceOf(fresh - mean);
        if (mean_.defined()) {
            mean_.lerp_(mean, kRate);
            covariance_.lerp_(covariance, kRate);
        } else {
            mean_ = mean;
            covariance_ = covariance;
        }
    }
    return mixed(features, mean_, covariance_);
}

Tensor Calibration::evaluation(const Tensor& features) const {
    if (form_ == Form::Exact) return mean_.defined() ? mixed(features, mean_, covariance_) : features;
    if (form_ == Form::None || features.size(0) < 2) return features;
    const Tensor wide = features.to(at::kDouble), mean = wide.mean(0);
    return mixed(features, mean, covarianceOf(wide - mean));
}

std::vector<NamedTensor> Calibration::keptTensors() const {
    if (!mean_.defined()) return {};
    return {{"calibration.mean", mean_}, {"calibration.covariance", covariance_}};
}

void Calibration::keep(StateArchive& archive) {
    archive("mean", mean_);
    archive("covariance", covariance_);
}

}  // namespace palimpsest
