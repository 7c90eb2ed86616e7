// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <filesystem>

#include "engine/record/run_folder.h"
#include "engine/report/replay_page.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_replay_chromium {

namespace fs = std::filesystem;

namespace {

/// What a browser made of a page.
struct Shown {
    QString dom;     ///< after the page's script; empty: it did not come so far
    QString faults;  ///< what the script or the page's policy complained of
};

QString browser() {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
        if (const QString found = QStandardPaths::findExecutable(name); !found.isEmpty()) return found;
    return {};
}

}  // namespace

/// Opens replays in a real browser, from a file, as whoever is sent one does.
class ReplayChromiumTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void thePageOpensAtAMomentOfItsAddress_data();
    void thePageOpensAtAMomentOfItsAddress();
    void twoRunsStandSideBySide();
    void hostileNamesAreShownAndDoNothing();
    void importedCurvesSayWhatIsNotKnown();

private:
    fs::path recorded(const char* name) const {
        return fs::path(qEnvironmentVariable("PALIMPSEST_RESOURCES").toStdString()) / "recorded" / name;
    }
    Shown shown(const std::vector<RunRecord>& runs, const QString& address);

    const OptionTable table_{testCatalogue()};
    QTemporaryDir folder_;
};

void ReplayChromiumTest::initTestCase() {
    if (browser().isEmpty()) QSKIP("No Chromium is installed (Debian: apt-get install chromium).");
}

Shown ReplayChromiumTest::shown(const std::vector<RunRecord>& runs, const QString& address) {
    const QString file = folder_.filePath("replay.html");
    replaceTextFile(file.toStdString(), report::replayPage(table_, runs, {}));
    QProcess process;
    process.start(browser(), {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                              "--user-data-dir=" + folder_.filePath("profile"), "--window-size=1280,800",
                              "--enable-logging=stderr", "--v=0", "--virtual-time-budget=5000", "--dump-dom",
                              QUrl::fromLocalFile(file).toString() + address});
    if (!process.waitForFinished(120'000)) {
        process.kill();
        process.waitForFinished();
        return {{}, "Chromium does not end."};
    }
    Shown all{QString::fromUtf8(process.readAllStandardOutput()), {}};
    for (const QString& line : QString::fromUtf8(process.readAllStandardError()).split('\n'))
        if (line.contains("CONSOLE") || line.contains("Refused to") || line.contains("Uncaught"))
            all.faults += line + "\n";
    return all;
}

void ReplayChromiumTest::thePageOpensAtAMomentOfItsAddress_data() {
    QTest::addColumn<QString>("address");
    QTest::addColumn<qint64>("moment");
    QTest::newRow("at the end of a session") << "#at=1400" << qint64{1400};
    QTest::newRow("between two evaluations") << "#at=600&theme=dark" << qint64{576};
    QTest::newRow("at the end, without an address") << "" << qint64{3200};
}

void ReplayChromiumTest::thePageOpensAtAMomentOfItsAddress() {
    QFETCH(const QString, address);
    QFETCH(const qint64, moment);
    const RunRecord run = readRun(table_, recorded("demo"));
    double accuracy = -1;
    for (const AnytimePoint& point : run.anytime)
        if (point.samples_seen == moment) accuracy = point.accuracy;
    for (const AnytimePoint& point : sessionEnds(run))
        if (point.samples_seen == moment) accuracy = point.accuracy;
    const Shown page = shown({run}, address);
    QCOMPARE(page.faults, QString());
    const QString said = QString::fromStdString(perCent(accuracy) + " % right after " + grouped(moment) + " images");
    QVERIFY2(page.dom.contains(">" + said + "<"), qPrintable(said));
    QVERIFY(page.dom.contains("after " + QString::fromStdString(grouped(moment)) + " images: "));
    QVERIFY(page.dom.contains("lie on the diagonal."));
    QVERIFY(page.dom.contains("aria-label=\"Pushes of images "));
    if (moment == 3200) {
        // What the page sums up is what the run did.
        for (const auto& value : {run.summary.a_auc, run.summary.a_last, run.summary.f_last})
            QVERIFY(page.dom.contains("<strong>" + QString::fromStdString(perCent(*value)) + "</strong>"));
    }
}

void ReplayChromiumTest::twoRunsStandSideBySide() {
    const std::vector<RunRecord> runs{readRun(table_, recorded("demo")), readRun(table_, recorded("demo-no-mask"))};
    const Shown page = shown(runs, "#at=3200");
    QCOMPARE(page.faults, QString());
    QVERIFY(page.dom.contains("Both learn the same stream."));
    for (const RunRecord& run : runs)
        QVERIFY(page.dom.contains("<strong>" + QString::fromStdString(perCent(*run.summary.a_auc)) + "</strong>"));
    QCOMPARE(page.dom.count(">Confusion matrix</h2>"), qsizetype{2});
}

void ReplayChromiumTest::hostileNamesAreShownAndDoNothing() {
    RunRecord run = readRun(table_, recorded("demo"));
    run.experiment.name = "</script><img src=x onerror=document.title='gone'>";
    for (std::string& name : run.class_names) name = "<b onmouseover='x'>\"&amp;" + name;
    const Shown page = shown({run}, "#at=1400");
    QCOMPARE(page.faults, QString());
    QVERIFY(page.dom.contains("&lt;/script&gt;&lt;img src=x"));
    QVERIFY(!page.dom.contains("<img"));
    QVERIFY(!page.dom.contains("<b onmouseover"));
    QVERIFY(!page.dom.contains("<title>gone"));
}

void ReplayChromiumTest::importedCurvesSayWhatIsNotKnown() {
    RunRecord run;
    run.folder = folder_.filePath("none").toStdString();
    run.state = RecordedState::Imported;
    run.experiment = table_.defaults();
    run.experiment.name = "Imported";
    run.total_samples = 1000;
    run.anytime = {{.samples_seen = 500, .accuracy = 0.5}, {.samples_seen = 1000, .accuracy = 0.25}};
    const Shown page = shown({run}, "");
    QCOMPARE(page.faults, QString());
    QVERIFY(page.dom.contains("25.0 % right after 1,000 images"));
    QVERIFY(page.dom.count("Not known: ") >= 4);
}

PALIMPSEST_GUILESS_TEST(ReplayChromiumTest)

}  // namespace tst_replay_chromium

#include "tst_replay_chromium.moc"
