// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/support/digest.h"
#include "tests/support/test_program.h"

using palimpsest::Sha256;

namespace tst_sha256 {

class TestSha256 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knownTexts_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("digest");
        QTest::newRow("nothing") << QByteArray()
                                 << QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        QTest::newRow("abc") << QByteArray("abc")
                             << QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        QTest::newRow("two blocks") << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                                    << QByteArray("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
    void knownTexts() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, digest);
        Sha256 hash;
        hash.add(std::as_bytes(std::span(text.constData(), static_cast<std::size_t>(text.size()))));
        QCOMPARE(QByteArray::fromStdString(hash.hex()), digest);
    }

    void piecesCountAsTheWhole() {
        const std::vector<std::int32_t> values{1, -2, 300000, 0};
        Sha256 whole;
        whole.add(std::span<const std::int32_t>(values));
        Sha256 pieces;
        for (const std::int32_t value : values) {
            pieces.add(std::span(&value, 1));
            pieces.hex();
        }
        QCOMPARE(pieces.hex(), whole.hex());
    }

    void numbersAreHashedAsLittleEndianBytes() {
        const std::int32_t narrow[] = {1, 0};
        const std::int64_t wide[] = {1};
        const std::int32_t swapped[] = {0, 1};
        Sha256 a, b, c;
        a.add(narrow);
        b.add(wide);
        c.add(swapped);
        QCOMPARE(a.hex(), b.hex());  // the same little-endian bytes
        QVERIFY(c.hex() != a.hex());
    }
};

PALIMPSEST_APPLESS_TEST(TestSha256)

}  // namespace tst_sha256

#include "tst_sha256.moc"
