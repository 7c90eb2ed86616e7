// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_diff.h"

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <functional>
#include <limits>

#include "engine/record/run_diff_text.h"
#include "engine/record/run_folder_writer.h"
#include "engine/support/error.h"
#include "tests/datasets/errors.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;
using namespace palimpsest::testing;

namespace tst_run_diff {

namespace fs = std::filesystem;

/// What is otherwise in a run.
struct Otherwise {
    std::function<void(Experiment&)> experiment = nullptr;
    std::function<void(RunStarted&)> started = nullptr;
    std::function<void(UpdateDone&)> update = nullptr;
    std::function<void(Evaluated&)> evaluation = nullptr;
    std::function<void(SessionEnded&)> session = nullptr;
    std::int64_t other_state_at = -1, changed_at = -1, ends_at = 500;
    bool state_at_begin = false;
    std::string version = "1";
};

class TestRunDiff : public QObject {
    Q_OBJECT
    const OptionTable table_{testCatalogue()};
    QTemporaryDir folder_;
    int made_ = 0;

    fs::path makeRun(const Otherwise& otherwise = {}) {
        const fs::path run = folder_.filePath(QString("run-%1").arg(++made_)).toStdString();
        Experiment experiment = madeUpExperiment("batch");
        if (otherwise.experiment) otherwise.experiment(experiment);
        const auto writer = RunFolderWriter::createExact(table_, experiment, run);
        writer->addVersion("libtorch", otherwise.version);
        RunStarted started = madeUpStart(1, run.string(), "batch");
        started.experiment = experiment;
        if (otherwise.started) otherwise.started(started);
        writer->onStarted(started);
        if (otherwise.state_at_begin) writer->addState(0, otherwise.other_state_at == 0 ? "bbbb" : "aaaa");
        for (std::int64_t samples = 100; samples <= otherwise.ends_at; samples += 100) {
            if (samples == otherwise.changed_at) writer->recordCommand(samples, "change", "mask.name=seen");
            UpdateDone update;
            update.run = 1;
            update.samples_seen = samples;
            update.update = samples / 100;
            update.loss = 1.5;
            if (otherwise.update) otherwise.update(update);
            writer->onUpdate(update);
            Evaluated event = madeUpEvaluation(1, samples, 0.5);
            if (otherwise.evaluation) otherwise.evaluation(event);
            writer->onEvaluated(event);
            writer->addState(samples, samples == otherwise.other_state_at ? "bbbb" : "aaaa");
        }
        for (std::int64_t session = 0; otherwise.session && session < 3; ++session) {
            SessionEnded event = madeUpSessionEnd(1, session);
            otherwise.session(event);
            writer->onSessionEnded(event);
        }
        writer->onEnded(madeUpEnd(1, otherwise.ends_at < 500 ? RunEnd::Stopped : RunEnd::Finished));
        return run;
    }

    RunDifferences compared(const Otherwise& otherwise) { return compareRuns(table_, makeRun(), makeRun(otherwise)); }

private Q_SLOTS:
    void anotherProgramThatLearnedIsNamed() {
        const auto madeBy = [this](const std::string& digest, double loss) {
            Otherwise otherwise;
            otherwise.started = [digest](RunStarted& started) {
                if (!digest.empty()) started.program = ProgramIdentity{"nearest mean", "2", digest};
            };
            otherwise.update = [loss](UpdateDone& update) { update.loss = loss; };
            return makeRun(otherwise);
        };
        const fs::path before = madeBy(std::string(64, 'a'), 1), after = madeBy(std::string(64, 'b'), 2);
        QCOMPARE(readRun(table_, before).program->digest, std::string(64, 'a'));
        const RunDifferences found = compareRuns(table_, before, after);
        QCOMPARE(found.surroundings.size(), std::size_t{1});
        QCOMPARE(found.surroundings[0].what, std::string("learner"));
        QCOMPARE(found.surroundings[0].second, std::string("nearest mean, version 2 (bbbbbbbbbbbb)"));
        QVERIFY(found.verdict().starts_with("Another program learned"));
        QVERIFY(compareRuns(table_, before, madeBy(std::string(64, 'a'), 1)).surroundings.empty());
        // One of before it was recorded.
        QCOMPARE(compareRuns(table_, before, madeBy({}, 1)).surroundings.at(0).second, std::string("not known"));
    }

    void theSameRunTwiceHasNoDifference() {
        const RunDifferences found = compared({});
        QVERIFY(found.sameNumbers() && found.sameStream() && found.settings.empty() && found.surroundings.empty());
        QVERIFY(!found.change);
        QCOMPARE(found.updates, std::int64_t{5});
        QCOMPARE(found.evaluations, std::int64_t{5});
        QCOMPARE(found.states, std::int64_t{5});
        QCOMPARE(found.verdict(), std::string("The two runs are the same, as far as both go."));
    }

    void aRunThatEndedEarlyIsComparedAsFarAsItGoes() {
        const RunDifferences found = compared({.ends_at = 300});
        QVERIFY(found.sameNumbers());
        QCOMPARE(found.updates, std::int64_t{3});
        QCOMPARE(found.verdict(), std::string("The two runs are the same, as far as both go."));
    }

