// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QtTest>
#include <atomic>

#include "tests/support/scripted_datasets.h"
#include "tests/support/test_program.h"
#include "tests/support/watched_model.h"
#include "ui/datasets/dataset_library.h"
#include "ui/datasets/dataset_list_model.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_dataset_list_model {

namespace {

/// Fewer data sets from one reading to the next.
struct Shrinking : ScriptedDatasets {
    std::vector<DatasetCard> cards(const std::filesystem::path& root) const override {
        std::vector<DatasetCard> all = ScriptedDatasets::cards(root);
        all.resize(shown);
        return all;
    }
    std::atomic<std::size_t> shown = 4;
};

}  // namespace

class TestDatasetListModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theRowsAreThoseOfTheLibrary() {
        const auto service = std::make_shared<Shrinking>();
        DatasetLibrary library(service);
        DatasetListModel model(&library);
        watch(model);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset), changed(&model, &QAbstractItemModel::dataChanged);
        library.refresh();
        QTRY_COMPARE(reset.count(), 1);
        QCOMPARE(columnOf(model, 0), (QStringList{"Fashion-MNIST", "CIFAR-100", "ImageNet", "Shapes"}));
        QCOMPARE(columnOf(model, 0, DatasetListModel::BadgeRole), (QStringList{"here", "missing", "missing", "here"}));
        // The same names again.
        library.refresh();
        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(reset.count(), 1);
        service->shown = 2;
        library.refresh();
        QTRY_COMPARE(reset.count(), 2);
        QCOMPARE(columnOf(model, 0, DatasetListModel::NameRole), (QStringList{"fashion-mnist", "cifar-100"}));
        QVERIFY(!model.indexOf("shapes").isValid());
    }

    void aFetchChangesItsRow() {
        const auto service = std::make_shared<ScriptedDatasets>();
        DatasetLibrary library(service);
        DatasetListModel model(&library);
        watch(model);
        library.refresh();
        QTRY_COMPARE(model.rowCount(), 4);
        library.fetch("cifar-100");
        service->allowSteps(3);
        QTRY_COMPARE(model.indexOf("cifar-100").data(DatasetListModel::BadgeRole).toString(), QString("30 %"));
        service->allowAll();
        QTRY_COMPARE(model.indexOf("cifar-100").data(DatasetListModel::BadgeRole).toString(), QString("here"));
        QVERIFY(!model.indexOf("cifar-100").data(DatasetListModel::ShareRole).isValid());
    }
};

PALIMPSEST_GUILESS_TEST(TestDatasetListModel)

}  // namespace tst_dataset_list_model

#include "tst_dataset_list_model.moc"
