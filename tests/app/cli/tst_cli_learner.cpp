// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <unistd.h>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <cstdlib>
#include <string>

#include "engine/support/text.h"
#include "tests/support/cli_program.h"
#include "tests/support/learner_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_cli_learner {

class TestCliLearner : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    static QString learner(const char* name) { return QString::fromStdString(builtLearner(name)); }

    QStringList run(const QString& name) const {
        return QStringList{"run", folder_.filePath("small.toml"), "--out", folder_.filePath(name)} +
               settings({"method.external_command=" + learner("learner_nearest_mean")});
    }

    /// Does what "To go on: " says in the output of a run.
    static Outcome callPrinted(const QByteArray& said) {
        const QByteArray mark = "To go on: ";
        const qsizetype at = said.lastIndexOf(mark);
        if (at < 0) return {-1, {}, said};
        QProcessEnvironment here = QProcessEnvironment::systemEnvironment();
        here.insert("PATH", QFileInfo(program()).absolutePath() + ":" + here.value("PATH"));
        QProcess process;
        process.setProcessEnvironment(here);
        process.start("/bin/sh", {"-c", QString::fromUtf8(said.mid(at + mark.size()))});
        return outcomeOf(process);
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(QFile::exists(program()), "PALIMPSEST_CLI names no program");
        qputenv("PALIMPSEST_LEARNERS", folder_.filePath("allowed").toLocal8Bit());
        write(folder_.filePath("small.toml"),
              "name = \"Small\"\ndevice = \"cpu\"\n[stream]\ndataset = \"shapes\"\ntrain_limit = 60\ntest_limit = 20\n"
              "[backbone]\nweights = \"random\"\n[method]\nname = \"external\"\n[evaluation]\nevery_samples = 20\n");
    }

    void aSoundLearnerIsSound() {
        const Outcome checked = call({"learner", "check", learner("learner_nearest_mean"), "--json"});
        QCOMPARE(checked.code, 0);
        const QList<QJsonObject> trials = jsonLines(checked.out);
        QCOMPARE(trials.size(), 10);
        for (const QJsonObject& trial : trials)
            QVERIFY2(trial["sound"].toBool(), qPrintable(trial["found"].toString()));
        const Outcome words = call({"learner", "check", learner("learner_nearest_mean")});
        QVERIFY2(words.out.endsWith("It speaks the protocol.\n"), words.out);
    }

    void imagesAreOfTheSizeThatIsAskedFor() {
        const QString pixels = learner("learner_nearest_mean") + " --pixels";
        QStringList states;
        for (const char* side : {"16", "24"}) {
            const Outcome checked = call({"learner", "check", pixels, "--image-size", side, "--json"});
            QVERIFY2(checked.code == 0, checked.out + checked.err);
            for (const QJsonObject& trial : jsonLines(checked.out))
                if (trial["trial"].toString() == "Gives its state") states += trial["found"].toString();
        }
        // It keeps means of all pixels.
        QCOMPARE(states.size(), 2);
        QVERIFY2(states[0] != states[1], qPrintable(states.join(' ')));

        const QString script = folder_.filePath("begun.sh"), begun = folder_.filePath("begun");
        write(script,
              "read asked\necho '{\"protocol\":1,\"name\":\"begun\",\"takes\":[\"images\"]}'\nread asked\n"
              "echo \"$asked\" >> '" +
                  begun.toUtf8() + "'\n");
        call({"learner", "check", "/bin/sh " + script});
        call({"learner", "check", "/bin/sh " + script, "--image-size", "24"});
        const QList<QJsonObject> asked = jsonLines(contentOf(begun));
        QCOMPARE(asked.size(), 2);
        QCOMPARE(asked[0]["image"].toArray(), QJsonArray({3, 16, 16}));
        QCOMPARE(asked[1]["image"].toArray(), QJsonArray({3, 24, 24}));
    }

    void faultsAreNamed() {
        const Outcome checked = call({"learner", "check", learner("learner_faulty") + " shape"});
        QCOMPARE(checked.code, 2);
        QVERIFY2(checked.out.contains("FAULT  Answers test images: The learner faulty answers with a file of logits of "
                                      "the shape [20,5], and not [20, 4]."),
                 checked.out);
        const Outcome slow = call({"learner", "check", learner("learner_faulty") + " deaf", "--timeout", "0.5"});
        QCOMPARE(slow.code, 2);
        QVERIFY2(slow.out.contains("within 0.5 seconds"), slow.out);
        QVERIFY2(slow.out.contains("--timeout") && !slow.out.contains("external_timeout"), slow.out);
        const Outcome crashed = call({"learner", "check", learner("learner_faulty") + " crash"});
        QCOMPARE(crashed.code, 2);
        QVERIFY2(crashed.out.contains("FAULT  Learns batches") &&
                     crashed.out.contains("page on the learner protocol") && !crashed.out.contains("learner check"),
                 crashed.out);
        const Outcome unknown = call({"learner", "describe", learner("learner_nearest_mean") + " --foo"});
        QVERIFY(unknown.code != 0);
        QVERIFY2(unknown.err.contains("nearest_mean does not take --foo; it takes --pixels, or nothing."), unknown.err);
        QCOMPARE(call({"learner", "describe", learner("learner_nearest_mean") + " --pixels"}).code, 0);
        QCOMPARE(call({"learner", "check", "/nowhere/learner"}).code, 2);
        QCOMPARE(call({"learner", "check", learner("learner_faulty"), "--options", "rat=1"}).code, 2);
    }

    void whatALearnerSaysOfItselfIsPrinted() {
        const Outcome described = call({"learner", "describe", learner("learner_nearest_mean")});
        QCOMPARE(described.code, 0);
        QVERIFY2(described.out.contains("nearest mean, version 1") && described.out.contains("every update"),
                 described.out);
        const Outcome faulty = call({"learner", "describe", learner("learner_faulty")});
        QVERIFY2(faulty.out.contains("a number from 0 to 1"), faulty.out);
        const QJsonObject json =
            jsonLines(call({"learner", "describe", learner("learner_faulty"), "--json"}).out).value(0);
        QCOMPARE(json["name"].toString(), QString("faulty"));
        QVERIFY(json["features"].toBool() && !json["images"].toBool());
        const QJsonObject rate = json["options"].toArray().at(0).toObject();
        QCOMPARE(rate["key"].toString(), QString("rate"));
        QCOMPARE(rate["allowed"].toString(), QString("a number from 0 to 1"));
        QVERIFY(rate["unit"].isNull() && rate["choices"].toArray().isEmpty());
    }

    /// Before anything is measured or started, and only for what is still to run.
    void aSweepNamesTheRowWhoseProgramMayNotStart() {
        const QString program = folder_.filePath("row.sh");
        write(program, "#!/bin/sh\nexec " + learner("learner_nearest_mean").toUtf8() + "\n");
        QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const QString grid = folder_.filePath("rows.toml"), out = folder_.filePath("rows");
        write(grid,
              "base = \"small.toml\"\nseeds = [1]\n[[row]]\nname = \"Probe\"\nset = { \"method.name\" = "
              "\"linear-probe\" }\n[[row]]\nname = \"Mine\"\nset = { \"method.external_command\" = \"" +
                  program.toUtf8() + "\" }\n");
        const auto sweep = [&](const QStringList& more) { return call(QStringList{"sweep", grid} + more); };
        const QStringList refusedWays[] = {{"--out", out}, {"--estimate"}, {"--out", out, "--only", "2"}};
        for (const QStringList& way : refusedWays) {
            const Outcome refused = sweep(way);
            QCOMPARE(refused.code, 2);
            QVERIFY2(refused.err.contains("rows.toml, \"Mine\": ") && refused.err.contains("--allow-learner"),
                     refused.err);
            QVERIFY2(!refused.err.contains("Measuring"), refused.err);
            QVERIFY(!QFile::exists(out));
        }
        const Outcome other = sweep({"--out", out, "--only", "1"});
        QVERIFY2(other.code == 0, other.err);
        const Outcome whole = sweep({"--out", out, "--allow-learner"});
        QVERIFY2(whole.code == 0, whole.err + whole.out);
        // All have finished, so no program is asked for.
        QVERIFY(QFile::remove(program));
        QCOMPARE(sweep({"--out", out}).code, 0);
    }

    void anExperimentStartsOnlyWhatIsAllowed() {
        const Outcome refused = call(run("refused"));
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("which you have not allowed") && refused.err.contains("--allow-learner"),
                 refused.err);
        QVERIFY(!QFile::exists(folder_.filePath("refused")));

        const Outcome once = call(run("once") + QStringList{"--allow-learner"});
        QVERIFY2(once.code == 0, once.err);
        QCOMPARE(call(run("again")).code, 2);
        // Looking into a run of somebody else's starts nothing either.
        QCOMPARE(call({"lens", folder_.filePath("once")}).code, 2);

        const Outcome allowed = call({"learner", "allow", learner("learner_nearest_mean")});
        QVERIFY2(allowed.code == 0, allowed.err);
        QVERIFY(call({"learner", "list"}).out.contains("learner_nearest_mean"));
        const Outcome remembered = call(run("remembered"));
        QVERIFY2(remembered.code == 0, remembered.err);
        QCOMPARE(contentOf(folder_.filePath("remembered/anytime.csv")),
                 contentOf(folder_.filePath("once/anytime.csv")));
        const Outcome lens = call({"lens", folder_.filePath("once"), "--at", "20"});
        QVERIFY2(lens.code == 0, lens.err);
    }

    void whatIsAllowedCanBeForgotten() {
        const QStringList allow{"learner", "allow", learner("learner_faulty")};
        QCOMPARE(call(allow).code, 0);
        QCOMPARE(call({"learner", "forget", "/nowhere/learner"}).code, 2);
        QCOMPARE(call({"learner", "forget"}).code, 2);
        QVERIFY(call({"learner", "list"}).out.contains("learner_faulty"));
        const Outcome forgotten = call({"learner", "forget", learner("learner_faulty")});
        QVERIFY2(forgotten.code == 0 && forgotten.out.contains("1 command"), forgotten.out + forgotten.err);
        QVERIFY(!call({"learner", "list"}).out.contains("learner_faulty"));
        QCOMPARE(call(allow).code, 0);
        QCOMPARE(call({"learner", "forget", "--all"}).code, 0);
        QVERIFY(call({"learner", "list"}).out.startsWith("No learner"));
    }

    void whatHasChangedSinceIsMarked() {
        const QString script = folder_.filePath("changing.sh"), command = "/bin/sh " + script;
        const Outcome missing = call({"learner", "allow", command});
        QCOMPARE(missing.code, 2);
        QVERIFY2(missing.err.contains("There is no file") && missing.err.contains("changing.sh"), missing.err);
        QVERIFY(call({"learner", "list"}).out.startsWith("No learner"));
        write(script, "exit 1\n");
        QCOMPARE(call({"learner", "allow", command}).code, 0);
        QVERIFY(!call({"learner", "list"}).out.contains("changed"));
        write(script, "exit 2\n");
        QVERIFY(call({"learner", "list"}).out.contains("changing.sh  (changed since; not allowed)\n"));
        QVERIFY(jsonLines(call({"learner", "list", "--json"}).out).value(0)["changed"].toBool());
        const Outcome refused =
            call(QStringList{"run", folder_.filePath("small.toml"), "--out", folder_.filePath("changed")} +
                 settings({"method.external_command=" + command}));
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("changing.sh has changed since you allowed it"), refused.err);
        QCOMPARE(call({"learner", "forget", command}).code, 0);
    }

    void aSecondCtrlCEndsALearnerThatHangs() {
        constexpr int kLongest = 60'000;
        const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
        if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
            QSKIP("This machine gives out no terminal.");
        const std::string name = ptsname(terminal);
        const QString marker = folder_.filePath("hangs"), out = folder_.filePath("keys");
        write(marker, "once");
        QProcess process;
        process.setChildProcessModifier([name] {
            // The first terminal opened by a session leader becomes its controlling terminal.
            setsid();
            const int own = open(name.c_str(), O_RDWR);
            if (own >= 0) dup2(own, STDIN_FILENO);
        });
        process.start(program(),
                      QStringList{"run", folder_.filePath("small.toml"), "--allow-learner", "--out", out} +
                          settings({"method.external_command=" + learner("learner_faulty") + " hang-once " + marker,
                                    "method.external_timeout=86400", "training.batch_size=2"}));
        // It takes its marker away when it begins to hang.
        QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(marker), kLongest);
        QCOMPARE(::write(terminal, "\x03", 1), 1);
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).contains("what was learned is kept"),
                                 kLongest);
        QVERIFY2(said.contains("Ctrl-C once more ends the learner at once"), said.constData());
        QCOMPARE(::write(terminal, "\x03", 1), 1);
        QVERIFY(process.waitForFinished(kLongest));
        close(terminal);
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        const QByteArray told = process.readAllStandardOutput();
        QVERIFY2(told.contains("The learner faulty was stopped when it learned a batch. The run can go on from its "),
                 told.constData());
        QVERIFY2(
            told.endsWith("To go on: palimpsest-cli run --resume " +
                          QByteArray::fromStdString(palimpsest::shellWord(out.toStdString())) + " --allow-learner\n"),
            told.constData());
        QVERIFY(contentOf(out + "/run.json").contains("\"stopped\""));
    }

    /// Of one Ctrl-C nothing stays; what a killed program left goes with the next learner.
    void nothingStaysOfAStoppedCheck() {
        const QString files = folder_.filePath("files"), marker = folder_.filePath("check-hangs");
        QVERIFY(QDir().mkpath(files));
        QProcessEnvironment here = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"XDG_RUNTIME_DIR", "TMPDIR", "PALIMPSEST_CACHE"}) here.insert(name, files);
        const auto left = [&] {
            int folders = 0;
            QDirIterator each(files, {"palimpsest-learner-*"}, QDir::Dirs, QDirIterator::Subdirectories);
            for (; each.hasNext(); each.next()) ++folders;
            return folders;
        };
        // Where tests are started in the background, SIGINT may be ignored, and then stays so.
        for (const int number : {SIGTERM, SIGKILL}) {
            QFile::remove(marker);
            QProcess process;
            process.setProcessEnvironment(here);
            process.start(program(), {"learner", "check", learner("learner_faulty") + " hangs observe " + marker});
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(marker), 60'000);
            QCOMPARE(left(), 1);
            QCOMPARE(kill(static_cast<pid_t>(process.processId()), number), 0);
            QVERIFY(process.waitForFinished(60'000));
            if (number == SIGKILL) continue;
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            QCOMPARE(process.exitCode(), 1);
            const QByteArray said = process.readAllStandardError();
            QVERIFY2(said.contains("Stopped before all was tried; the learner has been ended."), said.constData());
            QVERIFY(!process.readAllStandardOutput().contains("FAULT"));
            QCOMPARE(left(), 0);
        }
        QCOMPARE(left(), 1);
        QCOMPARE(call({"learner", "describe", learner("learner_faulty")}, here).code, 0);
        QCOMPARE(left(), 0);
    }

    void aRunThatFailedByItsLearnerSaysHowToGoOn() {
        const QString marker = folder_.filePath("dies"), out = folder_.filePath("died");
        write(marker, "once");
        const Outcome failed =
            call(QStringList{"run", folder_.filePath("small.toml"), "--allow-learner", "--out", out} +
                 settings({"method.external_command=" + learner("learner_faulty") + " die-once " + marker,
                           "training.batch_size=2", "training.updates_per_batch=1"}));
        QCOMPARE(failed.code, 1);
        QVERIFY2(failed.err.contains("`palimpsest-cli learner check` tries it alone."), failed.err);
        QVERIFY2(failed.out.endsWith("The run is kept. To go on: palimpsest-cli run --resume " +
                                     QByteArray::fromStdString(palimpsest::shellWord(out.toStdString())) +
                                     " --allow-learner\n"),
                 failed.out);
        const Outcome resumed = callPrinted(failed.out);
        QVERIFY2(resumed.code == 0, resumed.err);
    }

    /// What was allowed for good needs no leave of the next call.
    void theWayOnAllowsOnlyWhatThisCallWasAllowed() {
        const QString marker = folder_.filePath("refuses"), script = folder_.filePath("own.sh"),
                      out = folder_.filePath("leave");
        // The marker is no word of the command, whose files must stay what they are.
        write(script, "test -e \"" + marker.toUtf8() + "\" && exec \"" + learner("learner_faulty").toUtf8() +
                          "\" die-once \"" + marker.toUtf8() + "\"\nexec \"" + learner("learner_faulty").toUtf8() +
                          "\"\n");
        const QString command = "/bin/sh " + script;
        QCOMPARE(call({"learner", "allow", command}).code, 0);
        write(marker, "once");
        const Outcome failed = call(
            QStringList{"run", folder_.filePath("small.toml"), "--out", out} +
            settings({"method.external_command=" + command, "training.batch_size=2", "training.updates_per_batch=1"}));
        QCOMPARE(failed.code, 1);
        QVERIFY2(failed.out.contains("To go on: ") && !failed.out.contains("--allow-learner"), failed.out);
        const Outcome resumed = callPrinted(failed.out);
        QVERIFY2(resumed.code == 0, resumed.err);
        QCOMPARE(call({"learner", "forget", command}).code, 0);
    }

    /// Whatever a learner does wrong, the run has failed; what the user named wrong is wrong input.
    void theExitCodeTellsAFaultFromWrongInput() {
        int made = 0;
        const auto codeOf = [&](const QString& command) {
            return call(QStringList{"run", folder_.filePath("small.toml"), "--allow-learner", "--out",
                                    folder_.filePath(QString("fault-%1").arg(++made))} +
                        settings({"method.external_command=" + command, "method.external_timeout=2"}))
                .code;
        };
        for (const char* fault : {"rubbish", "shape", "nan-logits", "deaf"})
            QVERIFY2(codeOf(learner("learner_faulty") + " " + fault) == 1, fault);
        QCOMPARE(codeOf("./not_there"), 2);
    }

    void aCommandIsNeeded() {
        const Outcome missing = call({"run", folder_.filePath("small.toml"), "--out", folder_.filePath("none")});
        QCOMPARE(missing.code, 2);
        QVERIFY2(missing.err.contains("method.external_command is empty"), missing.err);
    }
};

PALIMPSEST_GUILESS_TEST(TestCliLearner)

}  // namespace tst_cli_learner

#include "tst_cli_learner.moc"
