// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/cli_program.h"
#include "tests/support/file_content.h"
#include "tests/support/http_server.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_cli_backbones {

/// Well-known weights from a mirror on this machine; every other address leads to a proxy that does not exist.
class TestCliBackbones : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        server_ = std::make_unique<HttpServer>();
        environment_ = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"http_proxy", "https_proxy"}) environment_.insert(name, "http://127.0.0.1:1");
        for (const char* name : {"HTTPS_PROXY", "all_proxy", "ALL_PROXY", "NO_PROXY"}) environment_.remove(name);
        environment_.insert("no_proxy", "127.0.0.1");
        environment_.insert("PALIMPSEST_DATA", folder_->filePath("data"));
    }

    void nothingIsFetchedWithoutConsent() {
        serve(std::string(5000, 'x'));
        const Outcome outcome = call({"backbones", "fetch", "dinov2-s14", "--mirror", mirror()}, environment_);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.out.contains("Apache-2.0") && outcome.out.contains("https://"), outcome.out.constData());
        QVERIFY2(outcome.err.contains("Nothing was fetched") && outcome.err.contains("--yes"), outcome.err.constData());
        // A mirror may ask for a password, which is nobody's who reads the question.
        const QString secret = mirror().replace("http://", "http://anna:secret@");
        const Outcome asked = call({"backbones", "fetch", "dinov2-s14", "--mirror", secret}, environment_);
        QVERIFY2(asked.err.contains("comes from " + mirror().toUtf8() + " under"), asked.err.constData());
        QVERIFY2(!(asked.out + asked.err).contains("secret") && !(asked.out + asked.err).contains("anna"),
                 asked.err.constData());
        QVERIFY(server_->requests().empty());
    }

    void oneCommandFetchesAndTheListKnowsIt() {
        serve(smallDino());
        const QStringList command{"backbones", "fetch", "dinov2-s14", "--yes", "--mirror", mirror()};
        const Outcome outcome = call(command, environment_);
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const QString place = folder_->filePath("data/backbones/dinov2-s14/dinov2_vits14_pretrain.pth");
        QVERIFY(QFile::exists(place));
        QVERIFY2(outcome.out.contains("backbone.weights=dinov2-s14"), outcome.out.constData());
        QJsonObject line;
        for (const QJsonObject& each : jsonLines(call({"backbones", "--json"}, environment_).out))
            if (each["name"] == "dinov2-s14") line = each;
        QVERIFY(line["present"].toBool() && line["remembered"].toString().startsWith("sha256:"));
        const Outcome anew =
            call({"backbones", "fetch", "dinov2-s14", "--new-file", "--mirror", mirror()}, environment_);
        QVERIFY2(anew.code == 2 && anew.err.contains("--yes"), anew.err.constData());
        const Outcome again = call({"backbones", "fetch", "dinov2-s14", "--json"}, environment_);
        QCOMPARE(again.code, 0);
        QCOMPARE(jsonLines(again.out).last()["event"].toString(), QString("fetched"));
        QCOMPARE(server_->requests().size(), std::size_t(1));
    }

    void anotherNetworkIsRefused() {
        serve(contentOf(std::string(PALIMPSEST_TEST_DATA) + "/backbones/dinov2.safetensors"));
        const Outcome outcome = call({"backbones", "fetch", "dinov2-s14", "--yes", "--mirror", mirror()}, environment_);
        QCOMPARE(outcome.code, 1);
        QVERIFY2(
            outcome.err.contains("sent a file that is of a vision transformer 8 wide, 2 blocks, patches of 4 where "
                                 "ViT-S/14 is expected"),
            outcome.err.constData());
        QVERIFY(!QFile::exists(folder_->filePath("data/backbones/dinov2-s14/dinov2_vits14_pretrain.pth")));
        QVERIFY(!QFile::exists(folder_->filePath("data/backbones/first-fetched/dinov2-s14.txt")));
    }

    void aWebPageIsRefused() {
        serve("<!doctype html><p>Log in first");
        const Outcome outcome = call({"backbones", "fetch", "dinov2-s14", "--yes", "--mirror", mirror()}, environment_);
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.contains("dinov2_vits14_pretrain.pth could not be fetched") &&
                     outcome.err.contains("sent a web page (30 bytes)") && !outcome.err.contains(".part"),
                 outcome.err.constData());
        QVERIFY(!QFile::exists(folder_->filePath("data/backbones/dinov2-s14/dinov2_vits14_pretrain.pth")));
    }

    void namesThatAreNoneAreSaid() {
        const Outcome nameless = call({"backbones", "fetch"}, environment_);
        QCOMPARE(nameless.code, 2);
        QVERIFY2(nameless.err.contains("`palimpsest-cli backbones fetch --help`"), nameless.err.constData());
        const Outcome unknown = call({"backbones", "fetch", "dinov2-s15", "--yes"}, environment_);
        QCOMPARE(unknown.code, 2);
        QVERIFY2(unknown.err.contains("Did you mean dinov2-s14?"), unknown.err.constData());
        const Outcome whole = call({"backbones", "fetch", "vit-b16"}, environment_);
        QVERIFY2(whole.err.contains("Did you mean vit-b16-in21k, vit-b16-augreg or vit-b16-in21k-hf?"),
                 whole.err.constData());
        const Outcome own = call({"backbones", "fetch", "palimpsest-vit", "--yes"}, environment_);
        QCOMPARE(own.code, 2);
        QVERIFY2(own.err.contains("comes with the program") &&
                     own.err.contains("Set backbone.name to palimpsest-vit and backbone.weights to embedded."),
                 own.err.constData());
        const Outcome offline = call({"backbones", "fetch", "dinov2-s14", "--offline"}, environment_);
        QCOMPARE(offline.code, 2);
        QVERIFY2(offline.err.contains("Offline, DINOv2 ViT-S/14 cannot be completed"), offline.err.constData());
    }

    // Nobody is asked to agree to what cannot be fetched.
    void weightsWithoutAnAddressAreSaidAtOnce() {
        for (const QStringList& agreed : {QStringList{}, QStringList{"--yes"}}) {
            const Outcome outcome = call(QStringList{"backbones", "fetch", "deit-s16-611"} + agreed, environment_);
            QCOMPARE(outcome.code, 2);
            QVERIFY2(outcome.out.isEmpty() && !outcome.err.contains("--yes") &&
                         outcome.err.contains("there is no address for best_checkpoint.pth") &&
                         outcome.err.contains("https://github.com/k-gyuhak/MORE") && outcome.err.contains("--have"),
                     outcome.err.constData());
        }
        const Outcome mirrored =
            call({"backbones", "fetch", "deit-s16-611", "--mirror", "http://127.0.0.1:1/x"}, environment_);
        QCOMPARE(mirrored.code, 2);
        QVERIFY2(
            mirrored.err.contains("under a licence that its makers do not state") && mirrored.err.contains("--yes"),
            mirrored.err.constData());
    }

    void aMirrorThatIsNoAddressIsRefused() {
        for (const QStringList& agreed : {QStringList{}, QStringList{"--yes"}}) {
            const Outcome outcome =
                call(QStringList{"backbones", "fetch", "dinov2-s14", "--mirror", "nonsense"} + agreed, environment_);
            QCOMPARE(outcome.code, 2);
            QVERIFY2(outcome.err.contains("\"nonsense\" is not an address"), outcome.err.constData());
        }
    }

