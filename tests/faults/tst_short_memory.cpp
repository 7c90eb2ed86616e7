// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "tests/faults/faulty_program.h"
#include "tests/faults/faulty_run.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_short_memory {

/// The system refuses memory to a run, at one request or at all from then on. PALIMPSEST_FAULTS=all tries every request
/// of 16 kB and more.
class TestShortMemory : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QMap<QString, QByteArray> expected_;
    qint64 requests_ = 0;

    QString run() const { return folder_.filePath("run"); }
    Outcome runWith(qint64 at, qint64 many) const {
        QDir(run()).removeRecursively();
        QProcessEnvironment environment = withShim(PALIMPSEST_MEMORY_SHIM);
        environment.insert("MEMORY_LEAST", QString::number(16 << 10));
        environment.insert("MEMORY_AT", QString::number(at));
        environment.insert("MEMORY_MANY", QString::number(many));
        environment.insert("MEMORY_LOG", folder_.filePath("log"));
        return call(tinyRun(run()), environment);
    }

private Q_SLOTS:
    void initTestCase() {
#ifdef PALIMPSEST_SANITIZED
        QSKIP("A sanitizer must be loaded first.");
#endif
        const Outcome end = runWith(1 << 30, 1);
        QVERIFY2(end.code == 0, end.err.constData());
        requests_ = contentOf(folder_.filePath("log")).split(' ').value(1).trimmed().toLongLong();
        QVERIFY(requests_ > 100);
        expected_ = resultsOf(run());
    }

    void aRunEndsWithASentenceAndIsResumed_data() {
        QTest::addColumn<qint64>("at");
        QTest::addColumn<qint64>("many");
        for (const qint64 at : placesOf(requests_, 10))
            QTest::newRow(qPrintable(QString("request %1").arg(at))) << at << qint64{1};
        for (const qint64 at : placesOf(requests_, 4))
            QTest::newRow(qPrintable(QString("from request %1 on").arg(at))) << at << qint64{0};
    }
    void aRunEndsWithASentenceAndIsResumed() {
        QFETCH(qint64, at);
        QFETCH(qint64, many);
        const Outcome end = runWith(at, many);
        QCOMPARE(faultOf(end), QString());
        QVERIFY2(end.code == 0 || end.err.contains("memory"), end.err.constData());
        QCOMPARE(wrongWith(run(), expected_), QString());
    }
};

PALIMPSEST_GUILESS_TEST(TestShortMemory)

}  // namespace tst_short_memory

#include "tst_short_memory.moc"
