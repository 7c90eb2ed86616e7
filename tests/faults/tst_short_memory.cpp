// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/faults/faulty_program.h"
#include "tests/faults/faulty_run.h"
#include "tests/support/linear_head_text.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_short_memory {

namespace {

constexpr qint64 kTensor = 16384;  // bytes from which a request is one of tensors rather than of text

/// Requests for memory that are refused once a run has its folder; see memory_shim.c.
struct Shortage {
    qint64 from = 1;  ///< bytes
    qint64 at = 0;    ///< 0: none is refused
    qint64 many = 1;
};

struct ShortEnd : Outcome {
    qint64 asked = 0;
    bool struck = false;
};

/// The C library ends a program itself where it has no memory for a thread's own variables; nobody can prevent it.
bool endedByTheCLibrary(const Outcome& end) {
    return (end.code == -1 || end.code == 127) &&
           (end.err.contains("failed to register TLS destructor: out of memory") ||
            end.err.contains("cannot allocate memory for thread-local data"));
}

}  // namespace

/// A run to which memory is refused, once or a few times in a row, at places spread over all its requests. It goes on,
/// says that the memory was short, or is ended by the C library; what is resumed ends with the bits of an undisturbed
/// run. PALIMPSEST_FAULTS=all tries all requests of tensors, and many more of the others.
class TestShortMemory : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QMap<QString, QByteArray> expected_;

    QString place(const QString& name) const { return folder_.filePath(name); }

    ShortEnd runWith(const Shortage& shortage) const {
        const QString run = place("run"), log = place("log");
        QDir(run).removeRecursively();
        QFile::remove(log);
        QProcessEnvironment environment = withShim(PALIMPSEST_MEMORY_SHIM);
        environment.insert("MEMORY_FROM", QString::number(shortage.from));
        environment.insert("MEMORY_AFTER", run + "/experiment.toml");
        environment.insert("MEMORY_AT", QString::number(shortage.at));
        environment.insert("MEMORY_MANY", QString::number(shortage.many));
        environment.insert("MEMORY_LOG", log);
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(program(), tinyRun(run));
        ShortEnd end{outcomeOf(process)};
        for (const QByteArray& line : contentOf(log).split('\n')) {
            const QList<QByteArray> words = line.split(' ');
            if (words[0] == "asked") end.asked = words[1].toLongLong();
            if (words[0] == "struck") end.struck = words[1] == "1";
        }
        return end;
    }

    void addRows(const char* what, qint64 from, qint64 most, const QList<qint64>& manies) {
        const ShortEnd whole = runWith({from});
        QVERIFY2(whole.code == 0 && !whole.struck && whole.asked > std::min<qint64>(most, 100), whole.err.constData());
        // How many there are differs a little from time to time, as threads do.
        for (const qint64 many : manies)
            for (const qint64 at : placesOf(whole.asked * 9 / 10, most))
                QTest::addRow("%s: %lld from %lld on", what, static_cast<long long>(many), static_cast<long long>(at))
                    << from << at << many;
    }

private Q_SLOTS:
    void initTestCase() {
#ifdef PALIMPSEST_SANITIZED
        QSKIP("A sanitizer has its own memory.");
#endif
        QVERIFY(folder_.isValid());
        QCOMPARE(runWith({}).code, 0);
        expected_ = resultsOf(place("run"));
        QVERIFY(expected_["states"].contains("hash") && expected_["anytime.csv"].count('\n') > 2);
    }

    void aRunGoesOnOrIsResumedToTheSameBits_data() {
        QTest::addColumn<qint64>("from");
        QTest::addColumn<qint64>("at");
        QTest::addColumn<qint64>("many");
        const qint64 scale = allFaults() ? 100 : 1;
        addRows("tensors", kTensor, allFaults() ? 1 << 20 : 12, {1, 2, 5});
        addRows("anything", 1, 12 * scale, {1});
    }
    void aRunGoesOnOrIsResumedToTheSameBits() {
        QFETCH(qint64, from);
        QFETCH(qint64, at);
        QFETCH(qint64, many);
        const ShortEnd end = runWith({from, at, many});
        // How often a run asks for memory differs a little from one to the next.
        if (allFaults() && !end.struck && end.code == 0) QSKIP("It asked less often than the run that was counted.");
        QVERIFY2(end.struck, QByteArray::number(end.code) + ": " + end.err);
        if (!endedByTheCLibrary(end)) QCOMPARE(faultOf(end), QString());
        if (end.code != 0) QVERIFY2(end.err.contains("ran out of memory") || from == 1, end.err.constData());
        // An evaluation that takes fewer images at once has other losses and states, and says so.
        if (contentOf(place("run/run.json")).contains("the memory was not enough to measure")) return;
        QCOMPARE(wrongWith(place("run"), expected_), QString());
    }

    void anEstimateIsComputedWhereTheSystemMeasuresNoPeak() {
        write(place("base.toml"), QByteArray::fromStdString(linearHeadText()));
        write(place("grid.toml"), "base = \"base.toml\"\nseeds = [1]\n");
        const auto estimate = [&](const char* call) {
            QProcessEnvironment environment = withFault(folder_.path(), {call, 1, EACCES, 0}, place("estimate.log"));
            // Each process has its own.
            environment.insert("FAULT_BELOW", "/proc/self/clear_refs");
            QProcess process;
            process.setProcessEnvironment(environment);
            process.start(program(), {"sweep", place("grid.toml"), "--estimate", "--json"});
            const Outcome end = outcomeOf(process);
            return end.code == 0 ? jsonLines(end.out).value(1) : QJsonObject{{"error", QString::fromUtf8(end.err)}};
        };
        const auto saysItIsComputed = [](const QJsonObject& said) {
            return said["assumptions"].toArray().last().toString().startsWith("Memory is computed");
        };
        const QJsonObject computed = estimate("open");
        QVERIFY2(saysItIsComputed(computed), QJsonDocument(computed).toJson().constData());
        // The program and its libraries alone are counted with more than this.
        QVERIFY(computed["memory_bytes"].toDouble() > 6e8);
        const QJsonObject again = estimate("open");
        QCOMPARE(again["memory_bytes"], computed["memory_bytes"]);
        if (QFile peak("/proc/self/clear_refs");
            !peak.open(QIODevice::WriteOnly | QIODevice::Unbuffered) || peak.write("5") != 1)
            return;
        const QJsonObject measured = estimate("rename");
        QVERIFY2(measured.contains("assumptions") && !saysItIsComputed(measured),
                 QJsonDocument(measured).toJson().constData());
        QVERIFY(measured["memory_bytes"] != computed["memory_bytes"]);
    }
};

PALIMPSEST_GUILESS_TEST(TestShortMemory)

}  // namespace tst_short_memory

#include "tst_short_memory.moc"
