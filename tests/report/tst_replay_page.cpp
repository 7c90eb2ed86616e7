// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <filesystem>
#include <fstream>

#include "engine/record/predictions.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_history.h"
#include "engine/report/replay_page.h"
#include "engine/report/report.h"
#include "engine/support/error.h"
#include "tests/datasets/errors.h"
#include "tests/support/file_content.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::report;
using palimpsest::test::contentOf;
using palimpsest::test::inputErrorOf;

namespace tst_replay_page {

namespace fs = std::filesystem;

namespace {

fs::path recorded(const char* name) {
    return fs::path(qEnvironmentVariable("PALIMPSEST_RESOURCES").toStdString()) / "recorded" / name;
}

/// A copy of a recorded run, in which a text of run.json or experiment.toml is another one.
fs::path edited(const QTemporaryDir& folder, const char* file, const QByteArray& before, const QByteArray& after) {
    const fs::path copy = fs::path(folder.path().toStdString()) / "run";
    fs::remove_all(copy);
    fs::copy(recorded("demo"), copy, fs::copy_options::recursive);
    QFile text(QString::fromStdString((copy / file).string()));
    if (!text.open(QIODevice::ReadWrite)) return {};
    QByteArray bytes = text.readAll();
    if (!bytes.contains(before)) return {};
    bytes.replace(before, after);
    text.resize(0);
    text.write(bytes);
    return copy;
}

/// What the page's script reads.
QByteArray dataText(const std::string& page) {
    const std::string open = "<script type=\"application/json\" id=\"data\">";
    const std::size_t begin = page.find(open), end = page.find("</script>", begin);
    if (begin == std::string::npos || end == std::string::npos) return {};
    return QByteArray::fromStdString(page.substr(begin + open.size(), end - begin - open.size()));
}

QJsonObject dataOf(const std::string& page) {
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(dataText(page), &error);
    return error.error == QJsonParseError::NoError ? document.object() : QJsonObject();
}

bool near(double a, double b, double digits) {
    return std::abs(a - b) <= std::abs(b) * std::pow(10.0, -digits) + 1e-12;
}

/// Counts of a sparse list, by place.
QMap<qint64, qint64> cellsOf(const QJsonArray& list) {
    QMap<qint64, qint64> cells;
    qint64 place = 0;
    for (qsizetype i = 0; i + 1 < list.size(); i += 2) cells[place += list[i].toInteger()] = list[i + 1].toInteger();
    return cells;
}

}  // namespace

class ReplayPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersAreThoseOfTheRunFolder();
    void theLastMatrixIsThatOfTheLastPredictions();
    void classesAreInTheStreamWhereTheyWereLearned();
    void imagesOfTheStreamAreCountedAndShown();
    void twoRunsOfOneStreamShareTheirImages();
    void picturesGiveWayToTheLimit();
    void aThousandSessionsStaySmall();
    void aThinnedCurveKeepsItsMean();
    void wordsOfAnyLengthAreCut();
    void manyClassesGiveWayOrAreRefused();
    void whatCannotBeReadIsToldWithItsRun();
    void hostileNamesStayInsideTheirText();
    void thePolicyNamesTheVeryTextsOfThePage();
    void theSameRunsGiveTheSameBytes();
    void otherNumbersOfRunsAreRefused();
    void aRunThatMeasuredNothingIsRefused();
    void importedCurvesStandAlone();
    void theReportWritesItOnlyWhenAsked();

private:
    std::string page(const std::vector<fs::path>& folders, const ReplaySettings& settings = {}) {
        std::vector<RunRecord> runs;
        for (const fs::path& folder : folders) runs.push_back(readRun(table_, folder));
        return replayPage(table_, runs, settings);
    }
    QJsonObject onlyRun(const std::string& page) { return dataOf(page)["runs"].toArray().at(0).toObject(); }

    /// A run of which nothing lies on the disk, with two measurements.
    RunRecord measured() {
        RunRecord run;
        run.folder = "nowhere";
        run.state = RecordedState::Finished;
        run.experiment = table_.defaults();
        run.total_samples = 1000;
        run.session_starts = {0};
        run.anytime = {{.samples_seen = 500, .accuracy = 0.5}, {.samples_seen = 1000, .accuracy = 0.25}};
        return run;
    }

