// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/python_pickle.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/pickle_files.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_python_pickle {

namespace {

std::span<const std::uint8_t> span(const QByteArray& bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.constData()), static_cast<std::size_t>(bytes.size())};
}

/// A pickle together with its bytes.
struct Read {
    explicit Read(QByteArray given) : bytes(std::move(given)), pickle(span(bytes), "the file") {}
    QByteArray bytes;
    Pickle pickle;
};

QString errorOf(const QByteArray& bytes) {
    return inputErrorOf([&] { Pickle(span(bytes), "the file"); });
}

/// {'data': array([[0, 127, 128], [255, 10, 92]]), 'labels': [6, 9], b'k': -3, 'big': 2**40, 't': (1, 2, 3, 4),
/// 'flag': True, 'text': 'a\xe9\n\\'}, as Python 3.11's pickle.dumps wrote it.
const char* const kProtocol0 =
    "286470300a56646174610a70310a636e756d70792e636f72652e6d756c746961727261790a5f7265636f6e7374727563740a"
    "70320a28636e756d70790a6e6461727261790a70330a2849300a7470340a635f636f646563730a656e636f64650a70350a28"
    "56620a70360a566c6174696e310a70370a7470380a5270390a747031300a527031310a2849310a2849320a49330a74703132"
    "0a636e756d70790a64747970650a7031330a285675310a7031340a4930300a4930310a747031350a527031360a2849330a56"
    "7c0a7031370a4e4e4e492d310a492d310a49300a747031380a624930300a67350a28565c75303030307f80ff5c7530303061"
    "5c75303035630a7031390a67370a747032300a527032310a747032320a6273566c6162656c730a7032330a286c7032340a49"
    "360a6149390a617367350a28566b0a7032350a67370a747032360a527032370a492d330a73566269670a7032380a4c313039"
    "393531313632373737364c0a7356740a7032390a2849310a49320a49330a49340a747033300a7356666c61670a7033310a49"
    "30310a7356746578740a7033320a5661e95c75303030615c75303035630a7033330a732e";
const char* const kProtocol1 =
    "7d7100285804000000646174617101636e756d70792e636f72652e6d756c746961727261790a5f7265636f6e737472756374"
    "0a710228636e756d70790a6e6461727261790a7103284b00747104635f636f646563730a656e636f64650a71052858010000"
    "0062710658060000006c6174696e31710774710852710974710a52710b284b01284b024b0374710c636e756d70790a647479"
    "70650a710d2858020000007531710e4930300a4930310a74710f527110284b0358010000007c71114e4e4e4affffffff4aff"
    "ffffff4b00747112624930300a6805285808000000007fc280c3bf0a5c711368077471145271157471166258060000006c61"
    "62656c7371175d7118284b064b096568052858010000006b7119680774711a52711b4afdffffff5803000000626967711c4c"
    "313039393531313632373737364c0a580100000074711d284b014b024b034b0474711e5804000000666c6167711f4930310a"
    "5804000000746578747120580500000061c3a90a5c7121752e";
const char* const kProtocol2 =
    "80027d7100285804000000646174617101636e756d70792e636f72652e6d756c746961727261790a5f7265636f6e73747275"
    "63740a7102636e756d70790a6e6461727261790a71034b00857104635f636f646563730a656e636f64650a71055801000000"
    "62710658060000006c6174696e31710786710852710987710a52710b284b014b024b0386710c636e756d70790a6474797065"
    "0a710d58020000007531710e898887710f527110284b0358010000007c71114e4e4e4affffffff4affffffff4b0074711262"
    "8968055808000000007fc280c3bf0a5c711368078671145271157471166258060000006c6162656c7371175d7118284b064b"
    "0965680558010000006b7119680786711a52711b4afdffffff5803000000626967711c8a0600000000000158010000007471"
    "1d284b014b024b034b0474711e5804000000666c6167711f885804000000746578747120580500000061c3a90a5c7121752e";

QByteArray python2Batch() {
    return cifarPickle("labels", {6, 9}, QByteArray("\0\x7f\x80\xff\n\\", 6));
}

}  // namespace

