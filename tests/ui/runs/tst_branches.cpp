// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTreeWidget>

#include "tests/support/forkable_run.h"
#include "tests/support/test_program.h"
#include "ui/runs/branches.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_branches {

namespace fs = std::filesystem;

class TestBranches : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    /// A folder of runs, and the library that looks at it.
    struct Scene {
        QTemporaryDir folder;
        std::unique_ptr<RunLibrary> library;
        fs::path runs() const { return folder.path().toStdString(); }
    };
    void look(Scene& scene) const {
        scene.library = std::make_unique<RunLibrary>(&table_, scene.runs());
        QSignalSpy scanned(scene.library.get(), &RunLibrary::scanned);
        scene.library->refresh();
        QVERIFY(scanned.wait());
    }
    fs::path run(const Scene& scene, const std::string& mask) const {
        return writeForkableRun(table_, scene.runs(), mask, {});
    }
    fs::path fork(const Scene& scene, const fs::path& parent, const std::string& mask, std::int64_t at) const {
        const fs::path place = run(scene, mask);
        nameParent(place, parent, at);
        return place;
    }
    static std::vector<BranchNode> treeOf(const Scene& scene) {
        return branchTree(scene.library->rows(), [&](const QString& id) { return scene.library->row(id); });
    }
    static QString idOf(const fs::path& folder) { return RunSet::idOf(folder.string(), 0); }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void forksStandBelowTheRunTheyCameFrom() {
        Scene scene;
        const fs::path root = run(scene, "batch"), alone = run(scene, "session");
        const fs::path first = fork(scene, root, "none", 1000), second = fork(scene, first, "seen", 2000);
        look(scene);
        const auto tree = treeOf(scene);
        QCOMPARE(tree.size(), std::size_t{1});
        QCOMPARE(tree[0].id, idOf(root));
        QCOMPARE(tree[0].forks.size(), std::size_t{1});
        QCOMPARE(tree[0].forks[0].id, idOf(first));
        QCOMPARE(tree[0].forks[0].row->forked_at, std::int64_t{1000});
        QCOMPARE(tree[0].forks[0].forks.size(), std::size_t{1});
        QCOMPARE(tree[0].forks[0].forks[0].id, idOf(second));
    }

    void aForkWhoseParentIsGoneIsListedBelowItsName() {
        Scene scene;
        const fs::path left = fork(scene, "/elsewhere/runs/lost", "none", 500);
        look(scene);
        const auto tree = treeOf(scene);
        QCOMPARE(tree.size(), std::size_t{1});
        QVERIFY(!tree[0].row);
        QCOMPARE(tree[0].name, QString("lost"));
        QCOMPARE(tree[0].forks[0].id, idOf(left));
    }

    void runsThatWereMovedTogetherAreFoundTogether() {
        Scene scene;
        const fs::path root = run(scene, "batch");
        fork(scene, "/elsewhere/runs" / root.filename(), "none", 500);
        look(scene);
        const auto tree = treeOf(scene);
        QCOMPARE(tree.size(), std::size_t{1});
        QCOMPARE(tree[0].id, idOf(root));
    }

    void aCircleOfForksHasAnEnd() {
        Scene scene;
        const fs::path first = run(scene, "batch"), second = fork(scene, first, "none", 500);
        nameParent(first, second, 500);
        look(scene);
        const auto tree = treeOf(scene);
        QCOMPARE(tree.size(), std::size_t{1});
        QCOMPARE(tree[0].forks.size(), std::size_t{1});
    }

    void theTreeSaysWhereWithWhatDifferenceAndWhatCameOfIt() {
        Scene scene;
        const fs::path root = run(scene, "batch"), child = fork(scene, root, "none", 1250);
        fork(scene, "/elsewhere/runs/lost", "seen", 500);
        look(scene);
        BranchesDialog dialog(scene.library.get());
        dialog.show();
        const QTreeWidget* tree = dialog.tree();
        QCOMPARE(tree->topLevelItemCount(), 2);
        dialog.choose(idOf(child));
        const QTreeWidgetItem* item = tree->currentItem();
        QVERIFY(item && item->parent());
        QCOMPARE(item->text(BranchesDialog::kMoment), QString("after 1,250 images"));
        QCOMPARE(item->text(BranchesDialog::kArea), QString("50.0 %"));
        QCOMPARE(item->text(BranchesDialog::kLast), QString("40.0 %"));
        QTRY_COMPARE(item->text(BranchesDialog::kDifference), QString("Logit mask: batch → none"));
        const auto gone = tree->findItems("lost (gone)", Qt::MatchExactly);
        QCOMPARE(gone.size(), 1);
        QCOMPARE(gone[0]->child(0)->text(BranchesDialog::kDifference), QString("The run it came from is gone"));
    }

    void withoutForksItSaysHowToMakeOne() {
        Scene scene;
        run(scene, "batch");
        look(scene);
        BranchesDialog dialog(scene.library.get());
        dialog.show();
        QVERIFY(dialog.tree()->isHidden());
        const auto* words = dialog.findChild<QLabel*>("branchesNothing");
        QVERIFY(words->isVisible());
        QVERIFY2(words->text().contains("Ctrl+B"), qPrintable(words->text()));
    }

    void aNewForkAppearsAndTheKeyboardStaysWhereItWas() {
        Scene scene;
        const fs::path root = run(scene, "batch"), first = fork(scene, root, "none", 500);
        look(scene);
        BranchesDialog dialog(scene.library.get());
        dialog.show();
        dialog.choose(idOf(first));
        const fs::path second = fork(scene, root, "seen", 1000);
        scene.library->refresh();
        QTRY_COMPARE(dialog.tree()->topLevelItem(0)->childCount(), 2);
        QCOMPARE(dialog.tree()->currentItem()->toolTip(BranchesDialog::kRun), idOf(first));
    }

    void whatIsChosenIsShownInThePlots() {
        Scene scene;
        const fs::path root = run(scene, "batch"), child = fork(scene, root, "none", 500);
        look(scene);
        RunSet store;
        RunsPanel panel(&store, scene.library.get());
        QAction command;
        QWidget window;
        BranchesController controller(scene.library.get(), &panel, &command, &window);
        command.trigger();
        auto* dialog = window.findChild<BranchesDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        dialog->choose(idOf(child));
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        dialog->tree()->setFocus();
        QTest::keyClick(dialog->tree(), Qt::Key_Return);
        QTRY_VERIFY(store.selected() && store.selected()->id == idOf(child));
        // The arrow keys move, and a click shows.
        QTest::keyClick(dialog->tree(), Qt::Key_Up);
        const QTreeWidgetItem* above = dialog->tree()->currentItem();
        QVERIFY(!above->parent());
        QTest::mouseClick(dialog->tree()->viewport(), Qt::LeftButton, {},
                          dialog->tree()->visualItemRect(above).center());
        QTRY_VERIFY(store.selected() && store.selected()->id == idOf(root));
    }
};

PALIMPSEST_TEST(TestBranches)

}  // namespace tst_branches

#include "tst_branches.moc"
