// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QProcess>
#include <QTemporaryDir>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <stop_token>
#include <thread>

#include "engine/config/experiment_file.h"
#include "engine/learner/exchange_place.h"
#include "engine/learner/learner_check.h"
#include "engine/learner/learner_description.h"
#include "engine/learner/learner_process.h"
#include "engine/method_options/external_options.h"
#include "engine/network/tensor_file.h"
#include "engine/record/checkpoints.h"
#include "engine/record/resumable.h"
#include "engine/record/run_folder.h"
#include "engine/run/run_control.h"
#include "engine/support/error.h"
#include "engine/support/file_lock.h"
#include "engine/support/process.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"
#include "engine/train/attention.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/mask_lens.h"
#include "engine/train/run_experiment.h"
#include "tests/support/learner_program.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_vit.h"

using namespace palimpsest;

namespace tst_learner_protocol {

namespace fs = std::filesystem;

namespace {

const OptionTable& table() {
    static const OptionTable t(engineCatalogue());
    return t;
}

struct EndObserver : RunObserver {
    std::vector<double> accuracies;
    std::vector<double> losses;
    RunEnded ended;
    std::function<void()> on_update;
    void onUpdate(const UpdateDone&) override {
        if (on_update) on_update();
    }
    void onEvaluated(const Evaluated& event) override {
        accuracies.push_back(event.accuracy);
        losses.push_back(event.loss);
    }
    void onEnded(const RunEnded& event) override { ended = event; }
};

std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// All measurements of a run, by file.
std::map<std::string, std::string> tablesOf(const fs::path& run) {
    std::map<std::string, std::string> tables;
    for (const auto& entry : fs::recursive_directory_iterator(run)) {
        const std::string name = fs::relative(entry.path(), run).string();
        if (entry.is_regular_file() && name != "commands.csv" &&
            (name.ends_with(".csv") || name.starts_with("predictions")))
            tables[name] = contentOf(entry.path());
    }
    return tables;
}

LearnerStart faulty(const std::string& fault, double timeout = 60, std::int64_t memory = 0) {
    return {test::builtLearner("learner_faulty") + " " + fault, timeout, memory};
}

/// The sentences of the trials that found a fault.
std::string faultsOf(const std::vector<LearnerTrial>& trials) {
    std::string all;
    for (const LearnerTrial& trial : trials)
        if (!trial.sound) all += trial.what + ": " + trial.found + "\n";
    return all;
}

/// Asks to stop once a learner has made the file, with which it says that it hangs.
std::jthread onceThere(const fs::path& marker, std::stop_source& stop) {
    return std::jthread([&stop, marker](const std::stop_token& over) {
        while (!fs::exists(marker) && !over.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        stop.request_stop();
    });
}

std::string helloWith(const std::string& options) {
    return R"({"protocol":1,"name":"N","takes":["images"],"options":)" + options + "}";
}

/// The sentence of what `work` throws; empty where it throws nothing.
std::string sentenceOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.sentence();
    }
    return {};
}

}  // namespace

