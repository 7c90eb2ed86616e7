// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_window_program {

/// The window's program from outside: errors that it reports before there is a window.
class TestWindowProgram : public QObject {
    Q_OBJECT

    static Outcome call(const QStringList& arguments, const QProcessEnvironment& environment) {
        const QFileInfo beside(program());
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(beside.absolutePath() + "/palimpsest", arguments);
        return outcomeOf(process);
    }

private Q_SLOTS:
    void aLimitWithoutATourIsRefused() {
        const Outcome outcome = call({"--tour-limit", "5"}, QProcessEnvironment::systemEnvironment());
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains("there is no --tour"), outcome.err.constData());
    }

    void theProgramSaysHowLongItTookToStart() {
        const QTemporaryDir home;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", home.path());
        environment.insert("PALIMPSEST_RUNS", home.filePath("runs"));
        const Outcome outcome = call({"--time-start", "--clean"}, environment);
        QCOMPARE(outcome.code, 0);
        QVERIFY2(QRegularExpression("^The window was drawn \\d+\\.\\d\\d seconds after the start\\.\n$")
                     .match(QString::fromUtf8(outcome.out))
                     .hasMatch(),
                 outcome.out.constData());
    }

    void theWindowOpensWithoutTheLearningEngine() {
        const QTemporaryDir home;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", home.path());
        environment.insert("PALIMPSEST_RUNS", home.filePath("runs"));
        environment.insert("LD_DEBUG", "files");
        environment.insert("LD_DEBUG_OUTPUT", home.filePath("log"));
        QCOMPARE(call({"--time-start", "--clean"}, environment).code, 0);
        QByteArray loaded;
        for (const QString& name : QDir(home.path()).entryList({"log.*"}, QDir::Files))
            loaded += contentOf(home.filePath(name));
        QVERIFY(loaded.contains("libQt6Widgets"));
        for (const char* heavy : {"libtorch", "libpalimpsest-engine", "opencv_videoio", "libpalimpsest-camera"})
            QVERIFY2(!loaded.contains(heavy), heavy);
    }

    void theProgramNeedsNoLibraryOfItsModules() {
        // The system's loader lists what a program needs, and what that needs in turn, and runs nothing of it.
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LD_TRACE_LOADED_OBJECTS", "1");
        const Outcome outcome = call({}, environment);
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.out.contains("libQt6Widgets") && outcome.out.contains("libopencv_core"),
                 outcome.out.constData());
        for (const char* heavy : {"libtorch", "libc10", "opencv_videoio", "opencv_imgcodecs", "librsvg", "libavcodec",
                                  "libgstreamer", "libgdal"})
            QVERIFY2(!outcome.out.contains(heavy), heavy);
    }

    void aTourKeepsItsRunsOutOfThePersonsFolder_data() {
        QTest::addColumn<bool>("asked_for");
        QTest::newRow("nobody asked for the runs") << false;
        QTest::newRow("PALIMPSEST_RUNS asks for them") << true;
    }
    void aTourKeepsItsRunsOutOfThePersonsFolder() {
        QFETCH(bool, asked_for);
        const QTemporaryDir home;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", home.path());
        environment.insert("TMPDIR", "/nowhere");
        environment.remove("PALIMPSEST_RUNS");
        if (asked_for) environment.insert("PALIMPSEST_RUNS", home.filePath("runs"));
        // A tour cannot write below /dev/null, but first it looks for a folder for its runs.
        const Outcome outcome = call({"--tour", "/dev/null/pictures"}, environment);
        QCOMPARE(outcome.code, 2);
        QCOMPARE(outcome.err.contains("The tour's runs need a temporary folder"), !asked_for);
        QCOMPARE(outcome.err.contains("The folder /dev/null/pictures cannot be made."), asked_for);
    }
};

PALIMPSEST_GUILESS_TEST(TestWindowProgram)

}  // namespace tst_window_program

#include "tst_window_program.moc"
