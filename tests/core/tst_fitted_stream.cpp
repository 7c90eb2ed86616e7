// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <tuple>

#include "engine/config/option_table.h"
#include "engine/stream/experiment_stream.h"
#include "engine/stream/fitted_stream.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_fitted_stream {

using Labels = std::vector<std::int32_t>;

namespace {

Labels labelsOf(int classes, int each) {
    Labels labels;
    for (int i = 0; i < classes * each; ++i) labels.push_back(i % classes);
    return labels;
}

auto sizesOf(const Experiment& experiment) {
    const StreamOptions& stream = experiment.stream;
    return std::tuple(stream.sessions, stream.disjoint_percent, stream.train_limit,
                      experiment.evaluation.every_samples);
}

std::vector<std::string> warningsOf(const Experiment& experiment, const Labels& labels, int classes) {
    return lintExperimentStream(experiment, planExperimentStream(experiment, labels, classes), labels);
}

}  // namespace

class TestFittedStream : public QObject {
    Q_OBJECT
    const OptionTable table_{testCatalogue()};

    Experiment experiment() const {
        Experiment e = table_.defaults();
        e.stream.sessions = 5;
        e.stream.disjoint_percent = 50;
        e.stream.blurry_percent = 10;
        e.stream.train_limit = 900;
        e.evaluation.every_samples = 500;
        e.training.batch_size = 16;
        e.memory.size = 0;
        return e;
    }

private Q_SLOTS:
    void threeClassesOfSixtyImagesMakeAStream() {
        const Labels labels = labelsOf(3, 60);
        QVERIFY(warningsOf(experiment(), labels, 3).size() > 1);
        const Experiment fitted = fittedToImages(experiment(), labels, 3);
        QCOMPARE(fitted.stream.sessions, std::int64_t{2});
        QCOMPARE(fitted.stream.disjoint_percent, std::int64_t{67});
        QCOMPARE(fitted.stream.train_limit, std::int64_t{0});
        QCOMPARE(fitted.evaluation.every_samples, std::int64_t{18});
        for (const std::string& warning : warningsOf(fitted, labels, 3)) QFAIL(warning.c_str());
    }

    void whatFitsStays() {
        Experiment e = experiment();
        e.stream.train_limit = 3000;
        e.evaluation.every_samples = 200;
        const Labels labels = labelsOf(10, 300);
        QVERIFY(sizesOf(fittedToImages(e, labels, 10)) == sizesOf(e));
    }

    void listsAndEditsAreLeftAlone() {
        Experiment list = experiment();
        list.stream.partition = "imported";
        QVERIFY(sizesOf(fittedToImages(list, labelsOf(3, 60), 3)) == sizesOf(list));
        Experiment uniform = experiment();
        uniform.stream.partition = "uniform";
        QCOMPARE(fittedToImages(uniform, labelsOf(3, 60), 3).seed, uniform.seed);
        Experiment edited = experiment();
        table_.setText(edited, "stream.edits", "class 1 to session 2");
        QVERIFY(sizesOf(fittedToImages(edited, labelsOf(3, 60), 3)) == sizesOf(edited));
        QVERIFY(sizesOf(fittedToImages(experiment(), {}, 3)) == sizesOf(experiment()));
    }

    /// Whatever the folder, nothing is left to complain about that the settings can mend.
    void everyFittedStreamHasImagesEverywhere() {
        for (const int classes : {1, 2, 3, 4, 5, 6, 7, 10, 17, 80})
            for (const int each : {1, 2, 3, 10, 60})
                for (const int sessions : {1, 2, 5, 20})
                    for (const int disjoint : {0, 10, 50, 90, 100, 101}) {
                        Experiment e = experiment();
                        e.stream.sessions = sessions;
                        e.stream.disjoint_percent = disjoint;
                        const Labels labels = labelsOf(classes, each);
                        const Experiment fitted = fittedToImages(e, labels, classes);
                        const auto where = QString("%1 classes of %2, %3 sessions, %4 %: ")
                                               .arg(classes)
                                               .arg(each)
                                               .arg(sessions)
                                               .arg(disjoint);
                        QVERIFY2(fitted.stream.sessions >= 1 && fitted.stream.sessions <= sessions, qPrintable(where));
                        for (const std::string& warning : warningsOf(fitted, labels, classes)) {
                            const QString text = where + QString::fromStdString(warning);
                            QVERIFY2(!text.contains("No class is disjoint"), qPrintable(text));
                            if (classes * each > 1) QVERIFY2(!text.contains("nothing is evaluated"), qPrintable(text));
                            if (each >= 10) QVERIFY2(!text.contains("empty"), qPrintable(text));
                        }
                        // Fitted once, it fits.
                        QVERIFY2(sizesOf(fittedToImages(fitted, labels, classes)) == sizesOf(fitted),
                                 qPrintable(where));
                    }
    }
};

PALIMPSEST_APPLESS_TEST(TestFittedStream)

}  // namespace tst_fitted_stream

#include "tst_fitted_stream.moc"
