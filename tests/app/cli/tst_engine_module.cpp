// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_engine_module {

/// The module with LibTorch in it, which the real program loads when something learns, and what it says when it cannot.
class TestEngineModule : public QObject {
    Q_OBJECT

    static constexpr const char* kMark = "palimpsest-engine-module: ";

    QProcessEnvironment with(const QString& engine) const {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PALIMPSEST_ENGINE", engine);
        return environment;
    }

    /// Everything that the system loaded for a command, one file a line.
    QByteArray loadedBy(const QStringList& arguments, int code = 0) const {
        const QTemporaryDir logs;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LD_DEBUG", "files");
        environment.insert("LD_DEBUG_OUTPUT", logs.filePath("log"));
        const Outcome outcome = call(arguments, environment);
        if (outcome.code != code) qWarning("%s", outcome.err.constData());
        QByteArray all;
        for (const QString& name : QDir(logs.path()).entryList(QDir::Files)) all += contentOf(logs.filePath(name));
        return outcome.code == code && all.contains("calling init") ? all : QByteArray();
    }

    /// The true module with another version or stamp behind its mark.
    QString marked(const QByteArray& from, const QByteArray& to) const {
        QByteArray module = contentOf(PALIMPSEST_ENGINE_FILE);
        const auto mark = module.indexOf(kMark);
        const auto at = module.indexOf(from, mark);
        if (mark < 0 || at < 0 || at > mark + 100 || from.size() != to.size()) return {};
        module.replace(at, from.size(), to);
        return written("marked.so", module);
    }

    QString written(const QString& name, const QByteArray& content) const {
        QFile file(folder_->filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? file.fileName() : QString();
    }

    /// The program alone in another folder, which is made; empty where it cannot be.
    static QString copiedInto(const QString& folder) {
        const QString alone = folder + "/palimpsest-cli";
        return QDir().mkpath(folder) && QFile::copy(program(), alone) ? alone : QString();
    }

    /// A call that names no engine.
    static Outcome callAlone(const QString& file, const QStringList& arguments) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove("PALIMPSEST_ENGINE");
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(file, arguments);
        return outcomeOf(process);
    }

    /// "VERSION STAMP" of the true module.
    static QByteArray ownMark() {
        const QByteArray module = contentOf(PALIMPSEST_ENGINE_FILE);
        const auto at = module.indexOf(kMark) + static_cast<qsizetype>(qstrlen(kMark));
        return module.mid(at, module.indexOf(' ', module.indexOf(' ', at) + 1) - at);
    }

