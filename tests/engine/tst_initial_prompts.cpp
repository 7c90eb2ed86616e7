// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QFile>
#include <QTemporaryDir>

#include "engine/method/initial_prompts.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_initial_prompts {

namespace {

BackboneOptions backboneOf(const std::string& name, const std::string& weights) {
    BackboneOptions backbone;
    backbone.name = name;
    backbone.weights = weights;
    return backbone;
}
const BackboneOptions kEmbedded = backboneOf("palimpsest-vit", "embedded");

std::string chosen(const std::string& prompts, const BackboneOptions& backbone = kEmbedded) {
    InitialSessionOptions options;
    options.prompts = prompts;
    return initialPrompts(options, backbone);
}

/// Error for the user; empty when the prompts are accepted.
QString refusal(const std::string& prompts, const BackboneOptions& backbone = kEmbedded) {
    try {
        chosen(prompts, backbone);
    } catch (const Error& error) {
        return error.kind() == ErrorKind::Input ? QString::fromStdString(error.sentence()) : "wrong kind of error";
    }
    return {};
}

}  // namespace

class TestInitialPrompts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(folder_->path()).mkpath("prompts"));
        QFile file(folder_->filePath("prompts/palimpsest-vit-fam.safetensors"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        before_ = qgetenv("PALIMPSEST_RESOURCES");
        qputenv("PALIMPSEST_RESOURCES", folder_->path().toLocal8Bit());
    }
    void cleanup() { qputenv("PALIMPSEST_RESOURCES", before_); }

    void noneIsNone() {
        QCOMPARE(chosen("none"), std::string("none"));
        QCOMPARE(chosen("none", backboneOf("another", "there.npz")), std::string("none"));
    }

    void shippedPromptsComeFromTheResources() {
        QCOMPARE(QString::fromStdString(chosen("fam")), folder_->filePath("prompts/palimpsest-vit-fam.safetensors"));
        const QString stem = folder_->filePath("prompts/palimpsest-stem-vit-fam.safetensors");
        QVERIFY(QFile::copy(folder_->filePath("prompts/palimpsest-vit-fam.safetensors"), stem));
        QCOMPARE(QString::fromStdString(chosen("fam", backboneOf("palimpsest-stem-vit", "embedded"))), stem);
    }

    void shippedPromptsOfAnotherBackboneAreRefused() {
        const QString weights = refusal("fam", backboneOf("palimpsest-vit", "mine.safetensors"));
        QVERIFY2(weights.contains("backbone.weights is mine.safetensors"), qPrintable(weights));
        QVERIFY2(weights.contains("`palimpsest-cli isa`"), qPrintable(weights));
        const QString name = refusal("naive", backboneOf("vit-b16", "embedded"));
        QVERIFY2(name.contains("backbone.name is vit-b16"), qPrintable(name));
    }

    void missingShippedPromptsNameTheirPlace() {
        const QString message = refusal("sam");
        QVERIFY2(message.contains("palimpsest-vit-sam.safetensors") && message.contains("isa"), qPrintable(message));
    }

    void placesAreTakenAsTheyAre() {
        const std::string file = folder_->filePath("prompts/palimpsest-vit-fam.safetensors").toStdString();
        QCOMPARE(chosen(file, backboneOf("another", "there.npz")), file);
        QCOMPARE(chosen(folder_->path().toStdString()), folder_->path().toStdString());
    }

    void whatIsNotThereIsRefused() {
        QVERIFY(refusal("/no/prompts.safetensors").contains("/no/prompts.safetensors"));
        QVERIFY(refusal("/no/prompts.safetensors").contains("`palimpsest-cli isa`"));
        QVERIFY2(refusal("naiv").contains("Did you mean naive?"), qPrintable(refusal("naiv")));
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
    QByteArray before_;
};

PALIMPSEST_APPLESS_TEST(TestInitialPrompts)

}  // namespace tst_initial_prompts

#include "tst_initial_prompts.moc"
