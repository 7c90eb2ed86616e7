// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>

#include "engine/support/error.h"
#include "engine/support/random.h"
#include "tests/faults/faulty_program.h"
#include "tests/faults/power_loss.h"
#include "tests/support/test_program.h"
#include "ui/window/workspace_file.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_faulty_workspace {

namespace {

/// Set for the process that saves: the folder, and which of two workspaces.
constexpr const char* kFolder = "PALIMPSEST_TEST_FOLDER";
constexpr const char* kNumber = "PALIMPSEST_TEST_NUMBER";

WorkspaceState workspace(int number) {
    WorkspaceState state;
    state.draft = QString("name = \"Number %1\"\n").arg(number) + QString(2000 * number, QChar('#'));
    state.file = QString("/experiments/%1.toml").arg(number);
    for (int i = 0; i < 10 * number; ++i) state.runs << QString("/runs/%1").arg(i);
    state.page = number;
    return state;
}

/// What that process does. Its output is the sentence of an error.
int saveHere() {
    try {
        writeWorkspace(QString::fromLocal8Bit(qgetenv(kFolder)), workspace(qEnvironmentVariableIntValue(kNumber)));
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "palimpsest-cli: %s\n", error.sentence().c_str());
        return error.kind() == ErrorKind::Input ? 2 : 1;
    }
}

}  // namespace

/// Goes over the calls of a save of what is open, one of which fails or sees the power fail each time. What is read
/// back is the old workspace or the new one: the draft and the rest, each as a whole.
class TestFaultyWorkspace : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString below() const { return folder_.filePath("below"); }
    FaultyEnd save(int number, const Fault& fault) const {
        qputenv(kFolder, below().toLocal8Bit());
        qputenv(kNumber, QByteArray::number(number));
        const FaultyEnd end =
            faultyCall(QCoreApplication::applicationFilePath(), {"tst_faulty_workspace"}, below(), fault);
        qunsetenv(kFolder);
        qunsetenv(kNumber);
        return end;
    }
    static void lookAt(const QString& folder, bool mayBeEarlier) {
        QStringList notes;
        const WorkspaceState found = readWorkspace(folder, &notes);
        QVERIFY2(notes.isEmpty(), qPrintable(notes.join(' ')));
        QVERIFY(found.draft == workspace(2).draft || (mayBeEarlier && found.draft == workspace(1).draft));
        WorkspaceState rest = found;
        rest.draft = workspace(2).draft;
        WorkspaceState earlier = workspace(1);
        earlier.draft = rest.draft;
        QVERIFY(rest == workspace(2) || (mayBeEarlier && rest == earlier));
    }

private Q_SLOTS:
    void initTestCase() {
#ifdef PALIMPSEST_SANITIZED
        QSKIP("A sanitizer must be loaded first.");
#endif
    }
    void init() {
        QDir(below()).removeRecursively();
        QVERIFY(QDir().mkpath(below()));
        QCOMPARE(save(1, {"open", 1 << 30}).code, 0);
    }

    void whatIsReadBackIsWhole_data() {
        QTest::addColumn<Fault>("fault");
        QDir().mkpath(below());
        const FaultyEnd end = save(2, {"open", 1 << 30});
        QVERIFY2(end.code == 0 && end.calls["write"] > 0, end.err.constData());
        for (const auto& [call, error] : {std::pair<const char*, int>("open", EMFILE),
                                          {"open", EACCES},
                                          {"write", ENOSPC},
                                          {"write", kHalfDone},
                                          {"rename", EIO},
                                          {"close", EIO},
                                          {"sync", EIO},
                                          {"mkdir", EACCES},
                                          {"change", kPowerFails}})
            for (const qint64 at : placesOf(end.calls[call], 20)) {
                const Fault fault{call, at, error};
                QTest::newRow(qPrintable(fault.text())) << fault;
            }
    }
    void whatIsReadBackIsWhole() {
        QFETCH(Fault, fault);
        Fault met = fault;
        if (fault.error == kPowerFails) {
            met.shadow = folder_.filePath("shadow");
            QDir(met.shadow).removeRecursively();
            QDir().mkpath(met.shadow);
        }
        const FaultyEnd end = save(2, met);
        QVERIFY(end.struck);
        if (fault.error == kPowerFails) {
            QCOMPARE(end.code, kPowerLost);
            for (std::uint64_t chance = 0; chance < 10; ++chance) {
                Random random(chance, static_cast<std::uint64_t>(fault.at));
                const QString after = folder_.filePath("after");
                QDir(after).removeRecursively();
                PowerLoss(met.shadow.toStdString(), chance > 0 ? &random : nullptr)
                    .apply(below().toStdString(), after.toStdString());
                lookAt(after, true);
            }
        } else {
            QCOMPARE(faultOf(end), QString());
            QVERIFY2(fault.error != kHalfDone || end.code == 0, end.err.constData());
            lookAt(below(), end.code != 0);
        }
        // The next save is whole.
        QCOMPARE(save(2, {"open", 1 << 30}).code, 0);
        lookAt(below(), false);
    }
};

PALIMPSEST_TEST_RUN(TestFaultyWorkspace, QCoreApplication application(argc, argv);
                    if (qEnvironmentVariableIsSet(kFolder)) return saveHere())

}  // namespace tst_faulty_workspace

#include "tst_faulty_workspace.moc"
