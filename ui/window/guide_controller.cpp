// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/guide_controller.h"

#include <QAction>
#include "ui/commands/action_book.h"
#include "ui/state/window_state.h"
#include "ui/widgets/term_card.h"
#include "ui/window/main_menus.h"

namespace palimpsest {
namespace {

QString aboutPage(const Laboratory& laboratory) {
    return GuideController::
        tr("# Palimpsest %1\n\nWatch a neural network learn from a stream, forget, and be helped to remember.\n\n"
           "Computes on: %2  \nQt %3\n\n## Licence\n\n"
           "Palimpsest is free software: you may use it, study it, change it and pass it on under the terms of the GNU "
           "General Public License, version 3 or (at your choice) any later one. It comes without any warranty. The "
           "full text stands in the file LICENSE and at <https://www.gnu.org/licenses/gpl-3.0.html>.\n")
            .arg(QString::fromStdString(laboratory.version), QString::fromStdString(laboratory.device),
                 QLatin1String(qVersion()));
}

}  // namespace

GuideController::GuideController(WindowState& state, const MainMenus* menus, QWidget* window)
    : state_(state), menus_(menus), window_(window) {
    FileWorker* files = &state_.files;
    connect(files, &FileWorker::docsFound, this, [this](const QList<GuidePage>& pages) {
        if (!illustrated_) pages_ = pages;
    });
    connect(files, &FileWorker::illustratedDocsFound, this, &GuideController::setIllustratedPages);
    connect(menus_->action(Command::Guide), &QAction::triggered, this, [this] { showPage(); });
    connect(menus_->action(Command::Keyboard), &QAction::triggered, this, [this] { showPage("keyboard"); });
    connect(menus_->action(Command::About), &QAction::triggered, this, [this] { showPage("about"); });
    connect(menus_->book(), &ActionBook::keysChanged, this, [this] {
        if (viewer_) viewer_->addPages({{"keyboard", tr("Keyboard"), menus_->keyboardPage()}});
    });
    connect(&TermCards::instance(), &TermCards::guideAsked, this, &GuideController::showPage);
    files->findDocs();
}

void GuideController::setIllustratedPages(const QList<GuidePage>& pages) {
    pages_ = pages;
    illustrated_ = true;
    if (wanted_) open(*wanted_, wanted_section_);
    wanted_.reset();
}

void GuideController::showPage(const QString& name, const QString& section) {
    if (illustrated_) {
        open(name, section);
        return;
    }
    if (!wanted_) state_.files.findIllustratedDocs();
    wanted_ = name;
    wanted_section_ = section;
}

void GuideController::open(const QString& name, const QString& section) {
    if (!viewer_) {
        viewer_ = new GuideViewer(window_);
        viewer_->addPages(pages_);
        viewer_->addPages({{"keyboard", tr("Keyboard"), menus_->keyboardPage()},
                           {"about", tr("About"), aboutPage(state_.laboratory)}});
    }
    viewer_->showPage(name, section);
}

}  // namespace palimpsest