    std::unique_ptr<QTemporaryDir> folder_;

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
    }

    void whatLearnsLoadsIt() {
        const QByteArray loaded = loadedBy({"selfcheck"});
        QVERIFY(loaded.contains("libpalimpsest-engine.so"));
        QVERIFY(loaded.contains("libtorch_cpu"));
    }

    void whatDoesNotLearnLoadsNeitherItNorCodecs_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("version") << QStringList{"--version"};
        QTest::newRow("help") << QStringList{"--help"};
        QTest::newRow("help of what learns") << QStringList{"run", "--help"};
        QTest::newRow("methods") << QStringList{"methods"};
        QTest::newRow("masks") << QStringList{"masks"};
        QTest::newRow("datasets") << QStringList{"datasets"};
        QTest::newRow("backbones") << QStringList{"backbones"};
        QTest::newRow("presets") << QStringList{"presets"};
        QTest::newRow("options") << QStringList{"options"};
        QTest::newRow("stream") << QStringList{"stream", "default"} + settings({"stream.dataset=shapes"});
        QTest::newRow("runs") << QStringList{"runs", QDir::tempPath()};
        QTest::newRow("report") << QStringList{"report", "--help"};
        QTest::newRow("talk") << QStringList{"talk", "--help"};
        QTest::newRow("lesson") << QStringList{"lesson", "list"};
        QTest::newRow("documents") << QStringList{"documents", "man", "palimpsest-cli"};
        QTest::newRow("completions") << QStringList{"documents", "completions", "bash"};
        QTest::newRow("learner") << QStringList{"learner", "list"};
        QTest::newRow("export") << QStringList{
            "export",   qEnvironmentVariable("PALIMPSEST_RESOURCES") + "/recorded/demo",
            "--format", "mlflow",
            "--out",    "FOLDER/mlruns"};
    }
    void whatDoesNotLearnLoadsNeitherItNorCodecs() {
        QFETCH(QStringList, arguments);
        arguments.replaceInStrings("FOLDER", folder_->path());
        const QByteArray loaded = loadedBy(arguments);
        QVERIFY(!loaded.isEmpty());
        for (const char* heavy : {"libtorch", "libc10", "libpalimpsest-engine", "opencv_imgcodecs", "librsvg"})
            QVERIFY2(!loaded.contains(heavy), heavy);
    }

    void itIsFoundByFileAndByFolder() {
        for (const QString& place : {QString(PALIMPSEST_ENGINE_FILE), QFileInfo(PALIMPSEST_ENGINE_FILE).path()}) {
            const Outcome outcome = call({"selfcheck", "--json"}, with(place));
            QVERIFY2(outcome.code == 0, outcome.err.constData());
            const QJsonObject line = jsonLines(outcome.out).first();
            QCOMPARE(line["engine"].toString(), QDir::cleanPath(PALIMPSEST_ENGINE_FILE));
            QVERIFY(!line["libtorch"].toString().isEmpty());
            QVERIFY(line["threads"].toInt() > 0);
            // What to do is said where this LibTorch cannot use a GPU.
            QCOMPARE(line["advice"].toString().contains("app/run --gpu"),
                     line["gpu"].toString().contains("has no CUDA"));
        }
    }

    void whatIsNoneIsOneSentence_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("part");
        QTest::newRow("missing") << "missing"
                                 << "is missing. Unset PALIMPSEST_ENGINE, or name a module";
        QTest::newRow("a text") << "text"
                                << "is no learning engine of Palimpsest.";
        QTest::newRow("empty") << "empty"
                               << "is no learning engine of Palimpsest.";
        QTest::newRow("a device") << "device"
                                  << "The learning engine cannot be read:";
        QTest::newRow("a mark alone") << "mark"
                                      << "is no module of a program.";
        QTest::newRow("cut short") << "short"
                                   << "libpalimpsest-engine.so is cut short. Unset PALIMPSEST_ENGINE";
        QTest::newRow("another version") << "version"
                                         << "is of version 9.9.9, not " PALIMPSEST_VERSION;
        QTest::newRow("another build") << "stamp"
                                       << "is of another build of version " PALIMPSEST_VERSION;
        QTest::newRow("without the function") << "function"
                                              << "lacks the function palimpsestEngine.";
        QTest::newRow("with unknown symbols") << "symbol"
                                              << "nobodyHasThis";
    }
    void whatIsNoneIsOneSentence() {
        QFETCH(QString, kind);
        QFETCH(QString, part);
        const QByteArray mark = ownMark();
        const QByteArray stamp = mark.mid(mark.indexOf(' ') + 1);
        QCOMPARE(stamp.size(), 16);
        QString file;
        if (kind == "missing") file = folder_->filePath("nothing.so");
        if (kind == "text") file = written("text.so", "no module\n");
        if (kind == "empty") file = written("empty.so", "");
        if (kind == "device") file = "/dev/null";
        if (kind == "mark") file = written("mark.so", kMark + mark + " ");
        if (kind == "short") {
            const QByteArray module = contentOf(PALIMPSEST_ENGINE_FILE);
            file = written("libpalimpsest-engine.so", module.left(module.size() / 2));
        }
        if (kind == "version") file = marked(PALIMPSEST_VERSION, "9.9.9");
        if (kind == "stamp") file = marked(stamp, "0123456789abcdef");
        if (kind == "function") file = PALIMPSEST_WITHOUT_FUNCTION;
        if (kind == "symbol") file = PALIMPSEST_UNKNOWN_SYMBOL;
        QVERIFY(!file.isEmpty());
        for (const QStringList& arguments :
             {QStringList{"selfcheck"},
              QStringList{"run", "default", "--out", folder_->filePath("run")} + settings({"stream.dataset=shapes"})}) {
            const Outcome outcome = call(arguments, with(file));
            QCOMPARE(outcome.code, 2);
            QVERIFY2(outcome.err.contains(part.toUtf8()), outcome.err.constData());
            QVERIFY2(outcome.err.contains("PALIMPSEST_ENGINE"), outcome.err.constData());
            QVERIFY2(outcome.err.startsWith("palimpsest-cli: ") && outcome.err.count('\n') == 1,
                     outcome.err.constData());
        }
        QVERIFY(!QFile::exists(folder_->filePath("run")));
        // Nobody else is disturbed.
        QCOMPARE(call({"methods"}, with(file)).code, 0);
    }

    void aProgramWithoutItsEngineSaysSo() {
        // The program alone, elsewhere.
        const QString bin = folder_->filePath("bin");
        const QString alone = copiedInto(bin);
        QVERIFY(!alone.isEmpty());
        const Outcome outcome = callAlone(alone, {"selfcheck"});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.contains("libpalimpsest-engine.so is missing."), outcome.err.constData());
        QVERIFY2(outcome.err.contains(folder_->path().toUtf8()) && outcome.err.count('\n') == 1,
                 outcome.err.constData());
        QCOMPARE(callAlone(alone, {"methods"}).code, 0);
    }

    void aRelativeEngineInAFolderThatIsGoneIsASentence() {
        QProcess shell;
        shell.setProcessEnvironment(with("engine.so"));
        shell.start("/bin/sh", {"-c", "mkdir \"$1\" && cd \"$1\" && rmdir \"$1\" && exec \"$2\" selfcheck", "sh",
                                folder_->filePath("gone"), program()});
        const Outcome outcome = outcomeOf(shell);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains("engine.so is missing.") && outcome.err.contains("PALIMPSEST_ENGINE"),
                 outcome.err.constData());
    }

    void aModuleFurtherUpIsNotItsOwn() {
        // As /scratch/lib is for a program in /scratch/u/bin.
        const QString bin = folder_->filePath("u/bin");
        const QString alone = copiedInto(bin);
        QVERIFY(!alone.isEmpty());
        const QString place = QFileInfo(program()).dir().relativeFilePath(PALIMPSEST_ENGINE_FILE);
        QVERIFY(place.startsWith("../"));
        const QString foreign = QDir::cleanPath(folder_->filePath("u/" + place));
        QVERIFY(QDir().mkpath(QFileInfo(foreign).path()));
        QFile file(foreign);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no module") > 0);
        file.close();
        const Outcome outcome = callAlone(alone, {"selfcheck"});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.contains("libpalimpsest-engine.so is missing."), outcome.err.constData());
        QVERIFY2(outcome.err.contains(folder_->filePath("u").toUtf8()), outcome.err.constData());
    }

    void anErrorOfTheEngineIsTheProgramsError() {
        // Thrown in the module, caught in the program.
        const Outcome outcome = call({"bench", "--backbone", "vit-b17", "--quick"});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains("vit-b16") && outcome.err.count('\n') == 1, outcome.err.constData());
    }
};

PALIMPSEST_GUILESS_TEST(TestEngineModule)

}  // namespace tst_engine_module

#include "tst_engine_module.moc"
