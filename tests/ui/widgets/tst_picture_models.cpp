// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/watched_model.h"
#include "ui/widgets/picture_grid.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_picture_models {

class TestPictureModels : public QObject {
    Q_OBJECT
private:
    const ClassNames words_{{"T-shirt", "Trouser", "Pullover"},
                            {ClassKind::Disjoint, ClassKind::Blurry, ClassKind::Unknown}};

    /// Image i is of class i modulo three.
    static KeptSamples kept(const std::vector<std::int64_t>& samples) {
        std::vector<KeptSample> places;
        for (const std::int64_t sample : samples) places.push_back({sample, static_cast<std::int32_t>(sample % 3)});
        return places;
    }
    static QStringList samples(const PictureGridModel& model) {
        return columnOf(model, 0, PictureGridModel::SampleRole);
    }

private Q_SLOTS:
    void placesOfAMemoryComeChangeAndGo() {
        constexpr int all = PictureClassModel::kAll;
        PictureGridModel model;
        watch(model);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted),
            removed(&model, &QAbstractItemModel::rowsRemoved), changed(&model, &QAbstractItemModel::dataChanged);
        model.setMemory(words_, kept({3, 4, 5}), all);
        QCOMPARE(samples(model), (QStringList{"3", "4", "5"}));
        changed.clear();
        model.setMemory(words_, kept({3, 7, 5, 8}), all);
        QCOMPARE(samples(model), (QStringList{"3", "7", "5", "8"}));
        QCOMPARE(inserted.count(), 2);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toModelIndex().row(), 1);
        QCOMPARE(changed[0][1].toModelIndex().row(), 1);
        model.setMemory(words_, kept({3, 7, 5, 8}), 1);
        QCOMPARE(samples(model), QStringList{"7"});
        QCOMPARE(removed.count(), 1);
        model.setMemory(words_, {}, all);
        QCOMPARE(model.rowCount(), 0);
    }

    void ofManyPlacesTheFirstAreShown() {
        PictureGridModel model;
        watch(model);
        std::vector<std::int64_t> many(PictureGridModel::kMostShown + 10);
        for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i);
        model.setMemory(words_, kept(many), PictureClassModel::kAll);
        QCOMPARE(model.rowCount(), static_cast<int>(PictureGridModel::kMostShown));
    }

    void classesThatComeGetARowWhereTheyBelong() {
        PictureClassModel model;
        watch(model);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset), inserted(&model, &QAbstractItemModel::rowsInserted);
        model.setMemory(words_, {100, {{}, 4, {}}});
        QCOMPARE(columnOf(model, 0), (QStringList{"All classes", "Trouser"}));
        QCOMPARE(reset.count(), 1);
        model.setMemory(words_, {200, {2, 4, 2}});
        QCOMPARE(columnOf(model, 0), (QStringList{"All classes", "T-shirt", "Trouser", "Pullover"}));
        QCOMPARE(columnOf(model, 0, PictureClassModel::CountRole), (QStringList{"8", "2", "4", "2"}));
        QCOMPARE(columnOf(model, 0, PictureClassModel::ShareRole), (QStringList{"", "0.5", "1", "0.5"}));
        QCOMPARE(reset.count(), 1);
        QCOMPARE(inserted.count(), 2);
        QCOMPARE(model.indexOf(2).row(), 3);
        QCOMPARE(model.indexOf(7).row(), 0);
        // Another memory, that has not seen them all.
        model.setMemory(words_, {50, {1, {}, {}}});
        QCOMPARE(columnOf(model, 0), (QStringList{"All classes", "T-shirt"}));
        QCOMPARE(reset.count(), 2);
    }
};

PALIMPSEST_GUILESS_TEST(TestPictureModels)

}  // namespace tst_picture_models

#include "tst_picture_models.moc"
