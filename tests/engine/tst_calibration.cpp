// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <limits>

#include "engine/method/calibration.h"
#include "engine/method_options/calibration_options.h"
#include "engine/network/tensor_file.h"
#include "engine/support/error.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_calibration {

namespace {

Tensor noise(at::IntArrayRef sizes, std::uint64_t seed) {
    Tensor tensor = at::zeros(sizes);
    Random random(seed);
    fillNormal(tensor, random);
    return tensor;
}

Tensor covarianceOf(const Tensor& features) {
    const Tensor centred = (features - features.mean(0)).to(at::kDouble);
    return at::matmul(centred.t(), centred) / static_cast<double>(features.size(0) - 1);
}

/// A covariance with directions of very different weight.
Tensor target() {
    const Tensor mixed = noise({32, 32}, 1) * at::linspace(0.2, 2, 32);
    return at::matmul(mixed, mixed.t()) / 32;
}

}  // namespace

class TestCalibration : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    MethodSetup setupOf(const std::string& form, const Tensor& covariance, double share = 1) const {
        const std::filesystem::path file = (folder_.path() + "/covariance.safetensors").toStdString();
        writeSafetensors(file, {{"covariance", covariance}});
        MethodSetup setup = smallSetup("l2p");
        setup.method.of<CalibrationOptions>().form = form;
        setup.method.of<CalibrationOptions>().file = file.string();
        setup.method.of<CalibrationOptions>().share = share;
        return setup;
    }

    /// Undoes the scaling to unit length, which hides the covariance: each row is as long as in the transform itself.
    static Tensor expectedRows(const Tensor& features, const Tensor& transform) {
        const Tensor moved = at::matmul((features - features.mean(0)).to(at::kDouble), transform);
        return moved / moved.norm(2, {1}, true);
    }

