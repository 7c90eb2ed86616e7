// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/support/process.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_calm_threads {

class TestCalmThreads : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The program does not restart itself if the variable is set.
    void initTestCase() { qputenv("GOMP_SPINCOUNT", "7"); }

    void cublasGetsAFixedWorkspace() {
        qunsetenv("CUBLAS_WORKSPACE_CONFIG");
        calmThreads(nullptr);
        QCOMPARE(qgetenv("CUBLAS_WORKSPACE_CONFIG"), QByteArray(":4096:8"));
        QCOMPARE(qgetenv("GOMP_SPINCOUNT"), QByteArray("7"));
    }

    void aWorkspaceOfTheUserStays() {
        qputenv("CUBLAS_WORKSPACE_CONFIG", ":16:8");
        calmThreads(nullptr);
        QCOMPARE(qgetenv("CUBLAS_WORKSPACE_CONFIG"), QByteArray(":16:8"));
    }
};

PALIMPSEST_APPLESS_TEST(TestCalmThreads)

}  // namespace tst_calm_threads

#include "tst_calm_threads.moc"