    void settingsComeFirst() {
        const RunDifferences found = compared(
            {.experiment = [](Experiment& e) { e.mask.name = "seen"; }, .update = [](UpdateDone& u) { u.loss = 2; }});
        QCOMPARE(found.settings.size(), std::size_t{1});
        QCOMPARE(found.settings[0].what, std::string("mask.name"));
        QVERIFY(found.settings[0].first != found.settings[0].second);
        QVERIFY(found.verdict().starts_with("Their settings differ: mask.name"));
    }

    void theFirstUpdateThatDiffersIsNamed() {
        const RunDifferences found = compared({.update = [](UpdateDone& u) {
            if (u.update >= 3) u.loss = std::nextafter(1.5, 2);
        }});
        QVERIFY(found.update.has_value());
        QCOMPARE(found.update->rows_alike, std::int64_t{2});
        QCOMPARE(found.update->number, std::int64_t{3});
        QCOMPARE(found.update->samples_seen, std::int64_t{300});
        QCOMPARE(found.update->column, std::string("loss"));
        QCOMPARE(found.update->first, std::string("1.5"));
        QCOMPARE(found.update->second, std::string("1.5000000000000002"));
        QVERIFY(!found.evaluation);
        QVERIFY(found.verdict().starts_with("Nothing that is recorded explains"));
    }

    void whatIsNoNumberIsTheSameAsItself() {
        const auto none = [](UpdateDone& u) { u.loss = std::numeric_limits<double>::quiet_NaN(); };
        QVERIFY(!compareRuns(table_, makeRun({.update = none}), makeRun({.update = none})).update);
        QVERIFY(compared({.update = none}).update.has_value());
    }

    void theFirstEvaluationAndStateThatDifferAreNamed() {
        const RunDifferences found = compared({.evaluation =
                                                   [](Evaluated& e) {
                                                       if (e.samples_seen == 200) e.accuracy = 0.75;
                                                   },
                                               .other_state_at = 400});
        QVERIFY(found.evaluation && found.state && !found.update);
        QCOMPARE(found.evaluation->samples_seen, std::int64_t{200});
        QCOMPARE(found.evaluation->column, std::string("accuracy"));
        QCOMPARE(found.state->samples_seen, std::int64_t{400});
        QCOMPARE(found.state->rows_alike, std::int64_t{3});
        QCOMPARE(found.state->second, std::string("bbbb"));
    }

    void theFirstAccuracyOfASessionThatDiffersIsNamed() {
        const auto ended = [this](double last, std::int64_t sessions, std::int64_t images) {
            return makeRun({.session =
                                [=](SessionEnded& e) {
                                    if (e.session >= sessions) e.accuracies.clear();
                                    if (e.session == 2 && !e.accuracies.empty()) e.accuracies[1].accuracy = last;
                                },
                            .ends_at = images});
        };
        const fs::path one = ended(0.5, 3, 500);
        QVERIFY(!compareRuns(table_, one, ended(0.5, 3, 500)).session_accuracy);
        QCOMPARE(compareRuns(table_, one, ended(0.5, 3, 500)).session_accuracies, std::int64_t{6});
        const RunDifferences found = compareRuns(table_, one, ended(0.25, 3, 500));
        QVERIFY(found.session_accuracy && !found.evaluation && !found.sameNumbers());
        QVERIFY2(found.verdict().starts_with("Nothing that is recorded explains"), found.verdict().c_str());
        QCOMPARE(found.session_accuracy->column, std::string("accuracy"));
        const QString text = QString::fromStdString(differencesText(found, {}));
        QVERIFY2(text.contains("Accuracies of sessions: 4 are the same, the next one, of session 2 after session 3, "
                               "differs: accuracy 0.5 -> 0.25\n"),
                 qPrintable(text));
        const auto shorter = compareRuns(table_, one, ended(0.5, 2, 500)).session_accuracy;
        QVERIFY(shorter && shorter->column.empty());
        QCOMPARE(shorter->rows_alike, std::int64_t{3});
        QCOMPARE(shorter->after_session, std::int64_t{3});
        // It ended early, so its last session is no difference.
        QVERIFY(compareRuns(table_, one, ended(0.5, 2, 300)).sameNumbers());
    }

