// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/file_content.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/idx_files.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_checksum {

class TestChecksum : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void filesHaveTheKnownChecksums_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("checksum");
        // Examples from FIPS 180-2 and RFC 1321.
        QTest::newRow("nothing, SHA-256")
            << QByteArray() << "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        QTest::newRow("abc, SHA-256") << QByteArray("abc")
                                      << "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        QTest::newRow("a million times a, SHA-256")
            << QByteArray(1'000'000, 'a') << "sha256:cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        QTest::newRow("nothing, MD5") << QByteArray() << "md5:d41d8cd98f00b204e9800998ecf8427e";
        QTest::newRow("abc, MD5") << QByteArray("abc") << "md5:900150983cd24fb0d6963f7d28e17f72";
    }
    void filesHaveTheKnownChecksums() {
        QFETCH(QByteArray, content);
        QFETCH(QString, checksum);
        const auto file = writeFile(folder_->filePath("file"), content);
        const Checksum expected = Checksum::parse(checksum.toStdString());
        const auto found = fileChecksum(file, expected.kind);
        QVERIFY(found.has_value());
        QCOMPARE(QString::fromStdString(found->text()), checksum);
    }

    void capitalDigitsMeanTheSame() {
        QCOMPARE(Checksum::parse("md5:900150983CD24FB0D6963F7D28E17F72").hex,
                 std::string("900150983cd24fb0d6963f7d28e17f72"));
    }

    void whatIsNoChecksumIsRefused_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "sha256:", "sha256", "md5:abc", "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
                                 "900150983cd24fb0d6963f7d28e17f72", "md5:g00150983cd24fb0d6963f7d28e17f72",
                                 "sha256:900150983cd24fb0d6963f7d28e17f72"})
            QTest::newRow(*text != '\0' ? text : "empty") << text;
    }
    void whatIsNoChecksumIsRefused() {
        QFETCH(QString, text);
        const QString sentence = inputErrorOf([&] { Checksum::parse(text.toStdString()); });
        QVERIFY2(sentence.contains("is not a checksum") && sentence.contains("64 hexadecimal digits"),
                 qPrintable(sentence));
    }

    void progressEndsWithTheWholeFile() {
        const auto file = writeFile(folder_->filePath("file"), QByteArray(3'000'000, 'x'));
        std::vector<std::int64_t> seen;
        fileChecksum(file, DigestKind::Md5, [&](std::int64_t done, std::int64_t total) {
            QCOMPARE(total, std::int64_t{3'000'000});
            seen.push_back(done);
        });
        QVERIFY(seen.size() >= 2);
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        QCOMPARE(seen.back(), std::int64_t{3'000'000});
    }

    void itStopsInTheMiddle() {
        const auto file = writeFile(folder_->filePath("file"), QByteArray(3'000'000, 'x'));
        std::stop_source stop;
        std::int64_t last = 0;
        const auto found = fileChecksum(
            file, DigestKind::Sha256,
            [&](std::int64_t done, std::int64_t) {
                last = done;
                stop.request_stop();
            },
            stop.get_token());
        QVERIFY(!found.has_value());
        QVERIFY(last > 0 && last < 3'000'000);
    }

    void aFileThatCannotBeReadIsNamed() {
        const auto path = folder_->filePath("none").toStdString();
        const QString missing = inputErrorOf([&] { fileChecksum(path, DigestKind::Md5); });
        QVERIFY2(missing.contains(QString::fromStdString(path)) && missing.contains("cannot be read"),
                 qPrintable(missing));
        const QString folder = inputErrorOf([&] { fileChecksum(folder_->path().toStdString(), DigestKind::Md5); });
        QVERIFY2(folder.contains(folder_->path()), qPrintable(folder));
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_APPLESS_TEST(TestChecksum)

}  // namespace tst_checksum

#include "tst_checksum.moc"
