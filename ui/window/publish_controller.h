// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/publish/publish_dialog.h"
#include "ui/publish/publisher.h"

namespace palimpsest {

class AdaptationController;
class CurvesView;
class FileDialogs;
class FileWorker;
class MainMenus;
class OptionTable;
class PublishDialog;
struct FigureState;

/// The window's way from what it shows to files for papers and talks.
class PublishController : public QObject {
    Q_OBJECT
public:
    PublishController(const OptionTable* table, FigureState& figures, FileWorker* files, QWidget* window);

    /// From now on what these ask for is published; `asks` knows where the question for a file begins.
    void answer(const MainMenus* menus, const CurvesView* curves, const AdaptationController* adaptation,
                const FileDialogs* asks);
    /// The runs in sight, read from their folders as `palimpsest-cli report` does it; first shown is the piece whose
    /// file name begins with `wanted`. `folder`: where the question for a file begins.
    void publishRuns(const QString& wanted, const QString& folder);
    /// The same, beginning with curves that grow.
    void publishAnimation(const QString& wanted, const QString& folder);
    /// The same of one run alone, whose classes, confusion, loss, prompts and memory can be published, too. `at`:
    /// images seen, of its confusion matrix; nothing: the last.
    void publishRun(const QString& run, const QString& wanted, std::optional<std::int64_t> at, const QString& folder);
    /// Anything else that can be published.
    void publish(Publisher::Source source, const QString& folder);

private:
    PublishDialog* dialog(const QString& folder);
    /// The runs in sight that have a folder.
    QList<NamedRun> publishable() const;

    const OptionTable* table_;
    FigureState& figures_;
    FileWorker* files_;
    QWidget* window_;
    PublishDialog* dialog_ = nullptr;
    std::optional<std::int64_t> at_;  ///< images seen, of the confusion matrix of a run that is chosen in the dialog
};

}  // namespace palimpsest
