// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>
#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <functional>
#include <memory>

#include "engine/support/random.h"
#include "tests/faults/faulty_run.h"
#include "tests/support/cli_program.h"
#include "tests/support/environment.h"
#include "tests/support/http_server.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_killed_commands {

namespace {

int kills() {
    return palimpsest::testing::environmentOr("PALIMPSEST_KILLS", 3);
}

/// Number of the file that has this name, which is another one after each time it was written; 0: none.
ino_t inodeOf(const QString& path) {
    struct stat now {};
    return stat(path.toLocal8Bit().constData(), &now) == 0 ? now.st_ino : 0;
}

/// Processes that this one has started.
QList<pid_t> childrenOf(const QProcess& process) {
    QList<pid_t> children;
    const QString pid = QString::number(process.processId());
    for (const QByteArray& child : contentOf("/proc/" + pid + "/task/" + pid + "/children").split(' '))
        if (const pid_t number = child.toInt(); number > 0) children.append(number);
    return children;
}

/// Ends the program at once when `due` says so, and with `children` what it started at that moment, too; false when it
/// ended by itself before.
bool killed(QProcess& process, const std::function<bool()>& due, bool children = false) {
    QElapsedTimer patience;
    patience.start();
    while (process.state() != QProcess::NotRunning && !due() && patience.elapsed() < kPatience) QTest::qWait(1);
    if (process.state() == QProcess::NotRunning) return false;
    if (children)
        for (const pid_t child : childrenOf(process)) kill(child, SIGKILL);
    process.kill();
    process.waitForFinished(kPatience);
    return process.exitStatus() == QProcess::CrashExit;
}

QMap<QString, QByteArray> filesOf(const QString& folder) {
    QMap<QString, QByteArray> files;
    for (const QString& name : QDir(folder).entryList(QDir::Files)) files[name] = contentOf(folder + "/" + name);
    return files;
}

}  // namespace

