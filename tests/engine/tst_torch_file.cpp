// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include <QTemporaryDir>
#include <QtTest>
#include <functional>
#include <limits>
#include <span>

#include "engine/network/tensor_file.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_vit.h"
#include "tests/support/torch_maker.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_torch_file {

namespace {

/// Six numbers, 0 to 5, in a storage of that type.
std::string sixNumbers(at::ScalarType type) {
    return bytesOf(at::arange(0, 6).to(type));
}

QString sentenceOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.kind() == ErrorKind::Input && !error.hint().empty()
                   ? QString::fromStdString(error.what())
                   : QString("of the wrong kind or without a hint");
    }
    return "nothing was thrown";
}

}  // namespace

class TestTorchFile : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::filesystem::path path(const char* name) const { return folder_.filePath(name).toStdString(); }
    std::filesystem::path bare(const std::string& pickle, at::ScalarType type = at::kFloat) const {
        return writeTorch(path("bare.pt"), pickle, {{"archive/data/0", sixNumbers(type)}});
    }

private Q_SLOTS:
    void aReadThatNobodyWantsIsGivenUp() {
        const std::filesystem::path file = bare(pickledTensor({"0", at::kFloat, 6}, 0, {2, 3}, {3, 1}));
        std::stop_source stop;
        const StopScope scope(stop.get_token());
        QCOMPARE(readTensorFile(file).tensors.size(), std::size_t(1));
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(readTensorFile(file), GivenUp);
    }

    void everyTypeOfStorageIsRead_data() {
        QTest::addColumn<int>("type");
        for (const auto type :
             {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kLong, at::kInt, at::kByte, at::kBool})
            QTest::newRow(c10::toString(type)) << static_cast<int>(type);
    }
    void everyTypeOfStorageIsRead() {
        QFETCH(int, type);
        const auto wanted = static_cast<at::ScalarType>(type);
        const TensorFile file = readTensorFile(bare(pickledTensor({"0", wanted, 6}, 0, {2, 3}, {3, 1}), wanted));
        QCOMPARE(file.format, std::string("PyTorch"));
        QCOMPARE(file.tensors.size(), std::size_t{1});
        QCOMPARE(file.tensors[0].name, std::string("tensor"));
        QCOMPARE(file.tensors[0].tensor.scalar_type(), wanted);
        QVERIFY(file.tensors[0].tensor.equal(at::arange(0, 6).to(wanted).reshape({2, 3})));
    }

    void stridesAndOffsetsPointIntoTheStorage() {
        const StoragePart storage{"0", at::kFloat, 6};
        const Tensor numbers = at::arange(0, 6).to(at::kFloat);
        QVERIFY(readTensorFile(bare(pickledTensor(storage, 0, {3, 2}, {1, 3})))
                    .at("tensor")
                    .equal(numbers.reshape({2, 3}).t()));
        QVERIFY(readTensorFile(bare(pickledTensor(storage, 2, {2}, {3}))).at("tensor").equal(at::tensor({2.0F, 5.0F})));
        QVERIFY(readTensorFile(bare(pickledTensor(storage, 5, {}, {})))
                    .at("tensor")
                    .equal(at::scalar_tensor(5, at::kFloat)));
    }

    void tensorsMayShareAStorage() {
        const StoragePart storage{"0", at::kFloat, 6};
        const auto file =
            bare(emptyOrderedDict() + "(" + pickled(std::string("a")) + pickledTensor(storage, 0, {3}, {1}) +
                 pickled(std::string("b")) + pickledTensor(storage, 3, {3}, {1}) + "u");
        QVERIFY(readTensorFile(file).at("a").equal(at::tensor({0.0F, 1.0F, 2.0F})));
        QVERIFY(readTensorFile(file).at("b").equal(at::tensor({3.0F, 4.0F, 5.0F})));
    }

    void parametersAndMemosAreFollowed() {
        const std::string tensor = pickledTensor({"0", at::kFloat, 6}, 0, {6}, {1}) + "q\x07";
        const auto file = bare("}(" + pickled(std::string("w")) + global("torch._utils", "_rebuild_parameter") + "(" +
                               tensor + "\x88" + emptyOrderedDict() + "tR" + pickled(std::string("again")) + "h\x07u");
        QCOMPARE(readTensorFile(file).tensors.size(), std::size_t{2});
        QVERIFY(readTensorFile(file).at("again").equal(readTensorFile(file).at("w")));
    }

    void newerProtocolsAreRead() {
        // Protocol 4: a frame, short texts, names from the stack, a memo with automatic numbers.
        const auto text = [](const std::string& word) { return "\x8c" + littleEndian(word.size(), 1) + word + "\x94"; };
        const auto name = [&](const char* module, const char* leaf) { return text(module) + text(leaf) + "\x93\x94"; };
        const std::string pickle = name("torch._utils", "_rebuild_tensor_v2") + "((" + text("storage") +
                                   name("torch", "FloatStorage") + text("0") + text("cpu") + "K\x06t\x94QK" +
                                   std::string(1, '\0') + "K\x06\x85\x94K\x01\x85\x94\x89" +
                                   name("collections", "OrderedDict") + ")R\x94t\x94R\x94.";
        const std::string whole = "\x80\x04\x95" + littleEndian(pickle.size(), 8) + pickle;
        const auto file = writeBytes(path("new.pt"), zipOf({{"x/data.pkl", whole},
                                                            {"x/byteorder", "little"},
                                                            {"x/data/0", sixNumbers(at::kFloat)},
                                                            {"x/version", "3\n"}}));
        QVERIFY(readTensorFile(file).at("tensor").equal(at::arange(0, 6).to(at::kFloat)));
    }

    void aNetworkIsTheSameFromEveryWrapping_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("prefix");
        QTest::newRow("a state dict") << ""
                                      << "";
        QTest::newRow("model, as DeiT saves it") << "model"
                                                 << "";
        QTest::newRow("state_dict") << "state_dict"
                                    << "";
        QTest::newRow("of a parallel trainer") << "state_dict"
                                               << "module.";
    }
    void aNetworkIsTheSameFromEveryWrapping() {
        QFETCH(QString, key);
        QFETCH(QString, prefix);
        const auto weights = tinyWeights(tinyShape());
        std::vector<NamedTensor> named;
        for (const auto& [name, tensor] : weights) named.push_back({prefix.toStdString() + name, tensor});
        named.push_back({prefix.toStdString() + "head.weight", at::ones({7, 8})});
        auto [pickle, data] = stateDict(named, "some stem");
        if (!key.isEmpty()) {
            // The weights are beside other data of a training, including its command line.
            pickle = "}(" + pickled(std::string("epoch")) + pickled(3) + pickled(std::string("args")) +
                     global("argparse", "Namespace") + ")\x81}" + pickled(std::string("lr")) + "G" +
                     std::string(8, '\1') + "sb" + pickled(key.toStdString()) + pickle + "u";
        }
        const auto file = writeTorch(path("network.pth"), pickle, data, "some stem");
        QVERIFY(featuresOf(file).equal(featuresOf(tinyShape(), weights)));
    }

    void anOptimizersTensorsAreLeftOut() {
        const auto file =
            bare("}(" + pickled(std::string("model")) + "}(" + pickled(std::string("w")) +
                 pickledTensor({"0", at::kFloat, 6}, 0, {6}, {1}) + "u" + pickled(std::string("optimizer")) + "}(" +
                 pickled(std::string("m")) + pickledTensor({"9", at::kFloat, 600}, 0, {600}, {1}) + "uu");
        QCOMPARE(readTensorFile(file).tensors.size(), std::size_t{1});
    }

    void aTorchScriptProgramGivesItsAttributesAlone() {
        const std::string inner = global("__torch__.model.___torch_mangle_7", "Visual") + ")\x81}(" +
                                  pickled(std::string("w")) + pickledTensor({"0", at::kFloat, 6}, 0, {6}, {1}) +
                                  pickled(std::string("training")) + "\x89ub";
        const auto file =
            bare(global("__torch__.model", "CLIP") + ")\x81}(" + pickled(std::string("visual")) + inner + "ub");
        QCOMPARE(readTensorFile(file).tensors.size(), std::size_t{1});
        QCOMPARE(readTensorFile(file).tensors[0].name, std::string("visual.w"));
    }

    void aCallableIsRefusedByItsName_data() {
        QTest::addColumn<QString>("module");
        QTest::addColumn<QString>("name");
        QTest::newRow("a command") << "os"
                                   << "system";
        QTest::newRow("evaluation") << "builtins"
                                    << "eval";
        QTest::newRow("torch's own that is no tensor") << "torch"
                                                       << "load";
        QTest::newRow("nearly allowed") << "torch._utils"
                                        << "_rebuild_tensor_v2x";
        QTest::newRow("nearly a storage") << "torch"
                                          << "FloatStorage.__init__";
    }
    void aCallableIsRefusedByItsName() {
        QFETCH(QString, module);
        QFETCH(QString, name);
        const auto ran = path("ran");
        const std::string call = pickled("touch " + ran.string()) + "\x85R";
        for (const std::string& callable : {global(module.toStdString(), name.toStdString()),
                                            pickled(module.toStdString()) + pickled(name.toStdString()) + "\x93"}) {
            const auto file = bare(callable + call);
            const QString sentence = sentenceOf([&] { readTensorFile(file); });
            QVERIFY2(sentence.contains(" " + module + "." + name + ","), qPrintable(sentence));
            QVERIFY2(sentence.contains("bare.pt"), qPrintable(sentence));
        }
        QVERIFY(!std::filesystem::exists(ran));
    }

    void whatIsCalledIsNamedHoweverItIsCalled() {
        const auto refusal = [&](const std::string& pickle) {
            return sentenceOf([&] { readTensorFile(bare(pickle)); });
        };
        // The class is harmless as a holder of attributes, but must not be called.
        const QString reduced = refusal(global("argparse", "Namespace") + ")R");
        QVERIFY2(reduced.contains("to call argparse.Namespace,"), qPrintable(reduced));
        // The opcode INST names and calls in one.
        const QString inst = refusal("(" + pickled(std::string("true")) + "ios\nsystem\n");
        QVERIFY2(inst.contains("to call os.system,"), qPrintable(inst));
    }

    void endlessNamesAreCutOff() {
        const std::string endless(100'000, 'x');
        for (const std::string& pickle : {global("os", endless), global("__torch__", endless) + ")R",
                                          "(" + pickled(std::string("storage")) + global("__torch__", endless) +
                                              pickled(std::string("0")) + pickled(std::string("cpu")) + "K\x06tQ"}) {
            const QString sentence = sentenceOf([&] { readTensorFile(bare(pickle)); });
            QVERIFY2(sentence.contains("xxx...") && sentence.size() < 500, qPrintable(sentence));
        }
    }

    void malformedPicklesAreRefused_data() {
        QTest::addColumn<QByteArray>("pickle");
        const auto row = [](const char* name, const std::string& pickle) {
            QTest::newRow(name) << QByteArray::fromStdString(pickle);
        };
        const StoragePart six{"0", at::kFloat, 6};
        constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
        row("nothing", "");
        row("no tensor", "}");
        row("a number", "K\x01");
        row("no storage of that name", pickledTensor({"7", at::kFloat, 6}, 0, {6}, {1}));
        row("a storage of another size", pickledTensor({"0", at::kFloat, 7}, 0, {6}, {1}));
        row("a storage of another type", pickledTensor({"0", at::kDouble, 6}, 0, {6}, {1}));
        row("a storage larger than any file", pickledTensor({"0", at::kDouble, kHuge}, 0, {6}, {1}));
        row("a storage of negative size", pickledTensor({"0", at::kFloat, -1}, 0, {6}, {1}));
        row("more numbers than there are", pickledTensor(six, 0, {7}, {1}));
        row("an offset too far", pickledTensor(six, 1, {6}, {1}));
        row("a negative offset", pickledTensor(six, -1, {6}, {1}));
        row("an offset beyond 63 bits", pickledTensor(six, kHuge, {2}, {1}));
        row("strides too wide", pickledTensor(six, 0, {2, 3}, {4, 1}));
        row("strides that overflow", pickledTensor(six, 0, {3, 3}, {kHuge, kHuge}));
        row("negative strides", pickledTensor(six, 5, {6}, {-1}));
        row("negative extents", pickledTensor(six, 0, {-2, -3}, {3, 1}));
        row("one number a thousand times", pickledTensor(six, 0, {1000}, {0}));
        row("extents that overflow", pickledTensor(six, 0, {kHuge, kHuge}, {0, 0}));
        row("empty, with extents that overflow", pickledTensor(six, 0, {0, kHuge, kHuge}, {1, 1, 1}));
        row("more strides than extents", pickledTensor(six, 0, {6}, {1, 1}));
        row("too many extents",
            pickledTensor(six, 0, std::vector<std::int64_t>(17, 1), std::vector<std::int64_t>(17, 1)));
        row("called with too little", global("torch._utils", "_rebuild_tensor_v2") + ")R");
        row("a storage that is called", global("torch", "FloatStorage") + ")R");
        row("a dictionary that is called", "})R");
        row("a storage id that is a text", pickled(std::string("0")) + "Q");
        row("a storage of an unknown class", "(" + pickled(std::string("storage")) +
                                                 global("collections", "OrderedDict") + pickled(std::string("0")) +
                                                 pickled(std::string("cpu")) + "K\x06tQ");
        row("a mark that is missing", "K\x01t");
        row("a memo that is missing", "h\x05");
        row("an unknown opcode", "\x8f");
        row("a name of two lines", "}" + pickled(std::string("a\nb")) + pickledTensor(six, 0, {6}, {1}) + "s");
    }
    void malformedPicklesAreRefused() {
        QFETCH(QByteArray, pickle);
        const auto file = bare(pickle.toStdString());
        const QString sentence = sentenceOf([&] { readTensorFile(file); });
        QVERIFY2(sentence.contains("bare.pt"), qPrintable(sentence));
    }

    void dictionariesInThemselvesEnd() {
        const std::string inItself = "}q\x01" + pickled(std::string("a")) + "h\x01s";
        QVERIFY(sentenceOf([&] { readTensorFile(bare(inItself)); }).contains("nested too deeply"));
        // Thirty dictionaries, each twice in the next: a thousand million paths.
        std::string doubled = "}q" + std::string(1, '\0');
        for (char i = 0; i < 30; ++i) {
            const std::string inner = "h" + std::string(1, i);
            doubled += "}q" + std::string(1, static_cast<char>(i + 1)) + "(" + pickled(std::string("a")) + inner +
                       pickled(std::string("b")) + inner + "u";
        }
        QVERIFY(sentenceOf([&] { readTensorFile(bare(doubled)); }).contains("more than 1000000 values"));
    }

    void marksWithoutEndAreRefused() {
        const std::string marks(1'000'001, '(');
        QVERIFY(sentenceOf([&] { readTensorFile(bare(marks)); }).contains("more than 1000000 values"));
    }

    void dataThatIsRepeatedWithoutEndIsRefused() {
        constexpr std::int64_t kCount = 1 << 18;
        std::string pickle = "}(";
        const std::string tensor = pickledTensor({"0", at::kByte, kCount}, 0, {kCount}, {1}) + "q\x01";
        for (int i = 0; i < 200; ++i)
            pickle += pickled("t" + std::to_string(i)) + (i == 0 ? tensor : std::string("h\x01"));
        const auto file = writeTorch(path("repeated.pt"), pickle + "u",
                                     {{"archive/data/0", std::string(static_cast<std::size_t>(kCount), '\1')}});
        QVERIFY(sentenceOf([&] { readTensorFile(file); }).contains("too often"));
    }

    void damageIsReadOrRefusedAndNothingElse() {
        const auto [pickle, data] = stateDict(tinyWeights(tinyShape()), "archive");
        const auto file = writeTorch(path("whole.pt"), pickle, data);
        QFile whole(QString::fromStdString(file.string()));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const std::string bytes = whole.readAll().toStdString();
        const auto damaged = path("damaged.pt");
        int refused = 0;
        for (std::size_t size = 0; size < bytes.size(); size += 97) {
            writeBytes(damaged, bytes.substr(0, size));
            QVERIFY2(sentenceOf([&] { readTensorFile(damaged); }).contains("damaged.pt"),
                     qPrintable(QString::number(size)));
        }
        Random random(5);
        for (int i = 0; i < 500; ++i) {
            // The pickle is damaged directly, since the archive's checksum would reveal it.
            std::string broken = pickle;
            broken[random.below(broken.size())] = static_cast<char>(random.below(256));
            writeTorch(damaged, broken, data);
            try {
                readTensorFile(damaged);
            } catch (const Error& error) {
                QVERIFY(!error.hint().empty());
                ++refused;
            }
        }
        QVERIFY(refused > 100);
        for (int i = 0; i < 300; ++i) {
            std::string broken = bytes;
            broken[random.below(broken.size())] = static_cast<char>(random.below(256));
            writeBytes(damaged, broken);
            try {
                readTensorFile(damaged);
            } catch (const Error& error) {
                QVERIFY(!error.hint().empty());
            }
        }
    }

    void otherFilesAreRecognisedAsNone_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("PyTorch before 1.6")
            << QByteArray("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02", 17)
            << "before version 1.6";
        QTest::newRow("a bare pickle") << QByteArray("\x80\x04}.") << "Python pickle";
        QTest::newRow("text") << QByteArray("these are the words of a README\n") << "no file of weights";
        QTest::newRow("an empty file") << QByteArray() << "is empty";
        QTest::newRow("a zip of something else")
            << QByteArray::fromStdString(zipOf({{"a.txt", "words"}})) << "holds no weights";
        QTest::newRow("the start of a zip")
            << QByteArray("PK\x03\x04 and no more") << "begins like one of torch.save or NumPy's .npz, but is cut off";
        QTest::newRow("big-endian") << QByteArray::fromStdString(
                                           zipOf({{"a/data.pkl", wholePickle("}")}, {"a/byteorder", "big"}}))
                                    << "big-endian";
    }
    void otherFilesAreRecognisedAsNone() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const auto file = writeBytes(path("other.pt"), bytes.toStdString());
        const QString sentence = sentenceOf([&] { readTensorFile(file); });
        QVERIFY2(sentence.contains(says) && sentence.contains("other.pt"), qPrintable(sentence));
        QVERIFY(sentenceOf([&] { readTensorFile(path("nowhere.pt")); }).contains("nowhere.pt"));
    }

    void whatIsNoFileIsToldApart_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << "nothing"
                                 << "is not there";
        QTest::newRow("a folder") << "folder"
                                  << "is a folder";
        QTest::newRow("a link to nowhere") << "link"
                                           << "is a link to a file that is not there";
        QTest::newRow("a pipe") << "pipe"
                                << "is no file of bytes";
    }
    void whatIsNoFileIsToldApart() {
        QFETCH(QString, what);
        QFETCH(QString, says);
        const auto file = path((what.toStdString() + ".safetensors").c_str());
        if (what == "folder") std::filesystem::create_directory(file);
        if (what == "link") std::filesystem::create_symlink("nowhere", file);
        if (what == "pipe") QCOMPARE(mkfifo(file.c_str(), 0600), 0);
        const QString sentence = sentenceOf([&] { readTensorFile(file); });
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
    }

    void theOfficialPromptsAreReadToTheBit() {
        const std::filesystem::path golden = qEnvironmentVariable("PALIMPSEST_GOLDEN").toStdString();
        if (golden.empty() || !std::filesystem::exists(golden / "official_prompts")) QSKIP("No official prompts here.");
        const auto check = [&](const char* name, const std::vector<std::int64_t>& sizes, double mean, double deviation,
                               const char* sum) {
            const Tensor tensor = readTensorFile(golden / "official_prompts" / name).at("tensor");
            QCOMPARE(tensor.sizes().vec(), sizes);
            const Tensor exact = tensor.to(at::kDouble);
            QVERIFY(std::abs(exact.mean().item<double>() - mean) < 1e-6);
            QVERIFY(std::abs(exact.std().item<double>() - deviation) < 1e-5);
            Digest digest(DigestKind::Sha256);
            const std::string bytes = bytesOf(tensor);
            digest.add(std::as_bytes(std::span(bytes)));
            QCOMPARE(digest.hex(), std::string(sum));
        };
        check("e_prompt.pt", {10, 60, 768}, 0.018144038, 1.383739077,
              "84a981bbac5abe03aad396d12a14b4d36fe7a409037ced6faf57ee70a193ab4d");
        check("g_prompt.pt", {1, 20, 768}, 0.023576803, 1.350989358,
              "9943c03e38f64b6c322e12ba3ea0083200d526aa98608b1ec470e1904f226088");
    }
};

PALIMPSEST_APPLESS_TEST(TestTorchFile)

}  // namespace tst_torch_file

#include "tst_torch_file.moc"