    const OptionTable table_{testCatalogue()};
};

void ReplayPageTest::numbersAreThoseOfTheRunFolder() {
    const std::string text = page({recorded("demo")});
    QVERIFY(text.size() < 300'000);
    QVERIFY(text.size() <= kLargestReplay);
    const RunRecord record = readRun(table_, recorded("demo"));
    const RunHistory history = readHistory(record.folder, record.class_names.size());
    const QJsonObject run = onlyRun(text);
    QCOMPARE(run["name"].toString(), QString("Demo"));
    QCOMPARE(run["total"].toInteger(), qint64{3200});

    const QJsonObject anytime = run["anytime"].toObject();
    QCOMPARE(std::size_t(anytime["at"].toArray().size()), record.anytime.size());
    for (std::size_t i = 0; i < record.anytime.size(); ++i) {
        const auto k = qsizetype(i);
        QCOMPARE(anytime["at"].toArray()[k].toInteger(), qint64{record.anytime[i].samples_seen});
        QVERIFY(near(anytime["accuracy"].toArray()[k].toDouble(), record.anytime[i].accuracy, 5));
        QVERIFY(near(anytime["reference"].toArray()[k].toDouble(), *record.anytime[i].reference, 5));
        QCOMPARE(anytime["classes"].toArray()[k].toInteger(), qint64{record.anytime[i].classes_seen});
    }
    const QJsonArray retention = run["retention"].toArray();
    qsizetype rows = 0;
    for (const QJsonValue& group : retention) rows += group.toObject()["accuracy"].toArray().size();
    QCOMPARE(std::size_t(rows), record.retention.size());
    QVERIFY(
        near(retention.last().toObject()["accuracy"].toArray().last().toDouble(), record.retention.back().accuracy, 5));
    const QJsonObject ended = run["ended"].toArray().last().toObject();
    QVERIFY(near(ended["a_last"].toDouble(), *record.summary.a_last, 5));
    QVERIFY(near(ended["f_last"].toDouble(), *record.summary.f_last, 5));
    QVERIFY(near(anytime["mean"].toArray().last().toDouble(), *record.summary.a_auc, 5));

    const QJsonArray pushes = run["pushes"].toArray();
    QCOMPARE(std::size_t(pushes.size()), history.pushes.size());
    for (qsizetype i = 0; i < pushes.size(); ++i) {
        const PushMoment& moment = history.pushes[std::size_t(i)];
        const QJsonArray push = pushes[i].toObject()["push"].toArray();
        QCOMPARE(pushes[i].toObject()["at"].toInteger(), qint64{moment.samples_seen});
        for (qsizetype k = 0; k < push.size(); ++k) {
            const float there = moment.push[std::size_t(history.seen[std::size_t(k)])];
            QCOMPARE(push[k].isNull(), std::isnan(there));
            if (!push[k].isNull()) QVERIFY(near(push[k].toDouble(), there, 3));
        }
    }
    const QJsonArray stories = run["stories"].toArray();
    QCOMPARE(std::size_t(stories.size()), history.classes.size());
    QVERIFY(stories.last().toObject()["text"].toString().startsWith("Session 5, after 3,200 images: "));
    QVERIFY(onlyRun(page({recorded("demo")}, {.story = false}))["stories"].toArray().isEmpty());
    QCOMPARE(dataOf(page({recorded("demo")}, {.moment = 1400}))["open"].toInteger(), qint64{1400});
}

void ReplayPageTest::theLastMatrixIsThatOfTheLastPredictions() {
    const QJsonObject run = onlyRun(page({recorded("demo")}));
    const QJsonObject last = run["confusion"].toArray().last().toObject();
    QCOMPARE(last["at"].toInteger(), qint64{3200});
    const std::vector<std::int32_t> truth = readClassList(trueClassesFile(recorded("demo"))),
                                    answers = readClassList(predictionsFile(recorded("demo"), 3200));
    qint64 right = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) right += truth[i] == answers[i] ? 1 : 0;
    const qint64 columns = run["classes"].toArray().size() + 1;
    qint64 all = 0, diagonal = 0;
    const QMap<qint64, qint64> cells = cellsOf(last["cells"].toArray());
    for (auto cell = cells.begin(); cell != cells.end(); ++cell) {
        all += cell.value();
        if (cell.key() / columns == cell.key() % columns) diagonal += cell.value();
    }
    QCOMPARE(all, qint64{800});
    QCOMPARE(diagonal, right);
}