    // The text says where two runs part in the order of what a run does, and what a number there means.
    void theTextSaysWhereRunsPart() {
        const fs::path one = makeRun({.state_at_begin = true});
        const auto textOf = [&](const Otherwise& otherwise) {
            return QString::fromStdString(differencesText(compareRuns(table_, one, makeRun(otherwise)), {}));
        };
        const QString mask = textOf({.experiment = [](Experiment& e) { e.mask.name = "seen"; },
                                     .update = [](UpdateDone& u) { u.loss = 2; },
                                     .other_state_at = 0,
                                     .state_at_begin = true});
        const QStringList parts{
            "Settings:\n  mask.name: ",
            "Surroundings: the same\n",
            "Streams: the same, every batch has the same images\n",
            "Updates: the first one, update 1 in batch 1, after 100 images, differs: loss 1.5 -> 2\n",
            "Evaluations: the same, all 5 that both have\n",
            "States: the first one, before anything was learned, differs: hash aaaa -> bbbb\n",
            "A state holds settings that act in it",
            "Their settings differ: mask.name"};
        qsizetype at = -1;
        for (const QString& part : parts) {
            const qsizetype next = mask.indexOf(part);
            QVERIFY2(next > at, qPrintable(part + "\n" + mask));
            at = next;
        }

        const QString later = textOf({.update =
                                          [](UpdateDone& u) {
                                              u.samples_seen = (u.update + 1) / 2 * 100;
                                              if (u.update == 5) u.loss = 2;
                                          },
                                      .other_state_at = 300,
                                      .state_at_begin = true});
        QVERIFY2(later.contains("Updates: one is the same, the next one, update 2 in batch 2, after 200 images, "
                                "differs: samples_seen 200 -> 100\n"),
                 qPrintable(later));
        QVERIFY2(later.contains("States: 3 are the same, the next one, after 300 images, differs: hash ") &&
                     !later.contains("A state holds") && !later.contains("began with other"),
                 qPrintable(later));
        QVERIFY(textOf({.other_state_at = 0, .state_at_begin = true})
                    .contains("Their settings are the same, so they "
                              "began with other weights"));
    }

    // Two updates of each batch: the third belongs to the second batch.
    void anUpdateIsCountedByItsBatch() {
        const auto twoABatch = [](double last) {
            return [last](UpdateDone& u) {
                u.samples_seen = (u.update + 1) / 2 * 100;
                if (u.update == 3) u.loss = last;
            };
        };
        const RunDifferences found =
            compareRuns(table_, makeRun({.update = twoABatch(1)}), makeRun({.update = twoABatch(2)}));
        QVERIFY(found.update.has_value());
        QCOMPARE(found.update->number, std::int64_t{3});
        QCOMPARE(found.update->batch, std::int64_t{2});
    }

    void surroundingsAndChangesAreNamed() {
        const RunDifferences found = compared({.started =
                                                   [](RunStarted& s) {
                                                       s.threads = 7;
                                                       s.device = "cuda:0";
                                                   },
                                               .version = "2"});
        std::vector<std::string> names;
        for (const FactDifference& fact : found.surroundings) names.push_back(fact.what);
        QCOMPARE(names, (std::vector<std::string>{"device", "threads", "version of libtorch"}));
        QVERIFY(found.verdict().starts_with("They measured the same bit for bit, in other surroundings: device"));

        const RunDifferences changed = compared({.changed_at = 200});
        QVERIFY(changed.change.has_value());
        QCOMPARE(changed.change->first, std::string("none"));
        QCOMPARE(changed.change->second, std::string("mask.name becomes seen after 200 images"));
    }

    // A run and its replay, whose settings name what the first one chose by itself.
    void aChoiceLeftToTheProgramIsWhatItCameTo() {
        const auto ran = [this](const std::string& device, const std::string& precision, std::int64_t threads,
                                const std::string& used) {
            return makeRun({.experiment =
                                [=](Experiment& e) {
                                    e.device = device;
                                    e.precision = precision;
                                    e.threads = threads;
                                },
                            .started =
                                [=](RunStarted& s) {
                                    s.device = used;
                                    s.precision = "float32";
                                    s.threads = 2;
                                }});
        };
        const fs::path left = ran("auto", "auto", 0, "cpu");
        const RunDifferences replayed = compareRuns(table_, left, ran("cpu", "float32", 2, "cpu"));
        QVERIFY2(replayed.settings.empty(), replayed.verdict().c_str());
        QCOMPARE(replayed.verdict(), std::string("The two runs are the same, as far as both go."));
        const RunDifferences moved = compareRuns(table_, left, ran("cuda:0", "float32", 2, "cuda:0"));
        QCOMPARE(moved.settings.size(), std::size_t{1});
        QCOMPARE(moved.settings[0].what + " " + moved.settings[0].first + " " + moved.settings[0].second,
                 std::string("device cpu cuda:0"));
        // Both left it to the program, on machines that are not alike.
        const RunDifferences elsewhere = compareRuns(table_, left, ran("auto", "auto", 0, "cuda:0"));
        QVERIFY(elsewhere.settings.empty());
        QCOMPARE(elsewhere.surroundings.size(), std::size_t{1});
    }

    void anotherStreamIsSeenByItsFingerprint() {
        const RunDifferences found = compared({.started = [](RunStarted& s) { s.fingerprint = "fedcba9876543210"; }});
        QVERIFY(!found.sameStream());
        QCOMPARE(found.second_stream, std::string("fedcba9876543210"));
        QVERIFY(found.verdict().starts_with("They learned other streams"));
    }

    void whatIsNoRunIsRefused() {
        const fs::path run = makeRun();
        QVERIFY(!inputErrorOf([&] { compareRuns(table_, run, folder_.path().toStdString()); }).isEmpty());
    }
};

PALIMPSEST_APPLESS_TEST(TestRunDiff)

}  // namespace tst_run_diff

#include "tst_run_diff.moc"
