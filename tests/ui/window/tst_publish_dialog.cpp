// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "engine/record/example_runs.h"
#include "tests/support/cli_program.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "ui/publish/publish_dialog.h"
#include "ui/state/file_worker.h"
#include "ui/state/run_set.h"
#include "ui/state/window_state.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/window/publish_controller.h"

using namespace palimpsest;
using palimpsest::testing::writeMadeUpRun;

namespace tst_publish_dialog {

namespace {

constexpr int kPatienceMs = 60'000;  // an animation is drawn frame by frame

const OptionTable& table() {
    static const OptionTable kTable(testCatalogue());
    return kTable;
}

/// Two runs with other masks in sight, of which the second is selected.
struct Scene {
    Scene() : files(&table()), controller(&table(), figures, &files, &window) {
        for (const char* mask : {"none", "batch"}) {
            const auto run = writeMadeUpRun(table(), folder.path().toStdString(), mask);
            store.addRecord(readRun(table(), run));
            store.select(QString::fromStdString(run.string()));
        }
    }
    void open(const QString& wanted) {
        controller.publishRuns(wanted, folder.path());
        QTRY_VERIFY_WITH_TIMEOUT(save()->isEnabled(), kPatienceMs);
    }
    void choose(const char* box, const QString& text) {
        auto* chooser = part<QComboBox>(box);
        const int index = chooser->findText(text);
        QVERIFY2(index >= 0, qPrintable(text));
        chooser->setCurrentIndex(index);
        QTRY_VERIFY_WITH_TIMEOUT(save()->isEnabled(), kPatienceMs);
    }
    template <class Widget>
    Widget* part(const char* name) const {
        return window.findChild<Widget*>(name);
    }
    QPushButton* save() const { return part<QPushButton>("savePiece"); }