private Q_SLOTS:
    void theExactFormGivesFeaturesTheCovarianceOfThePretraining() {
        Calibration calibration(setupOf("exact", target()));
        const Tensor features = noise({400, 32}, 2);
        const Tensor got = calibration.training(features).to(at::kDouble);  // the first batch sets the statistics
        const Tensor eye = 1e-4 * at::eye(32, at::kDouble);
        const Tensor factor = at::linalg_cholesky(covarianceOf(features) + eye);
        const Tensor wanted = at::linalg_cholesky(target().to(at::kDouble) + eye);
        const Tensor transform = at::matmul(factor.t().inverse(), wanted.t());
        QVERIFY(largestDifference(got, expectedRows(features, transform)) < 1e-4);
        // The transform has its intended effect.
        const Tensor moved = at::matmul((features - features.mean(0)).to(at::kDouble), transform);
        QVERIFY(largestDifference(covarianceOf(moved), target()) < 1e-3);
    }

    void thePublishedFormMultipliesTheFactorsTheOtherWay() {
        Calibration calibration(setupOf("as-published", target()));
        const Tensor features = noise({100, 32}, 3);
        const Tensor eye = 1e-4 * at::eye(32, at::kDouble);
        const Tensor factor = at::linalg_cholesky(covarianceOf(features) + eye);
        const Tensor wanted = at::linalg_cholesky(target().to(at::kDouble) + eye);
        const Tensor transform = at::matmul(factor.inverse(), wanted);
        QVERIFY(largestDifference(calibration.training(features), expectedRows(features, transform)) < 1e-3);
        QVERIFY(largestDifference(calibration.evaluation(features), calibration.training(features)) < 1e-6);
        const Tensor moved = at::matmul((features - features.mean(0)).to(at::kDouble), transform);
        QVERIFY(largestDifference(covarianceOf(moved), target()) > 0.1);
    }

    void theShareMixesWithTheFeatureItself() {
        const Tensor features = noise({50, 32}, 4);
        const Tensor whole = Calibration(setupOf("as-published", target(), 1)).training(features);
        const Tensor part = Calibration(setupOf("as-published", target(), 0.3)).training(features);
        QVERIFY(largestDifference(part, 0.7 * features + 0.3 * whole) < 1e-5);
        const Tensor none = Calibration(setupOf("as-published", target(), 0)).training(features);
        QVERIFY(largestDifference(none, features) < 1e-6);
    }

    void exactlyCalibratedImagesDoNotDependOnTheirNeighbours() {
        Calibration exact(setupOf("exact", target()));
        exact.training(noise({60, 32}, 5));
        const Tensor features = noise({20, 32}, 6);
        QVERIFY(largestDifference(exact.evaluation(features).narrow(0, 0, 5),
                                  exact.evaluation(features.narrow(0, 0, 5))) < 1e-5);
        const Calibration published(setupOf("as-published", target()));
        QVERIFY(largestDifference(published.evaluation(features).narrow(0, 0, 5),
                                  published.evaluation(features.narrow(0, 0, 5))) > 1e-2);
    }

    void theStatisticsRunAlong() {
        Calibration calibration(setupOf("exact", target()));
        QVERIFY(calibration.keptTensors().empty());
        const Tensor first = noise({60, 32}, 7), second = noise({60, 32}, 8) * 3 + 1;
        calibration.training(first);
        calibration.training(second);
        QVERIFY(largestDifference(named(calibration.keptTensors(), "calibration.mean"),
                                  0.9 * first.mean(0) + 0.1 * second.mean(0)) < 1e-5);
        QVERIFY(largestDifference(named(calibration.keptTensors(), "calibration.covariance"),
                                  0.9 * covarianceOf(first) + 0.1 * covarianceOf(second)) < 1e-4);
    }

    void fewImagesWithLargeFeaturesAreCalibrated_data() {
        QTest::addColumn<QString>("form");
        for (const char* form : {"exact", "as-published"}) QTest::newRow(form) << form;
    }
    /// A batch of four spans three of 32 directions; in single precision the others drown in rounding.
    void fewImagesWithLargeFeaturesAreCalibrated() {
        QFETCH(QString, form);
        for (std::uint64_t seed = 20; seed < 30; ++seed) {
            Calibration calibration(setupOf(form.toStdString(), target()));
            const Tensor features = (noise({4, 32}, seed) * 1000).requires_grad_(true);
            const Tensor got = calibration.training(features);
            QCOMPARE(got.scalar_type(), at::kFloat);
            QVERIFY(largestDifference(got.norm(2, {1}), at::ones({4})) < 1e-4);
            (got * noise({4, 32}, 1)).sum().backward();
            QVERIFY(features.grad().isfinite().all().item<bool>());
            QVERIFY(features.grad().abs().max().item<double>() > 0);
        }
    }

    void featuresWithoutACovarianceAreToldInWords() {
        for (const char* form : {"exact", "as-published"}) {
            Calibration calibration(setupOf(form, target()));
            const Tensor features = at::full({4, 32}, std::numeric_limits<float>::quiet_NaN());
            try {
                calibration.training(features);
                QFAIL("Nothing was said.");
            } catch (const Error& error) {
                QVERIFY(error.kind() == ErrorKind::Run && !error.hint().empty());
            }
        }
    }

    void oneImageAloneIsLeftAsItIs() {
        Calibration calibration(setupOf("as-published", target()));
        const Tensor feature = noise({1, 32}, 9);
        QVERIFY(calibration.training(feature).equal(feature));
        QVERIFY(calibration.evaluation(feature).equal(feature));
    }

    void methodsLearnThroughIt_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("form");
        for (const char* method : {"dualprompt", "l2p", "mvp", "coda-prompt"})
            for (const char* form : {"exact", "as-published"}) QTest::addRow("%s, %s", method, form) << method << form;
    }
    void methodsLearnThroughIt() {
        QFETCH(QString, method);
        QFETCH(QString, form);
        MethodSetup setup = setupOf(form.toStdString(), target(), 0.5);
        setup.method.name = method.toStdString();
        const auto calibrated = makeMethod(setup);
        setup.method.of<CalibrationOptions>().form = "none";
        const auto plain = makeMethod(setup);
        const UpdateInput input = noiseBatch(9, 1);
        const double first = calibrated->update(input).loss;
        QVERIFY(std::abs(first - plain->update(input).loss) > 1e-6);
        double last = first;
        for (int i = 0; i < 60; ++i) last = calibrated->update(input).loss;
        QVERIFY2(last < first, qPrintable(QString("%1 to %2").arg(first).arg(last)));
    }

    void aFileThatHoldsNoCovarianceIsRefused_data() {
        QTest::addColumn<int>("which");
        QTest::newRow("another width") << 0;
        QTest::newRow("not symmetric") << 1;
        QTest::newRow("negative") << 2;
        QTest::newRow("not finite") << 3;
    }
    void aFileThatHoldsNoCovarianceIsRefused() {
        QFETCH(int, which);
        const std::vector<Tensor> bad{at::eye(16), at::eye(32) + at::triu(at::full({32, 32}, 0.01), 1), -at::eye(32),
                                      at::full({32, 32}, std::numeric_limits<double>::quiet_NaN()).to(at::kFloat)};
        const MethodSetup setup = setupOf("exact", bad[static_cast<std::size_t>(which)]);
        QVERIFY_EXCEPTION_THROWN(Calibration{setup}, Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestCalibration)

}  // namespace tst_calibration

#include "tst_calibration.moc"
