// SPDX-License-Identifier: GPL-3.0-or-later
#include <QByteArray>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>
#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/support/error.h"
#include "engine/support/run_command.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using std::chrono::milliseconds;

namespace tst_run_command {

class TestRunCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothOutputsAndTheExitCodeAreTold() {
        const auto said = runCommand({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"}, milliseconds(60'000));
        QVERIFY(said.has_value());
        QCOMPARE(said->code, 3);
        QCOMPARE(QByteArray::fromStdString(said->output), QByteArray("out\n"));
        QCOMPARE(QByteArray::fromStdString(said->errors), QByteArray("err\n"));
        const auto killed = runCommand({"/bin/sh", "-c", "kill -9 $$"}, milliseconds(60'000));
        QCOMPARE(killed->code, 128 + 9);
    }

    void aProgramThatIsNotThereIsNoError() {
        QVERIFY(!runCommand({"no-such-program-anywhere"}, milliseconds(60'000)).has_value());
    }

    // What it started holds the pipes, too, and ends with it.
    void whatDoesNotAnswerIsEnded() {
        QVERIFY_EXCEPTION_THROWN(runCommand({"/bin/sh", "-c", "sleep 1000 & sleep 1000"}, milliseconds(300)), Error);
    }

    void aFileIsItsInput() {
        QTemporaryFile file;
        QVERIFY(file.open());
        file.write("given");
        file.close();
        const auto said = runCommand({"/bin/cat"}, milliseconds(60'000), file.fileName().toStdString());
        QCOMPARE(QByteArray::fromStdString(said->output), QByteArray("given"));
        QVERIFY_EXCEPTION_THROWN(runCommand({"/bin/cat"}, milliseconds(60'000), "/no/such/file"), Error);
    }

    void whatNobodyWantsAnyMoreIsEnded() {
        std::stop_source stop;
        const StopScope scope(stop.get_token());
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(runCommand({"/bin/sh", "-c", "sleep 1000"}, milliseconds(900'000)), GivenUp);
    }

    void whatClosesItsOutputsAndGoesOnIsEnded() {
        QVERIFY_EXCEPTION_THROWN(runCommand({"/bin/sh", "-c", "exec >&- 2>&-; exec sleep 1000"}, milliseconds(300)),
                                 Error);
        // One that ends soon after has answered.
        const auto late =
            runCommand({"/bin/sh", "-c", "echo out; exec >&- 2>&-; sleep 0.1; exit 4"}, milliseconds(60'000));
        QVERIFY(late.has_value());
        QCOMPARE(late->code, 4);
        QCOMPARE(QByteArray::fromStdString(late->output), QByteArray("out\n"));
    }

    void theLastComplaintOfTheCommandLineCounts_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("alone") << QByteArray("palimpsest-cli: No such data. Name others.\n")
                               << QByteArray("No such data. Name others.");
        QTest::newRow("after others") << QByteArray("x\npalimpsest-cli: One.\nNote: y\npalimpsest-cli: Two.\nz\n")
                                      << QByteArray("Two.");
        QTest::newRow("within a line") << QByteArray("palimpsest-cli: One.\nsudo palimpsest-cli: is not found\n")
                                       << QByteArray("One.");
        QTest::newRow("control characters") << QByteArray("palimpsest-cli: a\x1b[31mb") << QByteArray("a?[31mb");
        QTest::newRow("none") << QByteArray("killed") << QByteArray();
        QTest::newRow("nothing") << QByteArray() << QByteArray();
    }
    void theLastComplaintOfTheCommandLineCounts() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, sentence);
        QCOMPARE(QByteArray::fromStdString(complaintOf(text.toStdString())), sentence);
    }

    // The words cross a login shell, and one or two more behind it.
    void quotedWordsCrossEveryShell_data() {
        QTest::addColumn<QString>("shell");
        for (const char* shell : {"sh", "bash", "dash", "ksh", "zsh", "fish", "csh", "tcsh"})
            QTest::newRow(shell) << shell;
    }
    void quotedWordsCrossEveryShell() {
        QFETCH(QString, shell);
        const QString program = QStandardPaths::findExecutable(shell);
        if (program.isEmpty()) QSKIP("There is no such shell.");
        const QTemporaryDir folder;
        const std::string touch = "touch " + folder.filePath("made").toStdString();
        const std::vector<std::string> words = {
            "/home/me/o'neil runs",  "x'; " + touch + "; '",    "a$(" + touch + ")b",
            "`" + touch + "`",       "\\'; " + touch + "; \\'", "a\\\\b\\",
            "\"; " + touch + "; \"", "%s !x *~{a,b}",           "!! !$ a!b '!' \\!",
            "^a^b #c -1;|&<>()[]?",  "$HOME ${HOME} a\tb",      ""};
        for (const std::string& word : words) {
            std::string line = "printf '%s@' " + shellQuoted(word);
            for (int level = 0; level < 3; ++level) {
                const auto said = runCommand({program.toStdString(), "-c", line}, milliseconds(60'000));
                QCOMPARE(QByteArray::fromStdString(said->output + said->errors), QByteArray::fromStdString(word + "@"));
                line = "sh -c " + shellQuoted(line);
            }
        }
        QVERIFY(!QFile::exists(folder.filePath("made")));
    }

    void whatSaysTooMuchIsEnded() {
        QVERIFY_EXCEPTION_THROWN(runCommand({"/bin/sh", "-c", "yes"}, milliseconds(600'000)), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestRunCommand)

}  // namespace tst_run_command

#include "tst_run_command.moc"