/// Commands are killed (SIGKILL) after they have written something that is worth keeping, which is looked at before.
/// PALIMPSEST_KILLS is the number of kills of each, 3 unless it is set, and 20 of a sweep; PALIMPSEST_KILL_SEED decides
/// their moments.
class TestKilledCommands : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Random> random_;

    QString place(const QString& name) const { return folder_->filePath(name); }
    int upTo(int most) { return 1 + static_cast<int>(random_->below(static_cast<std::uint64_t>(most))); }
    QStringList leftovers(const QString& folder) const {
        return QDir(place(folder)).entryList({"*.part"}, QDir::Files | QDir::Hidden);
    }

    /// Due when a file that is there has been written so many times more.
    static std::function<bool()> written(const QString& file, int times) {
        return [file, times, last = ino_t{0}, count = 0]() mutable {
            const ino_t now = inodeOf(file);
            if (now == 0 || now == last) return false;
            last = now;
            return ++count >= times;
        };
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
        random_ = std::make_unique<Random>(
            static_cast<std::uint64_t>(qEnvironmentVariableIntValue("PALIMPSEST_KILL_SEED")), 2);
    }

    void anAdaptationGoesOnToTheSamePrompts() {
        QVERIFY(QDir(folder_->path()).mkpath("whole") && QDir(folder_->path()).mkpath("killed"));
        const auto arguments = [&](const QString& folder) {
            return QStringList{"isa", "default", "--out", place(folder + "/p.safetensors")} +
                   settings({"initial_session.dataset=fractals", "initial_session.classes=4",
                             "initial_session.other_classes=2", "initial_session.other_drawn=2",
                             "initial_session.images_per_class=4", "initial_session.epochs=60",
                             "initial_session.batch_size=4", "backbone.weights=random", "backbone.image_size=32",
                             "precision=float32", "device=cpu", "threads=1"});
        };
        const Outcome whole = call(arguments("whole"));
        QVERIFY2(whole.code == 0, whole.err.constData());
        const QString state = place("killed/p.safetensors.state");
        const auto isWhole = [&] {
            QCOMPARE(leftovers("killed"), QStringList());
            QVERIFY(contentOf(place("whole/p.safetensors")) == contentOf(place("killed/p.safetensors")));
        };
        int done = 0, ended = 0;
        while (done < kills()) {
            const bool resumes = QFile::exists(state);
            QProcess process;
            process.start(program(), arguments("killed") + (resumes ? QStringList{"--resume"} : QStringList()));
            // A state that was there counts as written once.
            if (killed(process, written(state, upTo(10) + (resumes ? 1 : 0)))) {
                QVERIFY2(QFile::exists(state), "a killed adaptation keeps its state");
                ++done;
                continue;
            }
            QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
            isWhole();
            QVERIFY2(done > 0 || ++ended < 10, "it ends before it can be killed");
            QVERIFY(QFile::remove(place("killed/p.safetensors")));
        }
        const Outcome end = call(arguments("killed") + QStringList{"--resume"});
        QVERIFY2(end.code == 0, end.err.constData());
        QVERIFY(contentOf(place("whole/p.safetensors")).size() > 1000);
        isWhole();
        qInfo("%d kills after the first state", done);
    }

    void pretrainedWeightsAreWholeWheneverTheyAreThere() {
        const auto arguments = [&](const QString& file) {
            return QStringList{
                "pretrain",  "--out",   place(file), "--classes",    "4", "--contours",    "0",  "--instances",
                "2",         "--width", "16",        "--depth",      "1", "--heads",       "1",  "--stem",
                "0",         "--steps", "300",       "--batch-size", "4", "--probe-every", "10", "--no-probe",
                "--threads", "1"};
        };
        int done = 0;
        for (int start = 0; done < kills() && start < 3 * kills(); ++start) {
            const QString file = place("w.safetensors");
            QFile::remove(file);
            QProcess process;
            process.start(program(), arguments("w.safetensors"));
            if (!killed(process, written(file, upTo(15)))) continue;
            ++done;
            const Outcome end =
                call(QStringList{"run", "default", "--out", place(QString("run-%1").arg(start))} +
                     settings({"stream.dataset=shapes", "stream.train_limit=10", "stream.test_limit=10",
                               "stream.sessions=1", "method.name=linear-probe", "backbone.weights=" + file}));
            QVERIFY2(end.code == 0, end.err.constData());
        }
        QVERIFY2(done > 0, "it was killed after it had written weights");
        QCOMPARE(call(arguments("w.safetensors")).code, 0);
        QCOMPARE(leftovers("."), QStringList());
        qInfo("%d kills after the first weights", done);
    }

    void aReportHasWholeFilesAlone() {
        QCOMPARE(call(tinyRun(place("run"))).code, 0);
        const auto arguments = [&](const QString& out) {
            return QStringList{"report", place("run"), "--out", place(out), "--format", "html,pdf,svg,png,csv,latex"};
        };
        QCOMPARE(call(arguments("whole")).code, 0);
        const QMap<QString, QByteArray> expected = filesOf(place("whole"));
        int done = 0;
        for (int start = 0; done < kills() && start < 10 * kills(); ++start) {
            const QString out = QString("report-%1").arg(start);
            const auto most = static_cast<int>(expected.size()) - 1;
            QProcess process;
            process.start(program(), arguments(out));
            const int wanted = upTo(most);
            if (!killed(process, [&] { return QDir(place(out)).entryList(QDir::Files).size() >= wanted; })) continue;
            ++done;
            const QMap<QString, QByteArray> found = filesOf(place(out));
            for (auto file = found.begin(); file != found.end(); ++file)
                if (!file.key().endsWith(".part"))
                    QVERIFY2(file.value() == expected[file.key()], qPrintable(file.key()));
            // As if it had been killed once more, while it wrote the page.
            write(place(out + "/report.html.0123456789abcdef.part"), "<html>");
            QCOMPARE(call(arguments(out)).code, 0);
            QCOMPARE(differenceOf(expected, filesOf(place(out))), QString());
        }
        QVERIFY2(done > 0, "it was killed after it had written a file");
        qInfo("%d kills after the first file", done);
    }

    void aSweepOfTwoJobsIsFinishedByTheNextCall() {
        write(
            place("base.toml"),
            "name = \"Tiny\"\ndevice = \"cpu\"\nprecision = \"float32\"\nthreads = 1\n[stream]\ndataset = \"shapes\"\n"
            "sessions = 2\ntrain_limit = 90\ntest_limit = 20\n[backbone]\nweights = \"random\"\nimage_size = 16\n"
            "[method]\nname = \"linear-probe\"\n[training]\nbatch_size = 2\nupdates_per_batch = "
            "10\n[evaluation]\nevery_samples = 2\n");
        write(place("grid.toml"),
              "title = \"Tiny\"\nbase = \"base.toml\"\nseeds = [1, 2]\n[[row]]\nname = \"Slow\"\nset = { "
              "\"training.learning_rate\" = 0.001 }\n[[row]]\nname = \"Fast\"\nset = { "
              "\"training.learning_rate\" = 0.1 }\n");
        const auto arguments = [&](const QString& out) {
            return QStringList{"sweep", place("grid.toml"), "--out", place(out), "--jobs", "2"};
        };
        const Outcome whole = call(arguments("whole"));
        QVERIFY2(whole.code == 0, whole.err.constData());
        int done = 0;
        const auto states = [&] {
            qsizetype count = 0;
            for (const QString& run : QDir(place("killed/runs")).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
                count += QDir(place("killed/runs/" + run + "/checkpoints")).entryList({"*.json"}).size();
            return count;
        };
        const int wantedKills = palimpsest::testing::environmentOr("PALIMPSEST_KILLS", 20);
        for (; done < wantedKills; ++done) {
            QProcess process;
            process.start(program(), arguments("killed"));
            const qsizetype wanted = states() + upTo(3);
            // Every second time its runs are killed with it; else they are asked to stop, and end on their own.
            if (!killed(
                    process, [&] { return states() >= wanted; }, done % 2 == 1))
                break;
            QTRY_VERIFY_WITH_TIMEOUT(call({"sweep", place("grid.toml"), "--out", place("killed"), "--table"}).code == 0,
                                     kPatience);
        }
        QCOMPARE(done, wantedKills);
        Outcome end;
        QTRY_VERIFY_WITH_TIMEOUT((end = call(arguments("killed"))).code == 0, kPatience);
        // All but the times.
        const auto numbers = [](const QByteArray& table) {
            const QList<QByteArray> names = table.left(table.indexOf('\n')).split(',');
            QList<QList<QByteArray>> rows;
            for (const QByteArray& line : table.split('\n')) {
                rows.append(line.split(','));
                for (const char* time : {"batch_seconds", "seconds"})
                    if (const qsizetype column = names.indexOf(time); column < rows.back().size())
                        rows.back()[column] = "";
            }
            return rows;
        };
        QCOMPARE(numbers(contentOf(place("killed/table.csv"))), numbers(contentOf(place("whole/table.csv"))));
        QVERIFY(contentOf(place("whole/table.csv")).count('\n') == 3);
        // What was learned before a kill was not learned once more: each run has one folder, in which it went on.
        const QStringList runs = QDir(place("killed/runs")).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
        QCOMPARE(runs.size(), 4);
        qsizetype resumed = 0;
        for (const QString& run : runs) {
            const QByteArray document = contentOf(place("killed/runs/" + run + "/run.json"));
            resumed += QJsonDocument::fromJson(document)["resumed"].toArray().size();
        }
        QVERIFY(resumed > 0);
        qInfo("%d kills after the first state", done);
    }

    void aFetchGoesOnFromWhatHasCome() {
        HttpServer server;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"http_proxy", "https_proxy"}) environment.insert(name, "http://127.0.0.1:1");
        for (const char* name : {"HTTPS_PROXY", "all_proxy", "ALL_PROXY", "NO_PROXY"}) environment.remove(name);
        environment.insert("no_proxy", "127.0.0.1");
        for (int done = 0; done < kills(); ++done) {
            const QString number = QString::number(done);
            Answer slow;
            const int sent = upTo(200'000);
            slow.body = std::string(static_cast<std::size_t>(sent), 'x');
            slow.claimed_length = 170'052'171;
            slow.hang_after = sent;
            server.serve("/" + number.toStdString() + "/cifar-10-binary.tar.gz", {slow, Answer{.status = 404}});
            environment.insert("PALIMPSEST_DATA", place("data-" + number));
            const QStringList arguments{"dataset", "fetch", "cifar10", "--mirror",
                                        QString::fromStdString(server.url("/" + number.toStdString()))};
            const QString part = place("data-" + number + "/cifar10/cifar-10-binary.tar.gz.part");
            QProcess process;
            process.setProcessEnvironment(environment);
            process.start(program(), arguments);
            // Anywhere while it comes, or when all of it has come.
            const int wanted = upTo(sent);
            QVERIFY(killed(process, [&] { return QFileInfo(part).size() >= wanted; }));
            const qint64 kept = QFileInfo(part).size();
            QVERIFY(contentOf(part) == QByteArray(kept, 'x'));
            const auto before = server.requests().size();
            const Outcome again = call(arguments, environment);
            QCOMPARE(again.code, 1);
            QVERIFY(server.requests().size() > before);
            QCOMPARE(server.requests()[before].headers.at("range"), "bytes=" + std::to_string(kept) + "-");
            QCOMPARE(QFileInfo(part).size(), kept);
        }
        qInfo("%d kills after the first bytes", kills());
    }
};

PALIMPSEST_GUILESS_TEST(TestKilledCommands)

}  // namespace tst_killed_commands

#include "tst_killed_commands.moc"
