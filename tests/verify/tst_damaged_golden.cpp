// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <filesystem>

#include "engine/support/error.h"
#include "engine/verify/verify_golden.h"
#include "tests/support/file_content.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_damaged_golden {

namespace fs = std::filesystem;

namespace {

constexpr int kTimes = 400;  // for each file
constexpr int kCases = 2;    // of a file at a time
const fs::path kGolden = fs::path(PALIMPSEST_TEST_DATA) / "golden";

/// Values in place of which a file may have any other.
QJsonValue oddValue(QRandomGenerator& random) {
    QJsonValue nested = 1;
    for (int i = 0; i < 200; ++i) nested = QJsonArray{nested};
    const QList<QJsonValue> all{QJsonValue(),
                                true,
                                "",
                                "-1",
                                "a line\nand another",
                                0,
                                -1,
                                1,
                                0.5,
                                1e300,
                                -9.2e18,
                                4'000'000'000'000'000.0,
                                2'147'483'648.0,
                                1000,
                                QJsonArray(),
                                QJsonArray{-1, 1e18},
                                QJsonObject(),
                                nested};
    return all[random.bounded(all.size())];
}

/// Replaces or removes one value of a document; one in six at each level that is reached.
QJsonValue damaged(const QJsonValue& value, QRandomGenerator& random) {
    const bool goesOn = random.bounded(6) != 0;
    if (goesOn && value.isObject() && !value.toObject().isEmpty()) {
        QJsonObject object = value.toObject();
        const QString key = object.keys()[random.bounded(object.size())];
        if (random.bounded(12) == 0)
            object.remove(key);
        else
            object[key] = damaged(object[key], random);
        return object;
    }
    if (goesOn && value.isArray() && !value.toArray().isEmpty()) {
        QJsonArray array = value.toArray();
        const qsizetype at = random.bounded(array.size());
        if (random.bounded(12) == 0)
            array.removeAt(at);
        else
            array[at] = damaged(array[at], random);
        return array;
    }
    return oddValue(random);
}

}  // namespace

/// A golden file is named by the user and may hold anything: each case of it is met, or fails with one line.
class TestDamagedGolden : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noValueBreaksTheVerification_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("list");
        QTest::newRow("metrics") << "metrics.json"
                                 << "official";
        QTest::newRow("streams") << "streams.json"
                                 << "cases";
        QTest::newRow("memory") << "memory_decisions.json"
                                << "cases";
    }
    void noValueBreaksTheVerification() {
        QFETCH(QString, name);
        QFETCH(QString, list);
        QJsonObject whole =
            QJsonDocument::fromJson(QByteArray::fromStdString(test::contentOf(kGolden / name.toStdString()))).object();
        QVERIFY(!whole.isEmpty());
        const QJsonArray all = whole[list].toArray();
        QVERIFY(!all.isEmpty());
        QRandomGenerator random(1);
        QTemporaryDir folder;
        int failed = 0;
        for (int i = 0; i < kTimes; ++i) {
            QJsonArray few;
            for (int n = 0; n < kCases; ++n) few.append(all[random.bounded(all.size())]);
            whole[list] = few;
            const QByteArray content = QJsonDocument(damaged(whole, random).toObject()).toJson(QJsonDocument::Compact);
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(content);
            file.close();
            try {
                verifyGolden(folder.path().toStdString(), [&](const VerifiedCase& entry) {
                    if (entry.result != CaseResult::Fail) return;
                    ++failed;
                    QVERIFY2(!entry.detail.empty() && entry.detail.find('\n') == std::string::npos,
                             content.constData());
                });
            } catch (const Error& error) {
                ++failed;
                QVERIFY2(std::string_view(error.what()).ends_with('.'), error.what());
            }
        }
        QVERIFY2(failed > kTimes / 4, qPrintable(QString::number(failed)));
    }
};

PALIMPSEST_APPLESS_TEST(TestDamagedGolden)

}  // namespace tst_damaged_golden

#include "tst_damaged_golden.moc"
