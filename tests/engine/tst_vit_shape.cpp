// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <fstream>
#include <functional>

#include "engine/network/vit_shape.h"
#include "engine/network/weights.h"
#include "engine/support/error.h"
#include "tests/support/file_content.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_vit_shape {

using test::contentOf;

namespace {

VitShape tiny() {
    return {8, 4, 3, 8, 2, 2, 1};
}

struct Weights {
    std::map<std::string, Tensor> tensors;
    std::map<std::string, std::string> metadata;

    Weights() {
        Vit vit(tiny());
        vit.initialise(Random(1));
        for (const auto& [name, tensor] : vit.parameters()) tensors[name] = tensor;
    }
    std::vector<NamedTensor> list() const {
        std::vector<NamedTensor> all;
        for (const auto& [name, tensor] : tensors) all.push_back({name, tensor});
        return all;
    }
};

struct Fault {
    const char* name;
    std::function<void(Weights&)> make;
    const char* mentions;
};

const std::vector<Fault>& faults() {
    const auto put = [](const char* name, std::vector<std::int64_t> sizes) {
        return [=](Weights& w) { w.tensors[name] = at::zeros(sizes); };
    };
    const auto say = [](const char* vit) { return [=](Weights& w) { w.metadata["vit"] = vit; }; };
    static const char* const kPatch = "patch_embed.proj.weight";
    static const char* const kHidden = "blocks.0.mlp.fc1.weight";
    static const std::vector<Fault> all = {
        {"no tensor at all", [](Weights& w) { w.tensors.clear(); }, "blocks.0"},
        {"no patch embedding", [](Weights& w) { w.tensors.erase(kPatch); }, kPatch},
        {"a stem of another width than the patches", put("patch_embed.stem.0.weight", {16, 3, 3, 3}), "3 channels"},
        {"a stem that is no 3 x 3 convolution", put("patch_embed.stem.0.weight", {16, 3, 5, 5}), "[16, 3, 5, 5]"},
        {"a stem of a few channels", put("patch_embed.stem.0.weight", {8, 3, 3, 3}), "8 channels"},
        {"no positions", [](Weights& w) { w.tensors.erase("pos_embed"); }, "pos_embed"},
        {"width 0", put(kPatch, {0, 3, 4, 4}), kPatch},
        {"patches of 0", put(kPatch, {8, 3, 0, 0}), kPatch},
        {"patches that are no square", put(kPatch, {8, 3, 4, 2}), "4 x 2"},
        {"one channel", put(kPatch, {8, 1, 4, 4}), "1 channel"},
        {"a flat patch embedding", put(kPatch, {8, 48}), kPatch},
        {"no positions in the table", put("pos_embed", {1, 0, 8}), "pos_embed"},
        {"the class token's position alone", put("pos_embed", {1, 1, 8}), "1 positions"},
        {"positions that are no square", put("pos_embed", {1, 4, 8}), "4 positions"},
        {"positions of another width", put("pos_embed", {1, 5, 16}), "pos_embed"},
        {"two tables of positions", put("pos_embed", {2, 5, 8}), "pos_embed"},
        {"images of 4098 pixels a side", put(kPatch, {1, 3, 2049, 2049}), "2049 pixels"},
        {"a block number beyond 64 bits", put("blocks.99999999999999999999.x", {1}), "99999999999999999999"},
        {"a block without a number", put("blocks.abc", {1}), "blocks.abc"},
        {"a block of a negative number", put("blocks.-1.norm1.weight", {8}), "blocks.-1"},
        {"a number that goes on as a word", put("blocks.1b.norm1.weight", {8}), "blocks.1b"},
        {"an absurd depth", put("blocks.1000000.norm1.weight", {8}), "blocks.1000000"},
        {"a gap in the blocks", put("blocks.3.norm1.weight", {8}), "blocks.2.attn.qkv.weight"},
        {"an MLP without extents", put(kHidden, {}), kHidden},
        {"a flat MLP", put(kHidden, {64}), kHidden},
        {"an MLP that is no multiple of the width", put(kHidden, {12, 8}), "12 hidden units"},
        {"an MLP narrower than the width", put(kHidden, {4, 8}), "4 hidden units"},
        {"an MLP of another width", put(kHidden, {8, 16}), kHidden},
        {"a width that no other tensor has", put(kPatch, {4000, 3, 4, 4}), "pos_embed"},
        {"a block of another width", put("blocks.1.attn.proj.weight", {8, 4}), "blocks.1.attn.proj.weight"},
        {"no heads", say(R"({"num_heads": 0})"), "num_heads"},
        {"negative heads", say(R"({"num_heads": -2})"), "num_heads"},
        {"heads beyond 63 bits", say(R"({"num_heads": 18446744073709551615})"), "num_heads"},
        {"half a head", say(R"({"num_heads": 0.5})"), "num_heads"},
        {"heads in words", say(R"({"num_heads": "two"})"), "num_heads"},
        {"heads that do not divide the width", say(R"({"num_heads": 3})"), "num_heads"},
        {"more heads than width", say(R"({"num_heads": 16})"), "num_heads"},
    };
    return all;
}

}  // namespace

