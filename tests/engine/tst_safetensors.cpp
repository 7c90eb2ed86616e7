// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <fstream>

#include "engine/network/tensor_file.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_safetensors {

namespace {

/// Writes a file with this header and `dataBytes` bytes of data.
std::filesystem::path crafted(const QTemporaryDir& folder, const std::string& header, std::size_t dataBytes,
                              std::uint64_t saidLength) {
    const std::filesystem::path file = folder.filePath("crafted.safetensors").toStdString();
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    for (int i = 0; i < 8; ++i) out.put(static_cast<char>(saidLength >> (8 * i) & 0xff));
    out << header << std::string(dataBytes, '\1');
    return file;
}

}  // namespace

class TestSafetensors : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private Q_SLOTS:
    void aReadThatNobodyWantsIsGivenUp() {
        const std::filesystem::path file = folder_.filePath("wanted.safetensors").toStdString();
        writeSafetensors(file, {{"a", at::zeros({3})}}, {});
        std::stop_source stop;
        const StopScope scope(stop.get_token());
        QCOMPARE(readSafetensors(file).tensors.size(), std::size_t(1));
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(readSafetensors(file), GivenUp);
    }

    void everyTypeSurvivesARoundTrip_data() {
        QTest::addColumn<int>("type");
        for (const auto type :
             {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kLong, at::kInt, at::kByte, at::kBool})
            QTest::newRow(c10::toString(type)) << static_cast<int>(type);
    }
    void everyTypeSurvivesARoundTrip() {
        QFETCH(int, type);
        const Tensor tensor = at::arange(0, 6).reshape({2, 3}).to(static_cast<at::ScalarType>(type));
        const std::filesystem::path file = folder_.filePath("round.safetensors").toStdString();
        writeSafetensors(file, {{"a", tensor}, {"b.c", tensor[0]}}, {{"key", "some \"value\""}});
        const TensorFile read = readSafetensors(file);
        QCOMPARE(read.tensors.size(), std::size_t{2});
        QVERIFY(read.at("a").equal(tensor));
        QVERIFY(read.at("b.c").equal(tensor[0]));
        QCOMPARE(read.metadata.at("key"), std::string("some \"value\""));
    }

    void viewsAreWrittenAsTheyLook() {
        const std::filesystem::path file = folder_.filePath("view.safetensors").toStdString();
        const Tensor tensor = at::arange(0, 6).reshape({2, 3}).t();
        writeSafetensors(file, {{"t", tensor}});
        QVERIFY(readSafetensors(file).at("t").equal(tensor));
    }

    void malformedFilesAreRefusedInOneSentence_data() {
        QTest::addColumn<QString>("header");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<quint64>("length");
        const auto row = [](const char* name, const char* header, int bytes, qint64 length = -1) {
            QTest::newRow(name) << header << bytes
                                << (length < 0 ? static_cast<quint64>(std::strlen(header))
                                               : static_cast<quint64>(length));
        };
        row("header longer than the file", "{}", 0, 1000);
        row("absurd header length", "{}", 0, std::numeric_limits<qint64>::max());
        row("not JSON", "{\"a\":", 0);
        row("not an object", "[1,2]", 0);
        row("no offsets", R"({"a":{"dtype":"F32","shape":[1]}})", 4);
        row("unknown type", R"({"a":{"dtype":"F8","shape":[1],"data_offsets":[0,1]}})", 1);
        row("negative extent", R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4);
        row("overflowing shape", R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})", 4);
        row("shape does not fit", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4);
        row("truncated data", R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", 8);
        row("backward offsets", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 8);
        row("empty tensor of an extent beyond 63 bits",
            R"({"a":{"dtype":"F32","shape":[0,18446744073709551615],"data_offsets":[0,0]}})", 0);
        row("empty tensor whose strides overflow",
            R"({"a":{"dtype":"F32","shape":[0,4611686018427387904,4611686018427387904],"data_offsets":[0,0]}})", 0);
        row("extent that is no whole number", R"({"a":{"dtype":"F32","shape":[1e999],"data_offsets":[0,4]}})", 4);
        row("too many extents",
            R"({"a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}})", 1);
        row("offset beyond 63 bits",
            R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[18446744073709551614,18446744073709551615]}})", 1);
        row("the same name twice",
            R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
            R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
            2);
        row("a name of two lines", R"({"a\nb":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1);
        row("nested without end", R"({"__metadata__":{"a":[[[[[[[[[[[[]]]]]]]]]]]]}})", 0);
        row("overlap",
            R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
            R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
            12);
    }
    void malformedFilesAreRefusedInOneSentence() {
        QFETCH(QString, header);
        QFETCH(int, bytes);
        QFETCH(quint64, length);
        const auto file = crafted(folder_, header.toStdString(), static_cast<std::size_t>(bytes), length);
        try {
            readSafetensors(file);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Input);
            QVERIFY(std::string(error.what()).find("crafted.safetensors") != std::string::npos);
            QVERIFY(!error.hint().empty());
        }
    }

    void everyTruncationOfAGoodFileIsRefused() {
        const std::filesystem::path file = folder_.filePath("whole.safetensors").toStdString();
        writeSafetensors(file, {{"a", at::ones({3, 5})}});
        std::ifstream in(file, std::ios::binary);
        const std::string whole((std::istreambuf_iterator<char>(in)), {});
        const std::filesystem::path cut = folder_.filePath("cut.safetensors").toStdString();
        for (std::size_t length = 0; length < whole.size(); ++length) {
            std::ofstream(cut, std::ios::binary | std::ios::trunc) << whole.substr(0, length);
            QVERIFY_EXCEPTION_THROWN(readSafetensors(cut), Error);
        }
    }

    void aHeaderOfAnyLengthIsKnownForWhatItIs() {
        // The file begins with the length, and some lengths equal the first bytes of a pickle or an archive.
        const auto file = std::filesystem::path(folder_.filePath("any-length.safetensors").toStdString());
        for (std::size_t pad = 0; pad < 256; ++pad) {
            writeSafetensors(file, {{"a", at::ones({2})}}, {{"pad", std::string(pad, 'x')}});
            const TensorFile read = readTensorFile(file);
            QVERIFY(at::equal(read.at("a"), at::ones({2})));
        }
    }

    void tensorsComeInTheOrderOfTheirData() {
        const char* header = R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},)"
                             R"("a":{"dtype":"U8","shape":[1],"data_offsets":[2,3]},)"
                             R"("c":{"dtype":"U8","shape":[0,5],"data_offsets":[0,0]}})";
        const TensorFile read = readSafetensors(crafted(folder_, header, 3, std::strlen(header)));
        QCOMPARE(read.tensors[0].name, std::string("c"));
        QCOMPARE(read.tensors[0].tensor.size(1), std::int64_t{5});
        QCOMPARE(read.tensors[1].name, std::string("b"));
        QCOMPARE(read.tensors[2].name, std::string("a"));
    }

    void everyByteButZeroIsTrue() {
        const std::filesystem::path file = folder_.filePath("bool.safetensors").toStdString();
        writeSafetensors(file, {{"a", at::zeros({3}, at::kBool)}});
        std::fstream edit(file, std::ios::binary | std::ios::in | std::ios::out);
        edit.seekp(-2, std::ios::end);
        edit.put('\2');
        edit.close();
        QCOMPARE(readSafetensors(file).at("a").to(at::kInt).sum().item<int>(), 1);
    }

    void whatIsNoFileIsNeverReplaced_data() {
        QTest::addColumn<QString>("place");
        QTest::newRow("a folder") << folder_.filePath("sub");
        QTest::newRow("a folder with a slash") << folder_.filePath("sub/");
        QTest::newRow("a device") << "/dev/null";
        QTest::newRow("nothing") << "";
    }
    void whatIsNoFileIsNeverReplaced() {
        QFETCH(QString, place);
        QVERIFY(QDir(folder_.path()).mkpath("sub"));
        const std::filesystem::path file = place.toStdString();
        const QDir inside(folder_.filePath("sub"));
        for (const bool checkOnly : {true, false}) {
            try {
                if (checkOnly)
                    checkWritable(file);
                else
                    writeSafetensors(file, {{"a", at::ones({1})}});
                QFAIL("accepted");
            } catch (const Error& error) {
                QCOMPARE(error.kind(), ErrorKind::Input);
                QVERIFY(!error.hint().empty());
            }
            QVERIFY(!std::filesystem::exists(file.string() + ".part"));
            QVERIFY(inside.isEmpty());
        }
    }

    void missingFileAndFolderAreRefused() {
        QVERIFY_EXCEPTION_THROWN(readSafetensors("/no/such/file.safetensors"), Error);
        QVERIFY_EXCEPTION_THROWN(readSafetensors(folder_.path().toStdString()), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestSafetensors)

}  // namespace tst_safetensors

#include "tst_safetensors.moc"