class TestLearnerProtocol : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    fs::path place(const std::string& name) const { return fs::path(folder_.path().toStdString()) / name; }

    /// Twelve batches of eight in two sessions on a network of width 32, evaluated every 24 images.
    Experiment small(const std::string& method, const std::string& command = "") {
        Experiment e = table().defaults();
        const fs::path weights = place("weights.safetensors");
        if (!fs::exists(weights)) writeSafetensors(weights, test::tinyWeights({16, 4, 3, 32, 5, 2, 2}));
        e.name = "Small";
        e.stream.dataset = "shapes";
        e.stream.train_limit = 96;
        e.stream.test_limit = 48;
        e.stream.sessions = 2;
        e.backbone.name = "any";
        e.backbone.weights = weights.string();
        e.backbone.heads = 2;
        e.precision = "float32";
        e.threads = 1;
        e.training.batch_size = 8;
        e.training.updates_per_batch = 2;
        e.evaluation.every_samples = 24;
        e.evaluation.early_look = 0;
        e.initial_session.prompts = "none";
        e.method.name = method;
        if (!command.empty()) table().setText(e, "method.external_command", command);
        return e;
    }

    EndObserver run(const Experiment& experiment, const fs::path& folder) {
        EndObserver observer;
        RunControl control;
        runExperiment(1, experiment, FreshRun{{}, folder}, control, observer);
        return observer;
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("PALIMPSEST_LEARNERS", QByteArray::fromStdString(place("allowed").string()));
        table();
    }

    /// All but the test of what is not allowed may start what they name, also by themselves.
    void init() {
        if (qstrcmp(QTest::currentTestFunction(), "whatIsNotAllowedIsNotStarted") != 0) allowAllLearners();
    }

    void whatIsNotAllowedIsNotStarted() {
        const std::string script = place("touching").string(), touched = place("touched").string();
        std::ofstream(script) << "#!/bin/sh\ntouch '" << touched << "'\n";
        fs::permissions(script, fs::perms::owner_all);
        const std::string sentence = sentenceOf([&] { LearnerLink link({script, 5, 0}); });
        QVERIFY2(sentence.find("which you have not allowed") != std::string::npos, sentence.c_str());
        QCOMPARE(sentenceOf([&] { checkLearner({script, 5, 0}, ""); }), sentence);
        EndObserver observer = run(small("external", script), place("refused"));
        QVERIFY(observer.ended.how == RunEnd::Failed);
        QVERIFY2(observer.ended.error.find("not allowed") != std::string::npos, observer.ended.error.c_str());
        QVERIFY(observer.ended.refused && observer.ended.refused->words == std::vector<std::string>{script});
        QVERIFY(!observer.ended.resumable);
        Experiment elsewhere = small("external", script);
        elsewhere.backbone.weights = "/nowhere.safetensors";
        observer = run(elsewhere, place("refused"));
        QVERIFY(observer.ended.how == RunEnd::Failed && !observer.ended.refused);
        QVERIFY(!fs::exists(place("refused")));
        QVERIFY(!fs::exists(touched));

        // What the window asks before it queues a run.
        QVERIFY(namedLearner(table(), elsewhere)->words == std::vector<std::string>{script});
        elsewhere.method.name = "linear-probe";
        QVERIFY(!namedLearner(table(), elsewhere));

        // Allowed for good, until the file changes.
        QVERIFY(rememberedLearners().empty());
        rememberLearner(learnerCommand(script));
        QCOMPARE(rememberedLearners().size(), std::size_t{1});
        QVERIFY(isLearnerAllowed(learnerCommand(script)));
        QVERIFY(!isLearnerAllowed(learnerCommand(script + " --more")));
        sentenceOf([&] { LearnerLink link({script, 5, 0}); });
        QVERIFY(fs::exists(touched));
        std::ofstream(script, std::ios::app) << "# another one\n";
        if (geteuid() == 0 || fs::exists(script)) QVERIFY(!isLearnerAllowed(learnerCommand(script)));

        allowLearnerOnce(learnerCommand(script));
        QVERIFY(isLearnerAllowed(learnerCommand(script)) && !isLearnerAllowedForGood(learnerCommand(script)));
        std::ofstream(allowedLearnersFile()) << "[[[";
        QVERIFY(!sentenceOf([&] { isLearnerAllowed(learnerCommand(script + " 1")); }).empty());
        fs::remove(allowedLearnersFile());
        allowAllLearners();
        QVERIFY(isLearnerAllowed(learnerCommand(script + " 1")));
    }

    void aFileThatHasChangedSinceIsNamed() {
        forgetAllLearners();
        const std::string script = place("changing.sh").string(), command = "/bin/sh '" + script + "'";
        const auto write = [](const fs::path& file, const char* text) { std::ofstream(file) << text; };
        const auto refusalOf = [&] { return LearnerRefused(learnerCommand(command)).sentence(); };
        const std::string file = fs::canonical(place("")).string() + "/changing.sh";
        write(script, "# 1\n");
        QVERIFY2(refusalOf().find("which you have not allowed") != std::string::npos, refusalOf().c_str());
        rememberLearner(learnerCommand(command));
        QVERIFY(changedSinceAllowed(learnerCommand(command)).empty() && !rememberedLearners().front().changed);
        write(script, "# 2\n");
        QVERIFY(changedSinceAllowed(learnerCommand(command)) == std::vector{file});
        QVERIFY2(refusalOf().find("whose file " + file + " has changed since you allowed it") != std::string::npos,
                 refusalOf().c_str());
        QVERIFY(changedSinceAllowed(learnerCommand(command + " --more")).empty());
        QVERIFY(rememberedLearners().front().changed && !isLearnerAllowedForGood(learnerCommand(command)));
        // What is allowed anew takes its place.
        rememberLearner(learnerCommand(command));
        QCOMPARE(rememberedLearners().size(), std::size_t{1});
        QVERIFY(!rememberedLearners().front().changed && isLearnerAllowedForGood(learnerCommand(command)));
        fs::remove(script);
        QVERIFY(rememberedLearners().front().changed);
        QCOMPARE(forgetLearner(command), std::int64_t{1});

        // The same for this process alone.
        write(script, "# 3\n");
        allowLearnerOnce(learnerCommand(command));
        write(script, "# 4\n");
        QVERIFY(changedSinceAllowed(learnerCommand(command)) == std::vector{file});

        // A file of the same name in another folder is another file.
        const fs::path before = fs::current_path();
        for (const char* folder : {"one", "two"}) {
            fs::create_directories(place(folder));
            write(place(folder) / "same.sh", folder);
        }
        fs::current_path(place("one"));
        rememberLearner(learnerCommand("/bin/sh same.sh"));
        fs::current_path(place("two"));
        const std::vector<std::string> changed = changedSinceAllowed(learnerCommand("/bin/sh same.sh"));
        const bool marked = rememberedLearners().front().changed;
        fs::current_path(before);
        QVERIFY(changed.empty() && !marked);
        forgetAllLearners();
    }

    void aScriptThatIsMissingIsNamed_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("refused");
        QTest::newRow("a script") << "/bin/sh none" << true;
        QTest::newRow("behind an option") << "/bin/sh -u none.sh" << true;
        QTest::newRow("of another program") << "/bin/cat none.py" << true;
        QTest::newRow("a text to run") << "/bin/sh -c none.sh" << false;
        QTest::newRow("an option's value") << "/bin/cat --to none.py" << false;
        QTest::newRow("no script") << "/bin/cat none.txt" << false;
        QTest::newRow("a value") << "/bin/cat 3 none.py" << false;
        QTest::newRow("no words") << "/bin/sh" << false;
    }
    void aScriptThatIsMissingIsNamed() {
        QFETCH(QString, words);
        QFETCH(bool, refused);
        const std::string sentence = sentenceOf([&] { learnerCommand(words.toStdString()); });
        QCOMPARE(sentence.find("There is no file none") == 0, refused);
        QCOMPARE(sentence.empty(), !refused);
    }

    /// As in a virtual environment, whose python3 is a link and finds its modules by the path that it is started under.
    void aProgramIsStartedUnderTheNameThatItHas() {
        fs::create_directories(place("venv/bin"));
        const std::string real = place("real").string(), link = place("venv/bin/python3").string();
        const std::string note = place("started as").string();
        std::ofstream(real) << "#!/bin/sh\nprintf %s \"$0\" > '" << note << "'\n";
        fs::permissions(real, fs::perms::owner_all);
        fs::create_symlink(real, link);
        const LearnerCommand command = learnerCommand("'" + link + "'");
        QCOMPARE(command.words.front(), link);
        sentenceOf([&] { LearnerLink started({"'" + link + "'", 60, 0}); });
        QCOMPARE(contentOf(note), link);
        // What it is changes with the file behind the link.
        std::ofstream(real, std::ios::app) << "# another one\n";
        QVERIFY(learnerCommand("'" + link + "'").digest != command.digest);

        const fs::path before = fs::current_path();
        fs::current_path(place("venv"));
        const fs::path here = fs::current_path();
        QCOMPARE(learnerCommand("./bin/python3").words.front(), (here / "bin/python3").string());
        QCOMPARE(learnerCommand("bin/../bin/python3").words.front(), (here / "bin/../bin/python3").string());
        fs::current_path(before);
    }

    void relativePartsOfPathAreNotSearched() {
        fs::create_directories(place("here"));
        const fs::path program = place("here") / "only-here";
        std::ofstream(program) << "#!/bin/sh\n";
        fs::permissions(program, fs::perms::owner_all);
        const fs::path before = fs::current_path();
        fs::current_path(place(""));
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", "here:.:" + path);
        const std::string sentence = sentenceOf([] { learnerCommand("only-here"); });
        qputenv("PATH", QByteArray::fromStdString(place("here").string()));
        const LearnerCommand found = learnerCommand("only-here");
        qputenv("PATH", path);
        fs::current_path(before);
        QVERIFY2(sentence.find("in the folders of PATH") != std::string::npos, sentence.c_str());
        QCOMPARE(found.words.front(), program.string());
    }

    /// Also those that several remember at the same time.
    void noneThatIsAllowedForGoodIsForgotten() {
        const std::string program = test::builtLearner("learner_faulty");
        const std::size_t before = rememberedLearners().size();
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < 4; ++i)
                threads.emplace_back([&, i] {
                    for (int k = 0; k < 10; ++k)
                        rememberLearner(learnerCommand(program + " " + std::to_string(10 * i + k)));
                });
        }
        QCOMPARE(rememberedLearners().size(), before + 40);
        fs::remove(allowedLearnersFile());
    }

    void theListOfAllowedLearnersIsChangedByOneAtATime() {
        const LearnerCommand command = learnerCommand(test::builtLearner("learner_faulty"));
        rememberLearner(command);
        fs::remove(allowedLearnersFile());
        // A file beside the list, open for writing, as NFS needs it to lock for all machines.
        const int other = open((allowedLearnersFile().parent_path() / ".allowed.lock").c_str(), O_RDWR | O_CLOEXEC);
        QVERIFY(other >= 0);
        QVERIFY(tryLock(other));
        std::stop_source impatient;
        impatient.request_stop();
        {
            const StopScope scope(impatient.get_token());
            QVERIFY_EXCEPTION_THROWN(rememberLearner(command), GivenUp);
        }
        QVERIFY(!fs::exists(allowedLearnersFile()));
        close(other);
        const StopScope scope(impatient.get_token());
        rememberLearner(command);
        QCOMPARE(rememberedLearners().size(), std::size_t{1});
        // One that takes something out waits, too.
        const int again = open((allowedLearnersFile().parent_path() / ".allowed.lock").c_str(), O_RDWR | O_CLOEXEC);
        QVERIFY(again >= 0 && tryLock(again));
        QVERIFY_EXCEPTION_THROWN(forgetAllLearners(), GivenUp);
        close(again);
        QCOMPARE(forgetAllLearners(), std::int64_t{1});
        fs::remove(allowedLearnersFile());
    }

    void aCommandIsSplitAsAShellDoesIt_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("plain") << "python3 a.py  -x" << QStringList{"python3", "a.py", "-x"};
        QTest::newRow("quotes") << "'a b'\"c d\" '' \"\\\"\"" << QStringList{"a bc d", "", "\""};
        QTest::newRow("backslash") << "a\\ b 'c\\d'" << QStringList{"a b", "c\\d"};
        QTest::newRow("no shell") << "a;b $(c) *" << QStringList{"a;b", "$(c)", "*"};
        QTest::newRow("open quote") << "a 'b" << QStringList{};
        QTest::newRow("nothing") << "  " << QStringList{};
        QTest::newRow("empty program") << "'' a" << QStringList{};
    }
    void aCommandIsSplitAsAShellDoesIt() {
        QFETCH(QString, command);
        QFETCH(QStringList, words);
        if (words.isEmpty()) {
            QVERIFY_EXCEPTION_THROWN(commandWords(command.toStdString()), Error);
            return;
        }
        QStringList found;
        for (const std::string& word : commandWords(command.toStdString())) found << QString::fromStdString(word);
        QCOMPARE(found, words);
    }

    void aHelloThatIsNoneIsRefused_data() {
        QTest::addColumn<QString>("hello");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const std::string& hello, const char* part) {
            QTest::newRow(name) << QString::fromStdString(hello) << part;
        };
        row("no protocol", R"({"name":"N","takes":["images"]})", "which protocol");
        row("another protocol", R"({"protocol":99,"name":"N","takes":["images"]})", "version 99");
        row("no name", R"({"protocol":1,"takes":["images"]})", "its name");
        row("a name of lines", R"({"protocol":1,"name":"N\nM","takes":["images"]})", "plain line");
        row("takes more", R"({"protocol":1,"name":"N","takes":["images","sound"]})", "takes");
        row("needs more", R"({"protocol":1,"name":"N","takes":["images"],"needs":["labels"]})", "needs");
        row("options no list", helloWith("5"), "options");
        row("option no object", helloWith("[5]"), "object");
        row("no key", helloWith(R"([{"type":"real","default":1}])"), "key");
        row("odd key", helloWith(R"([{"key":"a b","type":"real","default":1}])"), "key");
        row("no type", helloWith(R"([{"key":"a","default":1}])"), "type");
        row("no default", helloWith(R"([{"key":"a","type":"integer"}])"), "default");
        row("default out of range", helloWith(R"([{"key":"a","type":"real","default":2,"maximum":1}])"), "default");
        row("whole too large", helloWith(R"([{"key":"a","type":"integer","default":18446744073709551615}])"),
            "default");
        row("no choices", helloWith(R"([{"key":"a","type":"choice","default":"x"}])"), "choices");
        row("other choice", helloWith(R"([{"key":"a","type":"choice","default":"x","choices":["y"]}])"), "default");
        row("a choice that cannot be written",
            helloWith("[{\"key\":\"a\",\"type\":\"choice\",\"default\":\"x\",\"choices\":[\"x\",\"\\\"y\\\"\"]}]"),
            "double quotes");
        row("twice", helloWith(R"([{"key":"a","type":"text","default":""},{"key":"a","type":"text","default":""}])"),
            "twice");
        row("a bound that is none", helloWith(R"([{"key":"a","type":"real","default":1,"minimum":"x"}])"), "minimum");
    }
    void aHelloThatIsNoneIsRefused() {
        QFETCH(QString, hello);
        QFETCH(QString, part);
        const std::string sentence = sentenceOf([&] { learnerHello(learnerAnswer(hello.toStdString(), "It"), "It"); });
        QVERIFY2(QString::fromStdString(sentence).contains(part), sentence.c_str());
    }

    void optionsAreCheckedAgainstTheHello() {
        const LearnerHello hello = learnerHello(
            learnerAnswer(helloWith(R"([{"key":"lr","type":"real","default":0.5,"minimum":0,"maximum":1},)"
                                    R"({"key":"epochs","type":"integer","default":1},)"
                                    R"({"key":"fast","type":"boolean","default":false},)"
                                    R"({"key":"note","type":"text","default":""},)"
                                    R"({"key":"kind","type":"choice","default":"a","choices":["a","b"]}])"),
                          "It"),
            "It");
        const auto values = [&](const char* text) {
            return learnerOptionValues(hello, learnerSettings("method.external_options", text)).dump();
        };
        QCOMPARE(values(""), std::string(R"({"lr":0.5,"epochs":1,"fast":false,"note":"","kind":"a"})"));
        QCOMPARE(values("lr=0.25, epochs = 3,fast=true,note=\"a, b=c\",kind=b"),
                 std::string(R"({"lr":0.25,"epochs":3,"fast":true,"note":"a, b=c","kind":"b"})"));
        // Blanks count within quotes, and nowhere else.
        QCOMPARE(values("note= \" a \" , kind = b "),
                 std::string(R"({"lr":0.5,"epochs":1,"fast":false,"note":" a ","kind":"b"})"));
        QCOMPARE(values("note=a  b"), std::string(R"({"lr":0.5,"epochs":1,"fast":false,"note":"a  b","kind":"a"})"));
        const auto refused = [&](const char* text, const char* part) {
            const std::string sentence = sentenceOf([&] { values(text); });
            QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());
        };
        refused("lr=2", "must be a number from 0 to 1");
        refused("lr=nan", "must be a number from 0 to 1");
        refused("epochs=1.5", "must be a whole number");
        refused("fast=yes", "true or false");
        refused("kind=c", "one of a or b");
        refused("epoch=1", "Did you mean epochs?");
        refused("lr=1,lr=1", "twice");
        refused("lr", "no setting");
        refused("note=\"a", "never closed");
    }

    void settingsAreWrittenAsTheyAreRead() {
        const std::vector<std::pair<std::string, std::string>> settings{
            {"lr", "0.5"}, {"note", "a, b=c"}, {"x.y", ""}, {"a,b", "1"}, {"z", " c "}};
        const std::string text = learnerSettingsText(settings);
        QCOMPARE(text, std::string("lr=0.5, note=\"a, b=c\", x.y=, \"a,b\"=1, z=\" c \""));
        QVERIFY(learnerSettings("method.external_options", text) == settings);
        QCOMPARE(learnerSettingsText({}), std::string());
        for (const char* value : {"a \"b\"", "a\nb"}) {
            const std::vector<std::pair<std::string, std::string>> none{{"note", value}};
            QVERIFY_EXCEPTION_THROWN(learnerSettingsText(none), Error);
        }
    }

    void aLearnerIsDescribedOnceForEachContentOfItsFiles() {
        const std::string script = place("described").string(), count = place("descriptions").string();
        const auto write = [&](const std::string& name) {
            std::ofstream(script) << "#!/bin/sh\necho x >> '" << count
                                  << "'\nread asked\necho '{\"protocol\":1,\"name\":\"" << name
                                  << "\",\"takes\":[\"images\"]}'\nread bye\n";
            fs::permissions(script, fs::perms::owner_all);
        };
        const LearnerStart start{script, 60, 0};
        write("one");
        QCOMPARE(describedLearner(start).name, std::string("one"));
        QCOMPARE(describedLearner(start).name, std::string("one"));
        QCOMPARE(contentOf(count), std::string("x\n"));
        QCOMPARE(describedLearner(start, Describe::Anew).name, std::string("one"));
        QCOMPARE(contentOf(count), std::string("x\nx\n"));
        write("two");
        QCOMPARE(describedLearner(start).name, std::string("two"));
        QCOMPARE(contentOf(count), std::string("x\nx\nx\n"));
        // Arguments count, too, and an answer that is none is not kept.
        describedLearner({script + " more", 60, 0});
        QCOMPARE(contentOf(count), std::string("x\nx\nx\nx\n"));
        const std::string sentence = sentenceOf([&] { describedLearner(faulty("rubbish")); });
        QVERIFY2(sentence.find("no JSON object") != std::string::npos, sentence.c_str());
    }

    void aCommandThatWasJustFoundIsNotReadAgain() {
        LearnerStart start = faulty("");
        start.found = learnerCommand(start.command);
        // It is known by this digest from now on, without a look at its files.
        start.found->digest = "of these words alone";
        QCOMPARE(LearnerLink(start).command().digest, start.found->digest);
        QCOMPARE(describedLearner(start).name, std::string("faulty"));
        start.found->words = {"/nowhere/learner"};
        QCOMPARE(describedLearner(start).name, std::string("faulty"));
    }

    void oneThatHangsIsEndedWhenNobodyWaitsForItAnyMore() {
        const fs::path marker = place("deaf");
        std::stop_source stop;
        const StopScope scope(stop.get_token());
        const std::jthread asks = onceThere(marker, stop);
        QVERIFY_EXCEPTION_THROWN(describedLearner(faulty("deaf " + marker.string(), 86400)), GivenUp);
        QVERIFY(fs::exists(marker));
    }

    /// Else the end of a run that the user stopped would be booked as a failure.
    void oneThatWasStoppedStaysStopped() {
        std::stop_source stop;
        stop.request_stop();
        LearnerProcess::Limits limits;
        limits.stop = stop.get_token();
        LearnerProcess process({test::builtLearner("learner_faulty")}, limits);
        for (const char* doing : {"learned a batch", "saved its state"}) {
            std::string sentence;
            try {
                process.ask("{}", "The learner X", doing);
            } catch (const LearnerStopped& stopped) {
                sentence = stopped.sentence();
            }
            QCOMPARE(sentence, std::string("The learner X was stopped when it learned a batch."));
        }
        QVERIFY(process.dismiss("{}", std::chrono::milliseconds(0)));
    }

    void logitsOfAnotherShapeAreRefused() {
        const auto file = [](const std::string& header) {
            std::string begin;
            for (std::uint64_t n = header.size(), i = 0; i < 8; ++i, n >>= 8U) begin += static_cast<char>(n & 0xffU);
            return begin + header;
        };
        const std::string good = file(R"({"logits":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})");
        QCOMPARE(logitsPlace(good, good.size() + 24, 2, 3, "It").begin, std::uint64_t{good.size()});
        QVERIFY_EXCEPTION_THROWN(logitsPlace(good, good.size() + 25, 2, 3, "It"), Error);
        QVERIFY_EXCEPTION_THROWN(logitsPlace(good, good.size() + 24, 3, 2, "It"), Error);
        QVERIFY_EXCEPTION_THROWN(logitsPlace(good.substr(0, 20), 20, 2, 3, "It"), Error);
        QVERIFY_EXCEPTION_THROWN(logitsPlace("", 0, 2, 3, "It"), Error);
        const std::string other = file(R"({"logit":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})");
        QVERIFY_EXCEPTION_THROWN(logitsPlace(other, other.size() + 24, 2, 3, "It"), Error);
    }

    void theExampleSpeaksTheProtocol_data() {
        QTest::addColumn<QString>("arguments");
        QTest::newRow("features") << "";
        QTest::newRow("images") << " --pixels";
    }
    void theExampleSpeaksTheProtocol() {
        QFETCH(QString, arguments);
        const auto trials = checkLearner({test::builtLearner("learner_nearest_mean") + arguments.toStdString(), 60, 0},
                                         "count=first update");
        QCOMPARE(QString::fromStdString(faultsOf(trials)), QString());
        QCOMPARE(trials.size(), std::size_t{10});
    }

    void thePythonExampleSpeaksTheProtocol() {
        QProcess python;
        python.start("/usr/bin/python3", {"-c", "import torch"});
        if (!python.waitForFinished(300'000) || python.exitCode() != 0)
            QSKIP("Debian's python3-torch is not installed.");
        const QString script = qEnvironmentVariable("PALIMPSEST_RESOURCES") + "/learners/linear_softmax.py";
        const auto trials = checkLearner({"/usr/bin/python3 '" + script.toStdString() + "'", 300, 0}, "decay=0.001");
        QCOMPARE(QString::fromStdString(faultsOf(trials)), QString());
        QCOMPARE(trials.size(), std::size_t{10});
    }

    void everyFaultIsASentence_data() {
        QTest::addColumn<QString>("part");
        QTest::newRow("exit") << "ended with exit code 7";
        QTest::newRow("crash") << "ended by signal 6";
        QTest::newRow("closed") << "closed its input or output";
        QTest::newRow("closes-later") << "closed its input or output";
        QTest::newRow("long-line") << "a line of more than 1,048,576 bytes";
        QTest::newRow("nan") << "NaN is no finite number";
        QTest::newRow("twice") << "said something unasked";
        QTest::newRow("rubbish") << "which is no JSON object";
        QTest::newRow("rubbish-later") << "which is no JSON object";
        QTest::newRow("not-object") << "which is no JSON object";
        QTest::newRow("no-name") << "does not say its name";
        QTest::newRow("takes-nothing") << "must say in \"takes\"";
        QTest::newRow("protocol") << "speaks version 2";
        QTest::newRow("option") << "whose default is missing";
        QTest::newRow("no-loss") << "no finite number as loss";
        QTest::newRow("accuracy") << "not from 0 to 1";
        QTest::newRow("gives-up") << "gives up: \"no more memory ?[31m here\"";
        QTest::newRow("shape") << "of the shape [20,5], and not [20, 4]";
        QTest::newRow("type") << "not float32";
        QTest::newRow("offsets") << "longer or shorter";
        QTest::newRow("short-file") << "longer or shorter";
        QTest::newRow("header") << "no tensor of that name";
        QTest::newRow("huge-header") << "no whole .safetensors file";
        QTest::newRow("nan-logits") << "no finite numbers";
        QTest::newRow("no-file") << "wrote no file logits.safetensors";
        QTest::newRow("link") << "wrote no file logits.safetensors";
        QTest::newRow("pipe-file") << "wrote no file logits.safetensors";
        QTest::newRow("fifo") << "wrote no file logits.safetensors";
        for (const char* verb : {"hello", "begin", "observe", "predict", "save", "load"})
            QTest::addRow("half %s", verb) << "ended with exit code 4 when it";
        QTest::newRow("nested") << "which is no JSON object";
        QTest::newRow("infinite") << "1e999 is no finite number";
        QTest::newRow("no-text") << "which is no JSON object";
        QTest::newRow("huge-state") << "The learner faulty gave a state of 5,120 MB, and a state may have "
                                       "4,096 MB. Save only what";
        QTest::newRow("chatty-line") << "";
        QTest::newRow("no-state") << "wrote no file state.bin";
        QTest::newRow("state-differs") << "looking changes the run";
        QTest::newRow("changes") << "Two answers to the same images differ";
        QTest::newRow("forgets") << "cannot be resumed or forked exactly";
        QTest::newRow("stays") << "did not end within five seconds of bye";
        QTest::newRow("") << "";
        QTest::newRow("chatty") << "";
        QTest::newRow("sessions") << "";
    }
    void everyFaultIsASentence() {
        QFETCH(QString, part);
        const std::string faults = faultsOf(checkLearner(faulty(QTest::currentDataTag()), ""));
        QVERIFY2(part.isEmpty() ? faults.empty() : QString::fromStdString(faults).contains(part), faults.c_str());
        for (std::size_t line = 0, end = 0; (end = faults.find('\n', line)) != std::string::npos; line = end + 1)
            QVERIFY(isPlainLine(faults.substr(line, end - line)));
    }

    void numbersThatAreNotFiniteAreNamed() {
        const auto said = [](const std::string& line) { return sentenceOf([&] { learnerAnswer(line, "It"); }); };
        for (const char* number : {"1e999", "-1e999", "NaN", "Infinity"}) {
            const std::string sentence = said(std::string("{\"loss\":") + number + ",\"accuracy\":1}");
            QVERIFY2(sentence.find(std::string("and ") + number + " is no finite number") != std::string::npos,
                     sentence.c_str());
        }
        QVERIFY(said("{\"loss\":1" + std::string(100'000, '0') + "}").size() < 1000);
        // Neither an object nor a fault of numbers.
        for (const char* line : {"[1e999]", "1e999", "{\"loss\":1e5", "loss 1e999", "{\"loss\" 1e999}"}) {
            const std::string sentence = said(line);
            QVERIFY2(sentence.find("which is no JSON object") != std::string::npos, sentence.c_str());
        }
    }

    void oneThatHangsIsEnded() {
        for (const char* fault : {"deaf", "slow", "hangs hello", "hangs begin", "hangs observe", "hangs predict",
                                  "hangs save", "hangs load", "trickles hello", "trickles observe"}) {
            const std::string faults = faultsOf(checkLearner(faulty(fault, 0.5), ""));
            QVERIFY2(faults.find("gave no answer within 0.5 seconds") != std::string::npos, faults.c_str());
        }
    }

    void aLongWaitIsTold() {
        std::vector<std::optional<LearnerWait>> told;
        LearnerStart start = faulty("hangs begin", 3);
        start.waiting = [&](const std::optional<LearnerWait>& wait) { told.push_back(wait); };
        LearnerLink link(start);
        QVERIFY(told.empty());
        QVERIFY_EXCEPTION_THROWN(link.begin({}), Error);
        QVERIFY(told.size() >= 2);
        QVERIFY(!told.back());
        told.pop_back();
        for (const std::optional<LearnerWait>& wait : told)
            QVERIFY(wait && wait->learner == "faulty" && wait->seconds > 0 && wait->limit == 3);
    }

    void oneThatTakesTooMuchMemoryIsRefusedIt() {
#ifdef PALIMPSEST_SANITIZED
        QSKIP("A sanitizer takes more memory than any limit.");
#endif
        const std::string faults = faultsOf(checkLearner(faulty("hog", 60, 256), ""));
        QVERIFY2(faults.find("bad_alloc") != std::string::npos, faults.c_str());
        QVERIFY2(faults.find("256 MB: raise method.external_memory") != std::string::npos, faults.c_str());
    }

    /// One that lacks memory may hang or be killed without a word.
    void aLimitOfMemoryIsNamedWhereItMayBeTheCause_data() {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<int>("memory");
        QTest::addColumn<bool>("named");
        QTest::newRow("hangs") << "deaf" << 16384 << true;
        QTest::newRow("killed") << "crash" << 16384 << true;
        QTest::newRow("ends by itself") << "exit" << 16384 << false;
        QTest::newRow("ends by itself, with little") << "exit" << 1000 << true;
        QTest::newRow("hangs without a limit") << "deaf" << 0 << false;
        QTest::newRow("killed without a limit") << "crash" << 0 << false;
    }
    void aLimitOfMemoryIsNamedWhereItMayBeTheCause() {
#ifdef PALIMPSEST_SANITIZED
        QSKIP("A sanitizer takes more memory than any limit.");
#endif
        QFETCH(QString, fault);
        QFETCH(int, memory);
        QFETCH(bool, named);
        const std::string sentence = sentenceOf([&] {
            LearnerLink link(faulty(fault.toStdString(), fault == "deaf" ? 0.5 : 60, memory));
            const std::vector<float> features(8 * 32);
            const std::vector<std::int64_t> labels(8);
            link.begin({.classes = 4, .image_size = 16, .width = 32, .batch_size = 8});
            for (int i = 0; i < 3; ++i)
                link.observe(
                    std::vector<LearnerTensor>{{"labels", "I64", {8}, std::as_bytes(std::span(labels))},
                                               {"features", "F32", {8, 32}, std::as_bytes(std::span(features))}},
                    {.seen = 4, .visible = {0}});
        });
        QVERIFY(!sentence.empty());
        QVERIFY2((sentence.find("raise method.external_memory, or set it to 0") != std::string::npos) == named,
                 sentence.c_str());
    }

    void commandsThatDoNotExistAreASentence() {
        const auto sentence = [](const std::string& command) {
            return sentenceOf([&] { LearnerLink link({command, 5, 0}); });
        };
        QVERIFY(sentence("/nowhere/learner").find("There is no program /nowhere/learner.") == 0);
        QVERIFY(sentence("'" + place("").string() + "'").find(" is a folder, and no program.") != std::string::npos);
        const std::string relative = sentence("./no-such-learner");
        QVERIFY2(relative.find("./no-such-learner in " + fs::current_path().string()) != std::string::npos,
                 relative.c_str());
        const std::string missing = sentence("/bin/cat no_such_method.py");
        QVERIFY2(missing.find("no_such_method.py in " + fs::current_path().string()) != std::string::npos,
                 missing.c_str());
        QVERIFY(sentence("no-such-learner-anywhere").find("in the folders of PATH") != std::string::npos);
        const std::string script = place("not executable").string();
        std::ofstream(script) << "{}";
        QVERIFY(sentence("'" + script + "'").find("may not be started") != std::string::npos);
        fs::permissions(script, fs::perms::owner_all);
        QVERIFY(sentence("'" + script + "'").find("cannot be started") != std::string::npos);
    }

    /// What it starts goes with it.
    void childrenOfALearnerAreEnded() {
        const std::string note = place("child").string();
        checkLearner(faulty("forks " + note), "");
        long child = 0;
        std::ifstream(note) >> child;
        QVERIFY(child > 0);
        QTRY_VERIFY_WITH_TIMEOUT(!processAlive(child, processIdentity(child)) || processIdentity(child).empty(),
                                 60'000);
    }

    void itsFilesLieWhereAStateHasRoom() {
        constexpr std::uint64_t kMb = std::uint64_t{1} << 20U, kGb = kMb << 10U;
        using Places = std::vector<ExchangePlace>;
        QCOMPARE(exchangePlace(Places{{"/run", 8 * kGb}, {"/tmp", 90 * kGb}}), fs::path("/run"));
        QCOMPARE(exchangePlace(Places{{"/run", kGb}, {"/tmp", 90 * kGb}, {"/cache", 900 * kGb}}), fs::path("/tmp"));
        QCOMPARE(exchangePlace(Places{{"/run", kGb}, {"/tmp", kGb}, {"/cache", 2 * kGb}}), fs::path("/cache"));
        QCOMPARE(exchangePlace(Places{{"/run", kGb}, {"/tmp", kGb + 1}}), fs::path("/run"));
        const std::string full = sentenceOf([] { exchangePlace({{"/run", 3 * kMb}, {"/tmp", 0}}); });
        QVERIFY2(full.find("/run, /tmp") != std::string::npos && full.find("TMPDIR") != std::string::npos,
                 full.c_str());
        QVERIFY(!sentenceOf([] { exchangePlace({}); }).empty());
    }

    void nothingIsLeftBehind() {
        const std::string folder = place("runtime").string();
        fs::create_directory(folder);
        const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
        qputenv("XDG_RUNTIME_DIR", QByteArray::fromStdString(folder));
        std::int64_t during = 0;
        checkLearner(faulty(""), "", [&](const LearnerTrial&) {
            during = std::max<std::int64_t>(during, std::distance(fs::directory_iterator(folder), {}));
        });
        qputenv("XDG_RUNTIME_DIR", before);
        QVERIFY(during >= 1);
        QVERIFY(fs::is_empty(folder));
    }

    /// Folders of programs that were killed, and nothing of one that lives or of anybody else.
    void foldersThatWereLeftAreRemoved() {
        const fs::path runtime = place("left");
        const auto folder = [&](const char* name) { return runtime / ("palimpsest-learner-" + std::string(name)); };
        for (const char* name : {"gone", "alive", "without", "fifo"}) {
            fs::create_directories(folder(name));
            std::ofstream(folder(name) / "state.bin") << "state";
        }
        for (const char* name : {"gone", "alive"}) std::ofstream(folder(name) / ".owner") << "";
        QCOMPARE(mkfifo((folder("fifo") / ".owner").c_str(), 0600), 0);
        const fs::path elsewhere = place("elsewhere");
        fs::create_directories(elsewhere);
        std::ofstream(elsewhere / ".owner") << "";
        fs::create_symlink(elsewhere, folder("link"));
        const int lock = open((folder("alive") / ".owner").c_str(), O_RDWR | O_CLOEXEC);
        QVERIFY(lock >= 0 && tryLock(lock));
        removeLeftExchangeFolders({{runtime, 0}, {place("not there"), 0}});
        close(lock);
        QVERIFY(!fs::exists(folder("gone")));
        for (const char* name : {"alive", "without", "fifo"}) QVERIFY(fs::exists(folder(name) / "state.bin"));
        QVERIFY(fs::exists(elsewhere / ".owner"));
        fs::path mine;
        {
            const ExchangeFolder first;
            mine = first.path();
            const ExchangeFolder second;
            QVERIFY(fs::exists(mine) && fs::exists(second.path()) && mine != second.path());
        }
        QVERIFY(!fs::exists(mine));
    }

    /// The same method within the program and beside it: nearest class mean by cosine.
    void theExampleEqualsTheMethodWithin_data() {
        QTest::addColumn<QString>("features");
        QTest::addColumn<QString>("arguments");
        QTest::newRow("features of the network") << "random-relu"
                                                 << "";
        QTest::newRow("pixels") << "pixels"
                                << " --pixels";
    }
    void theExampleEqualsTheMethodWithin() {
        QFETCH(QString, features);
        QFETCH(QString, arguments);
        for (const std::int64_t memory : {0, 10}) {
            Experiment within = small("analytic-head");
            for (const auto& [key, value] : {std::pair{"method.analytic_readout", std::string("ncm")},
                                             {"method.analytic_features", features.toStdString()},
                                             {"method.random_features", "0"}})
                table().setText(within, key, value);
            Experiment beside = small("external", test::builtLearner("learner_nearest_mean") + arguments.toStdString());
            within.memory.size = beside.memory.size = memory;
            const EndObserver inner = run(within, place("within-" + std::to_string(memory)));
            const EndObserver outer = run(beside, place("beside-" + std::to_string(memory)));
            QCOMPARE(QString::fromStdString(outer.ended.error), QString());
            QVERIFY(inner.ended.how == RunEnd::Finished && outer.ended.how == RunEnd::Finished);
            QVERIFY(inner.accuracies.size() >= 5);
            QCOMPARE(outer.accuracies, inner.accuracies);
            QVERIFY(*std::max_element(inner.accuracies.begin(), inner.accuracies.end()) > 0.2);
            for (std::size_t i = 0; i < inner.losses.size(); ++i)
                QVERIFY(std::abs(inner.losses[i] - outer.losses[i]) < 1e-5);
            for (const char* run : {"within-", "beside-"}) fs::remove_all(place(run + std::to_string(memory)));
        }
    }

    void aRunWhoseLearnerDiesGoesOnFromItsCheckpoint() {
        const std::string marker = place("dies").string();
        const Experiment experiment = small("external", test::builtLearner("learner_faulty") + " die-once " + marker);
        const EndObserver whole = run(experiment, place("whole"));
        QVERIFY2(whole.ended.how == RunEnd::Finished, whole.ended.error.c_str());

        std::ofstream(marker) << "once";
        const fs::path folder = place("broken");
        const EndObserver broken = run(experiment, folder);
        QVERIFY(broken.ended.how == RunEnd::Failed && broken.ended.resumable);
        QVERIFY2(
            broken.ended.error.find("ended with exit code 3 when it learned a batch. Its last words: \"The file of "
                                    "weights went missing.\"") != std::string::npos,
            broken.ended.error.c_str());
        // Its words end a sentence already.
        QVERIFY2(broken.ended.error.find("missing.\".") == std::string::npos, broken.ended.error.c_str());
        QVERIFY(!fs::is_empty(checkpointsFolder(folder)));
        EndObserver resumed;
        RunControl control;
        resumeRun(2, folder, control, resumed);
        QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
        QVERIFY(tablesOf(folder) == tablesOf(place("whole")));
    }

    void aSecondStopEndsALearnerThatHangs_data() {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("doing");
        QTest::newRow("a batch") << "hang-once"
                                 << "learned a batch";
        QTest::newRow("test images") << "hangs predict"
                                     << "was asked about test images";
        QTest::newRow("the end of a session") << "hangs session_end"
                                              << "was told that a session had ended";
        QTest::newRow("its state") << "hangs save"
                                   << "saved its state";
    }
    /// The run waits for an answer for a day, so that only the second stop can end it.
    void aSecondStopEndsALearnerThatHangs() {
        QFETCH(QString, fault);
        QFETCH(QString, doing);
        struct Stopping : EndObserver {
            RunControl control;
            std::vector<std::string> warned;
            int stops = 0;
            bool aborts = false;
            void onState(const StateChanged& event) override {
                if (!event.wait || event.wait->learner != "faulty") return;
                ++stops;
                if (event.state != RunState::Stopping) return control.stop();
                return aborts ? control.abort() : control.stopNow();
            }
            void onWarned(const RunWarned& event) override { warned.push_back(event.text); }
        };
        const bool once = fault == "hang-once";
        const fs::path marker = place("hangs");
        Experiment experiment = small("external", test::builtLearner("learner_faulty") + " " + fault.toStdString() +
                                                      (once ? " " + marker.string() : ""));
        table().setText(experiment, "method.external_timeout", "86400");
        table().setText(experiment, "method.external_sessions", "true");
        if (once) {
            const EndObserver whole = run(experiment, place("unhung"));
            QVERIFY2(whole.ended.how == RunEnd::Finished, whole.ended.error.c_str());
        }
        const fs::path folder = place("hung " + doing.toStdString());
        if (once) std::ofstream(marker) << "once";
        Stopping stopped;
        runExperiment(1, experiment, FreshRun{{}, folder}, stopped.control, stopped);
        QVERIFY2(stopped.ended.how == RunEnd::Stopped, stopped.ended.error.c_str());
        QVERIFY(stopped.stops >= 2);
        QCOMPARE(stopped.warned.size(), std::size_t{1});
        const std::string begin = "The learner faulty was stopped when it " + doing.toStdString() + ". ";
        QVERIFY2(stopped.warned.front().starts_with(begin), stopped.warned.front().c_str());
        const std::vector<std::int64_t> kept = listCheckpoints(folder);
        const std::string where = kept.empty()        ? "There is no checkpoint to go on from."
                                  : kept.front() == 0 ? "The run can go on from its beginning."
                                                      : "The run can go on from its checkpoint at " +
                                                            std::to_string(kept.front()) + " images.";
        QCOMPARE(stopped.warned.front().substr(begin.size()), where);
        QCOMPARE(kept.empty(), fault == "hangs save");
        if (!once) return;

        EndObserver resumed;
        RunControl control;
        resumeRun(2, folder, control, resumed);
        QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
        QVERIFY(tablesOf(folder) == tablesOf(place("unhung")));

        // A run that is thrown away does not wait for it either.
        std::ofstream(marker) << "once";
        Stopping aborted;
        aborted.aborts = true;
        runExperiment(3, experiment, FreshRun{{}, place("thrown away")}, aborted.control, aborted);
        QVERIFY2(aborted.ended.how == RunEnd::Aborted, aborted.ended.error.c_str());
        QVERIFY(aborted.warned.empty());
    }

    void aRunIsForkedWithItsState() {
        const std::string command = test::builtLearner("learner_nearest_mean");
        const fs::path parent = place("parent");
        const EndObserver first = run(small("external", command), parent);
        QVERIFY(first.ended.how == RunEnd::Finished);
        EndObserver observer;
        RunControl control;
        const std::int64_t at = newestForkableCheckpoint(parent).record.samples_seen;
        runExperiment(3, small("external", command), ForkedRun{{}, place("fork"), parent, at}, control, observer);
        QVERIFY2(observer.ended.how == RunEnd::Finished, observer.ended.error.c_str());
        QVERIFY(observer.accuracies.size() >= 1 && observer.accuracies.size() <= first.accuracies.size());
        QVERIFY(std::equal(observer.accuracies.rbegin(), observer.accuracies.rend(), first.accuracies.rbegin()));
        QVERIFY(std::equal(observer.losses.rbegin(), observer.losses.rend(), first.losses.rbegin()));

        // A state is not given to another learner, and the advice is not about sizes.
        EndObserver other;
        RunControl again;
        runExperiment(4, small("external", test::builtLearner("learner_faulty")),
                      ForkedRun{{}, place("other"), parent, at}, again, other);
        QVERIFY(other.ended.how == RunEnd::Failed);
        QVERIFY2(other.ended.error.find("of the learner nearest mean, version 1, and this one is faulty, version 1") !=
                     std::string::npos,
                 other.ended.error.c_str());
        QVERIFY2(other.ended.hint.find("method.external_command") != std::string::npos, other.ended.hint.c_str());
    }

    /// Closing the lens does not wait for a learner that hangs when it takes up its state.
    void lookingAtARunIsGivenUpWhileItsLearnerHangs() {
        const fs::path folder = place("hanging"), marker = place("hangs at its state");
        const EndObserver whole =
            run(small("external", test::builtLearner("learner_faulty") + " hangs load " + shellQuoted(marker.string())),
                folder);
        QVERIFY2(whole.ended.how == RunEnd::Finished, whole.ended.error.c_str());
        const std::int64_t at = newestForkableCheckpoint(folder).record.samples_seen;
        const auto givenUp = [&](const std::function<void()>& look) {
            std::stop_source stop;
            const StopScope scope(stop.get_token());
            fs::remove(marker);
            const std::jthread closes = onceThere(marker, stop);
            QVERIFY_EXCEPTION_THROWN(look(), GivenUp);
            QVERIFY(fs::exists(marker));
        };
        givenUp([&] { maskLens(table(), folder, at); });
        givenUp([&] { imageAttention(table(), folder, 0, at); });
    }

    void aRunStopsAtABatchBorder() {
        Experiment experiment = small("external", test::builtLearner("learner_nearest_mean"));
        EndObserver observer;
        RunControl control;
        int updates = 0;
        observer.on_update = [&] {
            if (++updates == 3) control.stop();
        };
        runExperiment(5, experiment, FreshRun{{}, place("stopped")}, control, observer);
        QVERIFY(observer.ended.how == RunEnd::Stopped);
        QCOMPARE(updates, 4);
    }

    void sessionsAreToldOnlyWhereTheExperimentSaysSo() {
        Experiment experiment = small("external", test::builtLearner("learner_faulty") + " sessions");
        const EndObserver refused = run(experiment, place("untold"));
        QVERIFY(refused.ended.how == RunEnd::Failed);
        QVERIFY2(refused.ended.error.find("has to be told where sessions end") != std::string::npos,
                 refused.ended.error.c_str());
        table().setText(experiment, "method.external_sessions", "true");
        const EndObserver told = run(experiment, place("told"));
        QVERIFY2(told.ended.how == RunEnd::Finished, told.ended.error.c_str());
    }
};

PALIMPSEST_GUILESS_TEST(TestLearnerProtocol)

}  // namespace tst_learner_protocol

#include "tst_learner_protocol.moc"