class TestVitShape : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private Q_SLOTS:
    void goodWeightsTellTheirShape() {
        Weights weights;
        weights.metadata["vit"] = R"({"num_heads": 2})";
        const VitShape shape = inferShape(weights.list(), weights.metadata, "here");
        QCOMPARE(shape.image_size, std::int64_t{8});
        QCOMPARE(shape.width, std::int64_t{8});
        QCOMPARE(shape.depth, std::int64_t{2});
        QCOMPARE(shape.heads, std::int64_t{2});
        QCOMPARE(shape.mlp_ratio, std::int64_t{1});
    }

    void prefixesOfWrappersAreTakenOff() {
        std::vector<NamedTensor> wrapped;
        for (const auto& [name, tensor] : Weights().tensors) wrapped.push_back({"backbone." + name, tensor});
        QCOMPARE(inferShape(wrapped, {}, "here").depth, std::int64_t{2});
    }

    void malformedWeightsAreRefusedInOneSentence_data() {
        QTest::addColumn<int>("fault");
        for (std::size_t i = 0; i < faults().size(); ++i) QTest::newRow(faults()[i].name) << static_cast<int>(i);
    }
    void malformedWeightsAreRefusedInOneSentence() {
        QFETCH(int, fault);
        const Fault& entry = faults()[static_cast<std::size_t>(fault)];
        Weights weights;
        entry.make(weights);
        try {
            inferShape(weights.list(), weights.metadata, "here.safetensors");
            QFAIL("accepted");
        } catch (const Error& error) {
            const std::string text = error.what();
            QCOMPARE(error.kind(), ErrorKind::Input);
            QVERIFY(text.find("here.safetensors") != std::string::npos);
            QVERIFY2(text.find(entry.mentions) != std::string::npos, text.c_str());
            QVERIFY(!error.hint().empty());
        }
    }

    void headsOfAWidthThatTellsNoneAreAskedFor() {
        Weights weights;
        for (auto& [name, tensor] : weights.tensors) {
            std::vector<std::int64_t> sizes;
            for (const std::int64_t n : tensor.sizes()) sizes.push_back(n == 8 ? 100 : n == 24 ? 300 : n);
            tensor = at::zeros(sizes);
        }
        try {
            inferShape(weights.list(), {}, "here");
            QFAIL("accepted");
        } catch (const Error& error) {
            QVERIFY(error.hint().find("num_heads") != std::string::npos);
        }
        QCOMPARE(inferShape(weights.list(), {{"vit", R"({"num_heads": 4})"}}, "here").heads, std::int64_t{4});
    }

    void numbersThatAreNotFiniteAreRefused_data() {
        QTest::addColumn<double>("value");
        QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("infinity") << std::numeric_limits<double>::infinity();
        QTest::newRow("beyond float32") << 1e300;
    }
    void numbersThatAreNotFiniteAreRefused() {
        QFETCH(double, value);
        Weights weights;
        Tensor& bad = weights.tensors["blocks.1.mlp.fc2.bias"];
        bad = bad.to(at::kDouble, false, true);
        bad[3].fill_(value);
        weights.tensors["norm.bias"] = at::full({8}, std::numeric_limits<float>::quiet_NaN());
        Vit vit(tiny());
        try {
            vit.load(weights.list(), "here.safetensors");
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Input);
            const std::string text = error.what();
            QVERIFY(text.find("here.safetensors") != std::string::npos);
            QVERIFY(text.find("blocks.1.mlp.fc2.bias") != std::string::npos);
        }
    }

    void aDamagedFileIsReadOrRefusedAndNothingElse() {
        const std::filesystem::path good = folder_.filePath("good.safetensors").toStdString();
        Vit vit(tiny());
        vit.initialise(Random(1));
        saveBackbone(good, vit, {});
        const std::string whole = contentOf(good);
        const std::size_t header = whole.find('\0', 8) == std::string::npos ? whole.size() / 2 : whole.find('\0', 8);
        const std::filesystem::path bad = folder_.filePath("bad.safetensors").toStdString();
        Random random(11);
        int read = 0, refused = 0;
        for (int i = 0; i < 600; ++i) {
            std::string damaged = whole;
            const std::size_t range = i % 2 ? whole.size() : header;  // the header decides most
            for (std::uint64_t flips = random.below(3); flips < 3; ++flips)
                damaged[random.below(range)] = static_cast<char>(random.below(256));
            if (i % 10 == 0) damaged.resize(random.below(damaged.size()));
            if (i % 10 == 5) damaged.insert(random.below(range), 1, '9');  // an additional digit changes numbers
            std::ofstream(bad, std::ios::binary | std::ios::trunc) << damaged;
            try {
                const Vit loaded = loadBackbone({"palimpsest-vit", bad.string()}, 1, Compute{});
                const std::int64_t side = loaded.shape().image_size;
                loaded.features(at::ones({1, 3, side, side}));
                ++read;
            } catch (const Error& error) {
                QVERIFY(!error.hint().empty());
                ++refused;
            }
        }
        QVERIFY(read > 20);
        QVERIFY(refused > 100);
    }
};

PALIMPSEST_APPLESS_TEST(TestVitShape)

}  // namespace tst_vit_shape

#include "tst_vit_shape.moc"