private:
    /// A network of ViT-S/14's size for small images, of zeros in half precision, as .safetensors: 43 MB.
    static std::string smallDino() {
        constexpr int kWidth = 384, kHidden = 4 * kWidth, kBlocks = 12, kPatch = 14, kPositions = 5;
        QJsonObject header;
        qint64 size = 0;
        const auto add = [&](const QString& name, const QList<int>& extents) {
            QJsonArray shape;
            qint64 bytes = 2;
            for (const int extent : extents) {
                shape.append(extent);
                bytes *= extent;
            }
            header[name] =
                QJsonObject{{"dtype", "F16"}, {"shape", shape}, {"data_offsets", QJsonArray{size, size + bytes}}};
            size += bytes;
        };
        const auto addLayer = [&](const QString& name, const QList<int>& extents) {
            add(name + ".weight", extents);
            add(name + ".bias", {extents.first()});
        };
        add("cls_token", {1, 1, kWidth});
        add("pos_embed", {1, kPositions, kWidth});
        addLayer("patch_embed.proj", {kWidth, 3, kPatch, kPatch});
        for (int i = 0; i < kBlocks; ++i) {
            const QString block = QString("blocks.%1.").arg(i);
            addLayer(block + "norm1", {kWidth});
            addLayer(block + "attn.qkv", {3 * kWidth, kWidth});
            addLayer(block + "attn.proj", {kWidth, kWidth});
            addLayer(block + "norm2", {kWidth});
            addLayer(block + "mlp.fc1", {kHidden, kWidth});
            addLayer(block + "mlp.fc2", {kWidth, kHidden});
        }
        addLayer("norm", {kWidth});
        const std::string text = QJsonDocument(header).toJson(QJsonDocument::Compact).toStdString();
        std::string content;
        for (int byte = 0; byte < 8; ++byte) content += static_cast<char>((text.size() >> (8 * byte)) & 0xff);
        content += text;
        content.resize(content.size() + static_cast<std::size_t>(size), '\0');
        return content;
    }

    QString mirror() const { return QString::fromStdString(server_->url("/mirror")); }
    void serve(const std::string& content) {
        Answer answer;
        answer.body = content;
        server_->serve("/mirror/dinov2_vits14_pretrain.pth", {answer});
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<HttpServer> server_;
    QProcessEnvironment environment_;
};

PALIMPSEST_GUILESS_TEST(TestCliBackbones)

}  // namespace tst_cli_backbones

#include "tst_cli_backbones.moc"
