// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QFileDialog>
#include <QLineEdit>
#include <QTemporaryDir>

#include "engine/stream/index_list.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/state/run_controller.h"
#include "ui/stream/stream_compare_dialog.h"
#include "ui/stream/stream_preview.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;

namespace tst_stream_controller {

class TestStreamController : public QObject {
    Q_OBJECT
private:
    QTemporaryDir folder_;

    std::unique_ptr<MainWindow> open(const ScriptedRun& script) {
        auto window = std::make_unique<MainWindow>(script.laboratory(), folder_.path().toStdString());
        window->show();
        return window;
    }
    static void trigger(const MainWindow& window, const char* action) {
        auto* found = window.findChild<QAction*>(action);
        QVERIFY(found);
        QVERIFY(!found->shortcut().isEmpty());
        found->trigger();
    }
    static void save(const MainWindow& window, const QString& file) {
        trigger(window, "exportStream");
        auto* dialog = window.findChild<QFileDialog*>("exportStreamDialog");
        QVERIFY(dialog && !dialog->isModal());
        dialog->selectFile(file);
        dialog->findChild<QLineEdit*>("fileNameEdit")->setText(file);
        QMetaObject::invokeMethod(dialog, "accept");
    }
    static QByteArray contentOf(const QString& name) {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void theStreamIsExported_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("index list") << "json" << QByteArray("{\"sessions\":[[");
        QTest::newRow("table") << "csv" << QByteArray("session,position,sample,class,kind\n0,0,");
        QTest::newRow("text") << "txt" << QByteArray("600 samples in 5 sessions");
    }
    void theStreamIsExported() {
        QFETCH(QString, ending);
        QFETCH(QByteArray, begin);
        const ScriptedRun script;
        const auto window = open(script);
        QTRY_VERIFY(window->experimentPanel()->preview()->stream());
        const QString file = folder_.filePath("stream." + ending);
        save(*window, file);
        QTRY_VERIFY(contentOf(file).startsWith(begin));
        QTRY_COMPARE(window->messages()->text(), "Saved stream." + ending);
        if (ending == "txt") QVERIFY(contentOf(file).contains("evenness"));
        if (ending != "json") return;
        const StreamPlan& plan = window->experimentPanel()->preview()->stream()->plan;
        QVERIFY(readIndexList(file.toStdString()).sessions == plan.sessions);
    }

    void anExportedListCanBeImportedAgain() {
        const ScriptedRun script;
        const auto window = open(script);
        StreamPreview* preview = window->experimentPanel()->preview();
        QTRY_VERIFY(preview->stream());
        const QString before = preview->stream()->fingerprint;
        const QString file = folder_.filePath("again.json");
        save(*window, file);
        QTRY_VERIFY(QFile::exists(file));
        ExperimentDraft* draft = window->controller()->draft();
        draft->set("seed", std::int64_t{77});
        QTRY_VERIFY(preview->stream()->fingerprint != before);
        draft->set("stream.index_list", file.toStdString());
        draft->set("stream.partition", std::string("imported"));
        QTRY_COMPARE(preview->stream() ? preview->stream()->fingerprint : QString(), before);
    }

    void whatCannotBeWrittenIsTold() {
        const ScriptedRun script;
        const auto window = open(script);
        QTRY_VERIFY(window->experimentPanel()->preview()->stream());
        trigger(*window, "exportStream");
        auto* dialog = window->findChild<QFileDialog*>("exportStreamDialog");
        Q_EMIT dialog->fileSelected("/no/such/folder/stream.json");
        QTRY_VERIFY(window->messages()->isVisible());
        QVERIFY(window->messages()->text().contains("/no/such/folder/stream.json"));
    }

    void withoutAStreamThereIsNothingToExport() {
        const ScriptedRun script;
        const auto window = open(script);
        window->controller()->draft()->set("stream.partition", std::string("imported"));
        QTRY_VERIFY(!window->experimentPanel()->preview()->stream());
        trigger(*window, "exportStream");
        QVERIFY(!window->findChild<QFileDialog*>("exportStreamDialog"));
        QVERIFY(window->messages()->isVisible());
        QVERIFY(!window->messages()->hint().isEmpty());
    }

    void theComparisonOpensAndFollowsTheComposer() {
        const ScriptedRun script;
        auto window = open(script);
        QTRY_VERIFY(window->experimentPanel()->preview()->stream());
        trigger(*window, "compareStreams");
        auto* dialog = window->findChild<StreamCompareDialog*>("streamCompareDialog");
        QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
        auto* first = dialog->findChild<StreamPreview*>("firstStreamPreview");
        QTRY_COMPARE(first->stream(), window->experimentPanel()->preview()->stream());
        window->controller()->draft()->set("seed", std::int64_t{5});
        QTRY_VERIFY(first->stream() && first->stream()->experiment.seed == 5);
        dialog->compareWith("no-mask");
        // The window goes while the other stream may still be planned.
        window.reset();
    }
};

PALIMPSEST_TEST(TestStreamController)

}  // namespace tst_stream_controller

#include "tst_stream_controller.moc"
