// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "engine/record/image_lives.h"
#include "ui/state/background.h"
#include "ui/state/throttle.h"

namespace palimpsest {

class CurveCursor;
class DatasetService;
class ForgottenImagesDialog;
class RunSet;
struct ShownRun;

/// The window's list of forgotten images: those of the selected run, at the moment that all figures share or at its
/// last evaluation. Its folder is read away from the window's thread, and only while somebody looks.
class ForgottenController : public QObject {
    Q_OBJECT
public:
    ForgottenController(std::shared_ptr<const DatasetService> service, RunSet* store, CurveCursor* cursor,
                        QWidget* window);
    ~ForgottenController() override;

    /// Null until it was shown for the first time.
    ForgottenImagesDialog* dialog() const { return dialog_; }

public Q_SLOTS:
    void showDialog();
    /// Shows the list with an image of the selected run pinned, forgotten or not.
    void pin(qint64 image);
    /// Files may have changed.
    void forgetPictures();

Q_SIGNALS:
    /// Where the network looks in this test image is to be shown.
    void attentionAsked(std::int64_t image);

private:
    void refresh();
    void showNothing(const QString& sentence);
    void read(const QString& run, std::size_t measured);
    /// Shows what is forgotten at the moment that is wanted now.
    void find(const ShownRun& run);
    void readTopClasses(const std::shared_ptr<const ImageLives>& lives, const std::vector<std::int64_t>& images);

    const std::shared_ptr<const DatasetService> service_;
    RunSet* store_;
    CurveCursor* cursor_;
    QWidget* window_;
    ForgottenImagesDialog* dialog_ = nullptr;
    QString run_;                              ///< whose folder was read, or is
    std::size_t measured_ = 0;                 ///< its evaluations then
    std::shared_ptr<const ImageLives> lives_;  ///< null: they are being read, or there are none
    QString failure_;
    struct Wanted {
        std::shared_ptr<const ImageLives> lives;
        std::size_t moment = 0;
        QString title;
        bool operator==(const Wanted&) const = default;
    };
    std::optional<Wanted> wanted_;  ///< that is shown, or being found
    std::optional<qint64> to_pin_;  ///< once the lives are there
    Throttle throttle_;
    Background reading_, finding_, asking_;
};

}  // namespace palimpsest
