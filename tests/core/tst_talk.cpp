// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QScopeGuard>
#include <QTemporaryDir>
#include <filesystem>
#include <map>

#include "engine/config/experiment_file.h"
#include "engine/record/example_runs.h"
#include "engine/record/talk.h"
#include "engine/record/talk_caption.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_talk {

namespace fs = std::filesystem;

namespace {

const std::string kHead =
    "title = \"A talk\"\n[[run]]\nname = \"mask\"\nrecorded = \"demo\"\n[[run]]\nname = \"made\"\nexperiment = "
    "\"demo\"\n";

std::string refusalOf(const std::string& toml) {
    try {
        parseTalk(toml, "talk.toml");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string sceneWith(const std::string& line) {
    return kHead + "[[scene]]\ncaption = \"Here\"\n" + line + "\n";
}

TalkNumbers madeUpNumbers() {
    TalkNumbers numbers;
    numbers.name = "A run";
    numbers.images = numbers.planned = 3000;
    numbers.sessions = 3;
    numbers.session_starts = {0, 1000, 2000};
    for (const auto& [seen, accuracy] :
         std::map<std::int64_t, double>{{500, 0.5}, {1000, 0.45}, {1500, 0.4}, {2000, 0.35}, {3000, 0.3}})
        numbers.evaluations.push_back({.samples_seen = seen, .accuracy = accuracy, .classes_seen = seen / 100});
    numbers.retention = {{0, 0, 0.9, 10}, {1, 0, 0.5, 10}, {1, 1, 0.8, 10}, {2, 0, 0.25, 10}, {2, 1, 0.4, 10}};
    Summary summary;
    summary.a_auc = 0.4;
    summary.seconds = 30.7;
    numbers.summary = summary;
    return numbers;
}

std::string filled(const std::string& caption) {
    const TalkNumbers numbers = madeUpNumbers();
    return filledCaption(caption, "mask", [&](const std::string& run) { return run == "mask" ? &numbers : nullptr; });
}

}  // namespace

class TestTalk : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    const OptionTable table_{testCatalogue()};

    std::filesystem::path file(const char* name) const {
        return std::filesystem::path(folder_.path().toStdString()) / name;
    }

private Q_SLOTS:
    void whatIsWrittenIsRead() {
        Talk talk;
        talk.title = "Forgetting \"here\" \\ there";
        talk.minutes = 7.5;
        talk.runs = {{.name = "a", .recorded = "demo-no-mask", .folder = {}, .experiment = {}},
                     {.name = "b-2", .recorded = {}, .folder = "my-run", .experiment = {}},
                     {.name = "c",
                      .recorded = {},
                      .folder = {},
                      .experiment = "demo",
                      .set = {{"mask.name", std::string("none")}, {"seed", std::int64_t{9}}},
                      .seconds = 31}};
        TalkScene one{.caption = "{accuracy} % and {b-2.retention(1, 2)} %", .note = "Wait.", .runs = {"a", "b-2"}};
        one.figure = "Retention";
        one.at = {TalkMoment::Kind::Session, 2};
        one.now = one.spotlight = true;
        TalkScene two{.caption = "Plays", .runs = {}};
        two.at = {TalkMoment::Kind::Images, 640};
        two.play = 10;
        TalkScene three{.caption = "Begins", .runs = {"c"}};
        three.start = "c";
        talk.scenes = {one, two, three};
        QCOMPARE(parseTalk(formatTalk(talk), "talk.toml"), talk);
        writeTalk(talk, file("talk.toml"));
        QCOMPARE(readTalk(file("talk.toml")), talk);
        QCOMPARE(talk.needed(), (std::vector<std::string>{"a", "b-2"}));
        QCOMPARE(talk.scene(1).runs, one.runs);
        QCOMPARE(talk.scene(1).figure, std::string("Retention"));
        QCOMPARE(talk.scene(2).figure, std::string("Retention"));
        QVERIFY2(!talk.scene(1).now && talk.scene(1).at != one.at, "only runs and figure are taken over");
        QCOMPARE(talk.scene(0), one);
        // What could not be read again is not written.
        talk.scenes[0].caption = "{acuracy}";
        QVERIFY_THROWS_EXCEPTION(Error, writeTalk(talk, file("other.toml")));
        QVERIFY(!isPlainFile(file("other.toml")));
    }

    void mistakesAreNamedWithLineAndNearestWord_data() {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("said");
        const auto add = [](const char* name, const std::string& toml, const char* said) {
            QTest::newRow(name) << QString::fromStdString(toml) << QString(said);
        };
        add("nothing", "", "line 1: the talk has no title");
        add("no scenes", "title = \"A\"", "the talk has no scenes");
        add("a key", "titel = \"A\"\n[[scene]]\ncaption = \"B\"", "line 1: unknown key titel. Did you mean title");
        add("a key of a scene", sceneWith("figur = \"Loss\""),
            "line 10: unknown key figur of a scene. Did you mean figure");
        add("a figure", sceneWith("figure = \"Retenton\""), "there is no figure \"Retenton\". Did you mean Retention");
        add("any figure", sceneWith("figure = 3"), "there are Accuracy, Anytime accuracy");
        add("a run", sceneWith("runs = [\"maks\"]"), "the talk has no run \"maks\". Did you mean mask");
        add("a run twice", sceneWith("runs = [\"mask\", \"mask\"]"), "runs holds mask twice");
        add("no runs", sceneWith("runs = []"), "runs must be a list of 1 to 8");
        add("a moment", sceneWith("at = \"session two\""), "at must be \"end\", \"session 2\" or a number of images");
        add("a session", sceneWith("at = \"session 0\""), "at must be");
        add("a negative moment", sceneWith("at = -1"), "at must be");
        add("a speed", sceneWith("play = 4"), "play must be 1, 2, 3, 5, 10, 20, 50 or 100");
        add("a flag", sceneWith("now = 1"), "now must be true or false");
        add("a recorded start", sceneWith("start = \"mask\""), "start names mask, which is no run with experiment");
        add("an unknown start", sceneWith("start = \"mad\""), "the talk has no run \"mad\". Did you mean made");
        add("two places",
            "title = \"A\"\n[[run]]\nname = \"a\"\nrecorded = \"demo\"\nfolder = \"b\"\n[[scene]]\ncaption = \"B\"",
            "line 2: a run has one of recorded, folder and experiment");
        add("a place above", "title = \"A\"\n[[run]]\nname = \"a\"\nfolder = \"../../etc\"\n[[scene]]\ncaption = \"B\"",
            "folder must lie below the folder of runs");
        add("a recorded run",
            "title = \"A\"\n[[run]]\nname = \"a\"\nrecorded = \"demo-no-mas\"\n[[scene]]\ncaption = \"B\"",
            "Did you mean demo-no-mask");
        add("a name", "title = \"A\"\n[[run]]\nname = \"a b\"\nrecorded = \"demo\"\n[[scene]]\ncaption = \"B\"",
            "the name of a run has letters, digits and hyphens");
        add("a name twice", kHead + "[[run]]\nname = \"mask\"\nfolder = \"a\"\n[[scene]]\ncaption = \"B\"",
            "two runs have the name mask");
        add("a caption of two lines", kHead + "[[scene]]\ncaption = \"a\\nb\"", "caption must be a line of text");
        add("a long caption", kHead + "[[scene]]\ncaption = \"" + std::string(161, 'x') + "\"",
            "caption has more than 160 characters");
        add("a brace", kHead + "[[scene]]\ncaption = \"{accuracy\"", "a brace is not closed");
        add("a placeholder", kHead + "[[scene]]\ncaption = \"{acuracy}\"",
            "unknown placeholder {acuracy}. Did you mean {accuracy}");
        add("a number", kHead + "[[scene]]\ncaption = \"{a_acu}\"", "Did you mean {a_auc}");
        add("a run of a caption", kHead + "[[scene]]\ncaption = \"{maks.accuracy}\"", "Did you mean mask");
        add("arguments", kHead + "[[scene]]\ncaption = \"{retention}\"", "must be {retention(1)} or {retention(1, 3)}");
        for (const char* place : {"../demo.toml", "/etc/passwd", "a/../../demo", ".."})
            add(place, "title = \"A\"\n[[run]]\nname = \"a\"\nexperiment = \"" + std::string(place) + "\"\n",
                "line 4: experiment must be the name of a preset, or a file beside the talk");
        add("a preset elsewhere", "title = \"A\"\n[[run]]\nname = \"a\"\nexperiment = \"../demo.toml\"\n",
            "Did you mean demo");
        add("no TOML", "title = ", "line 1, column ");
    }
    void mistakesAreNamedWithLineAndNearestWord() {
        QFETCH(QString, toml);
        QFETCH(QString, said);
        const QString refusal = QString::fromStdString(refusalOf(toml.toStdString()));
        QVERIFY2(refusal.startsWith("talk.toml, line ") && refusal.contains(said), qPrintable(refusal));
    }

    void largeTalksAreRefused() {
        std::string many = kHead;
        for (std::size_t i = 0; i <= kMostScenes; ++i) many += "[[scene]]\ncaption = \"B\"\n";
        QVERIFY(refusalOf(many).find("there are more than 200 scenes") != std::string::npos);
        many = "title = \"A\"\n";
        for (std::size_t i = 0; i <= kMostTalkRuns; ++i)
            many += "[[run]]\nname = \"r" + std::to_string(i) + "\"\nrecorded = \"demo\"\n";
        QVERIFY(refusalOf(many + "[[scene]]\ncaption = \"B\"\n").find("there are more than 50 runs") !=
                std::string::npos);
        replaceTextFile(file("huge.toml"), std::string(kLongestTalk + 1, '#'));
        QVERIFY_THROWS_EXCEPTION(Error, readTalk(file("huge.toml")));
    }

    void captionsTakeTheirNumbersFromTheRun() {
        QCOMPARE(filled("{name}: {accuracy} % of {classes}, {images} images"),
                 std::string("A run: 30.0 % of 30, 3,000 images"));
        QCOMPARE(filled("{accuracy(1200)} {accuracy(session 1)} {accuracy(session 3)} {accuracy(400)}"),
                 std::string("45.0 45.0 30.0 …"));
        QCOMPARE(filled("{retention(1)} {retention(1, 2)} {retention(3)}"), std::string("25.0 50.0 …"));
        QCOMPARE(filled("{mask.a_auc} {a_last} {seconds}"), std::string("40.0 … 31"));
        QCOMPARE(filled("{other.accuracy} {{as it is}}"), std::string("… {as it is}"));
    }

    void aRunOnItsWayHasNoNumbersOfLater() {
        TalkNumbers numbers = madeUpNumbers();
        numbers.evaluations.resize(2);
        numbers.summary.reset();
        const auto text = [&](const char* caption) {
            return filledCaption(caption, "mask", [&](const std::string&) { return &numbers; });
        };
        QCOMPARE(text("{accuracy} {accuracy(session 1)} {accuracy(session 2)} {a_auc}"), std::string("45.0 45.0 … …"));
    }

    /// A caption tells an audience what was learned, not what was meant to be.
    void aStoppedRunSaysWhatItHasLearned() {
        RunRecord record;
        record.state = RecordedState::Stopped;
        record.total_samples = 3000;
        record.samples_learned = 1250;
        record.session_starts = {0, 1000, 2000};
        record.summary.sessions_ended = 1;
        for (const std::int64_t seen : {500, 1000})
            record.anytime.push_back({.samples_seen = seen, .accuracy = 0.5, .classes_seen = 4});
        const auto text = [&](const char* caption) {
            const TalkNumbers numbers = talkNumbers(record);
            return filledCaption(caption, "mask", [&](const std::string&) { return &numbers; });
        };
        QCOMPARE(text("{images} {sessions}"), std::string("1,250 1"));
        QCOMPARE(text("{accuracy(1250)} {accuracy(1251)} {accuracy(3000)}"), std::string("50.0 … …"));
        QCOMPARE(text("{accuracy(session 1)} {accuracy(session 2)} {accuracy(session 3)}"), std::string("50.0 … …"));
        // One that could not read some of its images has come to its end all the same.
        record.state = RecordedState::Finished;
        record.samples_learned = 2990;
        record.anytime.push_back({.samples_seen = 2990, .accuracy = 0.25, .classes_seen = 9});
        QCOMPARE(text("{images} {sessions} {accuracy(session 3)}"), std::string("2,990 3 25.0"));
    }

    void anExperimentLiesBesideTheTalk() {
        const fs::path talks = file("talks");
        fs::create_directories(talks / "below");
        for (const fs::path& place : {file("outside.toml"), talks / "below" / "mine.toml"})
            writeExperiment(table_, table_.defaults(), place);
        TalkRun run{.name = "made", .recorded = {}, .folder = {}, .experiment = "below/mine.toml"};
        talkExperiment(table_, run, talks);
        // Also where the program was started.
        const fs::path before = fs::current_path();
        fs::current_path(folder_.path().toStdString());
        const auto back = qScopeGuard([&] { fs::current_path(before); });
        for (const std::string& name : {std::string("../outside.toml"), file("outside.toml").string(),
                                        std::string("below/../../outside.toml"), std::string("outside.toml")}) {
            run.experiment = name;
            QVERIFY_THROWS_EXCEPTION(Error, talkExperiment(table_, run, talks));
            QVERIFY_THROWS_EXCEPTION(Error, talkExperiment(table_, run, {}));
        }
        run.experiment = "dmeo";
        try {
            talkExperiment(table_, run, talks);
            QFAIL("a preset that is not there is taken");
        } catch (const Error& error) {
            QVERIFY2(QString::fromStdString(error.hint()).contains("Did you mean demo?"), error.hint().c_str());
        }
    }

    void aRunIsMadeFromAPresetWithChanges() {
        TalkRun run{.name = "made", .recorded = {}, .folder = {}, .experiment = "demo"};
        run.set = {{"mask.name", std::string("none")}, {"seed", std::int64_t{9}}};
        const Experiment made = talkExperiment(table_, run, folder_.path().toStdString());
        QCOMPARE(made.mask.name, std::string("none"));
        QCOMPARE(made.seed, std::int64_t{9});
        Experiment elsewhere = made;
        elsewhere.device = "cuda:0";
        elsewhere.threads = 7;
        QVERIFY(sameTalkExperiment(table_, made, elsewhere));
        elsewhere.seed = 10;
        QVERIFY(!sameTalkExperiment(table_, made, elsewhere));
        run.set = {{"mask.nam", std::string("none")}};
        try {
            talkExperiment(table_, run, {});
            QFAIL("an unknown option is taken");
        } catch (const Error& error) {
            QVERIFY2(
                QString(error.what()).contains("The talk's run made: ") && QString(error.what()).contains("mask.name"),
                error.what());
        }
        run.set.clear();
        run.experiment = "no-such-preset";
        QVERIFY_THROWS_EXCEPTION(Error, talkExperiment(table_, run, {}));
    }

    /// Every number that the shipped talk says is one of the recorded runs, and what its words say of them holds.
    void theShippedTalkSaysWhatTheRecordedRunsSay() {
        const std::vector<ShippedTalk> talks = shippedTalks();
        QCOMPARE(talks.size(), std::size_t{1});
        const Talk talk = readTalk(talks[0].file);
        QCOMPARE(talk.title, talks[0].title);
        QVERIFY(talk.scenes.size() >= 12 && talk.scenes.size() <= 15);
        std::map<std::string, TalkNumbers> numbers;
        for (const TalkRun& run : talk.runs) {
            if (run.recorded.empty())
                talkExperiment(table_, run, talks[0].file.parent_path());
            else
                numbers[run.name] = talkNumbers(readRun(table_, recordedRunsFolder() / run.recorded));
        }
        std::string all;
        for (std::size_t i = 0; i < talk.scenes.size(); ++i) {
            const TalkScene scene = talk.scene(i);
            QVERIFY(!scene.figure.empty() && !scene.runs.empty());
            const std::string caption = filledCaption(scene.caption, scene.runs.front(), [&](const std::string& run) {
                const auto its = numbers.find(run);
                return its == numbers.end() ? nullptr : &its->second;
            });
            if (scene.start.empty()) QVERIFY2(caption.find("…") == std::string::npos, caption.c_str());
            all += caption + "\n";
        }
        QVERIFY2(all.find("Over the whole way 31.5 % are right with it, 27.2 % without") != std::string::npos,
                 all.c_str());
        const auto retention = [&](const char* run, std::int64_t session, std::int64_t after) {
            for (const RetentionPoint& point : numbers[run].retention)
                if (point.session == session && point.after_session == after) return point.accuracy;
            return -1.0;
        };
        // "Every session goes that way", and the mask keeps more of the first and does not cure.
        for (std::int64_t session = 0; session < 4; ++session)
            QVERIFY(retention("no-mask", session, 4) < retention("no-mask", session, session));
        QVERIFY(retention("mask", 0, 4) > retention("no-mask", 0, 4));
        QVERIFY(retention("mask", 0, 4) < retention("mask", 0, 0) && retention("mask", 0, 0) > 0.4);
    }
};

PALIMPSEST_GUILESS_TEST(TestTalk)

}  // namespace tst_talk

#include "tst_talk.moc"
