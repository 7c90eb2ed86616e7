// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>

#include "datasets/files/file_content.h"
#include "engine/inputs/backbone_cards.h"
#include "engine/inputs/backbone_kinds.h"
#include "engine/inputs/known_backbones.h"
#include "engine/network/backbone_fetch.h"
#include "engine/network/backbone_file_service.h"
#include "engine/network/tensor_file.h"
#include "engine/network/weights.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "tests/support/http_server.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_vit.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_backbone_fetch {

namespace fs = std::filesystem;

/// Weights from a server on this machine.
class TestBackboneFetch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) qunsetenv(name);
    }

    void init() {
        place_ = std::make_unique<QTemporaryDir>();
        server_ = std::make_unique<HttpServer>();
        folder_ = fs::path(place_->path().toStdString()) / "backbones";
        settings_ = {};
        weights_ = bytesOf(1);
        card_ = {};
        card_.name = "tiny";
        card_.title = "Tiny ViT";
        card_.licence = "CC0-1.0";
        card_.file = "tiny.pth";
        card_.kind = "any";
        card_.urls = {server_->url("/tiny.pth")};
        card_.address = card_.urls[0];
        file_ = folder_ / "tiny" / "tiny.pth";
        serve(weights_);
    }

    void theFirstFetchIsRemembered() {
        const BackboneFetchOutcome first = fetch();
        QVERIFY(!first.stopped && !first.there);
        QCOMPARE(first.file, file_);
        QCOMPARE(readTextFile(file_), weights_);
        QCOMPARE(first.checksum, fileChecksum(file_, DigestKind::Sha256)->text());
        QCOMPARE(rememberedChecksum(folder_, "tiny"), first.checksum);
        QVERIFY(!fs::exists(file_.string() + ".part"));
        const BackboneFetchOutcome second = fetch();
        QVERIFY(second.there);
        QCOMPARE(second.checksum, first.checksum);
        QCOMPARE(server_->requests().size(), std::size_t(1));
        // Damage is noticed, and made good.
        replaceTextFile(file_, weights_.substr(0, 100));
        QVERIFY(!fetch().there);
        QCOMPARE(readTextFile(file_), weights_);
    }

    void anotherFileThanTheFirstIsRefusedUnlessItIsAskedFor() {
        const std::string first = fetch().checksum;
        fs::remove(file_);
        serve(bytesOf(2));
        const std::string sentence = refusal();
        QVERIFY2(sentence.find("has the SHA-256 ") != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find(Checksum::parse(first).hex) != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find("--new-file") != std::string::npos, sentence.c_str());
        QVERIFY(!fs::exists(file_));
        QCOMPARE(rememberedChecksum(folder_, "tiny"), first);
        settings_.new_file = true;
        const std::string second = fetch().checksum;
        settings_.new_file = false;
        QVERIFY(second != first);
        QCOMPARE(rememberedChecksum(folder_, "tiny"), second);
    }

    void aNewFileTakesThePlaceOfTheOldOne() {
        const std::string first = fetch().checksum;
        const std::string second = bytesOf(2), third = bytesOf(3);
        serve(second);
        QVERIFY(fetch().there);
        settings_.new_file = true;
        const BackboneFetchOutcome fetched = fetch();
        QVERIFY(!fetched.there && fetched.checksum != first);
        QCOMPARE(readTextFile(file_), second);
        QCOMPARE(rememberedChecksum(folder_, "tiny"), fetched.checksum);
        // The old one stays where the new one is none.
        serve("no weights");
        QVERIFY(refusal() != "nothing was refused");
        QCOMPARE(readTextFile(file_), second);
        // One that the user has counts before the network.
        const fs::path mine = folder_.parent_path() / "mine.bin";
        replaceTextFile(mine, third);
        settings_.have = mine;
        settings_.offline = true;
        QVERIFY(!fetch().there);
        QCOMPARE(readTextFile(file_), third);
        // Also where it was put into its place by hand.
        replaceTextFile(file_, weights_);
        settings_.have = file_;
        QCOMPARE(fetch().checksum, first);
        settings_.have.clear();
        const std::string sentence = refusal();
        QVERIFY2(sentence.find("is to be replaced by a new one") != std::string::npos, sentence.c_str());
    }

    void onlyAnotherChecksumIsToldOfNewFiles() {
        fetch();
        fs::remove(file_);
        server_->serve("/tiny.pth", {[] {
                           Answer missing;
                           missing.status = 404;
                           return missing;
                       }()});
        // Not where the sentence has the digits for another reason.
        card_.urls = {server_->url("/" + Checksum::parse(rememberedChecksum(folder_, "tiny")).hex + "/tiny.pth")};
        const std::string sentence = refusal();
        QVERIFY2(sentence.find("--new-file") == std::string::npos, sentence.c_str());
    }

    void whatIsNotTheFileIsRefusedInASentenceAndTheOldOneStays_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("says");
        QTest::newRow("a web page") << "page"
                                    << "web page";
        QTest::newRow("a web page under another type") << "page without a type"
                                                       << "/tiny.pth sent a web page (43 bytes) instead of";
        QTest::newRow("neither a page nor weights") << "noise"
                                                    << "is no such backbone (The file tiny.pth is no file of weights)";
        QTest::newRow("a cut file") << "cut"
                                    << "tiny.pth";
        QTest::newRow("an empty file") << "empty"
                                       << "tiny.pth";
        QTest::newRow("not found") << "missing"
                                   << "404";
    }
    void whatIsNotTheFileIsRefusedInASentenceAndTheOldOneStays() {
        QFETCH(QString, what);
        QFETCH(QString, says);
        const std::string page = "<!doctype html><title>Please log in</title>";
        Answer answer;
        answer.body = what.startsWith("page") ? page
                      : what == "cut"         ? weights_.substr(0, 500)
                      : what == "noise"       ? std::string(5000, 'x')
                                              : std::string();
        answer.type = what == "page" ? "text/html" : "application/octet-stream";
        if (what == "missing") answer.status = 404;
        server_->serve("/tiny.pth", {answer});
        const std::string first = refusal();
        QVERIFY2(first.find(says.toStdString()) != std::string::npos, first.c_str());
        QVERIFY2(first.find("tiny.pth could not be fetched: ") == 0, first.c_str());
        QVERIFY2(first.find(".part") == std::string::npos, first.c_str());
        QVERIFY(!fs::exists(file_));
        QVERIFY(rememberedChecksum(folder_, "tiny").empty());
        // One that was there before stays, damaged as it is.
        serve(weights_);
        fetch();
        replaceTextFile(file_, "damaged");
        server_->serve("/tiny.pth", {answer});
        refusal();
        QCOMPARE(readTextFile(file_), std::string("damaged"));
    }

    void aNetworkOfAnotherKindIsRefused() {
        card_.kind = "vit-b16";
        const std::string sentence = refusal();
        QVERIFY2(sentence.find("8 wide") != std::string::npos && sentence.find("ViT-B/16") != std::string::npos,
                 sentence.c_str());
        QVERIFY(!fs::exists(file_));
    }

    void aNetworkOfAnotherShapeIsNeitherTakenNorRemembered_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("sent");
        const auto row = [](const char* wanted, const char* sent) { QTest::newRow(wanted) << wanted << sent; };
        row("dinov2", "dinov2-registers");
        row("dinov2-registers", "dinov2");
        row("dinov2-registers-hf", "dinov2-registers-timm");
        row("siglip", "dinov2");
        row("siglip-hf", "mean-of-patches");
        row("deit-distilled", "dinov2-registers");
        row("mae", "deit-distilled");
    }
    void aNetworkOfAnotherShapeIsNeitherTakenNorRemembered() {
        QFETCH(QString, wanted);
        QFETCH(QString, sent);
        const auto made = [](const QString& name) {
            return fs::path(PALIMPSEST_TEST_DATA) / "backbones" / (name.toStdString() + ".safetensors");
        };
        card_.shape = readBackbone(made(wanted)).shape;
        const VitShape other = readBackbone(made(sent)).shape;
        serve(readTextFile(made(sent)));
        const std::string sentence = refusal();
        const std::string says = "is of " + vitName(other) + " where " + vitName(*card_.shape) + " is expected";
        QVERIFY2(sentence.find(says) != std::string::npos, sentence.c_str());
        QVERIFY(vitName(other) != vitName(*card_.shape));
        QVERIFY(!fs::exists(file_));
        QVERIFY(rememberedChecksum(folder_, "tiny").empty());
        // Neither is one that was put there by hand.
        fs::create_directories(file_.parent_path());
        fs::copy_file(made(sent), file_);
        const std::string found = refusal();
        QVERIFY2(found.find(says) != std::string::npos, found.c_str());
        QVERIFY(rememberedChecksum(folder_, "tiny").empty());
        fs::remove(file_);
        serve(readTextFile(made(wanted)));
        QVERIFY(fs::exists(fetch().file));
    }

    void digitsInTheNameCount() {
        const fs::path sample = folder_.parent_path() / "sample";
        replaceTextFile(sample, weights_);
        const std::string hex = fileChecksum(sample, DigestKind::Sha256)->hex;
        for (const bool right : {false, true}) {
            card_.file = "tiny-" + (right ? hex.substr(0, 8) : std::string("00000000")) + ".pth";
            card_.urls = {server_->url("/" + card_.file)};
            Answer answer;
            answer.body = weights_;
            server_->serve("/" + card_.file, {answer});
            if (right)
                QVERIFY(fs::exists(fetch().file));
            else
                QVERIFY(refusal().find("does not begin with the digits 00000000") != std::string::npos);
        }
    }

    void aFetchThatWasStoppedGoesOn() {
        Answer slow;
        slow.body = weights_;
        slow.hang_after = 1000;
        server_->serve("/tiny.pth", {slow});
        std::stop_source stop;
        settings_.stop = stop.get_token();
        std::thread stopping([&] {
            while (server_->requests().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
            while (!fs::exists(file_.string() + ".part") || fs::file_size(file_.string() + ".part") < 1000)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            stop.request_stop();
        });
        const BackboneFetchOutcome outcome = fetchBackbone(card_, all());
        stopping.join();
        QVERIFY(outcome.stopped);
        QVERIFY(!fs::exists(file_));
        settings_.stop = {};
        serve(weights_);
        QVERIFY(!fetch().stopped);
        QCOMPARE(readTextFile(file_), weights_);
        QVERIFY(server_->requests().back().headers.contains("range"));
    }

    void aFileOfTheUsersOwnAndAMirrorWillDo() {
        settings_.offline = true;
        const std::string offline = refusal();
        QVERIFY2(offline.find("Offline, Tiny ViT cannot be completed") == 0, offline.c_str());
        const fs::path mine = folder_.parent_path() / "mine.bin";
        replaceTextFile(mine, "<html>login</html>");
        settings_.have = mine;
        const std::string page = refusal();
        QVERIFY2(page.find("mine.bin is a web page (18 bytes), so it is not tiny.pth") != std::string::npos,
                 page.c_str());
        replaceTextFile(mine, "no weights");
        const std::string wrong = refusal();
        QVERIFY2(wrong.find("is no such backbone") != std::string::npos, wrong.c_str());
        QCOMPARE(readTextFile(mine), std::string("no weights"));
        replaceTextFile(mine, weights_);
        QVERIFY(fs::exists(fetch().file));
        QVERIFY(server_->requests().empty());
        QVERIFY(!rememberedChecksum(folder_, "tiny").empty());
        const auto origin = [this] {
            return QString::fromStdString(readTextFile(firstFetchedRecord(folder_, "tiny"))).section('\n', 1, 1);
        };
        QCOMPARE(origin(), QString::fromStdString(mine.string()));

        settings_ = {};
        fs::remove_all(folder_);
        card_.urls = {server_->url("/nothing/tiny.pth")};
        settings_.mirrors = {server_->url("/mirror")};
        Answer answer;
        answer.body = weights_;
        server_->serve("/mirror/tiny.pth", {answer});
        QVERIFY(fs::exists(fetch().file));
        QCOMPARE(origin(), QString::fromStdString(server_->url("/mirror/tiny.pth")));
    }

    void oneWithoutAnAddressSaysWhomToAsk() {
        card_.urls.clear();
        card_.address = "https://makers.example/";
        const std::string sentence = refusal();
        QVERIFY2(sentence.find("https://makers.example/") != std::string::npos, sentence.c_str());
    }

    void whatLiesThereUnreadIsNotTakenForTheRightOne() {
        fs::create_directories(file_.parent_path());
        replaceTextFile(file_, "put here by hand");
        const std::string sentence = refusal();
        QVERIFY2(sentence.find("is no such backbone") != std::string::npos, sentence.c_str());
        QVERIFY(rememberedChecksum(folder_, "tiny").empty());
        replaceTextFile(file_, weights_);
        QVERIFY(fetch().there);
        QVERIFY(!rememberedChecksum(folder_, "tiny").empty());
    }

    void aDamagedRecordIsASentence() {
        fetch();
        replaceTextFile(folder_ / "first-fetched" / "tiny.txt", "sha256:short\n");
        const std::string sentence = refusal();
        QVERIFY2(sentence.find("tiny.txt holds no checksum") != std::string::npos, sentence.c_str());
    }

    void everyNameIsOfACertainNetwork() {
        QStringList shapes;
        for (const BackboneCard& card : knownBackbones())
            if (card.shape) shapes << QString::fromStdString(card.name + ": " + vitName(*card.shape));
        QCOMPARE(shapes, (QStringList{"deit-s16-distilled: ViT-S/16 with a distillation token", "dinov2-s14: ViT-S/14",
                                      "dinov2-b14: ViT-B/14", "dinov2-s14-registers: ViT-S/14 with 4 registers",
                                      "siglip-b16: ViT-B/16 with an attention pool"}));
    }

    void namesAreCheckedAndTheTableIsSound() {
        QVERIFY_EXCEPTION_THROWN(knownBackbone("vit-b16-in21"), Error);
        QVERIFY_EXCEPTION_THROWN(knownBackbone("palimpsest-vit"), Error);
        QCOMPARE(knownBackbone("vit-b16-in21k").kind, std::string("vit-b16"));
        for (const BackboneCard& card : knownBackbones()) {
            QVERIFY2(!card.kind.empty() && (card.kind == "any") == card.shape.has_value(), card.name.c_str());
            for (const std::string& url : card.urls)
                QVERIFY2(url.starts_with("https://") && url.ends_with("/" + card.file), url.c_str());
            const std::string remedy = knownBackboneRemedy(card.name);
            QVERIFY2(card.urls.empty() ? remedy.find(card.address) != std::string::npos
                                       : remedy.ends_with("palimpsest-cli backbones fetch " + card.name),
                     remedy.c_str());
        }
    }

private:
    std::string bytesOf(std::uint64_t seed) const {
        const fs::path file = fs::path(place_->path().toStdString()) / "made.safetensors";
        writeSafetensors(file, tinyWeights(tinyShape(), seed));
        return readTextFile(file);
    }

    void serve(const std::string& content) {
        Answer answer;
        answer.body = content;
        server_->serve("/tiny.pth", {answer});
    }

    BackboneFetchSettings all() const {
        BackboneFetchSettings settings = settings_;
        settings.folder = folder_;
        settings.patience.first_pause = settings.patience.longest_pause = std::chrono::milliseconds(0);
        return settings;
    }

    BackboneFetchOutcome fetch() const { return fetchBackbone(card_, all()); }

    /// The sentence of a fetch that fails, with its hint.
    std::string refusal() const {
        try {
            fetch();
        } catch (const Error& error) {
            return error.hint().empty() ? "no hint" : error.sentence();
        }
        return "nothing was refused";
    }

    std::unique_ptr<QTemporaryDir> place_;
    std::unique_ptr<HttpServer> server_;
    fs::path folder_, file_;
    std::string weights_;
    BackboneCard card_;
    BackboneFetchSettings settings_;
};

PALIMPSEST_APPLESS_TEST(TestBackboneFetch)

}  // namespace tst_backbone_fetch

#include "tst_backbone_fetch.moc"
