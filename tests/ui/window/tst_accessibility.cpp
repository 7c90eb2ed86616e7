// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>

#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_adaptation.h"
#include "tests/support/scripted_backbones.h"
#include "tests/support/scripted_datasets.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/option_form.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_accessibility {

namespace {

/// Widgets that Qt makes inside its own ones have names of their own.
bool madeByQt(const QWidget* widget) {
    const QWidget* parent = widget->parentWidget();
    for (const QWidget* each = widget; each; each = each->parentWidget())
        if (each->inherits("QComboBoxPrivateContainer")) return true;
    return widget->objectName().startsWith("qt_") || widget->windowType() == Qt::Popup ||
           qobject_cast<const QMenu*>(widget) || qobject_cast<const QScrollBar*>(widget) ||
           qobject_cast<const QHeaderView*>(widget) || qobject_cast<const QAbstractItemView*>(parent) ||
           qobject_cast<const QLineEdit*>(parent) || qobject_cast<const QAbstractSpinBox*>(parent) ||
           qobject_cast<const QComboBox*>(parent);
}

bool isControl(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QAbstractItemView*>(widget) ||
           qobject_cast<const QAbstractSlider*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget);
}

QString placeOf(const QWidget* widget) {
    QString place;
    int depth = 0;
    for (const QWidget* each = widget; each && depth < 3; each = each->parentWidget(), ++depth)
        place += QString("%1 '%2' ").arg(each->metaObject()->className(), each->objectName());
    return place;
}

/// Everything below `root` that a person who hears the window, or rests the mouse on it, is told nothing about.
QStringList mute(const QWidget* root) {
    QStringList complaints;
    for (const QWidget* widget : root->findChildren<QWidget*>()) {
        if (madeByQt(widget) || qobject_cast<const QFileDialog*>(widget->window())) continue;
        const bool reached = widget->focusPolicy() & Qt::TabFocus;
        if ((reached || isControl(widget)) && widget->accessibleName().isEmpty())
            complaints.append("no accessible name: " + placeOf(widget));
        if (isControl(widget) && widget->toolTip().isEmpty()) complaints.append("no tool tip: " + placeOf(widget));
        if (isControl(widget) && widget->objectName().isEmpty())
            complaints.append("no object name: " + placeOf(widget));
    }
    return complaints;
}

}  // namespace

class TestAccessibility : public QObject {
    Q_OBJECT
private:
    ScriptedRun run_;
    ScriptedAdaptation adaptation_;
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    Laboratory laboratory() const {
        Laboratory lab = run_.laboratory();
        lab.adapt = adaptation_.function();
        const auto backbones = std::make_shared<ScriptedBackbones>();
        backbones->allowAll();
        lab.backbones = backbones;
        const auto datasets = std::make_shared<ScriptedDatasets>();
        datasets->allowAll();
        lab.datasets = datasets;
        return lab;
    }

private Q_SLOTS:
    void initTestCase() {
        applyAppearance(*qApp, Appearance::Dark);
        window_ = std::make_unique<MainWindow>(laboratory(), folder_.filePath("runs").toStdString());
        window_->show();
        const auto run = writeMadeUpRun(OptionTable(ScriptedRun::catalogue()), folder_.path().toStdString(), "batch");
        QSignalSpy opened(window_.get(), &MainWindow::opened);
        window_->open(QString::fromStdString(run.string()));
        QVERIFY(opened.wait());
        window_->experimentPanel()->form()->setExpertShown(true);
        window_->findChild<QAction*>("compareLanes")->trigger();
    }
    void cleanupTestCase() { window_.reset(); }

    void everythingInTheWindowHasANameAndATip() {
        const QStringList complaints = mute(window_.get());
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints.join('\n')));
        QVERIFY(window_->findChildren<QAbstractButton*>().size() > 30);
    }

    void everythingInADialogHasANameAndATip_data() {
        QTest::addColumn<QString>("action");
        for (const char* action : {"datasets", "drawClass", "backbone", "initialSession", "memory", "maskLens",
                                   "attention", "compareStreams", "addToQueue", "newSweep", "runThere", "shortcuts",
                                   "branches", "exportFigure", "guide", "findAnything", "welcome"})
            QTest::newRow(action) << action;
    }
    void everythingInADialogHasANameAndATip() {
        QFETCH(QString, action);
        auto* command = window_->findChild<QAction*>(action);
        QVERIFY(command);
        QVERIFY2(command->isEnabled(), "out of reach");
        const qsizetype before = window_->findChildren<QWidget*>().size();
        command->trigger();
        if (action != QLatin1String("findAnything") && action != QLatin1String("welcome"))
            QTRY_VERIFY(window_->findChildren<QWidget*>().size() > before + 3);
        QStringList complaints;
        for (const QWidget* top : QApplication::topLevelWidgets()) complaints += mute(top);
        complaints.removeDuplicates();
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints.join('\n')));
        for (QDialog* dialog : window_->findChildren<QDialog*>()) dialog->close();
    }

    void everyCommandSaysWhatItDoes() {
        for (const QAction* action : window_->findChildren<QAction*>())
            if (!action->isSeparator() && !action->objectName().isEmpty() && !action->objectName().startsWith("_q_"))
                QVERIFY2(!action->text().isEmpty(), qPrintable(action->objectName()));
    }

    void whatIsMuteIsFound() {
        QWidget root;
        auto* button = new QPushButton("Words", &root);
        button->setObjectName("mute");
        QCOMPARE(mute(&root).size(), 2);
        button->setAccessibleName("Words");
        QCOMPARE(mute(&root).size(), 1);
        button->setToolTip("What it does");
        QVERIFY(mute(&root).isEmpty());
    }
};

PALIMPSEST_TEST(TestAccessibility)

}  // namespace tst_accessibility

#include "tst_accessibility.moc"
