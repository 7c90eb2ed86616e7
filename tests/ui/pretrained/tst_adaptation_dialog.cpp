// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QUndoStack>
#include <algorithm>
#include <memory>

#include "engine/support/error.h"
#include "tests/support/scripted_adaptation.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/pretrained/adaptation_dialog.h"
#include "ui/pretrained/adaptation_log.h"
#include "ui/pretrained/adaptation_plot.h"
#include "ui/state/adaptation_options.h"
#include "ui/state/run_controller.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"

using namespace palimpsest;
using palimpsest::testing::addAppearances;
using palimpsest::testing::checkDialog;
using palimpsest::testing::ScriptedAdaptation;
using palimpsest::testing::ScriptedRun;

namespace tst_adaptation_dialog {

using State = AdaptationJob::State;

namespace {

/// A dialog over a scripted initial session.
struct Scene {
    explicit Scene(const ScriptedAdaptation::Script& lines = {})
        : script(lines),
          runs(&table, run.function()),
          controller(script.function(), &runs),
          dialog(&controller, runs.draft(), folder.filePath("prompts")) {
        dialog.showDialog();
    }
    template <class Widget>
    Widget* part(const char* name) const {
        return dialog.findChild<Widget*>(name);
    }
    void choose(const QString& kind) const {
        auto* box = part<QComboBox>("adaptationKind");
        box->setCurrentIndex(box->findData(kind));
    }
    QPushButton* button(const char* name) const { return part<QPushButton>(name); }
    QString words(const char* name) const { return part<QLabel>(name)->text(); }
    MessageBar* messages() const { return part<MessageBar>("adaptationMessages"); }
    int points() const {
        dialog.plot()->drawNow();
        return dialog.plot()->points();
    }
    /// Starts, lets so many steps pass and waits until they are shown.
    void learn(std::int64_t steps) {
        button("adaptationStart")->click();
        script.allow(steps);
        QTRY_VERIFY(controller.progress() && controller.progress()->step >= steps);
    }

    QTemporaryDir folder;
    const OptionTable table{testCatalogue()};
    ScriptedRun run;
    ScriptedAdaptation script;
    RunController runs;
    AdaptationJob controller;
    AdaptationDialog dialog;
};

QByteArray contentOf(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

}  // namespace

class TestAdaptationDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void isNotModalAndInvitesWhileEmpty() {
        Scene scene;
        QVERIFY(!scene.dialog.isModal());
        QCOMPARE(scene.words("adaptationStatus"), QString("Ready."));
        QVERIFY(!scene.words("adaptationSentence").isEmpty());
        QCOMPARE(scene.button("adaptationStart")->accessibleName(), QString("Start"));
        for (const char* name : {"adaptationStop", "adaptationUse", "adaptationAnew"})
            QVERIFY2(!scene.button(name)->isVisible(), name);
        QVERIFY(!scene.part<QProgressBar>("adaptationBar")->isVisible());
        QCOMPARE(scene.points(), 0);
        // A long path does not hide the file's name.
        auto* place = scene.part<QLineEdit>("adaptationFile");
        QCOMPARE(place->cursorPosition(), place->text().size());
        QVERIFY2(place->toolTip().contains(scene.dialog.file()), qPrintable(place->toolTip()));
        // The proposed place lies in the folder of prompts, which need not be there yet.
        QVERIFY2(scene.dialog.file().startsWith(scene.folder.filePath("prompts/")), qPrintable(scene.dialog.file()));
        QVERIFY(scene.dialog.file().endsWith(".safetensors"));
    }

    void showsEveryOptionOfTheSectionButThePrompts() {
        Scene scene;
        auto* form = scene.part<OptionForm>("adaptationForm");
        QStringList shown;
        for (OptionEditor* editor : form->editors()) shown.append(editor->key());
        QStringList wanted = adaptationKeys(scene.table);
        QVERIFY(!wanted.contains(kPromptsKey));
        shown.sort();
        wanted.sort();
        QCOMPARE(shown, wanted);
    }