class TestPythonPickle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatPythonWroteIsReadBack_data() {
        QTest::addColumn<QByteArray>("bytes");
        for (int protocol = 0; protocol < 3; ++protocol) {
            const char* const all[] = {kProtocol0, kProtocol1, kProtocol2};
            QTest::addRow("protocol %d", protocol) << QByteArray::fromHex(all[protocol]);
        }
    }
    void whatPythonWroteIsReadBack() {
        QFETCH(QByteArray, bytes);
        const Read read(bytes);
        const auto& pickle = read.pickle;
        const auto& root = pickle.root();
        const auto* data = pickle.find(root, "data");
        QVERIFY(data != nullptr && data->kind == Pickle::Kind::Array);
        QCOMPARE(data->shape, (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(data->bytes, std::string_view("\0\x7f\x80\xff\n\\", 6));
        const auto* labels = pickle.find(root, "labels");
        QVERIFY(labels != nullptr && labels->kind == Pickle::Kind::List);
        QCOMPARE(labels->items.size(), std::size_t{2});
        QCOMPARE(pickle[labels->items[0]].integer, 6);
        QCOMPARE(pickle[labels->items[1]].integer, 9);
        QCOMPARE(pickle.find(root, "k")->integer, -3);
        QCOMPARE(pickle.find(root, "big")->integer, std::int64_t{1} << 40);
        QCOMPARE(pickle.find(root, "t")->items.size(), std::size_t{4});
        QCOMPARE(pickle.find(root, "flag")->kind, Pickle::Kind::Bool);
        QCOMPARE(pickle.find(root, "flag")->integer, 1);
        QCOMPARE(pickle.find(root, "text")->bytes, std::string_view("a\xc3\xa9\n\\"));
        QVERIFY(pickle.find(root, "absent") == nullptr);
    }

    void whatPython2WroteIsReadWithoutCopyingTheArray() {
        const Read read(python2Batch());
        const auto* data = read.pickle.find(read.pickle.root(), "data");
        QVERIFY(data != nullptr);
        QCOMPARE(data->shape, (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(data->bytes, std::string_view("\0\x7f\x80\xff\n\\", 6));
        QVERIFY(data->bytes.data() > read.bytes.constData() &&
                data->bytes.data() < read.bytes.constData() + read.bytes.size());
    }

    void python2TextsOfProtocol0AreUnescaped() {
        const Read read("(dp0\nS'it\\'s\\n\\x00\\xff\\0177'\np1\nI7\nsS\"q\"\nL-5L\ns.");
        QCOMPARE(read.pickle
                     .find(read.pickle.root(), std::string_view("it's\n\0\xff\x0f"
                                                                "7",
                                                                9))
                     ->integer,
                 7);
        QCOMPARE(read.pickle.find(read.pickle.root(), "q")->integer, -5);
    }

    void theLastOfEqualKeysCountsAsInPython() {
        const Read read("}(U\1aK\1U\1aK\2u.");
        QCOMPARE(read.pickle.find(read.pickle.root(), "a")->integer, 2);
    }

    void functionsAreRefusedByNameBeforeAnythingIsRun_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("name");
        QTest::newRow("os.system") << QByteArray("cos\nsystem\n(S'touch /tmp/run'\ntR.") << "os.system";
        QTest::newRow("eval") << QByteArray("c__builtin__\neval\n(S'1'\ntR.") << "__builtin__.eval";
        QTest::newRow("builtins") << QByteArray(
                                         "\x80\x02"
                                         "cbuiltins\nexec\n.")
                                  << "builtins.exec";
        QTest::newRow("never called") << QByteArray("csubprocess\nPopen\n0N.") << "subprocess.Popen";
        QTest::newRow("like an allowed one")
            << QByteArray("cnumpy.core.multiarray\nscalar\n.") << "numpy.core.multiarray.scalar";
        QTest::newRow("parted elsewhere") << QByteArray("cnumpy dtype\n\n.") << "numpy dtype.";
        QTest::newRow("odd characters") << QByteArray("co\x1b[31ms\nsystem\n.") << "o?[31ms.system";
    }
    void functionsAreRefusedByNameBeforeAnythingIsRun() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, name);
        const QString sentence = errorOf(bytes);
        QVERIFY2(sentence.contains("asks Python to use " + name + ", which pictures never need"), qPrintable(sentence));
    }

    void whatIsUnsoundIsRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << QByteArray() << "it ends too early, at byte 0 of 0";
        QTest::newRow("only the end") << QByteArray(".") << "a value is missing";
        QTest::newRow("protocol 4") << QByteArray("\x80\x04N.") << "it has protocol 4, where 0 to 2 are read";
        QTest::newRow("a picture") << QByteArray("\x89PNG\r\n") << "is not a sound Python pickle";
        QTest::newRow("instances") << QByteArray("(ios\nsystem\n.") << "the opcode 105 is none that plain data";
        QTest::newRow("objects") << QByteArray("(cnumpy\ndtype\no.") << "the opcode 111";
        QTest::newRow("new objects") << QByteArray(
                                            "\x80\x02"
                                            "cnumpy\ndtype\n)\x81.")
                                     << "the opcode 129";
        QTest::newRow("persistent") << QByteArray("P1\n.") << "the opcode 80";
        QTest::newRow("extensions") << QByteArray("\x80\x02\x82\1.") << "the opcode 130";
        QTest::newRow("unknown memo") << QByteArray("h\7.") << "refers to a value that it has not stored";
        QTest::newRow("no mark") << QByteArray("NNt.") << "a mark is missing";
        QTest::newRow("below the mark") << QByteArray("N(a.") << "a value is missing";
        QTest::newRow("pop below the mark") << QByteArray("N(\x85.") << "a value is missing";
        QTest::newRow("odd pairs") << QByteArray("}(NNNu.") << "a key has no value";
        QTest::newRow("append to a number") << QByteArray("K\1Na.") << "neither list nor dictionary";
        QTest::newRow("call a number") << QByteArray("K\1)R.") << "something is called that cannot be";
        QTest::newRow("call an array type's name") << QByteArray("cnumpy\nndarray\n)R.") << "called that cannot be";
        QTest::newRow("call without arguments") << QByteArray("c_codecs\nencode\n)R.") << "arguments it does not take";
        QTest::newRow("fill a number") << QByteArray("K\1)b.") << "something is filled that cannot be";
        QTest::newRow("huge number") << QByteArray(
                                            "\x8a\x09"
                                            "123456789.")
                                     << "a number of 9 bytes is too large";
        QTest::newRow("huge length") << QByteArray("T\xff\xff\xff\xff.") << "it ends too early";
        QTest::newRow("no quotes") << QByteArray("Sabc\n.") << "a text has no quotes";
        QTest::newRow("broken escape") << QByteArray("S'\\x4'\n.") << "a broken escape sequence";
        QTest::newRow("escape at the end") << QByteArray("S'\\'\n.") << "a broken escape sequence";
        QTest::newRow("broken unicode") << QByteArray("V\\u12\n.") << "a broken escape sequence";
        QTest::newRow("beyond latin-1") << QByteArray("c_codecs\nencode\n(X\3\0\0\0\xe2\x82\xacX\6\0\0\0latin1tR.", 39)
                                        << "a broken escape sequence";
        QTest::newRow("no number") << QByteArray("I1x\n.") << "\"1x\" is no whole number";
        QTest::newRow("other elements") << python2Batch().replace(QByteArray("U\2u1", 4), QByteArray("U\2f8", 4))
                                        << "elements of type f8, not u1";
        QTest::newRow("other shape") << python2Batch().replace(QByteArray("K\2K\3\x86", 5), QByteArray("K\2K\4\x86", 5))
                                     << "should have 8 elements but has 6";
        QTest::newRow("negative shape") << python2Batch().replace(QByteArray("K\2K\3\x86", 5),
                                                                  QByteArray("J\xff\xff\xff\xffK\3\x86", 8))
                                        << "an impossible shape";
        QTest::newRow("absurd shape") << python2Batch().replace(
                                             QByteArray("K\2K\3\x86", 5),
                                             QByteArray("J\xff\xff\xff\x3fJ\xff\xff\xff\x3f\x86", 11))
                                      << "an impossible shape";
        QTest::newRow("Fortran order") << python2Batch().replace(QByteArray("tb\x89", 3), QByteArray("tb\x88", 3))
                                       << "not in C order";
    }
    void whatIsUnsoundIsRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const QString sentence = errorOf(bytes);
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
        QVERIFY2(sentence.contains("the file"), qPrintable(sentence));
    }

    void aCutPickleIsRefusedWhereverItIsCut() {
        for (const QByteArray& whole : {QByteArray::fromHex(kProtocol0), QByteArray::fromHex(kProtocol1),
                                        QByteArray::fromHex(kProtocol2), python2Batch()})
            for (qsizetype length = 0; length < whole.size(); ++length)
                QVERIFY2(!errorOf(whole.left(length)).isEmpty(), qPrintable(QString::number(length)));
    }

    void aDamagedPickleIsReadOrRefusedAndNothingElse() {
        int refusals = 0;
        for (const QByteArray& whole :
             {QByteArray::fromHex(kProtocol0), QByteArray::fromHex(kProtocol2), python2Batch()})
            for (unsigned round = 0; round < 5000; ++round)
                refusals += errorOf(damaged(whole, round)).isEmpty() ? 0 : 1;
        QVERIFY(refusals > 1000);
    }

    void bombsAreBounded_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QByteArray doubling = "]q\1";
        for (int i = 0; i < 60; ++i) doubling += "](h\1h\1eq\1";
        QTest::newRow("lists of lists of lists") << doubling + "."
                                                 << "";
        QByteArray deep;
        for (int i = 0; i < 1'000'000; ++i) deep += "]";
        for (int i = 1; i < 1'000'000; ++i) deep += "a";
        QTest::newRow("a million lists in each other") << deep + "."
                                                       << "";
        QTest::newRow("a list in itself") << QByteArray("]q\1h\1a.") << "";
        QTest::newRow("too many values") << QByteArray(5'000'000, ']') + "."
                                         << "more than 4000000 values";
        QTest::newRow("too many copies") << "N" + QByteArray(5'000'000, '2') + "."
                                         << "more than 4000000 values";
        QByteArray texts = "c_codecs\nencode\nq\1(X" + littleEndian(10000) + QByteArray(10000, 'x') + "X" +
                           littleEndian(6) + "latin1tq\2R";
        for (int i = 0; i < 100000; ++i) texts += "h\1h\2R";
        QTest::newRow("a text decoded over and over") << texts + "."
                                                      << "it repeats its texts";
    }
    void bombsAreBounded() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const QString sentence = errorOf(bytes);
        QVERIFY2(says.isEmpty() ? sentence.isEmpty() : sentence.contains(says), qPrintable(sentence));
    }
};

PALIMPSEST_APPLESS_TEST(TestPythonPickle)

}  // namespace tst_python_pickle

#include "tst_python_pickle.moc"
