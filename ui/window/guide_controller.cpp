// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/guide_controller.h"

#include <QAction>
#include <optional>

#include "engine/run/engine_facts.h"
#include "engine/support/text.h"
#include "ui/commands/action_book.h"
#include "ui/state/window_state.h"
#include "ui/widgets/term_card.h"
#include "ui/window/main_menus.h"

namespace palimpsest {
namespace {

/// A text of the system's, such as a path, whose characters are no Markdown.
QString asMarkdown(const std::string& text) {
    QString plain;
    for (const QChar c : QString::fromStdString(plainSentence(text))) {
        if (c.isPunct() || c.isSymbol()) plain += QLatin1Char('\\');
        plain += c;
    }
    return plain;
}

/// Names what learns, or why nothing can.
QString engineText(const EngineFacts& facts) {
    if (!facts.problem.empty()) return asMarkdown(facts.problem + " " + facts.hint);
    QString text = GuideController::tr("%1, LibTorch %2").arg(asMarkdown(facts.device), asMarkdown(facts.libtorch));
    if (!facts.gpu.empty() && facts.gpu.find(facts.device) == std::string::npos)
        text += GuideController::tr("; %1").arg(asMarkdown(facts.gpu));
    if (!facts.module.empty())
        text += GuideController::tr("  \nLearning engine: %1").arg(asMarkdown(facts.module.string()));
    return text;
}

/// What was found, what is missing and what to do. Without facts they are still looked for.
QString computePage(const std::optional<EngineFacts>& facts) {
    QString text = GuideController::tr("# Compute\n\nWhat learns on this computer, and on what.\n\n");
    if (!facts) return text + GuideController::tr("…");
    const auto rows = engineRows(*facts);
    if (!rows.empty()) text += GuideController::tr("| Part | Found |\n|---|---|\n");
    for (const auto& [name, value] : rows)
        text += QStringLiteral("| %1 | %2 |\n").arg(asMarkdown(name), asMarkdown(value));
    text += GuideController::tr("\n## What is missing\n\n");
    if (!facts->problem.empty()) text += asMarkdown("Nothing can learn here. " + facts->problem) + QStringLiteral(" ");
    const std::string advice = engineAdvice(*facts);
    // Sentences of the program, whose commands are marked as Markdown marks them; hints of a problem name files.
    if (!facts->problem.empty())
        text += asMarkdown(advice);
    else
        text += advice.empty() ? GuideController::tr("Nothing.") : QString::fromStdString(advice);
    return text + GuideController::tr(
                      "\n\n[What learns, and on what](engine.md) says more, and "
                      "`palimpsest-cli selfcheck` tries what was found with a tiny run.\n");
}

QString aboutPage(const std::string& version, const QString& engine) {
    return GuideController::
        tr("# Palimpsest %1\n\nWatch a neural network learn from a stream, forget, and be helped to remember.\n\n"
           "Computes on: %2  \nQt %3\n\n[Compute](compute.md) says what is missing, and what to do.\n\n## Licence\n\n"
           "Palimpsest is free software: you may use it, study it, change it and pass it on under the terms of the GNU "
           "General Public License, version 3 or (at your choice) any later one. It comes without any warranty. The "
           "full text stands in the file LICENSE and at <https://www.gnu.org/licenses/gpl-3.0.html>.\n")
            .arg(QString::fromStdString(version), engine, QLatin1String(qVersion()));
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
    connect(menus_->action(Command::Compute), &QAction::triggered, this, [this] { showPage("compute"); });
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
                           {"compute", tr("Compute"), computePage(std::nullopt)},
                           {"about", tr("About"), aboutPage(state_.laboratory.version, tr("…"))}});
        connect(viewer_, &GuideViewer::pageShown, this, [this](const QString& page) {
            if (page == "about" || page == "compute") findEngine();
        });
    }
    viewer_->showPage(name, section);
}

void GuideController::findEngine() {
    if (!state_.laboratory.engine || engine_asked_) return;
    engine_asked_ = true;
    background_.run(
        [engine = state_.laboratory.engine] { return engine(); },
        [this](const EngineFacts& facts) {
            viewer_->addPages({{"compute", tr("Compute"), computePage(facts)},
                               {"about", tr("About"), aboutPage(state_.laboratory.version, engineText(facts))}});
        });
}

}  // namespace palimpsest
