// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <set>

#include "engine/api.h"
#include "engine/config/option_table.h"
#include "engine/network/backbone_file_service.h"
#include "engine/network/weights.h"
#include "engine/support/error.h"
#include "engine/train/experiment_inputs.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_vit.h"
#include "tests/support/torch_maker.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_backbones {

namespace {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

/// Numbers of a tensor as one list.
Vector numbers(const Tensor& tensor) {
    const Tensor exact = tensor.to(at::kDouble).contiguous();
    return {exact.data_ptr<double>(), exact.data_ptr<double>() + exact.numel()};
}

/// A vision transformer in plain loops over doubles, from the papers' definitions, without any code of the engine.
class SlowVit {
public:
    SlowVit(const VitShape& shape, const std::vector<NamedTensor>& weights) : shape_(shape), weights_(weights) {}

    Vector feature(const Tensor& image) const {
        Rows x = embedded(numbers(image));
        if (shape_.pre_norm)
            for (Vector& row : x) row = normed(row, "norm_pre");
        for (int i = 0; i < shape_.depth; ++i) x = block(x, "blocks." + std::to_string(i) + ".");
        return normed(x[0], "norm");
    }

private:
    Vector get(const std::string& name) const { return numbers(tensorOf(weights_, name)); }
    std::size_t width() const { return static_cast<std::size_t>(shape_.width); }

    Rows embedded(const Vector& image) const {
        const auto size = static_cast<std::size_t>(shape_.image_size), p = static_cast<std::size_t>(shape_.patch_size);
        const Vector weight = get("patch_embed.proj.weight"), positions = get("pos_embed");
        const Vector bias = shape_.patch_bias ? get("patch_embed.proj.bias") : Vector(width());
        Rows x = {get("cls_token")};
        for (std::size_t top = 0; top < size; top += p)
            for (std::size_t left = 0; left < size; left += p) {
                Vector token = bias;
                for (std::size_t d = 0; d < width(); ++d)
                    for (std::size_t c = 0; c < 3; ++c)
                        for (std::size_t i = 0; i < p; ++i)
                            for (std::size_t j = 0; j < p; ++j)
                                token[d] += weight[((d * 3 + c) * p + i) * p + j] *
                                            image[(c * size + top + i) * size + left + j];
                x.push_back(token);
            }
        for (std::size_t t = 0; t < x.size(); ++t)
            for (std::size_t d = 0; d < width(); ++d) x[t][d] += positions[t * width() + d];
        return x;
    }

    Vector normed(const Vector& row, const std::string& layer) const {
        const Vector weight = get(layer + ".weight"), bias = get(layer + ".bias");
        double mean = 0, variance = 0;
        for (const double value : row) mean += value / static_cast<double>(row.size());
        for (const double value : row) variance += (value - mean) * (value - mean) / static_cast<double>(row.size());
        Vector result;
        for (std::size_t d = 0; d < row.size(); ++d)
            result.push_back((row[d] - mean) / std::sqrt(variance + shape_.norm_epsilon) * weight[d] + bias[d]);
        return result;
    }

    Vector linear(const Vector& row, const std::string& layer) const {
        const Vector weight = get(layer + ".weight");
        Vector result = get(layer + ".bias");
        for (std::size_t o = 0; o < result.size(); ++o)
            for (std::size_t d = 0; d < row.size(); ++d) result[o] += weight[o * row.size() + d] * row[d];
        return result;
    }

    double active(double x) const {
        return shape_.quick_gelu ? x / (1 + std::exp(-1.702 * x)) : 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
    }

    Rows block(const Rows& x, const std::string& name) const {
        Rows qkv;
        for (const Vector& row : x) qkv.push_back(linear(normed(row, name + "norm1"), name + "attn.qkv"));
        const std::size_t heads = static_cast<std::size_t>(shape_.heads), each = width() / heads;
        Rows result;
        for (std::size_t t = 0; t < x.size(); ++t) {
            Vector mixed(width());
            for (std::size_t h = 0; h < heads; ++h) {
                Vector share;
                double sum = 0;
                for (const Vector& other : qkv) {
                    double product = 0;
                    for (std::size_t d = h * each; d < (h + 1) * each; ++d) product += qkv[t][d] * other[width() + d];
                    share.push_back(std::exp(product / std::sqrt(static_cast<double>(each))));
                    sum += share.back();
                }
                for (std::size_t s = 0; s < x.size(); ++s)
                    for (std::size_t d = h * each; d < (h + 1) * each; ++d)
                        mixed[d] += share[s] / sum * qkv[s][2 * width() + d];
            }
            Vector row = linear(mixed, name + "attn.proj");
            for (std::size_t d = 0; d < width(); ++d) row[d] += x[t][d];
            Vector hidden = linear(normed(row, name + "norm2"), name + "mlp.fc1");
            for (double& value : hidden) value = active(value);
            const Vector more = linear(hidden, name + "mlp.fc2");
            for (std::size_t d = 0; d < width(); ++d) row[d] += more[d];
            result.push_back(row);
        }
        return result;
    }