    QTemporaryDir folder;
    FigureState figures;
    RunSet& store = figures.runs;
    FileWorker files;
    QWidget window;
    PublishController controller;
};

}  // namespace

class TestPublishDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Light); }

    void theFileEqualsThatOfTheCommandLine_data() {
        QTest::addColumn<QString>("piece");
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("style");
        const QString anytime = "Anytime accuracy", numbers = "Table of the numbers", column = "Single column, 3.3 in";
        QTest::newRow("print") << anytime << "PDF (.pdf)" << column;
        QTest::newRow("drawing of a slide") << anytime << "SVG (.svg)"
                                            << "Slide, 12 in";
        QTest::newRow("picture") << "What is left of session 1"
                                 << "PNG (.png)" << column;
        QTest::newRow("animation") << anytime << "GIF, animated (.gif)" << column;
        QTest::newRow("plot for LaTeX") << anytime << "PGFPlots picture (.tikz)" << column;
        QTest::newRow("document for LaTeX") << "Retention: batch run"
                                            << "PGFPlots document (.tex)" << column;
        QTest::newRow("numbers of a figure") << anytime << "CSV (.csv)" << column;
        QTest::newRow("table for LaTeX") << numbers << "LaTeX (.tex)" << column;
        QTest::newRow("table for Markdown") << numbers << "Markdown (.md)" << column;
        QTest::newRow("table for programs") << numbers << "CSV (.csv)" << column;
    }
    void theFileEqualsThatOfTheCommandLine() {
        QFETCH(QString, piece);
        QFETCH(QString, format);
        QFETCH(QString, style);
        Scene scene;
        scene.open("anytime");
        scene.choose("publishPiece", piece);
        scene.choose("publishStyle", style);
        scene.choose("publishFormat", format);
        QSignalSpy written(&scene.files, &FileWorker::written);
        scene.save()->click();
        auto* question = scene.part<QFileDialog>("exportDialog");
        QVERIFY(question && !question->isModal());
        const QString name = QFileInfo(question->selectedFiles().value(0)).fileName();
        const QString file = scene.folder.filePath("mine." + QFileInfo(name).suffix());
        Q_EMIT question->fileSelected(file);
        QTRY_COMPARE(written.count(), 1);
        QCOMPARE(scene.part<QLabel>("publishStatus")->text(), "Saved " + QFileInfo(file).fileName());

        // The command as the dialog shows it, carried out by a shell.
        QString command = scene.part<QLineEdit>("publishCommand")->text();
        QVERIFY(command.startsWith("palimpsest-cli report '"));
        command.replace("palimpsest-cli", '"' + test::program() + '"')
            .replace("--out report", "--out '" + scene.folder.filePath("out") + "'");
        QProcess shell;
        shell.start("sh", {"-c", command});
        const test::Outcome outcome = test::outcomeOf(shell);
        QVERIFY2(outcome.code == 0, outcome.err);
        const QByteArray theirs = test::contentOf(scene.folder.filePath("out/" + name));
        QVERIFY2(!theirs.isEmpty(), qPrintable(name));
        QVERIFY(test::contentOf(file) == theirs);
    }

    void anAnimationIsOfferedOfWhatGrows() {
        Scene scene;
        scene.controller.publishAnimation("confusion", scene.folder.path());
        QTRY_VERIFY_WITH_TIMEOUT(scene.save()->isEnabled(), kPatienceMs);
        auto* formats = scene.part<QComboBox>("publishFormat");
        QCOMPARE(scene.part<QComboBox>("publishPiece")->currentText(), QString("Anytime accuracy"));
        QCOMPARE(formats->currentText(), QString("GIF, animated (.gif)"));
        QCOMPARE(scene.part<QComboBox>("publishStyle")->currentText(), QString(report::screenStyle().title));
        QVERIFY(!scene.part<PublishPreview>("publishPreview")->picture().isNull());
        // A table cannot grow, and the next figure is none.
        scene.choose("publishPiece", "Table of the numbers");
        QCOMPARE(formats->findText("GIF, animated (.gif)"), -1);
        scene.choose("publishPiece", "Anytime accuracy");
        QCOMPARE(formats->currentText(), QString("GIF, animated (.gif)"));
        formats->setCurrentIndex(formats->findText("SVG (.svg)"));
        Q_EMIT formats->activated(formats->currentIndex());
        scene.choose("publishPiece", "Table of the numbers");
        scene.choose("publishPiece", "Anytime accuracy");
        QVERIFY(formats->currentText() != "GIF, animated (.gif)");
        scene.choose("publishFormat", "GIF, animated (.gif)");
        scene.part<PublishDialog>("publishDialog")->preferAnimation(false);
        scene.open("anytime");
        QCOMPARE(formats->currentText(), QString("PDF (.pdf)"));
        QCOMPARE(scene.part<QComboBox>("publishStyle")->currentText(), QString("Single column, 3.3 in"));
    }

    void whatHappenedIsToldWhereItIsWanted() {
        Scene scene;
        const QString demo = QString::fromStdString((recordedRunsFolder() / kDemoRuns[1]).string());
        const auto caption = [&] {
            scene.controller.publishRun(demo, "anytime", {}, scene.folder.path());
            const bool ready = QTest::qWaitFor([&] { return scene.save()->isEnabled(); }, kPatienceMs);
            return ready ? scene.part<QPlainTextEdit>("publishCaption")->toPlainText() : QString();
        };
        const auto command = [&] { return scene.part<QLineEdit>("publishCommand")->text(); };
        QVERIFY2(caption().contains("Session 5, after"), qPrintable(caption()));
        QVERIFY(!command().contains("--no-story"));
        CurveOptions::Values values = scene.figures.options.values();
        values.story = false;
        scene.figures.options.set(values);
        QVERIFY2(!caption().isEmpty() && !caption().contains("Session 5, after"), qPrintable(caption()));
        QVERIFY(command().endsWith(" --no-story"));
    }

    void whatHappenedIsToldOfTheMomentThatIsLookedAt() {
        Scene scene;
        for (const ShownRun* run : scene.store.visibleRuns()) scene.store.setVisible(run->id, false);
        const RunRecord demo = readRun(table(), recordedRunsFolder() / kDemoRuns[1]);
        scene.store.addRecord(demo);
        scene.store.select(QString::fromStdString(demo.folder.string()));
        const std::int64_t moment = demo.session_starts[2];
        scene.figures.cursor.pin(moment);
        scene.open("anytime");
        const auto caption = [&] { return scene.part<QPlainTextEdit>("publishCaption")->toPlainText(); };
        QVERIFY2(caption().contains("Session 2, after"), qPrintable(caption()));
        const QString command = scene.part<QLineEdit>("publishCommand")->text();
        QVERIFY2(command.contains(QString(" --at %1").arg(moment)), qPrintable(command));
        scene.figures.cursor.pin({});
        scene.open("anytime");
        QTRY_VERIFY2(caption().contains("Session 5, after"), qPrintable(caption()));
    }

    void thePreviewIsWhatIsWritten() {
        Scene scene;
        scene.open("anytime");
        QVERIFY(scene.part<PublishPreview>("publishPreview")->isVisible());
        const QImage column = scene.part<PublishPreview>("publishPreview")->picture();
        QVERIFY(!column.isNull());
        QVERIFY(scene.part<QLabel>("publishMeasures")->text().startsWith("3.3 in"));
        scene.choose("publishStyle", "Double column, 6.9 in");
        const QImage wide = scene.part<PublishPreview>("publishPreview")->picture();
        QVERIFY(wide.width() * column.height() > column.width() * wide.height());
        scene.choose("publishFormat", "PGFPlots picture (.tikz)");
        QVERIFY(!scene.part<PublishPreview>("publishPreview")->isVisible());
        QVERIFY(scene.part<QPlainTextEdit>("publishText")->toPlainText().contains("\\begin{tikzpicture}"));
    }

    void theRetentionIsThatOfTheRunInFullColour() {
        Scene scene;
        scene.open("retention");
        QCOMPARE(scene.part<QComboBox>("publishPiece")->currentText(), QString("Retention: batch run"));
        QVERIFY(scene.part<QPlainTextEdit>("publishCaption")->toPlainText().contains("Classes of the batch"));
    }

    void theFiguresOfOneOfTheRunsAreAChoiceAway() {
        Scene scene;
        scene.open("anytime");
        auto* runs = scene.part<QComboBox>("publishRun");
        QVERIFY(runs->isVisible());
        QCOMPARE(runs->count(), 3);
        QCOMPARE(runs->currentText(), QString("All 2 that are shown"));
        const ShownRun* other = nullptr;
        for (const ShownRun* run : scene.store.visibleRuns())
            if (!run->display.selected) other = run;
        scene.choose("publishRun", scene.store.label(other->id));
        QCOMPARE(runs->count(), 3);
        QCOMPARE(runs->currentData().toString(), other->id);
        QVERIFY(scene.part<QComboBox>("publishPiece")->findText("R matrix") >= 0);
        QCOMPARE(scene.part<QComboBox>("publishPiece")->currentText(), QString("Anytime accuracy"));
        const QString caption = scene.part<QPlainTextEdit>("publishCaption")->toPlainText();
        QVERIFY2(!caption.contains("Classes of the batch"), qPrintable(caption));
        const QString command = scene.part<QLineEdit>("publishCommand")->text();
        QVERIFY2(command.count(scene.folder.path()) == 1, qPrintable(command));
        scene.choose("publishRun", "All 2 that are shown");
        QCOMPARE(scene.part<QLineEdit>("publishCommand")->text().count(scene.folder.path()), 2);
        // A single run leaves nothing to choose.
        scene.store.setVisible(other->id, false);
        scene.open("anytime");
        QVERIFY(!runs->isVisible());
    }

    void aTableHasNoStyle() {
        Scene scene;
        scene.open("metrics");
        QVERIFY(!scene.part<QComboBox>("publishStyle")->isEnabled());
        QVERIFY(scene.part<QPlainTextEdit>("publishText")->toPlainText().contains("\\toprule"));
        QVERIFY(!scene.part<QLineEdit>("publishCommand")->text().contains("--style"));
        scene.choose("publishPiece", "Anytime accuracy");
        QVERIFY(scene.part<QComboBox>("publishStyle")->isEnabled());
    }

    void copyPutsImageAndDrawingOnTheClipboard() {
        Scene scene;
        scene.open("anytime");
        scene.part<QPushButton>("copyPiece")->click();
        const QMimeData* data = QApplication::clipboard()->mimeData();
        QVERIFY(data->hasImage());
        QVERIFY(data->data("image/svg+xml").contains("<svg"));
        scene.choose("publishFormat", "PGFPlots picture (.tikz)");
        scene.part<QPushButton>("copyPiece")->click();
        QVERIFY(QApplication::clipboard()->text().contains("\\end{tikzpicture}"));
        scene.part<QPushButton>("copyCaption")->click();
        QCOMPARE(QApplication::clipboard()->text(), scene.part<QPlainTextEdit>("publishCaption")->toPlainText());
        QVERIFY(QApplication::clipboard()->text().contains("Fashion-MNIST"));
        scene.part<QPushButton>("copyCommand")->click();
        QVERIFY(QApplication::clipboard()->text().startsWith("palimpsest-cli report"));
    }

    void aFileOfAnotherEndingIsNotWritten() {
        Scene scene;
        scene.open("anytime");
        scene.save()->click();
        const QString file = scene.folder.filePath("figure.xyz");
        Q_EMIT scene.part<QFileDialog>("exportDialog")->fileSelected(file);
        QVERIFY2(scene.part<QLabel>("publishStatus")->text().contains(".pdf"),
                 qPrintable(scene.part<QLabel>("publishStatus")->text()));
        QVERIFY(!QFileInfo::exists(file));
    }

    void aRunThatIsGoneIsTold() {
        Scene scene;
        for (const ShownRun* run : scene.store.visibleRuns()) QDir(run->id).removeRecursively();
        scene.controller.publishRuns("anytime", scene.folder.path());
        auto* message = scene.part<QLabel>("publishMessage");
        QTRY_VERIFY2(message->text().contains("There is no run at"), qPrintable(message->text()));
        QVERIFY(message->isVisible());
        QVERIFY(!scene.save()->isEnabled());
    }

    void itClosesByItsButtonAndByEscapeAndOpensAgain() {
        Scene scene;
        scene.open("anytime");
        auto* dialog = scene.part<PublishDialog>("publishDialog");
        scene.part<QPushButton>("publishClose")->click();
        QVERIFY(!dialog->isVisible());
        scene.open("anytime");
        QVERIFY(dialog->isVisible());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
        // Also where there is nothing to export.
        for (const ShownRun* run : scene.store.visibleRuns()) scene.store.setVisible(run->id, false);
        scene.controller.publishRuns("anytime", scene.folder.path());
        QVERIFY(dialog->isVisible() && !scene.save()->isEnabled());
        QVERIFY(scene.part<QPushButton>("publishClose")->isEnabled());
    }

    void everyPartCanBeHeardAndReached() {
        Scene scene;
        scene.open("anytime");
        for (const char* name :
             {"publishRun", "publishPiece", "publishFormat", "publishStyle", "publishCaption", "publishCommand",
              "copyCaption", "copyCommand", "copyPiece", "savePiece", "publishClose"}) {
            auto* part = scene.part<QWidget>(name);
            QVERIFY2(part && !part->accessibleName().isEmpty() && !part->toolTip().isEmpty(), name);
            QVERIFY2(part->focusPolicy() & Qt::TabFocus, name);
        }
    }
};

PALIMPSEST_TEST(TestPublishDialog)

}  // namespace tst_publish_dialog

#include "tst_publish_dialog.moc"
