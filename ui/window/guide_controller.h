// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <optional>

#include "ui/guide/guide_viewer.h"
#include "ui/state/background.h"

namespace palimpsest {

class MainMenus;
struct WindowState;

/// The guide: its pages are read in the background, their pictures not before a page is asked for.
class GuideController : public QObject {
    Q_OBJECT
public:
    GuideController(WindowState& state, const MainMenus* menus, QWidget* window);

    /// As far as they were read.
    const QList<GuidePage>& pages() const { return pages_; }

public Q_SLOTS:
    /// Empty: where the reader was, at first the guide's first page. `section`: a heading, see
    /// GuideViewer::sectionOf().
    void showPage(const QString& name = {}, const QString& section = {});

private:
    void setIllustratedPages(const QList<GuidePage>& pages);
    void open(const QString& name, const QString& section);
    /// Names what learns on the pages "Compute" and "About" once it is known, which loads it.
    void findEngine();

    WindowState& state_;
    const MainMenus* menus_;
    QWidget* window_;
    QList<GuidePage> pages_;
    bool illustrated_ = false;
    std::optional<QString> wanted_;  ///< before the pictures have come
    QString wanted_section_;
    GuideViewer* viewer_ = nullptr;
    bool engine_asked_ = false;
    Background background_;
};

}  // namespace palimpsest