    const VitShape shape_;
    const std::vector<NamedTensor>& weights_;
};

/// Keys 1981 with a = -0.75, as in PyTorch.
double cubic(double distance) {
    constexpr double a = -0.75;
    const double d = std::abs(distance);
    if (d <= 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
    if (d < 2) return a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a;
    return 0;
}

/// Value of an n x n grid at a position between its points; beyond the edge the edge repeats.
double between(const std::vector<double>& grid, int n, double row, double column) {
    double sum = 0;
    for (int i = static_cast<int>(std::floor(row)) - 1; i <= static_cast<int>(std::floor(row)) + 2; ++i)
        for (int j = static_cast<int>(std::floor(column)) - 1; j <= static_cast<int>(std::floor(column)) + 2; ++j)
            sum += cubic(row - i) * cubic(column - j) *
                   grid[static_cast<std::size_t>(std::clamp(i, 0, n - 1) * n + std::clamp(j, 0, n - 1))];
    return sum;
}

std::string complaint(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.kind() == ErrorKind::Input && !error.hint().empty() ? error.sentence() : "of the wrong kind";
    }
    return "nothing was thrown";
}

}  // namespace

class TestBackbones : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::filesystem::path written(const std::vector<NamedTensor>& tensors) const {
        const std::filesystem::path file = folder_.filePath("weights.safetensors").toStdString();
        writeSafetensors(file, tensors, {{"vit", R"({"num_heads": 2})"}});
        return file;
    }
    std::filesystem::path tinyFile(const VitShape& shape) const { return written(tinyWeights(shape)); }

