// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/backbone_names.h"

#include <QTest>

#include "engine/config/option_table.h"
#include "engine/support/error.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_backbone_names {

class TestBackboneNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesAreKnownAsOthersWriteThem_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("meant");
        QTest::newRow("the beginning") << "vit-b16"
                                       << "vit-b16-in21k, vit-b16-augreg, vit-b16-in21k-hf";
        QTest::newRow("without signs") << "ViTB16"
                                       << "vit-b16-in21k, vit-b16-augreg, vit-b16-in21k-hf";
        QTest::newRow("timm") << "vit_base_patch16_224"
                              << "vit-b16-in21k, vit-b16-augreg, vit-b16-in21k-hf";
        QTest::newRow("papers") << "ViT-S/16"
                                << "vit-s16-augreg";
        QTest::newRow("Hugging Face") << "google/vit-base-patch16-224-in21k"
                                      << "vit-b16-in21k";
        QTest::newRow("DeiT") << "deit_small_patch16_224"
                              << "deit-s16";
        QTest::newRow("DINOv2") << "dinov2_vits14"
                                << "dinov2-s14";
        QTest::newRow("misspelt") << "mae-b61"
                                  << "mae-b16";
        QTest::newRow("capitals") << "MAE_B16"
                                  << "mae-b16";
        QTest::newRow("nothing near") << "resnet50"
                                      << "";
        QTest::newRow("one letter") << "b"
                                    << "";
        QTest::newRow("signs alone") << "---"
                                     << "";
        QTest::newRow("endless") << QString(100'000, 'b') << "";
    }
    void namesAreKnownAsOthersWriteThem() {
        QFETCH(QString, word);
        QFETCH(QString, meant);
        const std::vector<std::string> known = {"vit-b16-in21k", "vit-s16-augreg", "vit-b16-augreg", "vit-b16-in21k-hf",
                                                "deit-s16",      "deit-s16-611",   "dinov2-s14",     "mae-b16"};
        QStringList near;
        for (const std::string& name : nearestBackbones(word.toStdString(), known))
            near << QString::fromStdString(name);
        QCOMPARE(near.join(", "), meant);
    }

    void anExperimentsBackboneIsAskedAbout() {
        const OptionTable table{testCatalogue()};
        Experiment experiment = table.defaults();
        std::vector<std::string> names;
        for (const Choice& choice : table.catalogue().backbones) names.push_back(choice.value);
        std::string wide = names.front();
        for (char& c : wide) c = c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
        try {
            table.setText(experiment, "backbone.name", wide);
            QFAIL("it was taken");
        } catch (const Error& error) {
            QCOMPARE(error.hint(), "Did you mean " + names.front() + "?");
        }
    }
};

PALIMPSEST_GUILESS_TEST(TestBackboneNames)

}  // namespace tst_backbone_names

#include "tst_backbone_names.moc"