    void howPromptsLearnIsChosenAndOrdered_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"fam", "sam", "naive"}) QTest::newRow(kind) << kind;
    }
    void howPromptsLearnIsChosenAndOrdered() {
        QFETCH(QString, kind);
        Scene scene;
        auto* box = scene.part<QComboBox>("adaptationKind");
        QVERIFY(box && box->count() == 3);
        QCOMPARE(scene.dialog.kind(), QString("fam"));
        const QString before = scene.words("adaptationKindNote");
        scene.choose(kind);
        QCOMPARE(scene.words("adaptationKindNote") != before, kind != "fam");
        QVERIFY2(QFileInfo(scene.dialog.file()).fileName().startsWith(kind + "-"), qPrintable(scene.dialog.file()));
        // The file that the experiment names is what runs begin with, not how prompts learn.
        scene.runs.draft()->set(kPromptsKey, std::string("/tmp/other.safetensors"));
        scene.learn(1);
        QVERIFY(!box->isEnabled());
        QCOMPARE(scene.script.orders().at(0).prompts, kind.toStdString());
        QCOMPARE(scene.runs.draft()->experiment().initial_session.prompts, std::string("/tmp/other.safetensors"));
    }

    void theKindThatTheExperimentNamesIsFollowedUntilAPersonChooses() {
        Scene scene;
        scene.runs.draft()->set(kPromptsKey, std::string("sam"));
        QCOMPARE(scene.dialog.kind(), QString("sam"));
        scene.runs.draft()->set(kPromptsKey, std::string("none"));
        QCOMPARE(scene.dialog.kind(), QString("sam"));
        Q_EMIT scene.part<QComboBox>("adaptationKind")->activated(1);
        scene.runs.draft()->set(kPromptsKey, std::string("naive"));
        QCOMPARE(scene.dialog.kind(), QString("sam"));
    }

    void whatTheKindDoesNotReadIsOutOfReach() {
        Scene scene;
        auto* form = scene.part<OptionForm>("adaptationForm");
        OptionEditor* radius = form->editorOf("initial_session.rho");
        OptionEditor* drawn = form->editorOf("initial_session.other_drawn");
        QVERIFY(radius->isEnabled() && drawn->isEnabled());
        scene.choose("sam");
        QVERIFY(radius->isEnabled() && !drawn->isEnabled());
        scene.choose("naive");
        QVERIFY(!radius->isEnabled() && !drawn->isEnabled());
        // Another change of the experiment does not bring them back.
        scene.runs.draft()->set("stream.sessions", std::int64_t(3));
        QVERIFY(!radius->isEnabled() && !drawn->isEnabled());
    }

    void aMethodWithoutPromptsIsRefused() {
        Scene scene;
        scene.runs.draft()->set("method.name", std::string("linear-probe"));
        scene.button("adaptationStart")->click();
        QVERIFY(!scene.controller.busy());
        QVERIFY2(scene.messages()->text().startsWith("The method of this experiment takes no prompts"),
                 qPrintable(scene.messages()->text()));
        QVERIFY(scene.messages()->hint().contains("DualPrompt"));
        QVERIFY(scene.script.orders().empty());
    }

    void settingsThatDoNotFitTogetherAreRefusedForTheChosenKind() {
        Scene scene;
        scene.runs.draft()->set("initial_session.other_classes", std::int64_t(0));
        scene.button("adaptationStart")->click();
        QVERIFY(!scene.controller.busy());
        QVERIFY2(scene.messages()->text().contains("Other classes is none"), qPrintable(scene.messages()->text()));
        QVERIFY(!scene.messages()->hint().isEmpty());
        // Only FAM draws others.
        scene.choose("sam");
        scene.learn(1);
        QVERIFY(!scene.messages()->isVisible());
    }

    void progressCurveAndTimeLeftAreShown() {
        Scene scene;
        scene.learn(12);
        QCOMPARE(scene.controller.state(), State::Running);
        QTRY_COMPARE(scene.words("adaptationStatus"), QString("Epoch 2 · 12 of 40 steps"));
        QCOMPARE(scene.words("adaptationPace"), QString("2.0 steps/s · 14 s left"));
        QCOMPARE(scene.words("adaptationFacts"),
                 QString("Fractals: 900 classes to learn, 100 others · 93,322 parameters learn · cpu · float32"));
        auto* bar = scene.part<QProgressBar>("adaptationBar");
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->value(), bar->maximum() * 12 / 40);
        QCOMPARE(scene.points(), 12);
        const QString said = scene.dialog.plot()->accessibleDescription();
        QVERIFY2(said.contains("loss") && said.contains("perturbing pass"), qPrintable(said));
        QVERIFY(!scene.part<QLineEdit>("adaptationFile")->isEnabled());
        auto* table = scene.part<QTableView>("adaptationTable");
        QCOMPARE(table->model()->rowCount(), 12);
        QCOMPARE(table->model()->index(11, AdaptationLog::Step).data().toString(), QString("12"));
        scene.script.allowAll();
        QTRY_COMPARE(scene.controller.state(), State::Idle);
        QCOMPARE(scene.points(), 40);
    }

    void withoutAPerturbingPassThereIsOneCurve() {
        Scene scene;
        scene.choose("naive");
        scene.learn(5);
        QCOMPARE(scene.points(), 5);
        QVERIFY(!scene.dialog.plot()->accessibleDescription().contains("perturbing"));
        QVERIFY(scene.part<QTableView>("adaptationTable")->isColumnHidden(AdaptationLog::OtherLoss));
    }

    void aLossThatIsNoNumberIsLeftOutOfTheCurve() {
        ScriptedAdaptation::Script lines;
        lines.no_number_at = 3;
        Scene scene(lines);
        scene.learn(6);
        QCOMPARE(scene.points(), 5);
        QVERIFY(!scene.dialog.grab().isNull());
        auto* table = scene.part<QTableView>("adaptationTable");
        QCOMPARE(table->model()->index(2, AdaptationLog::Loss).data().toString(), QString("not a number"));
    }

    void pausesAndResumes() {
        Scene scene;
        scene.learn(2);
        QCOMPARE(scene.button("adaptationStart")->accessibleName(), QString("Pause"));
        scene.button("adaptationStart")->click();
        QCOMPARE(scene.words("adaptationPace"), QString("Pausing after this step …"));
        scene.script.allow(1);
        QTRY_COMPARE(scene.controller.state(), State::Paused);
        QCOMPARE(scene.words("adaptationPace"), QString("Paused"));
        QCOMPARE(scene.button("adaptationStart")->accessibleName(), QString("Resume"));
        scene.button("adaptationStart")->click();
        QCOMPARE(scene.controller.state(), State::Running);
        scene.script.allowAll();
        QTRY_COMPARE(scene.controller.state(), State::Idle);
        QCOMPARE(scene.points(), 40);
    }

    void aPauseThatHasNotComeAboutCanBeTakenBack() {
        Scene scene;
        scene.learn(1);
        scene.button("adaptationStart")->click();
        scene.button("adaptationStart")->click();
        QCOMPARE(scene.controller.state(), State::Running);
        QVERIFY(scene.controller.detail().isEmpty());
        scene.script.allowAll();
        QTRY_COMPARE(scene.controller.state(), State::Idle);
    }

    void whatWasStoppedCanGoOn() {
        Scene scene;
        scene.learn(10);
        scene.button("adaptationStop")->click();
        QTRY_COMPARE(scene.controller.state(), State::Idle);
        QVERIFY2(scene.words("adaptationStatus").contains("it can go on"), qPrintable(scene.words("adaptationStatus")));
        QVERIFY(scene.words("adaptationFileNote").contains("waits here"));
        QCOMPARE(scene.button("adaptationStart")->accessibleName(), QString("Resume"));
        QVERIFY(scene.button("adaptationAnew")->isVisible());
        QVERIFY(scene.button("adaptationUse")->isVisible());
        QVERIFY(!scene.messages()->isVisible());

        scene.button("adaptationStart")->click();
        scene.script.allow(5);
        QTRY_VERIFY(scene.controller.progress() && scene.controller.progress()->step == 15);
        QVERIFY(scene.script.orders()[1].resume);
        QCOMPARE(scene.controller.started()->first_step, 10);
        QCOMPARE(scene.points(), 15);  // what was learned before stays in the curve
        scene.script.allowAll();
        QTRY_COMPARE(scene.controller.state(), State::Idle);
        QVERIFY(!scene.button("adaptationAnew")->isVisible());
        QCOMPARE(scene.button("adaptationStart")->accessibleName(), QString("Start"));
    }

    void whatWasStoppedCanBeginAnew() {
        Scene scene;
        scene.learn(4);
        scene.button("adaptationStop")->click();
        QTRY_COMPARE(scene.controller.state(), State::Idle);
        scene.button("adaptationAnew")->click();
        QTRY_COMPARE(scene.script.orders().size(), std::size_t(2));
        QVERIFY(!scene.script.orders()[1].resume);
        // A stopped session stays where it is and can still be resumed.
        const QString stopped = QString::fromStdString(scene.script.orders()[0].file.string());
        const QString anew = QString::fromStdString(scene.script.orders()[1].file.string());
        QCOMPARE(anew, QString(stopped).replace(".safetensors", "-2.safetensors"));
        QCOMPARE(scene.dialog.file(), anew);
        scene.script.allowAll();
        QTRY_COMPARE(scene.controller.state(), State::Idle);
        QCOMPARE(contentOf(stopped), QByteArray("4"));
        QVERIFY(QFile::exists(AdaptationJob::stateFileOf(stopped)));
        QCOMPARE(contentOf(anew), QByteArray("40"));
    }

    void finishedPromptsAreNeverOverwritten() {
        Scene scene;
        scene.script.allowAll();
        QStringList files;
        for (int i = 0; i < 3; ++i) {
            if (i > 0)
                QVERIFY2(scene.words("adaptationFileNote").contains(QString("prompts-%1.safetensors").arg(i + 1)),
                         qPrintable(scene.words("adaptationFileNote")));
            scene.button("adaptationStart")->click();
            QTRY_VERIFY(scene.controller.end() && !scene.controller.busy());
            files.append(QString::fromStdString(scene.controller.end()->file.string()));
            QCOMPARE(scene.dialog.file(), files.last());
        }
        QCOMPARE(files[1], QString(files[0]).replace(".safetensors", "-2.safetensors"));
        QCOMPARE(files[2], QString(files[0]).replace(".safetensors", "-3.safetensors"));
        for (const QString& file : files) QCOMPARE(contentOf(file), QByteArray("40"));
    }

    void aStartThatIsRefusedTakesNoOtherFile() {
        Scene scene;
        scene.script.allowAll();
        scene.button("adaptationStart")->click();
        QTRY_VERIFY(scene.controller.end());
        const QString file = scene.dialog.file();
        const int points = scene.points();
        scene.runs.draft()->set("method.name", std::string("linear-probe"));
        scene.button("adaptationStart")->click();
        QCOMPARE(scene.dialog.file(), file);
        QCOMPARE(scene.points(), points);
    }

    void aPlaceIsUnderstoodAsPeopleWriteIt_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("file");
        QTest::newRow("home") << "~/mine" << QDir::homePath() + "/mine.safetensors";
        QTest::newRow("beside the others") << "mine.safetensors"
                                           << "PLACE/mine.safetensors";
        QTest::newRow("a folder below") << " mine/first "
                                        << "PLACE/mine/first.safetensors";
        QTest::newRow("absolute") << "/tmp/a/../mine"
                                  << "/tmp/mine.safetensors";
    }
    void aPlaceIsUnderstoodAsPeopleWriteIt() {
        QFETCH(QString, text);
        QFETCH(QString, file);
        Scene scene;
        scene.part<QLineEdit>("adaptationFile")->setText(text);
        QCOMPARE(scene.dialog.file(), file.replace("PLACE", scene.folder.filePath("prompts")));
    }

    void theEndOffersThePromptsToTheExperiment() {
        Scene scene;
        QSignalSpy used(&scene.dialog, &AdaptationDialog::useRequested);
        scene.script.allowAll();
        scene.button("adaptationStart")->click();
        QTRY_VERIFY(scene.controller.end());
        QCOMPARE(scene.words("adaptationStatus"), QString("Finished in 1 min 15 s."));
        QCOMPARE(scene.messages()->property("kind").toString(), QString("done"));
        QVERIFY(scene.messages()->text().contains(QFileInfo(scene.dialog.file()).fileName()));
        QVERIFY(QFile::exists(scene.dialog.file()));
        auto* use = scene.button("adaptationUse");
        QVERIFY(use->isVisible() && use->isEnabled());
        use->click();
        QCOMPARE(used.count(), 1);
        QCOMPARE(used[0][0].toString(), scene.dialog.file());
        scene.runs.draft()->set(kPromptsKey, scene.dialog.file().toStdString());
        QVERIFY(!use->isEnabled());
        scene.runs.draft()->undoStack()->undo();
        QVERIFY(use->isEnabled());
    }

    void aFailureStandsInPlaceUntilTheNextTry_data() {
        QTest::addColumn<int>("step");
        QTest::addColumn<QString>("status");
        QTest::newRow("while preparing") << 0 << "The initial session could not start.";
        QTest::newRow("in mid session") << 3 << "The initial session failed.";
    }
    void aFailureStandsInPlaceUntilTheNextTry() {
        QFETCH(int, step);
        QFETCH(QString, status);
        ScriptedAdaptation::Script lines;
        lines.fail_at_step = step;
        Scene scene(lines);
        scene.script.allowAll();
        scene.button("adaptationStart")->click();
        QTRY_VERIFY(scene.messages()->isVisible());
        QCOMPARE(scene.messages()->text(), QString::fromStdString(lines.error));
        QCOMPARE(scene.messages()->hint(), QString::fromStdString(lines.hint));
        QCOMPARE(scene.messages()->property("kind").toString(), QString("error"));
        QCOMPARE(scene.words("adaptationStatus"), status);
        QVERIFY(!scene.button("adaptationUse")->isVisible());
        scene.button("adaptationStart")->click();
        QVERIFY(!scene.messages()->isVisible());
        QTRY_VERIFY(scene.messages()->isVisible());
    }

    void promptsThatCannotBeWrittenGoToAnotherPlace() {
        Scene scene({.steps = 3, .no_room = true, .error = "The file p could not be written."});
        scene.button("adaptationStart")->click();
        scene.script.allowAll();
        QTRY_COMPARE(scene.words("adaptationStatus"), QString("The prompts are done, but not written yet."));
        QCOMPARE(scene.messages()->text(), QString("The file p could not be written."));
        const auto ask = [&] {
            auto* action = scene.messages()->findChild<QPushButton*>("messageAction");
            QVERIFY(action && action->text().startsWith("Choose another place"));
            action->click();
        };
        // Whoever thinks better of it is asked again.
        ask();
        auto* files = scene.part<QFileDialog>("adaptationOtherPlaceDialog");
        QVERIFY(files);
        files->reject();
        QVERIFY2(scene.messages()->text().contains("not written yet"), qPrintable(scene.messages()->text()));
        QTRY_VERIFY(!scene.part<QFileDialog>("adaptationOtherPlaceDialog"));
        ask();
        files = scene.part<QFileDialog>("adaptationOtherPlaceDialog");
        QVERIFY(files);
        const QString place = scene.folder.filePath("kept.safetensors");
        Q_EMIT files->fileSelected(place);
        QTRY_COMPARE(scene.dialog.file(), place);
        QCOMPARE(contentOf(place), QByteArray("3"));
        QVERIFY(scene.button("adaptationUse")->isVisible());
        QVERIFY(scene.words("adaptationStatus").startsWith("Finished"));
        QCOMPARE(scene.messages()->text(), QString("The prompts are in kept.safetensors."));
    }

    void promptsThatAreNotWrittenCanBeWrittenUntilTheyAre() {
        Scene scene({.steps = 3, .no_room = true});
        QVERIFY(!scene.button("adaptationKeep")->isVisible());
        scene.button("adaptationStart")->click();
        scene.script.allowAll();
        QTRY_VERIFY(scene.button("adaptationKeep")->isVisible());
        scene.messages()->dismissAll();
        scene.button("adaptationKeep")->click();
        auto* files = scene.part<QFileDialog>("adaptationOtherPlaceDialog");
        QVERIFY(files && files->isModal());
        // The second place takes them no more than the first.
        const QString nowhere = scene.folder.filePath("missing/kept.safetensors");
        Q_EMIT files->fileSelected(nowhere);
        files->close();
        QVERIFY(!scene.button("adaptationStart")->isEnabled());  // while they are being written
        QTRY_VERIFY2(scene.messages()->text().contains(nowhere), qPrintable(scene.messages()->text()));
        QVERIFY(scene.controller.canKeepElsewhere());
        QVERIFY(scene.button("adaptationStart")->isEnabled());
        QTRY_VERIFY(!scene.part<QFileDialog>("adaptationOtherPlaceDialog"));
        scene.messages()->dismissAll();
        scene.button("adaptationKeep")->click();
        files = scene.part<QFileDialog>("adaptationOtherPlaceDialog");
        QVERIFY(files);
        const QString place = scene.folder.filePath("kept.safetensors");
        Q_EMIT files->fileSelected(place);
        files->close();
        QTRY_COMPARE(contentOf(place), QByteArray("3"));
        QTRY_VERIFY(!scene.button("adaptationKeep")->isVisible());
    }

    void aStartAsksBeforeItLosesPrompts() {
        Scene scene({.steps = 3, .no_room = true});
        scene.button("adaptationStart")->click();
        scene.script.allowAll();
        QTRY_VERIFY(scene.controller.unwritten());
        const auto answer = [&](const char* name) {
            scene.button("adaptationStart")->click();
            auto* question = scene.part<QMessageBox>("losePromptsQuestion");
            QVERIFY(question && question->isVisible());
            if (name)
                question->findChild<QAbstractButton*>(name)->click();
            else
                QTest::keyClick(question, Qt::Key_Escape);
            QTRY_VERIFY(!scene.part<QMessageBox>("losePromptsQuestion"));
        };
        answer(nullptr);
        QVERIFY(scene.controller.unwritten());
        answer("keepPromptsButton");
        auto* files = scene.part<QFileDialog>("adaptationOtherPlaceDialog");
        QVERIFY(files);
        files->reject();
        QVERIFY(scene.controller.unwritten());
        QCOMPARE(scene.script.orders().size(), std::size_t(1));
        answer("losePromptsButton");
        QTRY_COMPARE(scene.script.orders().size(), std::size_t(2));
    }

    void whatItCanGoOnFromIsItsOwn_data() {
        QTest::addColumn<int>("lags");
        QTest::addColumn<QString>("words");
        QTest::newRow("here") << 0 << "Stopped. The prompts are kept as they are, and it can go on.";
        QTest::newRow("an earlier step") << 4
                                         << "Stopped. The prompts are kept as they are, and it can go on from step 6.";
        QTest::newRow("nothing of its own") << 10 << "Stopped. The prompts are kept as they are.";
    }
    void whatItCanGoOnFromIsItsOwn() {
        QFETCH(int, lags);
        QFETCH(QString, words);
        Scene scene({.state_lags = lags});
        scene.learn(10);
        // A state of another one lies there.
        QFile other(AdaptationJob::stateFileOf(scene.controller.file()));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("7") == 1);
        other.close();
        scene.button("adaptationStop")->click();
        QTRY_COMPARE(scene.words("adaptationStatus"), words);
    }

    void aPlaceThatCannotBeMadeIsNamed() {
        Scene scene;
        QFile file(scene.folder.filePath("file"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        scene.part<QLineEdit>("adaptationFile")->setText(file.fileName() + "/below/prompts");
        scene.button("adaptationStart")->click();
        QTRY_VERIFY(scene.messages()->isVisible());
        QVERIFY2(scene.messages()->text().contains(file.fileName() + "/below"), qPrintable(scene.messages()->text()));
        QVERIFY(!scene.messages()->hint().isEmpty());
        QVERIFY(scene.script.orders().empty());
    }

    void warningsAreTold() {
        ScriptedAdaptation::Script lines;
        lines.warnings = {"initial_session.classes is 20, but the folder holds only 12 classes."};
        Scene scene(lines);
        scene.learn(1);
        QCOMPARE(scene.messages()->text(), QString("Classes to adapt to is 20, but the folder holds only 12 classes."));
        QCOMPARE(scene.messages()->property("kind").toString(), QString("note"));
    }

    void aRunIsNotDisturbed() {
        Scene scene;
        scene.runs.startOrResume();
        QVERIFY(scene.runs.busy());
        scene.button("adaptationStart")->click();
        QVERIFY(!scene.controller.busy());
        QVERIFY(scene.messages()->text().contains(QString::fromStdString(scene.runs.running()->name)));
        QCOMPARE(scene.messages()->property("kind").toString(), QString("note"));
        QVERIFY(!scene.messages()->hint().isEmpty());
        scene.run.allowAll();
        QTRY_VERIFY(!scene.runs.busy());
        scene.script.allowAll();
        scene.button("adaptationStart")->click();
        QTRY_VERIFY(scene.controller.end());
    }

    void aRunDoesNotDisturbIt() {
        Scene scene;
        scene.learn(1);
        struct Planner : LaunchPlanner {
            explicit Planner(const AdaptationJob& session) : job(session) {}
            Launch planned() const override { return FreshLaunch(); }
            std::optional<Failure> obstacle(const Launch&) const override { return job.obstacle(); }
            const AdaptationJob& job;
        };
        const Planner planner(scene.controller);
        scene.runs.setPlanner(&planner);
        QSignalSpy noted(&scene.runs, &RunController::noted);
        scene.runs.startOrResume();
        QVERIFY(!scene.runs.busy());
        QCOMPARE(noted.count(), 1);
        QVERIFY(noted[0][0].toString().contains("initial session"));
        scene.script.allowAll();
        QTRY_VERIFY(!scene.controller.busy());
        scene.runs.startOrResume();
        QVERIFY(scene.runs.busy());
        scene.run.allowAll();
        QTRY_VERIFY(!scene.runs.busy());
    }

    void theFileKeepsItsEndingAndFollowsTheNameUntilAPersonChoosesOne() {
        Scene scene;
        auto* place = scene.part<QLineEdit>("adaptationFile");
        scene.runs.draft()->set("name", std::string("My clothes"));
        QVERIFY2(scene.dialog.file().contains("my-clothes"), qPrintable(scene.dialog.file()));
        scene.part<QAbstractButton>("adaptationChooseFile")->click();
        auto* files = scene.part<QFileDialog>("adaptationFileDialog");
        QVERIFY(files && !files->isModal());
        Q_EMIT files->fileSelected("/tmp/mine.safetensors");
        files->close();
        QCOMPARE(scene.dialog.file(), QString("/tmp/mine.safetensors"));
        scene.runs.draft()->set("name", std::string("Other clothes"));
        QCOMPARE(scene.dialog.file(), QString("/tmp/mine.safetensors"));
        place->setText("/tmp/other");
        QCOMPARE(scene.dialog.file(), QString("/tmp/other.safetensors"));
        // Nothing typed is the usual place again.
        place->selectAll();
        QTest::keyClick(place, Qt::Key_Delete);
        QVERIFY2(scene.dialog.file().contains("other-clothes"), qPrintable(scene.dialog.file()));
        QCOMPARE(place->placeholderText(), scene.dialog.file());
        QVERIFY2(place->placeholderText().endsWith("/fam-other-clothes-prompts.safetensors"),
                 qPrintable(place->placeholderText()));
        scene.runs.draft()->set("name", std::string("Third clothes"));
        QVERIFY2(scene.dialog.file().contains("third-clothes"), qPrintable(scene.dialog.file()));
        QVERIFY(scene.button("adaptationStart")->isEnabled());
    }

    void closingItLetsItGoOn() {
        Scene scene;
        scene.learn(2);
        QTest::keyClick(&scene.dialog, Qt::Key_Escape);
        QVERIFY(!scene.dialog.isVisible());
        QVERIFY(scene.controller.busy());
        scene.script.allowAll();
        QTRY_VERIFY(!scene.controller.busy());
        scene.dialog.showDialog();
        QCOMPARE(scene.points(), 40);
        QVERIFY(scene.button("adaptationUse")->isVisible());
    }

    void whatGoesOnIsAbortedWithTheController() {
        QTemporaryDir folder;
        auto scene = std::make_unique<Scene>();
        scene->part<QLineEdit>("adaptationFile")->setText(folder.filePath("prompts.safetensors"));
        scene->learn(3);
        scene.reset();
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList());
    }

    void theTableIsBehindAButton() {
        Scene scene;
        scene.learn(3);
        auto* table = scene.part<QTableView>("adaptationTable");
        QVERIFY(!table->isVisible());
        scene.part<QAbstractButton>("adaptationTableButton")->click();
        QVERIFY(table->isVisible());
        scene.part<QAbstractButton>("adaptationTableButton")->click();
        QVERIFY(!table->isVisible());
    }

    void timeLeftIsSaidOnlyWhenItIsKnown_data() {
        QTest::addColumn<double>("speed");
        QTest::addColumn<qint64>("step");
        QTest::addColumn<QString>("words");
        QTest::newRow("nothing known") << 0.0 << qint64(0) << "";
        QTest::newRow("slow") << 2.5 << qint64(50) << "2.5 steps/s · 20 s left";
        QTest::newRow("fast") << 12.4 << qint64(50) << "12 steps/s · 5 s left";
        QTest::newRow("done") << 12.4 << qint64(100) << "12 steps/s";
    }
    void timeLeftIsSaidOnlyWhenItIsKnown() {
        QFETCH(double, speed);
        QFETCH(qint64, step);
        QFETCH(QString, words);
        AdaptationProgress progress;
        progress.step = step;
        progress.steps_per_second = speed;
        QCOMPARE(paceText(progress, 0, 100), words);
    }

    void allIsNamedAndLegibleInBothAppearances_data() { addAppearances(); }
    void allIsNamedAndLegibleInBothAppearances() {
        QFETCH(int, appearance);
        applyAppearance(*qApp, Appearance(appearance));
        Scene scene;
        scene.learn(20);
        scene.dialog.plot()->drawNow();
        checkDialog(scene.dialog, Appearance(appearance));
        applyAppearance(*qApp, Appearance::Dark);
    }
};

PALIMPSEST_TEST(TestAdaptationDialog)

}  // namespace tst_adaptation_dialog

#include "tst_adaptation_dialog.moc"
