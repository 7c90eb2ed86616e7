// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <opencv2/imgcodecs.hpp>
#include <set>

#include "engine/api.h"
#include "engine/record/run_folder.h"
#include "engine/record/watched.h"
#include "engine/support/own_drawings.h"
#include "engine/train/run_experiment.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_watched_recording {

namespace fs = std::filesystem;

class TestWatchedRecording : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Although the points between session ends are measured on a small part of the test images.
    void watchedDrawingsAreInEveryEvaluationOfTheirClass() {
        QTemporaryDir folder;
        const fs::path drawings = fs::path(folder.path().toStdString()) / "drawings", run = drawings / "../run";
        for (const char* own : {"star", "wave"})
            for (const auto& [part, count] : {std::pair(kDrawingsTrain, 4), std::pair(kDrawingsTest, 6)}) {
                fs::create_directories(drawings / part / own);
                for (int i = 0; i < count; ++i) {
                    const cv::Mat picture(32, 32, CV_8UC3, cv::Scalar(own[0] == 's' ? 200 : 20, 20 * i, 30));
                    QVERIFY(cv::imwrite((drawings / part / own / (std::to_string(i) + ".png")).string(), picture));
                }
            }
        writeDrawingsBase(drawings, {"shapes"});

        const OptionTable table(engineCatalogue());
        Experiment e = table.defaults();
        e.stream.dataset = kOwnDrawings;
        e.stream.root = drawings.string();
        e.stream.classes = 4;
        e.stream.train_limit = 100;
        e.stream.test_limit = 40;
        e.stream.sessions = 2;
        e.method.name = "linear-probe";
        e.backbone.weights = "random";
        e.precision = "float32";
        e.threads = 1;
        e.training.batch_size = 10;
        e.evaluation.every_samples = 20;
        e.evaluation.anytime_part = 6;
        struct Ended : RunObserver {
            RunEnded end;
            void onEnded(const RunEnded& event) override { end = event; }
        } watcher;
        RunControl control;
        runExperiment(1, e, FreshRun{{}, run}, control, watcher);
        QVERIFY2(watcher.end.how == RunEnd::Finished, watcher.end.error.c_str());

        const RunRecord record = readRun(table, run);
        std::set<std::int64_t> evaluations{record.total_samples};
        for (const auto& point : record.anytime) evaluations.insert(point.samples_seen);
        const std::vector<WatchedImage> images = readWatched(run);
        QCOMPARE(images.size(), std::size_t{12});
        for (const WatchedImage& image : images) {
            QVERIFY(image.label == 4 || image.label == 5);
            // From the first evaluation behind its class's coming on, in each one.
            for (const WatchedMoment& moment : image.moments) QVERIFY(moment.shares.size() <= 4);
            std::set<std::int64_t> moments;
            for (const WatchedMoment& moment : image.moments) moments.insert(moment.samples_seen);
            for (const std::int64_t evaluation : evaluations)
                if (evaluation >= image.moments.front().samples_seen) QVERIFY(moments.contains(evaluation));
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestWatchedRecording)

}  // namespace tst_watched_recording

#include "tst_watched_recording.moc"
