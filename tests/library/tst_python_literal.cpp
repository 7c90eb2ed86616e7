// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>

#include "engine/support/python_literal.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_python_literal {

class TestPythonLiteral : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void literalsAreRead_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("whole") << QByteArray("42") << QByteArray("42");
        QTest::newRow("negative") << QByteArray("-7") << QByteArray("-7");
        QTest::newRow("real") << QByteArray("1e-05") << QByteArray("1e-05");
        QTest::newRow("point alone") << QByteArray("[1., .5]") << QByteArray("[1.0,0.5]");
        QTest::newRow("more than 64 bits")
            << QByteArray("123456789012345678901") << QByteArray("1.2345678901234568e+20");
        QTest::newRow("words") << QByteArray("[None, True, False]") << QByteArray("[null,true,false]");
        QTest::newRow("text") << QByteArray("'a\\'b\\n\\x41\\u00e9\"'") << QByteArray("\"a'b\\nAé\\\"\"");
        QTest::newRow("raw and bytes") << QByteArray("(r'a\\n', b'c')") << QByteArray("[\"a\\\\n\",\"c\"]");
        QTest::newRow("dict") << QByteArray("{'a': 1, 2: [3, (4,)], }") << QByteArray("{\"2\":[3,[4]],\"a\":1}");
        QTest::newRow("set") << QByteArray("{1, 'x'}") << QByteArray("[1,\"x\"]");
        QTest::newRow("empty") << QByteArray("[{}, [], ()]") << QByteArray("[{},[],[]]");
        QTest::newRow("numpy 2") << QByteArray("{'total': np.float64(97.9)}") << QByteArray("{\"total\":97.9}");
        QTest::newRow("tensor") << QByteArray("tensor(0.5, device='cuda:0')") << QByteArray("0.5");
        QTest::newRow("names") << QByteArray("Namespace(lr=0.1, note='a, b')")
                               << QByteArray("{\"lr\":0.1,\"note\":\"a, b\"}");
        QTest::newRow("object") << QByteArray("{'f': <function a.<locals>.b at 0x7f>, 'g': 1}")
                                << QByteArray("{\"f\":\"<function a.<locals>.b at 0x7f>\",\"g\":1}");
        QTest::newRow("bare name") << QByteArray("torch.float32") << QByteArray("\"torch.float32\"");
    }
    void literalsAreRead() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, json);
        const auto literal = readPythonLiteral(text.toStdString());
        QVERIFY(literal);
        QCOMPARE(QByteArray::fromStdString(literal->value.dump()), json);
        QCOMPARE(literal->length, std::size_t(text.size()));
    }

    void numbersWithoutAValueAreRead() {
        const auto literal = readPythonLiteral("[nan, -inf, inf]");
        QVERIFY(literal);
        QVERIFY(std::isnan(literal->value[0].get<double>()));
        QVERIFY(literal->value[1].get<double>() < 0 && std::isinf(literal->value[1].get<double>()));
        QVERIFY(literal->value[2].get<double>() > 0);
    }

    void whatFollowsIsLeft() {
        const auto literal = readPythonLiteral("  [1, 2] and more");
        QVERIFY(literal);
        QCOMPARE(literal->length, std::size_t(8));
    }

    void whatIsNoneIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {"",   " ",     "{'a': 1", "[1, 2", "'a",    "'a\nb'", "{'a' 1}",       "[1 2]",   "[,]", "{1: 2, 3}",
              "f(", "f(a=)", "-",       "--1",   "1e999", "'\\x4'", "'\\U00110000'", "<object", "%",   "\\"})
            QTest::newRow(text) << QByteArray(text);
        QTest::newRow("deep") << QByteArray(100'000, '[');
        QTest::newRow("deep calls") << QByteArray("f(").repeated(100'000);
        QTest::newRow("deep dicts") << QByteArray("{1:").repeated(100'000);
        QTest::newRow("many values") << "[" + QByteArray("0,").repeated(1'100'000) + "]";
    }
    void whatIsNoneIsRefused() {
        QFETCH(QByteArray, text);
        QVERIFY(!readPythonLiteral(text.toStdString()));
    }
};

PALIMPSEST_GUILESS_TEST(TestPythonLiteral)

}  // namespace tst_python_literal

#include "tst_python_literal.moc"
