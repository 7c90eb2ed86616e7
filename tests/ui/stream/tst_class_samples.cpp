// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QSignalSpy>
#include <QThread>

#include "tests/support/scripted_datasets.h"
#include "tests/support/test_program.h"
#include "ui/stream/class_samples.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedDatasets;

namespace tst_class_samples {

constexpr int kCount = 8, kSide = 56;

class TestClassSamples : public QObject {
    Q_OBJECT
private:
    static Experiment experiment(const std::string& dataset = "fashion-mnist") {
        Experiment experiment;
        experiment.stream.dataset = dataset;
        return experiment;
    }

private Q_SLOTS:
    void picturesComeFromAWorkerAndAreThenAtHand() {
        const auto service = std::make_shared<ScriptedDatasets>();
        ClassSamples samples(service);
        QSignalSpy loaded(&samples, &ClassSamples::loaded);
        samples.request(experiment(), 3, kCount, kSide);
        QTRY_COMPARE(service->pictureCalls(), 1);
        QCOMPARE(loaded.count(), 0);
        QVERIFY(!samples.cached(experiment(), 3, kCount, kSide));
        service->allowPictures(1);
        QTRY_COMPARE(loaded.count(), 1);
        QCOMPARE(loaded[0][0].toInt(), 3);
        const auto pictures = loaded[0][1].value<QList<QImage>>();
        QCOMPARE(pictures.size(), qsizetype(kCount));
        QCOMPARE(pictures[1].size(), QSize(28, 28));
        QCOMPARE(pictures[1].pixelColor(5, 5), QColor(121, 121, 121));
        QVERIFY(samples.cached(experiment(), 3, kCount, kSide));
        QVERIFY(!samples.cached(experiment(), 4, kCount, kSide));
        QVERIFY(!samples.cached(experiment("cifar-100"), 3, kCount, kSide));
        QVERIFY(!samples.cached(experiment(), 3, kCount, 2 * kSide));
        samples.forget();
        QVERIFY(!samples.cached(experiment(), 3, kCount, kSide));
    }

    void onlyTheNewestRequestIsAnswered() {
        const auto service = std::make_shared<ScriptedDatasets>();
        ClassSamples samples(service);
        QSignalSpy loaded(&samples, &ClassSamples::loaded);
        samples.request(experiment(), 1, kCount, kSide);
        QTRY_COMPARE(service->pictureCalls(), 1);
        for (int label = 2; label < 9; ++label) samples.request(experiment(), label, kCount, kSide);
        service->allowAll();
        QTRY_COMPARE(loaded.count(), 1);
        QCOMPARE(loaded[0][0].toInt(), 8);
        // Whatever began in between was given up again.
        QCOMPARE(service->picturesGivenUp(), service->pictureCalls() - 1);
    }

    void whatIsCancelledIsNotAnswered() {
        const auto service = std::make_shared<ScriptedDatasets>();
        ClassSamples samples(service);
        QSignalSpy loaded(&samples, &ClassSamples::loaded);
        samples.request(experiment(), 1, kCount, kSide);
        QTRY_COMPARE(service->pictureCalls(), 1);
        samples.cancel();
        QTRY_COMPARE(service->picturesGivenUp(), 1);
        service->allowAll();
        samples.request(experiment(), 2, kCount, kSide);
        QTRY_COMPARE(loaded.count(), 1);
        QCOMPARE(loaded[0][0].toInt(), 2);
    }

    void whatWasReadBeforeTheFilesChangedIsNotKept() {
        const auto service = std::make_shared<ScriptedDatasets>();
        service->allowAll();
        ClassSamples samples(service);
        QSignalSpy loaded(&samples, &ClassSamples::loaded);
        samples.request(experiment(), 1, kCount, kSide);
        // Until the answer is on its way: then only the test and `samples` hold the service.
        const QDeadlineTimer patience(30'000);
        while (service.use_count() > 2 && !patience.hasExpired()) QThread::yieldCurrentThread();
        QVERIFY(!patience.hasExpired());
        samples.forget();
        QCoreApplication::processEvents();
        QCOMPARE(loaded.count(), 0);
        QVERIFY(!samples.cached(experiment(), 1, kCount, kSide));
        samples.request(experiment(), 1, kCount, kSide);
        QTRY_COMPARE(loaded.count(), 1);
        QVERIFY(samples.cached(experiment(), 1, kCount, kSide));
    }

    void aFailureIsAnEmptyAnswerAndIsTriedAgain() {
        ScriptedDatasets::Script script;
        script.pictures_fail = true;
        const auto service = std::make_shared<ScriptedDatasets>(script);
        service->allowAll();
        ClassSamples samples(service);
        QSignalSpy loaded(&samples, &ClassSamples::loaded);
        samples.request(experiment(), 1, kCount, kSide);
        QTRY_COMPARE(loaded.count(), 1);
        QVERIFY(loaded[0][1].value<QList<QImage>>().isEmpty());
        QVERIFY(!samples.cached(experiment(), 1, kCount, kSide));
    }

    void picturesThatAreNoneAreLeftOut() {
        class Liar : public ScriptedDatasets {
            std::vector<Thumbnail> samplesOfClass(const Experiment&, std::int32_t label, int, int,
                                                  std::stop_token) const override {
                return {{28, label, {1, 2, 3}}, {-4, label, {}}, {0, label, {}}, {1, label, {9, 9, 9}}};
            }
        };
        ClassSamples samples(std::make_shared<Liar>());
        QSignalSpy loaded(&samples, &ClassSamples::loaded);
        samples.request(experiment(), 1, kCount, kSide);
        QTRY_COMPARE(loaded.count(), 1);
        QCOMPARE(loaded[0][1].value<QList<QImage>>().size(), qsizetype(1));
    }

    void deletedWhileReadingItDoesNotWaitForAnAnswer() {
        const auto service = std::make_shared<ScriptedDatasets>();
        {
            ClassSamples samples(service);
            samples.request(experiment(), 1, kCount, kSide);
            QTRY_COMPARE(service->pictureCalls(), 1);
        }
        QCOMPARE(service->picturesGivenUp(), 1);
        QCOMPARE(service.use_count(), 1);
    }
};

PALIMPSEST_GUILESS_TEST(TestClassSamples)

}  // namespace tst_class_samples

#include "tst_class_samples.moc"