private Q_SLOTS:
    void featuresAreThoseOfPlainLoops_data() {
        QTest::addColumn<bool>("pre_norm");
        QTest::addColumn<bool>("quick");
        QTest::addColumn<double>("epsilon");
        QTest::newRow("ViT") << false << false << 1e-6;
        QTest::newRow("CLIP of OpenAI") << true << true << 1e-5;
        QTest::newRow("CLIP of LAION") << true << false << 1e-5;
        QTest::newRow("quick GELU alone") << false << true << 1e-6;
        QTest::newRow("an epsilon that is felt") << true << true << 0.3;
    }
    void featuresAreThoseOfPlainLoops() {
        QFETCH(bool, pre_norm);
        QFETCH(bool, quick);
        QFETCH(double, epsilon);
        VitShape shape = pre_norm ? tinyClip() : tinyShape();
        shape.quick_gelu = quick;
        shape.norm_epsilon = epsilon;
        const auto weights = tinyWeights(shape);
        const Tensor fast = featuresOf(shape, weights);
        const SlowVit slow(shape, weights);
        for (std::int64_t b = 0; b < 2; ++b) {
            const Vector wanted = slow.feature(tinyImages()[b]);
            const Vector given = numbers(fast[b]);
            for (std::size_t d = 0; d < wanted.size(); ++d)
                QVERIFY2(std::abs(wanted[d] - given[d]) < 1e-4,
                         qPrintable(QString("%1 %2").arg(wanted[d]).arg(given[d])));
        }
    }

    void positionsAreResizedBicubically_data() {
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("after");
        QTest::newRow("larger") << 4 << 7;
        QTest::newRow("twice as large") << 3 << 6;
        QTest::newRow("smaller") << 7 << 4;
        QTest::newRow("from one patch") << 1 << 3;
    }
    void positionsAreResizedBicubically() {
        QFETCH(int, before);
        QFETCH(int, after);
        const int width = 3;
        const Tensor table =
            at::arange(0, (before * before + 1) * width).reshape({1, before * before + 1, width}).to(at::kFloat).sin();
        const Tensor resized = resizedPositions(table, after, "here");
        QCOMPARE(resized.sizes().vec(), (std::vector<std::int64_t>{1, after * after + 1, width}));
        QVERIFY(resized.narrow(1, 0, 1).equal(table.narrow(1, 0, 1)));
        const double scale = static_cast<double>(before) / after;
        for (int d = 0; d < width; ++d) {
            const Vector grid = numbers(table.select(2, d)[0].narrow(0, 1, before * before));
            for (int i = 0; i < after; ++i)
                for (int j = 0; j < after; ++j) {
                    const double wanted = between(grid, before, (i + 0.5) * scale - 0.5, (j + 0.5) * scale - 0.5);
                    const double given = resized[0][1 + i * after + j][d].item<double>();
                    QVERIFY2(std::abs(wanted - given) < 1e-5, qPrintable(QString("%1 %2").arg(wanted).arg(given)));
                }
        }
    }

    void aTableOfTheRightSizeStaysAsItIs() {
        const Tensor table = at::arange(0, 17 * 3).reshape({1, 17, 3}).to(at::kFloat).cos();
        QVERIFY((resizedPositions(table, 4, "here") - table).abs().max().item<float>() < 1e-6F);
        QVERIFY_EXCEPTION_THROWN(resizedPositions(at::ones({1, 16, 3}), 4, "here"), Error);
    }

    void theImageSizeIsTheFilesOwnUnlessItIsAskedFor() {
        BackboneOptions options{"any", tinyFile(tinyShape()).string()};
        QCOMPARE(loadBackbone(options, 1, Compute{}).shape().image_size, std::int64_t{8});
        options.image_size = 16;
        const Vit larger = loadBackbone(options, 1, Compute{});
        QCOMPARE(larger.shape().tokens(), std::int64_t{17});
        QCOMPARE(larger.features(at::ones({1, 3, 16, 16})).size(1), std::int64_t{8});
        const Tensor table = tensorOf(tinyWeights(tinyShape()), "pos_embed");
        QVERIFY(tensorOf(larger.parameters(), "pos_embed").equal(resizedPositions(table, 4, "here")));
        options.image_size = 10;
        QVERIFY(complaint([&] { loadBackbone(options, 1, Compute{}); }).find("no multiple of the patches of 4") !=
                std::string::npos);
    }

    void headsAndActivationCanBeAskedFor() {
        BackboneOptions options{"any", tinyFile(tinyClip()).string()};
        QVERIFY(loadBackbone(options, 1, Compute{}).shape().quick_gelu);
        options.activation = "gelu";
        options.heads = 4;
        const VitShape shape = loadBackbone(options, 1, Compute{}).shape();
        QVERIFY(!shape.quick_gelu);
        QCOMPARE(shape.heads, std::int64_t{4});
        options.heads = 3;
        QVERIFY(complaint([&] { loadBackbone(options, 1, Compute{}); }).find("does not divide the width 8") !=
                std::string::npos);
    }

    void aNameThatTheFileDoesNotFitIsRefusedWithBoth_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("says");
        QTest::newRow("base") << "vit-b16"
                              << "ViT-B/16";
        QTest::newRow("small") << "vit-s16"
                               << "ViT-S/16";
        QTest::newRow("DeiT") << "deit-s16"
                              << "ViT-S/16";
        QTest::newRow("CLIP") << "clip-vit-b16"
                              << "CLIP ViT-B/16";
    }
    void aNameThatTheFileDoesNotFitIsRefusedWithBoth() {
        QFETCH(QString, name);
        QFETCH(QString, says);
        const auto file = tinyFile(tinyShape());
        const QString sentence = QString::fromStdString(complaint([&] {
            loadBackbone({name.toStdString(), file.string()}, 1, Compute{});
        }));
        for (const QString& part : {name, says, QString("8 wide"), QString::fromStdString(file.string())})
            QVERIFY2(sentence.contains(part), qPrintable(sentence));
    }

    void aNameThatTheFileFitsIsTaken() {
        VitShape shape{32, 16, 3, 192, 12, 3, 4};
        Vit vit(shape);
        vit.initialise(Random(1));
        const auto file = written(vit.parameters());
        BackboneOptions options{"vit-ti16", file.string()};
        options.heads = 3;
        QCOMPARE(loadBackbone(options, 1, Compute{}).shape().heads, std::int64_t{3});
        QCOMPARE(makeBackboneService()->facts(file).backbone, std::string("vit-ti16"));
        QVERIFY(complaint([&] {
                    loadBackbone({"vit-s16", file.string()}, 1, Compute{});
                }).find("ViT-Ti/16") != std::string::npos);
    }

    void randomWeightsHaveTheShapeOfTheName() {
        BackboneOptions options{"vit-ti16", "random"};
        options.image_size = 32;
        const VitShape shape = loadBackbone(options, 1, Compute{}).shape();
        QCOMPARE(shape.width, std::int64_t{192});
        QCOMPARE(shape.heads, std::int64_t{3});
        QCOMPARE(shape.image_size, std::int64_t{32});
        QVERIFY(complaint([] {
                    loadBackbone({"any", "random"}, 1, Compute{});
                }).find("say no size") != std::string::npos);
        QVERIFY(complaint([] {
                    loadBackbone({"vit-b16", "embedded"}, 1, Compute{});
                }).find("not of vit-b16") != std::string::npos);
        QVERIFY(complaint([] {
                    loadBackbone({"vit-b61", "random"}, 1, Compute{});
                }).find("Did you mean vit-b16?") != std::string::npos);
        QVERIFY(complaint([] {
                    loadBackbone({"vit_base_patch16_224", "random"}, 1, Compute{});
                }).find("Did you mean vit-b16?") != std::string::npos);
        QVERIFY(complaint([] {
                    requireBackboneFile({"vit-b16", "dinov2_vits14"});
                }).find("Did you mean dinov2-s14") != std::string::npos);
    }

    void impossiblePairsAreProblemsBeforeTheRun() {
        const OptionTable table(engineCatalogue());
        Experiment experiment = table.defaults();
        QVERIFY(table.problems(experiment).empty());
        experiment.backbone.name = "vit-b16";
        QCOMPARE(table.problems(experiment).size(), std::size_t{1});
        experiment.backbone.weights = "random";
        QVERIFY(table.problems(experiment).empty());
        experiment.backbone.name = "any";
        QCOMPARE(table.problems(experiment).size(), std::size_t{1});
    }

    void everyFormatGivesTheSameFacts() {
        const auto weights = tinyWeights(tinyShape());
        const auto service = makeBackboneService();
        const BackboneFacts facts = service->facts(written(weights));
        QCOMPARE(facts.format, std::string("safetensors"));
        QCOMPARE(facts.layout, std::string("timm"));
        QCOMPARE(facts.title, std::string("A vision transformer 8 wide, 2 blocks, patches of 4, 8 x 8 pixels"));
        QCOMPARE(facts.width, std::int64_t{8});
        QCOMPARE(facts.heads, std::int64_t{2});
        QCOMPARE(facts.backbone, std::string("any"));
        QVERIFY(facts.known_as.empty());
        std::int64_t count = 0;
        for (const auto& [name, tensor] : weights) count += tensor.numel();
        QCOMPARE(facts.parameters, count);
        const auto [pickle, data] = stateDict(weights, "archive");
        const std::filesystem::path torch = folder_.filePath("weights.pt").toStdString();
        const BackboneFacts other = service->facts(writeTorch(torch, pickle, data));
        QCOMPARE(other.format, std::string("PyTorch state dictionary"));
        QCOMPARE(other.parameters, count);
    }

    void theEmbeddedWeightsAreKnownWhereverTheyLie() {
        const std::filesystem::path copy = folder_.filePath("renamed.bin").toStdString();
        std::filesystem::copy_file(embeddedBackboneFile(), copy);
        const BackboneFacts facts = makeBackboneService()->facts(copy);
        QCOMPARE(facts.known_as, std::string("palimpsest-stem-vit"));
        QCOMPARE(facts.backbone, std::string("palimpsest-stem-vit"));
        QCOMPARE(facts.image_size, std::int64_t{32});
        std::fstream file(copy, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-1, std::ios::end);
        file.put('\1');
        file.close();
        QVERIFY(makeBackboneService()->facts(copy).known_as.empty());
    }

    void factsSayWhatARunWouldComplainAbout() {
        auto weights = tinyWeights(tinyShape());
        std::erase_if(weights, [](const NamedTensor& entry) { return entry.name == "norm.bias"; });
        const auto file = written(weights);
        QVERIFY(complaint([&] { makeBackboneService()->facts(file); }).find("norm.bias") != std::string::npos);
    }

    void cardsAreComplete() {
        std::set<std::string> names;
        for (const BackboneCard& card : makeBackboneService()->cards()) {
            QVERIFY2(names.insert(card.name).second, card.name.c_str());
            QVERIFY2(!card.title.empty() && card.summary.ends_with('.') && !card.origin.empty() &&
                         !card.licence.empty() && !card.file.empty(),
                     card.name.c_str());
            QVERIFY2(card.embedded || card.address.starts_with("https://"), card.name.c_str());
            QVERIFY2(card.checksum.empty() || card.checksum.size() == 7 + 64, card.name.c_str());
        }
        QVERIFY(makeBackboneService()->cards().front().embedded);
        QVERIFY(makeLaboratory(folder_.path().toStdString()).backbones);
    }
};

PALIMPSEST_APPLESS_TEST(TestBackbones)

}  // namespace tst_backbones

#include "tst_backbones.moc"
