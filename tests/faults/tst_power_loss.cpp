// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <optional>

#include "engine/support/random.h"
#include "tests/faults/faulty_program.h"
#include "tests/faults/faulty_run.h"
#include "tests/faults/power_loss.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_power_loss {

/// The power fails before a call that changes something on the disk. What was not synced by then is gone, or there in
/// part, for each file and each name by itself. PALIMPSEST_FAULTS=all tries every call, three times each;
/// PALIMPSEST_KILL_SEED decides what chance brings to the disk.
class TestPowerLoss : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QMap<QString, QByteArray> expected_;
    QMap<QString, qint64> changes_;  // of a run and of a resumed one
    int begun_anew_ = 0, gone_on_ = 0;

    QString place(const QString& name) const { return folder_.filePath(name); }
    QString fresh(const QString& name) const {
        QDir(place(name)).removeRecursively();
        QDir().mkpath(place(name));
        return place(name);
    }

private Q_SLOTS:
    void initTestCase() {
#ifdef PALIMPSEST_SANITIZED
        QSKIP("A sanitizer must be loaded first.");
#endif
        QVERIFY(folder_.isValid());
        const Fault none{"open", 1 << 30};
        const FaultyEnd end = faultyCall(program(), tinyRun(fresh("below") + "/run"), place("below"), none);
        QVERIFY2(end.code == 0, end.err.constData());
        changes_["run"] = end.calls["change"];
        expected_ = resultsOf(place("below/run"));
        QVERIFY(expected_["states"].contains("hash"));
        const Fault half{"change", end.calls["change"] / 2, kPowerFails};
        QCOMPARE(faultyCall(program(), tinyRun(fresh("below") + "/run"), place("below"), half).code, kPowerLost);
        copyFolder(place("below/run"), place("broken"));
        changes_["resume"] = faultyCall(program(), resumed(place("below/run")), place("below"), none).calls["change"];
    }

    void aRunIsResumedToTheSameBits_data() {
        QTest::addColumn<bool>("resumes");
        QTest::addColumn<qint64>("at");
        QTest::addColumn<int>("chance");  // 0: nothing but what was synced is left
        int row = 0;
        for (const QString& command : {QString("run"), QString("resume")})
            for (const qint64 at : placesOf(changes_[command], command == "run" ? 9 : 4))
                for (const int chance : allFaults() ? QList<int>{0, 1, 2} : QList<int>{row++ % 3})
                    QTest::newRow(qPrintable(QString("%1: change %2, chance %3").arg(command).arg(at).arg(chance)))
                        << (command == "resume") << at << chance;
    }
    void aRunIsResumedToTheSameBits() {
        QFETCH(bool, resumes);
        QFETCH(qint64, at);
        QFETCH(int, chance);
        const QString below = fresh("below"), run = below + "/run";
        if (resumes) copyFolder(place("broken"), run);
        const Fault fault{"change", at, kPowerFails, 1, fresh("shadow")};
        QCOMPARE(faultyCall(program(), resumes ? resumed(run) : tinyRun(run), below, fault).code, kPowerLost);

        const auto seed = static_cast<std::uint64_t>(qEnvironmentVariableIntValue("PALIMPSEST_KILL_SEED"));
        std::optional<Random> random;
        if (chance > 0) random.emplace(seed, static_cast<std::uint64_t>(10 * at + chance));
        const QString after = fresh("after");
        PowerLoss(place("shadow").toStdString(), random ? &*random : nullptr)
            .apply(below.toStdString(), after.toStdString());

        const QString left = after + "/run";
        QVERIFY(!resumes || QFile::exists(left));
        if (!QFile::exists(left)) return;  // its name never came to the disk
        const bool state = !QDir(left + "/checkpoints").entryList({"*.json"}).isEmpty();
        const Outcome check = call({"runs", "check", left});
        QVERIFY2(check.code >= 0 && check.code <= 2, check.err.constData());
        ++(state ? gone_on_ : begun_anew_);
        if (!state && stateOf(left).isEmpty()) {
            // Nothing of it is known but its name. It is begun anew, or said to be none.
            const Outcome end = call(resumed(left));
            QCOMPARE(faultOf(end), QString());
            if (end.code != 0) return;
        }
        QCOMPARE(wrongWith(left, expected_), QString());
    }

    void bothKindsOfEndsWereSeen() {
        QVERIFY(begun_anew_ > 0);
        QVERIFY(gone_on_ > 0);
    }
};

PALIMPSEST_GUILESS_TEST(TestPowerLoss)

}  // namespace tst_power_loss

#include "tst_power_loss.moc"
