// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "engine/stream/experiment_stream.h"
#include "engine/stream/index_list.h"
#include "engine/stream/stream_export.h"
#include "engine/support/error.h"
#include "engine/support/random.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_index_list {

using Labels = std::vector<std::int32_t>;
using List = std::vector<std::int64_t>;
using Lists = std::vector<List>;

namespace {

const Labels kLabels{0, 1, 2, 0, 1, 2};

StreamSettings settings() {
    StreamSettings s;
    s.classes = 3;
    return s;
}

StreamPlan imported(const std::string& json, const Labels& labels = kLabels) {
    return importStream(parseIndexList(json, "plan.json"), labels, settings());
}

/// An index list that has `value` under `key`.
std::string listSaying(const std::string& sessions, const std::string& key, const std::string& value) {
    const std::string quote = "\"";
    return "{" + quote + "sessions" + quote + ":" + sessions + "," + quote + key + quote + ":" + quote + value + quote +
           "}";
}

Labels randomLabels(Random& random, std::int64_t classes, std::int64_t samples) {
    Labels labels(static_cast<std::size_t>(samples));
    for (std::int32_t& label : labels)
        label = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(classes)));
    return labels;
}

}  // namespace

class TestIndexList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothShapesAreRead_data() {
        QTest::addColumn<QString>("json");
        QTest::newRow("the lists alone") << "[[3,0,1],[4,2]]";
        QTest::newRow("with a name") << R"({"sessions": [[3,0,1],[4,2]]})";
        QTest::newRow("with more around it")
            << R"({"made by": {"x": [1.5]}, "sessions": [[3,0,1],[4,2]], "warnings": []})";
    }
    void bothShapesAreRead() {
        QFETCH(QString, json);
        const StreamPlan plan = imported(json.toStdString());
        QVERIFY(plan.sessions == (Lists{{3, 0, 1}, {4, 2}}));
        // Classes 0 and 2 occur in one session, class 1 in both and first in the first one.
        QVERIFY(plan.disjoint_classes == (Lists{{0}, {2}}));
        QVERIFY(plan.blurry_classes == (Lists{{1}, {}}));
        QCOMPARE(plan.disjoint_count, 2);
        QCOMPARE(plan.blurry_count, 1);
        QCOMPARE(plan.settings.sessions, 2);
        QVERIFY(plan.settings.partition == Partition::Imported);
        QVERIFY(plan.notes.empty());
    }

    void aBlurryClassIsAtHomeWhereMostOfItComes() {
        const Labels labels{0, 0, 0, 1, 1, 2};
        const StreamPlan plan = imported("[[0,3],[1,2],[],[4]]", labels);
        QVERIFY(plan.disjoint_classes == (Lists{{}, {}, {}, {}}));
        QVERIFY(plan.blurry_classes == (Lists{{1}, {0}, {}, {}}));
    }

    void theFingerprintIsThatOfThePlannedStream() {
        Random random(1, 3);
        const Labels labels = randomLabels(random, 10, 300);
        const StreamPlan planned = planStream(labels, {10, 5, 50, 10, Partition::Stochastic, 4});
        StreamSettings ten = settings();
        ten.classes = 10;
        const StreamPlan again = importStream(parseIndexList(formatIndexList(planned), "a"), labels, ten);
        QCOMPARE(again.fingerprint(), planned.fingerprint());
    }

    void everyPlannedStreamReadsBack() {
        Random random(1, 5);
        int tried = 0;
        for (int round = 0; round < 300; ++round) {
            const auto classes = static_cast<std::int64_t>(1 + random.below(30));
            const Labels labels = randomLabels(random, classes, static_cast<std::int64_t>(1 + random.below(300)));
            StreamSettings wanted;
            wanted.classes = classes;
            wanted.sessions = static_cast<std::int64_t>(1 + random.below(9));
            wanted.disjoint_percent = static_cast<std::int64_t>(random.below(102));
            wanted.blurry_percent = static_cast<std::int64_t>(random.below(102));
            wanted.seed = random.longWord();
            StreamPlan planned;
            try {
                planned = planStream(labels, wanted);
            } catch (const Error&) {
                continue;  // one class at a time, and one class has no samples
            }
            if (planned.totalSamples() == 0) continue;
            ++tried;
            StreamReport report{planned, labels, {}, {"a warning"}};
            report.statistics = round % 2 == 0;
            const std::string json = formatStream(report, StreamFormat::Json);
            const StreamPlan again = importStream(parseIndexList(json, "a"), labels, wanted);
            QCOMPARE(again.sessions, planned.sessions);
            QCOMPARE(again.disjoint_classes, planned.disjoint_classes);
            QCOMPARE(again.blurry_classes, planned.blurry_classes);
            QVERIFY(again.notes.empty());
        }
        QVERIFY(tried > 200);
    }

    void aSampleMayComeMoreThanOnce() {
        const StreamPlan plan = imported("[[0,0,1],[0]]");
        QCOMPARE(plan.totalSamples(), 4);
        QVERIFY(lintStream(plan, kLabels).size() >= 1);
    }

    void changedListsAreNoticed() {
        const std::string right = imported("[[0,1],[2]]").fingerprint();
        QVERIFY(imported(listSaying("[[0,1],[2]]", "fingerprint", right)).notes.empty());
        const StreamPlan plan = imported(listSaying("[[1,0],[2]]", "fingerprint", right));
        QCOMPARE(plan.notes.size(), std::size_t{1});
        QVERIFY(QString::fromStdString(plan.notes[0]).contains("was changed after it was written"));
        QVERIFY(QString::fromStdString(plan.notes[0]).startsWith("plan.json"));
    }

    void listsForOtherLabelsAreNoticed() {
        const std::string mine = labelsFingerprint(kLabels);
        QVERIFY(imported(listSaying("[[0]]", "labels_fingerprint", mine)).notes.empty());
        const StreamPlan plan = imported(listSaying("[[0]]", "labels_fingerprint", "0123456789abcdef"));
        QCOMPARE(plan.notes.size(), std::size_t{1});
        QVERIFY(QString::fromStdString(plan.notes[0]).contains("another data set"));
    }

    void mistakesAreNamedWithTheirPlace_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const QByteArray& json, const char* sentence) {
            QTest::newRow(name) << json << QString(sentence);
        };
        row("empty", "", "plan.json, line 1, column 1: this is not JSON.");
        row("cut off", "[[0,1],[2", "plan.json, line 1, column 10: this is not JSON.");
        row("a slip on the third line", "[\n[0,1],\n[2,,3]]", "plan.json, line 3, column 4: this is not JSON.");
        row("bytes that are not UTF-8", "\xff\xfe[[0]]", "plan.json, line 1, column 1: this is not JSON.");
        row("a number", "7", "plan.json has no list called \"sessions\".");
        row("another object", R"({"data": [[0]]})", "plan.json has no list called \"sessions\".");
        row("sessions that are no list", R"({"sessions": 3})", "plan.json: \"sessions\" is not a list of lists.");
        row("a flat list", "[0,1,2]", "plan.json, session 1: 0 is not a list of sample numbers.");
        row("a session that is a text", R"([[0],"1"])", "plan.json, session 2: \"1\" is not a list of sample numbers.");
        row("a text among numbers", R"([[0,"1"]])", "plan.json, session 1, entry 2: \"1\" is not a sample number.");
        row("a fraction", "[[0],[1,2.5]]", "plan.json, session 2, entry 2: 2.5 is not a sample number.");
        row("null", "[[null]]", "plan.json, session 1, entry 1: null is not a sample number.");
        row("a list too deep", "[[[0]]]", "plan.json, session 1, entry 1: a list is not a sample number.");
        row("an object inside", "[[{}]]", "plan.json, session 1, entry 1: an object is not a sample number.");
        row("beyond 64 bits", "[[18446744073709551615]]",
            "plan.json, session 1, entry 1: 18446744073709551615 is not a sample number.");
        row("negative", "[[0,1],[3,-1]]",
            "plan.json, session 2, entry 2: there is no sample -1 among the 6 training samples, which are counted from "
            "0.");
        row("too large", "[[0,1],[6]]",
            "plan.json, session 2, entry 1: there is no sample 6 among the 6 training samples, which are counted from "
            "0.");
        row("no sessions", "[]", "plan.json holds no samples.");
        row("only empty sessions", "[[],[]]", "plan.json holds no samples.");
        row("too many sessions", "[" + QByteArray("[],").repeated(1000) + "[0]]",
            "plan.json has 1001 sessions, more than 1000.");
        row("one kind of class alone", R"({"sessions":[[0]],"disjoint_classes":[[0]]})",
            "plan.json has only one of disjoint_classes and blurry_classes.");
        row("too few lists of classes", R"({"sessions":[[0],[1]],"disjoint_classes":[[0]],"blurry_classes":[[],[1]]})",
            "plan.json: \"disjoint_classes\" has 1 lists for 2 sessions.");
        row("too many lists of disjoint classes",
            R"({"sessions":[[0]],"disjoint_classes":[[0],[]],"blurry_classes":[[]]})",
            "plan.json: \"disjoint_classes\" has 2 lists for 1 sessions.");
        row("a class that is no number", R"({"sessions":[[0]],"disjoint_classes":[["a"]],"blurry_classes":[[]]})",
            "plan.json, disjoint_classes of session 1, entry 1: \"a\" is not a class number.");
        row("a class that does not exist", R"({"sessions":[[0]],"disjoint_classes":[[0]],"blurry_classes":[[7]]})",
            "plan.json, blurry_classes of session 1, entry 1: there is no class 7 among 3, which are counted from 0.");
        row("a class in no set", R"({"sessions":[[0],[1]],"disjoint_classes":[[0],[]],"blurry_classes":[[],[]]})",
            "plan.json: class 1 comes in session 2, but is neither in disjoint_classes nor in blurry_classes.");
        row("a disjoint class that returns",
            R"({"sessions":[[0],[3]],"disjoint_classes":[[0],[]],"blurry_classes":[[],[]]})",
            "plan.json: class 0 is a disjoint class of session 1, but comes in session 2.");
        row("a fingerprint that is a number", R"({"sessions":[[0]],"fingerprint":5})",
            "plan.json: \"fingerprint\" is 5, not a text.");
    }
    void mistakesAreNamedWithTheirPlace() {
        QFETCH(QByteArray, json);
        QFETCH(QString, sentence);
        try {
            imported(json.toStdString());
            QFAIL("read");
        } catch (const Error& error) {
            QCOMPARE(QString(error.what()), sentence);
            QCOMPARE(static_cast<int>(error.kind()), static_cast<int>(ErrorKind::Input));
            QVERIFY(!error.hint().empty());
        }
    }

    void listsInListsWithoutEndAreRefused() {
        const std::string deep(200000, '[');
        QVERIFY_EXCEPTION_THROWN(parseIndexList(deep, "deep"), Error);
        QVERIFY_EXCEPTION_THROWN(parseIndexList(deep + std::string(200000, ']'), "deep"), Error);
    }

    void damagedListsAreRefusedOrReadButNeverMore() {
        const Labels labels{0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
        const StreamPlan planned = planStream(labels, {3, 2, 50, 10, Partition::Stochastic, 1});
        const std::string whole = formatStream({planned, labels, {}, {}}, StreamFormat::Json);
        Random random(1, 8);
        for (int round = 0; round < 3000; ++round) {
            std::string damaged = whole;
            for (std::uint64_t i = 0; i <= random.below(3); ++i) {
                const auto where = static_cast<std::size_t>(random.below(damaged.size()));
                if (random.below(2) == 0)
                    damaged[where] = static_cast<char>(random.below(256));
                else
                    damaged.erase(where, 1 + static_cast<std::size_t>(random.below(20)));
            }
            try {
                const StreamPlan plan = importStream(parseIndexList(damaged, "damaged"), labels, settings());
                for (const List& session : plan.sessions)
                    for (const std::int64_t sample : session) QVERIFY(sample >= 0 && sample < 10);
            } catch (const Error& error) {
                QVERIFY(QString(error.what()).startsWith("damaged"));
            }
        }
    }

    void filesAreRead() {
        QTemporaryDir folder;
        const std::string file = folder.filePath("plan.json").toStdString();
        std::ofstream(file) << "[[0,1],[2]]";
        QCOMPARE(readIndexList(file).origin, file);
        QCOMPARE(readIndexList(file).sessions.size(), std::size_t{2});
        const auto sentence = [](const std::string& name) -> QString {
            try {
                readIndexList(name);
            } catch (const Error& error) {
                return error.what();
            }
            return "read";
        };
        QVERIFY(sentence(folder.path().toStdString()).contains("is a folder"));
        QVERIFY(sentence(file + ".gone").contains("Cannot read " + QString::fromStdString(file)));
        QVERIFY(sentence("/dev/zero").contains("a device"));
    }

    void anExperimentTakesItsListFromTheFile() {
        QTemporaryDir folder;
        const std::string file = folder.filePath("plan.json").toStdString();
        std::ofstream(file) << "[[0,1],[2],[5]]";
        Experiment experiment = OptionTable(testCatalogue()).defaults();
        experiment.stream.partition = "imported";
        experiment.stream.index_list = file;
        const StreamPlan plan = planExperimentStream(experiment, kLabels, 3);
        QVERIFY(plan.sessions == (Lists{{0, 1}, {2}, {5}}));
        experiment.stream.index_list.clear();
        QVERIFY_EXCEPTION_THROWN(planExperimentStream(experiment, kLabels, 3), Error);
        experiment.stream.partition = "stochastic";
        experiment.stream.index_list = "/nowhere.json";
        QCOMPARE(planExperimentStream(experiment, kLabels, 3).sessions.size(), std::size_t{5});
        experiment.stream.partition = "another";
        QVERIFY_EXCEPTION_THROWN(planExperimentStream(experiment, kLabels, 3), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestIndexList)

}  // namespace tst_index_list

#include "tst_index_list.moc"
