// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QSignalSpy>

#include "tests/support/scripted_datasets.h"
#include "tests/support/test_program.h"
#include "ui/widgets/picture_loader.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedDatasets;

namespace tst_picture_loader {

constexpr int kSide = 20;

class TestPictureLoader : public QObject {
    Q_OBJECT
private:
    static Experiment experiment(const std::string& dataset = "fashion-mnist") {
        Experiment experiment;
        experiment.stream.dataset = dataset;
        return experiment;
    }
    static KeptSample sample(std::int64_t position) { return {position, static_cast<std::int32_t>(position % 10)}; }

private Q_SLOTS:
    void whatIsAskedForComesFromAWorkerAndIsThenAtHand() {
        const auto service = std::make_shared<ScriptedDatasets>();
        PictureLoader pictures(service);
        pictures.setSource(experiment(), kSide, 2);
        QSignalSpy arrived(&pictures, &PictureLoader::arrived);
        QVERIFY(!pictures.picture(sample(123)));
        QVERIFY(!pictures.idle());
        QTRY_COMPARE(service->pictureCalls(), 1);
        QCOMPARE(arrived.count(), 0);
        service->allowPictures(1);
        QTRY_COMPARE(arrived.count(), 1);
        const QImage* picture = pictures.picture(sample(123));
        QVERIFY(picture);
        QCOMPARE(picture->size(), QSize(2 * kSide, 2 * kSide));
        QCOMPARE(picture->devicePixelRatio(), 2.0);
        QCOMPARE(picture->pixelColor(kSide, kSide), QColor(123, 123, 123));
        QVERIFY(picture->pixelColor(0, 0).alpha() < 255);  // a round corner
        QVERIFY(pictures.idle());
    }

    void manyAreReadAFewAtATimeAndOnlyWhileSomebodyLooks() {
        const auto service = std::make_shared<ScriptedDatasets>();
        PictureLoader pictures(service);
        pictures.setSource(experiment(), kSide, 1);
        QSignalSpy arrived(&pictures, &PictureLoader::arrived);
        for (int turn = 0; turn < 2; ++turn)
            for (std::int64_t i = 0; i < 2000; ++i) pictures.picture(sample(i));
        QTRY_COMPARE(service->pictureCalls(), 1);
        QCOMPARE(service->asked().size(), std::size_t(PictureLoader::kAtATime));
        // The view has moved on and does not request the others again.
        service->allowAll();
        QTRY_COMPARE(arrived.count(), 1);
        QVERIFY(pictures.idle());
        pictures.picture(sample(1900));
        pictures.picture(sample(0));
        QTRY_COMPARE(arrived.count(), 2);
        QCOMPARE(service->asked().size(), std::size_t(PictureLoader::kAtATime + 1));
        QCOMPARE(service->asked().back(), std::int64_t{1900});
    }

    void whatCannotBeShownIsNotAskedForAgain_data() {
        QTest::addColumn<qint64>("position");
        QTest::addColumn<int>("label");
        QTest::newRow("beyond the end") << qint64(ScriptedDatasets::kImages) << 0;
        QTest::newRow("of another class by now") << qint64(7) << 3;
    }
    void whatCannotBeShownIsNotAskedForAgain() {
        QFETCH(qint64, position);
        QFETCH(int, label);
        const auto service = std::make_shared<ScriptedDatasets>();
        service->allowAll();
        PictureLoader pictures(service);
        pictures.setSource(experiment(), kSide, 1);
        QSignalSpy arrived(&pictures, &PictureLoader::arrived);
        QVERIFY(!pictures.picture({position, label}));
        QTRY_COMPARE(arrived.count(), 1);
        const QImage* none = pictures.picture({position, label});
        QVERIFY(none && none->isNull());
        QVERIFY(pictures.idle());
        QCOMPARE(service->pictureCalls(), 1);
    }