void ReplayPageTest::classesAreInTheStreamWhereTheyWereLearned() {
    const QJsonObject run = onlyRun(page({recorded("demo")})), stream = run["stream"].toObject();
    QCOMPARE(stream["known"].toString(), QString("pushes"));
    const qint64 parts = stream["edges"].toArray().size() - 1;
    const QMap<qint64, qint64> cells = cellsOf(stream["cells"].toArray());
    const QJsonArray classes = run["classes"].toArray(), borders = run["borders"].toArray();
    // A disjoint class comes in one session alone, whatever the pushes are of.
    for (qint64 row = 0; row < classes.size(); ++row) {
        if (classes[row].toObject()["kind"] != "disjoint") continue;
        QSet<qint64> sessions;
        for (qint64 part = 0; part < parts; ++part) {
            if (!cells.contains(row * parts + part)) continue;
            const qint64 end = stream["edges"].toArray()[part + 1].toInteger();
            qint64 session = 0;
            for (const QJsonValue& border : borders) session += border.toInteger() < end ? 1 : 0;
            sessions.insert(session);
        }
        QCOMPARE(sessions.size(), qsizetype{1});
    }
}

void ReplayPageTest::imagesOfTheStreamAreCountedAndShown() {
    const auto find = [](const RunRecord&, const std::vector<std::int64_t>& batches) {
        ReplayStream stream;
        stream.labels.assign(3200, 28);
        stream.batches.push_back({batches.front(), 32, {28, 4}, "JPEG"});
        return stream;
    };
    const QJsonObject run = onlyRun(page({recorded("demo")}, {.stream = find}));
    QCOMPARE(run["stream"].toObject()["known"].toString(), QString("images"));
    qint64 sum = 0;
    for (const qint64 count : cellsOf(run["stream"].toObject()["cells"].toArray())) sum += count;
    QCOMPARE(sum, qint64{3200});
    const QJsonObject batch = run["pictures"].toArray().at(0).toObject();
    QCOMPARE(batch["at"].toInteger(), qint64{32});
    QCOMPARE(batch["classes"].toArray(), (QJsonArray{0, 1}));
    QCOMPARE(batch["picture"].toString(), QString("data:image/jpeg;base64,SlBFRw=="));
}

void ReplayPageTest::twoRunsOfOneStreamShareTheirImages() {
    const auto find = [](const RunRecord&, const std::vector<std::int64_t>&) {
        return ReplayStream{std::vector<std::int32_t>(3200, 28), {{32, 32, {28}, "J"}}};
    };
    const QJsonObject data = dataOf(page({recorded("demo"), recorded("demo-no-mask")}, {.stream = find}));
    const QJsonArray runs = data["runs"].toArray();
    QCOMPARE(runs.size(), qsizetype{2});
    QVERIFY(data["sameStream"].toBool());
    QCOMPARE(runs[1].toObject()["pictures"].toString(), QString("first"));
    const QJsonArray differences = data["differences"].toArray();
    QCOMPARE(differences.size(), qsizetype{1});
    QCOMPARE(differences[0].toArray().last().toString(), QString("none"));
}

