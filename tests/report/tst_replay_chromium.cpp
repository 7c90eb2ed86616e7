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
    void withoutAStoryNothingIsSaidToBeUnknown();
    void noPictureComesBeforeItsImages_data();
    void noPictureComesBeforeItsImages();
    void theStreamIsThatOfTheRunThatGotFurthest();
    void thousandsOfRowsAreDrawn();

private:
    fs::path recorded(const char* name) const {
        return fs::path(qEnvironmentVariable("PALIMPSEST_RESOURCES").toStdString()) / "recorded" / name;
    }
    Shown shown(const std::vector<RunRecord>& runs, const QString& address,
                const report::ReplaySettings& settings = {});

    const OptionTable table_{testCatalogue()};
    QTemporaryDir folder_;
};

void ReplayChromiumTest::initTestCase() {
    if (browser().isEmpty()) QSKIP("No Chromium is installed (Debian: apt-get install chromium).");
}

Shown ReplayChromiumTest::shown(const std::vector<RunRecord>& runs, const QString& address,
                                const report::ReplaySettings& settings) {
    const QString file = folder_.filePath("replay.html");
    replaceTextFile(file.toStdString(), report::replayPage(table_, runs, settings));
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

void ReplayChromiumTest::withoutAStoryNothingIsSaidToBeUnknown() {
    const Shown page = shown({readRun(table_, recorded("demo"))}, "#at=1400", {.story = false});
    QCOMPARE(page.faults, QString());
    QVERIFY(page.dom.contains("<p class=\"sentence\" hidden"));
    QVERIFY(!page.dom.contains(">Nothing is known"));
}

void ReplayChromiumTest::noPictureComesBeforeItsImages_data() {
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("said");
    QTest::newRow("before the first image") << "#at=0"
                                            << "No image has come yet.";
    QTest::newRow("within a batch") << "#at=40"
                                    << "Batch of images 33 to 64";
    QTest::newRow("at its end") << "#at=64"
                                << "Batch of images 33 to 64";
    // The next one that has a picture begins later.
    QTest::newRow("between two") << "#at=700"
                                 << "Batch of images 33 to 64";
    QTest::newRow("after the last") << "#at=3200"
                                    << "Batch of images 1,569 to 1,600";
}

void ReplayChromiumTest::noPictureComesBeforeItsImages() {
    QFETCH(const QString, address);
    QFETCH(const QString, said);
    const auto find = [](const RunRecord&, const std::vector<std::int64_t>&) {
        ReplayStream stream{std::vector<std::int32_t>(3200, 28), {}};
        for (const std::int64_t at : {32, 64, 1600}) stream.batches.push_back({at, 32, {28, 4}, "no picture"});
        return stream;
    };
    const Shown page = shown({readRun(table_, recorded("demo"))}, address, {.stream = find});
    QCOMPARE(page.faults, QString());
    QVERIFY2(page.dom.contains("<p class=\"batch-words\">" + said), qPrintable(said));
    QVERIFY(page.dom.contains("<div class=\"batch\"></div>"));
    QCOMPARE(page.dom.contains(": they cannot be shown</p>"), address != "#at=0");
}

void ReplayChromiumTest::theStreamIsThatOfTheRunThatGotFurthest() {
    RunRecord whole = readRun(table_, recorded("demo")), stopped = whole;
    std::erase_if(stopped.anytime, [](const AnytimePoint& point) { return point.samples_seen > 600; });
    stopped.retention.clear();
    stopped.session_starts.resize(2);
    stopped.folder = folder_.filePath("none").toStdString();
    const Shown page = shown({stopped, whole}, "#at=3200");
    QCOMPARE(page.faults, QString());
    QVERIFY(page.dom.contains("The stream, which both learn"));
    QVERIFY(page.dom.contains("Between which tests each class was learned."));
    QVERIFY(page.dom.contains("Session 5 of 5 · 3,200 of 3,200 images"));
    // Streams that differ have no sessions in common.
    stopped.fingerprint = "another";
    const Shown apart = shown({stopped, whole}, "#at=3200");
    QCOMPARE(apart.faults, QString());
    QVERIFY(apart.dom.contains(">3,200 of 3,200 images</output>"));
}

void ReplayChromiumTest::thousandsOfRowsAreDrawn() {
    RunRecord run = readRun(table_, recorded("demo"));
    run.session_starts.clear();
    run.retention.clear();
    for (std::int64_t after = 0; after < 600; ++after) {
        run.session_starts.push_back(after * 5);
        for (std::int64_t session = 0; session <= after; ++session)
            run.retention.push_back({after, session, session == after ? 0.875 : 0.125, 10});
    }
    const Shown page = shown({run}, "#at=3200");
    QCOMPARE(page.faults, QString());
    QVERIFY(page.dom.contains("Here are 200 of 600 sessions."));
    QVERIFY(page.dom.contains("Retention after session 600: session 1 13 %"));
}

PALIMPSEST_GUILESS_TEST(ReplayChromiumTest)

}  // namespace tst_replay_chromium

#include "tst_replay_chromium.moc"
