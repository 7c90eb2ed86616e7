// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/support/text.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_utf8 {

class TestUtf8 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsNotPlainBecomesQuestionMarks_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("plain");
        const auto row = [](const char* name, const QByteArray& text, const QByteArray& plain) {
            QTest::newRow(name) << text << plain;
        };
        row("nothing", "", "");
        row("ascii", "a cat (2).png", "a cat (2).png");
        row("accents, ideographs, emoji", "\xc3\xa9\xe7\x8c\xab\xf0\x9f\x90\x88",
            "\xc3\xa9\xe7\x8c\xab\xf0\x9f\x90\x88");
        row("control characters", "a\n\tb\x7f", "a??b?");
        row("an escape sequence", "\x1b[31m", "?[31m");
        row("a byte of Latin-1", "caf\xe9 au", "caf? au");
        row("cut in a character", "a\xe7\x8c", "a??");
        row("overlong", "\xc0\xaf", "??");
        row("a surrogate", "\xed\xa0\x80", "???");
        row("a zero", QByteArray("a\0b", 3), "a?b");
    }
    void whatIsNotPlainBecomesQuestionMarks() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, plain);
        const std::string_view given(text.constData(), static_cast<std::size_t>(text.size()));
        QCOMPARE(QByteArray::fromStdString(plainLine(given)), plain);
        QCOMPARE(isPlainLine(given), text == plain);
        QVERIFY(isPlainLine(plainLine(given)));
    }
};

PALIMPSEST_APPLESS_TEST(TestUtf8)

}  // namespace tst_utf8

#include "tst_utf8.moc"