void ReplayPageTest::picturesGiveWayToTheLimit() {
    const auto find = [](const RunRecord&, const std::vector<std::int64_t>& batches) {
        ReplayStream stream{std::vector<std::int32_t>(3200, 28), {}};
        for (const std::int64_t at : batches) stream.batches.push_back({at, 32, {28}, std::string(40'000, 'J')});
        return stream;
    };
    const std::string text = page({recorded("demo")}, {.stream = find});
    QVERIFY(text.size() <= kLargestReplay);
    QVERIFY(!onlyRun(text).contains("pictures"));
    QCOMPARE(onlyRun(text)["stream"].toObject()["known"].toString(), QString("images"));
}

void ReplayPageTest::aThousandSessionsStaySmall() {
    RunRecord run = measured();
    run.session_starts.clear();
    for (std::int64_t after = 0; after < 1000; ++after) {
        run.session_starts.push_back(after * 10);
        for (std::int64_t session = 0; session <= after; ++session)
            run.retention.push_back({after, session, session == after ? 0.875 : 0.125, 10});
    }
    run.total_samples = 10'000;
    const std::string text = replayPage(table_, {run, run}, {});
    QVERIFY(text.size() <= kLargestReplay);
    const QJsonObject shown = onlyRun(text);
    QCOMPARE(shown["borders"].toArray().size(), qsizetype{1000});
    QCOMPARE(shown["retained"].toInteger(), qint64{1000});
    const QJsonArray retention = shown["retention"].toArray();
    QCOMPARE(retention.size(), qsizetype{200});
    QCOMPARE(retention.first().toObject()["after"].toInteger(), qint64{0});
    QCOMPARE(retention.last().toObject()["after"].toInteger(), qint64{999});
    QCOMPARE(retention.last().toObject()["sessions"].toArray().size(), qsizetype{200});
    QCOMPARE(retention.last().toObject()["sessions"].toArray().last().toInteger(), qint64{999});
    // The numbers are over all sessions, not over those that are drawn.
    const QJsonObject ended = shown["ended"].toArray().last().toObject();
    QVERIFY(near(ended["a_last"].toDouble(), (0.875 + 999 * 0.125) / 1000, 5));
    QVERIFY(near(ended["f_last"].toDouble(), 999 * 0.75 / 1000, 5));

    // A damaged file may tell of any number of sessions.
    run.session_starts.resize(2'000'000, 5);
    const QJsonObject more = onlyRun(replayPage(table_, {run}, {}));
    QCOMPARE(more["borders"].toArray().size(), qsizetype{1000});
    QCOMPARE(more["sessions"].toInteger(), qint64{2'000'000});
    QCOMPARE(more["numbers"].toArray().last().toInteger(), qint64{1'999'999});
}

void ReplayPageTest::aThinnedCurveKeepsItsMean() {
    RunRecord run = measured();
    run.anytime.clear();
    double sum = 0;
    for (std::int64_t i = 0; i < 9001; ++i) {
        // Every second point is high, so that the mean of some of them is another one.
        run.anytime.push_back({.samples_seen = 10 * (i + 1), .accuracy = i % 2 == 0 ? 0.75 : 0.25});
        sum += run.anytime.back().accuracy;
    }
    run.total_samples = run.anytime.back().samples_seen;
    const QJsonObject anytime = onlyRun(replayPage(table_, {run}, {}))["anytime"].toObject();
    QCOMPARE(anytime["at"].toArray().size(), qsizetype{4000});
    QCOMPARE(anytime["at"].toArray().first().toInteger(), qint64{10});
    QCOMPARE(anytime["at"].toArray().last().toInteger(), qint64{90'010});
    QCOMPARE(anytime["count"].toArray().last().toInteger(), qint64{9001});
    QVERIFY(near(anytime["mean"].toArray().last().toDouble(), sum / 9001, 5));
}

void ReplayPageTest::wordsOfAnyLengthAreCut() {
    RunRecord run = readRun(table_, recorded("demo"));
    const std::string huge(50'000, 'x');
    for (std::string& kind : run.class_kinds) kind = huge;
    run.class_kinds[0] = "blurry";
    for (std::string& name : run.class_names) name = huge;
    run.experiment.name = huge;
    run.changes.assign(500, {"mask.name", huge, 100});
    const std::string text = replayPage(table_, {run}, {});
    QVERIFY(text.size() < 1'000'000);
    const QJsonObject shown = onlyRun(text);
    QVERIFY(shown["changes"].toArray().size() <= 200);
    QSet<QString> kinds;
    for (const QJsonValue& each : shown["classes"].toArray()) kinds.insert(each.toObject()["kind"].toString());
    QVERIFY(kinds.contains("blurry"));
    kinds.remove("blurry");
    QCOMPARE(kinds, QSet<QString>{QString()});
}

void ReplayPageTest::manyClassesGiveWayOrAreRefused() {
    // Labels that a damaged or a very large run learned: each has a name, an accuracy and pushes.
    const auto write = [](const fs::path& folder, int classes, int moments) {
        std::ofstream accuracies(folder / "classes.csv"), pushes(folder / "pushes.csv");
        accuracies << "samples_seen,class,accuracy,samples\n";
        pushes << "samples_seen,class,push,since\n";
        for (int moment = 1; moment <= moments; ++moment)
            for (int label = 0; label < classes; ++label) {
                accuracies << moment * 100 << ',' << label << ",0.5,10\n";
                pushes << moment * 100 << ',' << label << ",1.234567,2.345678\n";
            }
    };
    QTemporaryDir folder;
    const fs::path copy = fs::path(folder.path().toStdString()) / "run";
    fs::copy(recorded("demo"), copy, fs::copy_options::recursive);
    RunRecord run = readRun(table_, copy);
    const auto named = [&](std::size_t classes) {
        run.class_names.clear();
        for (std::size_t i = 0; i < classes; ++i) run.class_names.push_back(std::string(80, 'a') + std::to_string(i));
    };
    named(9000);
    write(copy, 9000, 5);
    const std::string text = replayPage(table_, {run, run}, {});
    QVERIFY(text.size() <= kLargestReplay);
    const QJsonObject shown = onlyRun(text);
    QCOMPARE(shown["classes"].toArray().size(), qsizetype{9000});
    QCOMPARE(shown["recorded"].toObject()["pushes"].toInteger(), qint64{5});
    QVERIFY(shown["pushes"].toArray().size() < 5);

    // Letters beyond ASCII take six bytes or twelve each.
    for (std::string& name : run.class_names) {
        std::string wide;
        for (int i = 0; i < 40; ++i) wide += "🦀";
        name = wide + name.substr(80);
    }
    QCOMPARE(inputErrorOf([&] { replayPage(table_, {run}, {}); }),
             QString("The names of these runs' classes alone are more than the 3 MB that a replay has at most. "
                     "Name one run, of fewer classes."));
}

void ReplayPageTest::whatCannotBeReadIsToldWithItsRun() {
    RunRecord run = readRun(table_, recorded("demo"));
    run.warnings = {"anytime.csv line 7: no number."};
    std::vector<std::string> unread;
    replayPage(table_, {run}, {}, &unread);
    QCOMPARE(unread.size(), std::size_t{1});
    QCOMPARE(unread.front(), std::string("“demo”: anytime.csv line 7: no number."));
}

void ReplayPageTest::hostileNamesStayInsideTheirText() {
    QTemporaryDir folder;
    const QByteArray name = "</script><img src=x onerror=alert(1)>&amp;'`@@DATA@@ <!-- \xe2\x80\xa8\xe2\x80\xae";
    const fs::path run = edited(folder, "run.json", "\"calculator\"", "\"" + name + "\"");
    QVERIFY(!run.empty());
    QFile toml(QString::fromStdString((run / "experiment.toml").string()));
    QVERIFY(toml.open(QIODevice::ReadWrite));
    QByteArray settings = toml.readAll();
    settings.replace("name = \"Demo\"", "name = '</script><img src=x onerror=alert(1)>@@STYLE@@ \"quoted\" &'");
    toml.resize(0);
    toml.write(settings);
    toml.close();

    const std::string text = page({run});
    const QByteArray data = dataText(text);
    for (const char* forbidden : {"<", ">", "&", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xae"})
        QVERIFY2(!data.contains(forbidden), forbidden);
    QVERIFY(text.find("<img") == std::string::npos);
    // The page's own two scripts and no third one.
    QCOMPARE(QString::fromStdString(text).count("</script"), qsizetype{2});
    const QJsonObject shown = onlyRun(text);
    QVERIFY(shown["name"].toString().startsWith("</script><img src=x onerror="));
    QStringList names;
    for (const QJsonValue& each : shown["classes"].toArray()) names << each.toObject()["name"].toString();
    QVERIFY2(!names.filter("</script>").isEmpty(), "the class keeps its name");
    QVERIFY(names.filter(QChar(0x202e)).isEmpty());
    QVERIFY(QString::fromStdString(text).contains("<bdi>&lt;/script&gt;&lt;img"));
}

void ReplayPageTest::thePolicyNamesTheVeryTextsOfThePage() {
    const QString text = QString::fromStdString(page({recorded("demo")}));
    const auto hashOf = [&](const QString& open, const QString& close) {
        const qsizetype begin = text.indexOf(open) + open.size(), end = text.indexOf(close, begin);
        return QString("'sha256-%1'")
            .arg(QString(QCryptographicHash::hash(text.mid(begin, end - begin).toUtf8(), QCryptographicHash::Sha256)
                             .toBase64()));
    };
    const QString policy = QRegularExpression("Content-Security-Policy\" content=\"([^\"]*)\"").match(text).captured(1);
    QVERIFY(policy.startsWith("default-src 'none'; "));
    QVERIFY(policy.contains("style-src " + hashOf("<style>", "</style>") + ";"));
    QVERIFY(policy.contains("script-src " + hashOf("<script>", "</script>") + ";"));
    QVERIFY(!policy.contains("unsafe"));
    // The only address is the name of a namespace; nothing is loaded.
    const QString elsewhere = QString(text).remove("\"http://www.w3.org/2000/svg\"");
    QVERIFY(elsewhere.size() < text.size());
    for (const char* forbidden :
         {"http://", "https://", "://", "innerHTML", "eval(", "document.write", " style=", " onclick="})
        QVERIFY2(!elsewhere.contains(forbidden), forbidden);
}

void ReplayPageTest::theSameRunsGiveTheSameBytes() {
    const std::vector<fs::path> folders{recorded("demo"), recorded("demo-no-mask")};
    QVERIFY(page(folders) == page(folders));
    const auto find = [](const RunRecord&, const std::vector<std::int64_t>& batches) {
        ReplayStream stream;
        for (std::int32_t i = 0; i < 3200; ++i) stream.labels.push_back(i % 30);
        for (const std::int64_t at : batches) stream.batches.push_back({at, 32, {28, 4}, "JPEG" + std::to_string(at)});
        return stream;
    };
    const std::string pictured = page(folders, {.stream = find});
    QVERIFY(pictured == page(folders, {.stream = find}));
    QVERIFY(pictured != page(folders));
}

void ReplayPageTest::otherNumbersOfRunsAreRefused() {
    QTemporaryDir out;
    const ReportRequest request{{recorded("")}, out.path().toStdString(), {"replay"}};
    QCOMPARE(inputErrorOf([&] { writeReport(table_, request); }),
             QString("A replay shows one run, or two side by side; these are 3. Name one run folder or two."));
    QVERIFY(QDir(out.path()).isEmpty());
}

void ReplayPageTest::aRunThatMeasuredNothingIsRefused() {
    RunRecord run;
    run.folder = "runs/empty";
    QCOMPARE(inputErrorOf([&] { replayPage(table_, {run}, {}); }),
             QString("The run in runs/empty has measured nothing that could be replayed. Name one that was evaluated "
                     "at least once."));
}

void ReplayPageTest::importedCurvesStandAlone() {
    RunRecord run;
    run.folder = "imported";
    run.state = RecordedState::Imported;
    run.experiment = table_.defaults();
    run.experiment.name = "A table of somebody";
    run.total_samples = 1000;
    run.anytime = {{.samples_seen = 500, .accuracy = 0.5}, {.samples_seen = 1000, .accuracy = 0.25}};
    std::vector<std::string> unread;
    const QJsonObject shown = onlyRun(replayPage(table_, {run}, {}, &unread));
    QVERIFY(unread.empty());
    QVERIFY(shown["imported"].toBool());
    QCOMPARE(shown["anytime"].toObject()["accuracy"].toArray(), (QJsonArray{0.5, 0.25}));
    for (const char* absent : {"classes", "pushes", "confusion", "stories", "retention", "pictures"})
        QVERIFY2(shown[absent].toArray().isEmpty(), absent);
}

void ReplayPageTest::theReportWritesItOnlyWhenAsked() {
    QTemporaryDir out;
    ReportRequest request{{recorded("demo")}, out.path().toStdString(), {"replay"}};
    const auto files = writeReport(table_, request);
    QCOMPARE(files.size(), std::size_t{1});
    QCOMPARE(files.front().filename().string(), std::string("replay.html"));
    QVERIFY(contentOf(files.front()).starts_with("<!DOCTYPE html>"));
    request.formats = {"html", "replay"};
    QCOMPARE(writeReport(table_, request).size(), std::size_t{2});
    request.formats = {};
    for (const fs::path& file : writeReport(table_, request)) QVERIFY(file.filename() != "replay.html");
}

PALIMPSEST_GUILESS_TEST(ReplayPageTest)

}  // namespace tst_replay_page

#include "tst_replay_page.moc"
