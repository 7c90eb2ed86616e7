// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include "engine/network/tensor_file.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "tests/support/archive_maker.h"
#include "tests/support/npz_maker.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_npz {

class TestNpz : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::filesystem::path path(const char* name) const { return folder_.filePath(name).toStdString(); }
    std::filesystem::path oneArray(const std::string& npy) const {
        return writeBytes(path("one.npz"), zipOf({{"a.npy", npy}}));
    }
    /// Writes an archive as numpy.savez_compressed does.
    std::filesystem::path deflated(const ZipEntries& entries) const {
        std::vector<MadeEntry> made;
        for (const auto& [name, content] : entries) made.push_back({name, content});
        return makeArchive(folder_.filePath("deflated.zip"), made);
    }

private Q_SLOTS:
    void numbersOfEveryTypeAreRead_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("as");
        const std::pair<const char*, at::ScalarType> rows[] = {
            {"<f4", at::kFloat}, {"<f2", at::kHalf}, {"<f8", at::kDouble}, {"<i8", at::kLong}, {"<i4", at::kInt},
            {"<i2", at::kShort}, {"|i1", at::kChar}, {"|u1", at::kByte},   {"|b1", at::kBool}};
        for (const auto& [type, as] : rows) QTest::newRow(type) << type << static_cast<int>(as);
    }
    void numbersOfEveryTypeAreRead() {
        QFETCH(QString, type);
        QFETCH(int, as);
        const Tensor wanted = at::arange(0, 6).reshape({2, 3}).to(static_cast<at::ScalarType>(as));
        const TensorFile file = readTensorFile(oneArray(npyOf(type.toStdString(), false, "(2, 3)", bytesOf(wanted))));
        QCOMPARE(file.format, std::string("NumPy .npz"));
        QCOMPARE(file.at("a").scalar_type(), wanted.scalar_type());
        QVERIFY(file.at("a").equal(wanted));
    }

    void aReadThatNobodyWantsIsGivenUp() {
        const std::filesystem::path file = oneArray(npyOf(at::zeros({3}), false));
        std::stop_source stop;
        const StopScope scope(stop.get_token());
        QCOMPARE(readNpz(file).tensors.size(), std::size_t(1));
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(readNpz(file), GivenUp);
    }

    void fortranOrderIsTurned() {
        const Tensor wanted = at::arange(0, 24).reshape({2, 3, 4}).to(at::kFloat);
        QVERIFY(readTensorFile(oneArray(npyOf(wanted, true))).at("a").equal(wanted));
        QVERIFY(readTensorFile(oneArray(npyOf(wanted, true))).at("a").is_contiguous());
    }

    void shapesOfEveryLengthAreRead() {
        const std::string four = bytesOf(at::ones({4}));
        QCOMPARE(readTensorFile(oneArray(npyOf("<f4", false, "(4,)", four))).at("a").sizes().vec(),
                 (std::vector<std::int64_t>{4}));
        QCOMPARE(readTensorFile(oneArray(npyOf("<f4", false, "()", four.substr(0, 4)))).at("a").dim(), std::int64_t{0});
        QCOMPARE(readTensorFile(oneArray(npyOf("<f4", false, "(0, 3)", ""))).at("a").numel(), std::int64_t{0});
        QCOMPARE(readTensorFile(oneArray(npyOf("<f4", false, "(2, 2)", four, 2))).at("a").numel(), std::int64_t{4});
    }

    void malformedArraysAreRefused_data() {
        QTest::addColumn<QByteArray>("npy");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& npy, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(npy) << QString(says);
        };
        const std::string four = bytesOf(at::ones({4}));
        row("nothing", "", "no whole .npy file");
        row("no .npy", std::string(100, 'x'), "no whole .npy file");
        row("an unknown format", npyOf("<f4", false, "(4,)", four, 9), "unknown format 9");
        row("a header that never ends",
            "\x93NUMPY" + littleEndian(1, 2) + littleEndian(60000, 2) + "{'descr': ", "inside its header");
        row("big-endian", npyOf(">f4", false, "(4,)", four), "unknown type >f4");
        row("objects", npyOf("|O", false, "(4,)", four), "Python objects");
        row("records",
            "\x93NUMPY" + littleEndian(1, 2) + littleEndian(80, 2) +
                std::string("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,), }") +
                std::string(14, ' ') + four,
            "plain numbers");
        row("too little data", npyOf("<f4", false, "(5,)", four), "does not fit its data");
        row("too much data", npyOf("<f4", false, "(3,)", four), "does not fit its data");
        row("a negative extent", npyOf("<f4", false, "(-4,)", four), "malformed shape");
        row("an extent in words", npyOf("<f4", false, "(four,)", four), "malformed shape");
        row("an extent beyond 63 bits", npyOf("<f4", false, "(99999999999999999999,)", four), "malformed shape");
        row("extents that overflow", npyOf("<f4", false, "(4294967296, 4294967296)", four), "larger than any file");
        row("empty, with extents that overflow", npyOf("<f4", false, "(0, 4294967296, 4294967296)", ""),
            "larger than any file");
        row("too many extents", npyOf("<f4", false, "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,4)", four),
            "more than 16 extents");
        row("a shape without an end", npyOf("<f4", false, "(4", four), "malformed shape");
        row("no order",
            "\x93NUMPY" + littleEndian(1, 2) + littleEndian(32, 2) + "{'descr': '<f4', 'shape': (4,)} " + four,
            "'fortran_order'");
    }
    void malformedArraysAreRefused() {
        QFETCH(QByteArray, npy);
        QFETCH(QString, says);
        const auto file = oneArray(npy.toStdString());
        try {
            readTensorFile(file);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Input);
            const QString text = error.what();
            QVERIFY2(text.contains("one.npz") && text.contains(says), error.what());
            QVERIFY(!error.hint().empty());
        }
    }

    void anArrayTwiceIsRefused() {
        const std::string npy = npyOf(at::ones({2}));
        const auto file = writeBytes(path("twice.npz"), zipOf({{"a.npy", npy}, {"a.npy", npy}}));
        QVERIFY_EXCEPTION_THROWN(readTensorFile(file), Error);
    }

    void googlesNetworkIsTheSameAsTimms_data() {
        QTest::addColumn<bool>("fortran");
        QTest::addColumn<bool>("compressed");
        QTest::addColumn<QString>("prefix");
        QTest::newRow("stored") << false << false << "";
        QTest::newRow("deflated") << false << true << "";
        QTest::newRow("Fortran order") << true << false << "";
        QTest::newRow("of an optimizer's state") << false << false << "opt/target/";
    }
    void googlesNetworkIsTheSameAsTimms() {
        QFETCH(bool, fortran);
        QFETCH(bool, compressed);
        QFETCH(QString, prefix);
        const auto weights = tinyWeights(tinyShape());
        auto named = googleNames(weights, 8, 2);
        named.push_back({"head/kernel", at::ones({8, 21})});
        named.push_back({"head/bias", at::ones({21})});
        named.push_back({"pre_logits/kernel", at::ones({8, 8})});
        for (auto& [name, tensor] : named) name = prefix.toStdString() + name;
        const auto entries = npzEntries(named, fortran);
        const auto file = compressed ? deflated(entries) : writeBytes(path("google.npz"), zipOf(entries));
        // The shape of the query's kernel gives the number of heads.
        const BackboneFile read = readBackbone(file);
        QCOMPARE(read.shape.heads, std::int64_t{2});
        QCOMPARE(read.weights.layout, std::string("Google JAX"));
        QCOMPARE(read.weights.head_classes, std::int64_t{21});
        QVERIFY(read.weights.notes.back().find("pre_logits") != std::string::npos);
        QVERIFY(featuresOf(read.shape, read.weights.tensors).equal(featuresOf(tinyShape(), weights)));
    }

    void halfPrecisionIsWidened() {
        auto weights = tinyWeights(tinyShape());
        for (auto& [name, tensor] : weights) tensor = tensor.to(at::kHalf);
        const auto file = writeBytes(path("half.npz"), zipOf(npzEntries(googleNames(weights, 8, 2))));
        const BackboneFile read = readBackbone(file);
        QVERIFY(featuresOf(read.shape, read.weights.tensors).equal(featuresOf(tinyShape(), weights)));
    }

    void aKernelOfAnotherRankIsRefusedByName() {
        auto named = googleNames(tinyWeights(tinyShape()), 8, 2);
        for (auto& [name, tensor] : named)
            if (name.find("key/kernel") != std::string::npos) tensor = tensor.flatten(1);
        const auto file = writeBytes(path("flat.npz"), zipOf(npzEntries(named)));
        try {
            readBackbone(file);
            QFAIL("accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("key/kernel of shape [8, 8]"), error.what());
        }
    }

    void anArchiveThatUnpacksToFarMoreIsRefused() {
        const std::string zeros(64 << 20, '\0');
        const auto file = deflated({{"a.npy", npyOf("<f4", false, "(16777216,)", zeros)}});
        QVERIFY(std::filesystem::file_size(file) < 1 << 20);
        try {
            readTensorFile(file);
            QFAIL("accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("unpacks to more than"), error.what());
        }
    }

    void damageIsReadOrRefusedAndNothingElse() {
        const std::string whole = zipOf(npzEntries(googleNames(tinyWeights(tinyShape()), 8, 2)));
        for (std::size_t size = 0; size < whole.size(); size += 113) {
            const auto file = writeBytes(path("cut.npz"), whole.substr(0, size));
            QVERIFY_EXCEPTION_THROWN(readTensorFile(file), Error);
        }
        const std::string npy = npyOf(at::arange(0, 12).reshape({3, 4}).to(at::kFloat));
        Random random(3);
        int refused = 0;
        for (int i = 0; i < 400; ++i) {
            std::string broken = npy;
            broken[random.below(128)] = static_cast<char>(random.below(256));
            try {
                readTensorFile(oneArray(broken));
            } catch (const Error& error) {
                QVERIFY(!error.hint().empty());
                ++refused;
            }
        }
        QVERIFY(refused > 100);
    }
};

PALIMPSEST_APPLESS_TEST(TestNpz)

}  // namespace tst_npz

#include "tst_npz.moc"
