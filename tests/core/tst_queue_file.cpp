// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <memory>
#include <string>

#include "engine/support/error.h"
#include "engine/sweep/queue_file.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_queue_file {

namespace {

QueueFile someQueue() {
    const auto text = std::make_shared<const std::string>("name = \"Mine\"\nseed = 1\n");
    QueueFile queue;
    for (std::int64_t id = 1; id <= 3; ++id) {
        QueueJob job;
        job.id = id;
        job.name = "Mine";
        job.seed = id;
        job.experiment = text;
        job.folder = "/runs/mine-seed-" + std::to_string(id);
        queue.jobs.push_back(job);
    }
    queue.jobs[0].state = QueueState::Running;
    queue.jobs[0].pid = 17;
    queue.jobs[0].process = "boot 5";
    queue.jobs[0].starts = 2;
    queue.jobs[0].seconds = 12.5;
    queue.jobs[0].began = 1'700'000'000'000;
    queue.jobs[0].resumes = true;
    queue.jobs[1].state = QueueState::Failed;
    queue.jobs[1].sentence = "No room.";
    queue.jobs[2].experiment = nullptr;
    queue.jobs[2].grid = "/grids/masks.toml";
    queue.next = 9;
    queue.at_once = 2;
    queue.paused = true;
    return queue;
}

QString refusal(const std::string& text) {
    try {
        parseQueue(text, "queue.json");
    } catch (const Error& error) {
        return QString::fromStdString(error.sentence());
    }
    return {};
}

QString seedRefusal(const std::string& text) {
    try {
        parsedSeeds(text, 100);
    } catch (const Error& error) {
        return QString::fromStdString(error.sentence());
    }
    return {};
}

}  // namespace

class TestQueueFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aProgramComesBack() {
        const std::string text = formatQueueProgram({17, "boot:5", "/runs/mine-seed-1"});
        const auto back = parseQueueProgram(text);
        QVERIFY(back && back->pid == 17 && back->process == "boot:5" && back->folder == "/runs/mine-seed-1");
        for (const char* none : {"", "17", R"({"pid": 17, "process": "", "folder": "/runs"})",
                                 R"({"pid": 0, "process": "a", "folder": "/runs"})",
                                 R"({"pid": 4294967297, "process": "a", "folder": "/runs"})",
                                 R"({"pid": 17, "process": "a", "folder": "runs"})"})
            QVERIFY2(!parseQueueProgram(none), none);
    }

    void everythingComesBack() {
        const std::string text = formatQueue(someQueue());
        const QueueFile back = parseQueue(text, "queue.json");
        QCOMPARE(formatQueue(back), text);
        QCOMPARE(back.next, std::int64_t{9});
        QCOMPARE(back.at_once, 2);
        QVERIFY(back.paused);
        QCOMPARE(back.jobs.size(), std::size_t{3});
        QVERIFY(back.jobs[2].isSweep() && !back.jobs[0].isSweep());
        QCOMPARE(*back.jobs[1].experiment, std::string("name = \"Mine\"\nseed = 1\n"));
        // One text of several seeds stays one.
        QCOMPARE(back.jobs[0].experiment, back.jobs[1].experiment);
        QCOMPARE(back.jobs[0].process, std::string("boot 5"));
        QVERIFY(back.jobs[0].resumes && !back.jobs[1].resumes);
        QCOMPARE(back.jobs[1].sentence, std::string("No room."));
    }

    void anOlderFileSaysNotWhenARunBegan() {
        std::string text = formatQueue(someQueue());
        const std::string began = "\"began\": 1700000000000,";
        QVERIFY(text.find(began) != std::string::npos);
        QCOMPARE(parseQueue(text, "queue.json").jobs[0].began, std::int64_t{1'700'000'000'000});
        text.erase(text.find(began), began.size());
        QCOMPARE(parseQueue(text, "queue.json").jobs[0].began, std::int64_t{0});
    }

    void everyTornOrChangedFileIsRefusedInASentence() {
        const std::string text = formatQueue(someQueue());
        for (std::size_t length = 0; length + 2 < text.size(); ++length) {
            const QString said = refusal(text.substr(0, length));
            QVERIFY2(said.contains("queue.json is damaged"), qPrintable(QString::number(length) + said));
        }
    }

    void aWrongMemberIsNamed_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("said");
        QTest::newRow("state") << "\"failed\""
                               << "\"lost\""
                               << "there is no state lost";
        QTest::newRow("folder") << "\"/runs/mine-seed-1\""
                                << "\"mine\""
                                << "folder is no whole path";
        QTest::newRow("number twice") << "\"id\": 2"
                                      << "\"id\": 1"
                                      << "two entries have one number";
        QTest::newRow("experiment") << "\"experiment\": \"1\""
                                    << "\"experiment\": \"7\""
                                    << "an experiment is missing";
        QTest::newRow("huge") << "\"pid\": 17"
                              << "\"pid\": 18446744073709551615"
                              << "pid is no number";
        QTest::newRow("negative") << "\"seconds\": 12.5"
                                  << "\"seconds\": -1"
                                  << "seconds is no number";
        QTest::newRow("paused") << "\"paused\": true"
                                << "\"paused\": 1"
                                << "paused is neither";
    }
    void aWrongMemberIsNamed() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, said);
        QString text = QString::fromStdString(formatQueue(someQueue()));
        QVERIFY(text.contains(from));
        text.replace(from, to);
        const QString answer = refusal(text.toStdString());
        QVERIFY2(answer.contains(said), qPrintable(answer));
    }

    void aNewerVersionIsNoDamage() {
        const std::string newer = "{\"version\": 2, \"jobs\": {}}";
        QVERIFY(newerQueue(newer));
        QVERIFY(refusal(newer).contains("newer version"));
        QVERIFY(!newerQueue(formatQueue(someQueue())) && !newerQueue("[") && !newerQueue("{}"));
    }

    void seedsAreReadAsTyped_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<int>>("seeds");
        QTest::addColumn<QString>("written");
        QTest::newRow("one") << "3" << QList<int>{3} << "3";
        QTest::newRow("zero") << "0" << QList<int>{0} << "0";
        QTest::newRow("range") << "1-5" << QList<int>{1, 2, 3, 4, 5} << "1-5";
        QTest::newRow("mixed") << " 1 - 3, 7 " << QList<int>{1, 2, 3, 7} << "1-3, 7";
        QTest::newRow("order") << "7,2" << QList<int>{7, 2} << "7, 2";
    }
    void seedsAreReadAsTyped() {
        QFETCH(QString, text);
        QFETCH(QList<int>, seeds);
        QFETCH(QString, written);
        const std::vector<std::int64_t> read = parsedSeeds(text.toStdString(), 100);
        QCOMPARE(QList<int>(read.begin(), read.end()), seeds);
        QCOMPARE(QString::fromStdString(seedsText(read)), written);
    }

    void otherSeedsAreRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("nothing") << ""
                                 << "There are no seeds.";
        QTest::newRow("word") << "1-3, one"
                              << "The seed \"one\" is no whole number from 0 to 100.";
        QTest::newRow("half") << "1.5"
                              << "\"1.5\" is no whole number";
        QTest::newRow("comma at the end") << "1,"
                                          << "a comma or a hyphen without a number";
        QTest::newRow("negative") << "-1"
                                  << "a comma or a hyphen without a number";
        QTest::newRow("too large") << "1-3, 101, 7"
                                   << "The seed 101 is too large: 100 at most.";
        QTest::newRow("no number") << "99999999999999999999999"
                                   << "is too large: 100 at most.";
        QTest::newRow("backwards") << "5-1"
                                   << "end before they begin";
        QTest::newRow("twice") << "1-3,2"
                               << "comes twice";
    }
    void otherSeedsAreRefused() {
        QFETCH(QString, text);
        QFETCH(QString, said);
        const QString answer = seedRefusal(text.toStdString());
        QVERIFY2(answer.contains(said), qPrintable(answer));
    }

    void manySeedsAreRefusedBeforeTheyAreMade() {
        QVERIFY_THROWS_EXCEPTION(Error, parsedSeeds("0-4000000000000000000", 9'000'000'000'000'000'000));
    }
};

PALIMPSEST_APPLESS_TEST(TestQueueFile)

}  // namespace tst_queue_file

#include "tst_queue_file.moc"