    void aDataSetThatCannotBeReadIsTriedAgainWhenAsked_data() {
        QTest::addColumn<bool>("forget");
        QTest::newRow("looked at anew") << false;
        QTest::newRow("files may have changed") << true;
    }
    void aDataSetThatCannotBeReadIsTriedAgainWhenAsked() {
        QFETCH(bool, forget);
        const auto service = std::make_shared<ScriptedDatasets>();
        service->setPicturesFail(true);
        service->allowAll();
        PictureLoader pictures(service);
        pictures.setSource(experiment(), kSide, 1);
        QSignalSpy arrived(&pictures, &PictureLoader::arrived);
        QVERIFY(!pictures.picture(sample(7)));
        QTRY_COMPARE(arrived.count(), 1);
        QVERIFY(pictures.failure());
        QCOMPARE(pictures.failure()->message, QString("The pictures are damaged."));
        // A view that draws again and again does not ask again and again.
        const QImage* none = pictures.picture(sample(7));
        QVERIFY(none && none->isNull());
        QVERIFY(pictures.picture(sample(8))->isNull());
        QVERIFY(pictures.idle());
        QCOMPARE(service->pictureCalls(), 1);
        service->setPicturesFail(false);
        if (forget)
            pictures.forget();
        else
            pictures.retry();
        QCOMPARE(arrived.count(), 2);
        QVERIFY(!pictures.failure());
        QVERIFY(!pictures.picture(sample(7)));
        QTRY_COMPARE(arrived.count(), 3);
        QVERIFY(pictures.picture(sample(7)) && !pictures.picture(sample(7))->isNull());
    }

    void whatWasReadBeforeFilesChangedIsReadAnew() {
        const auto service = std::make_shared<ScriptedDatasets>();
        PictureLoader pictures(service);
        pictures.setSource(experiment(), kSide, 1);
        QSignalSpy arrived(&pictures, &PictureLoader::arrived);
        service->allowPictures(1);
        QVERIFY(!pictures.picture(sample(7)));
        QTRY_COMPARE(arrived.count(), 1);
        QVERIFY(pictures.picture(sample(7)));
        // retry() tries only failed pictures anew; the others stay.
        pictures.retry();
        QVERIFY(pictures.picture(sample(7)));
        QVERIFY(!pictures.picture(sample(8)));
        QTRY_COMPARE(service->pictureCalls(), 2);
        pictures.forget();
        QVERIFY(!pictures.picture(sample(7)));
        // The picture that was being read is of the old files.
        QTRY_COMPARE(service->picturesGivenUp(), 1);
        service->allowAll();
        QTRY_VERIFY(pictures.idle());
        QVERIFY(pictures.picture(sample(7)));
        QVERIFY(!pictures.picture(sample(8)));
        QTRY_VERIFY(pictures.idle());
    }

    void withoutAServiceThereAreNone() {
        PictureLoader pictures(nullptr);
        pictures.setSource(experiment(), kSide, 1);
        const QImage* none = pictures.picture(sample(1));
        QVERIFY(none && none->isNull());
    }

    void anotherDataSetHasOtherPictures() {
        const auto service = std::make_shared<ScriptedDatasets>();
        PictureLoader pictures(service);
        pictures.setSource(experiment(), kSide, 1);
        QSignalSpy arrived(&pictures, &PictureLoader::arrived);
        pictures.picture(sample(1));
        QTRY_COMPARE(service->pictureCalls(), 1);
        // The picture that is being read is of the old one.
        pictures.setSource(experiment("cifar-100"), kSide, 1);
        QTRY_COMPARE(service->picturesGivenUp(), 1);
        service->allowAll();
        QVERIFY(!pictures.picture(sample(2)));
        QTRY_COMPARE(arrived.count(), 1);
        QVERIFY(!pictures.picture(sample(1)));
        QTRY_COMPARE(arrived.count(), 2);
        // The same source again changes nothing.
        pictures.setSource(experiment("cifar-100"), kSide, 1);
        QVERIFY(pictures.picture(sample(2)));
    }

    void deletedWhileReadingItDoesNotWaitForAnAnswer() {
        const auto service = std::make_shared<ScriptedDatasets>();
        {
            PictureLoader pictures(service);
            pictures.setSource(experiment(), kSide, 1);
            pictures.picture(sample(1));
            QTRY_COMPARE(service->pictureCalls(), 1);
        }
        QCOMPARE(service->picturesGivenUp(), 1);
        QCOMPARE(service.use_count(), 1);
    }
};

PALIMPSEST_GUILESS_TEST(TestPictureLoader)

}  // namespace tst_picture_loader

#include "tst_picture_loader.moc"
