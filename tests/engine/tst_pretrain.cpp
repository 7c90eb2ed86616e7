// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <fstream>

#include "engine/api.h"
#include "engine/support/error.h"

using namespace palimpsest;

namespace {

PretrainSettings tiny(const std::filesystem::path& out) {
    PretrainSettings settings;
    settings.classes = 3;
    settings.contour_classes = 3;
    settings.instances = 4;
    settings.steps = 4;
    settings.batch_size = 8;
    settings.patch_keep = 0.5;
    settings.probe_every = 0;
    settings.probe_train = 600;
    settings.probe_test = 250;
    settings.threads = 1;
    settings.precision = "float32";
    settings.out = out;
    return settings;
}

std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class TestPretrain : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sameSeedMakesTheSameFileAndItCanBeProbed() {
        QTemporaryDir folder;
        const std::filesystem::path a = folder.filePath("a.safetensors").toStdString();
        const std::filesystem::path b = folder.filePath("b.safetensors").toStdString();
        double probe = -1;
        pretrain(tiny(a), [&](const PretrainReport& news) {
            probe = news.probe_accuracy;
            return true;
        });
        pretrain(tiny(b), [](const PretrainReport&) { return true; });
        QVERIFY(probe > 0.3);  // even a random network's features tell clothes apart
        QVERIFY(bytesOf(a) == bytesOf(b));
        QVERIFY(!bytesOf(a).empty());
    }

    void absurdSettingsAreRefused() {
        PretrainSettings settings = tiny("out.safetensors");
        settings.steps = 0;
        QVERIFY_EXCEPTION_THROWN(pretrain(settings, [](const PretrainReport&) { return true; }), Error);
        settings = tiny("out.safetensors");
        settings.patch_keep = 2;
        QVERIFY_EXCEPTION_THROWN(pretrain(settings, [](const PretrainReport&) { return true; }), Error);
        settings = tiny("/no/such/folder/out.safetensors");
        QVERIFY_EXCEPTION_THROWN(pretrain(settings, [](const PretrainReport&) { return true; }), Error);
    }
};

QTEST_APPLESS_MAIN(TestPretrain)
#include "tst_pretrain.moc"
