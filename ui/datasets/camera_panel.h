// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QList>
#include <QWidget>
#include <filesystem>
#include <memory>

#include "engine/run/camera_service.h"
#include "ui/state/background.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace palimpsest {

/// What the camera sees, or a sentence in its place; in the corner the same moment as it would be taken.
class CameraView : public QWidget {
    Q_OBJECT
public:
    explicit CameraView(QWidget* parent = nullptr);

    /// `mirrored`: the preview is drawn as in a mirror; the picture in the corner never is.
    void setFrame(const QImage& preview, const QImage& picture, bool mirrored);
    /// In place of a frame.
    void setWords(const QString& words, const QString& hint = {});
    bool hasFrame() const { return !preview_.isNull(); }
    const QImage& preview() const { return preview_; }
    /// As it would be taken now.
    const QImage& picture() const { return picture_; }
    const QString& words() const { return words_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return width; }

Q_SIGNALS:
    /// Space was pressed.
    void asked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QImage preview_, picture_;
    bool mirrored_ = false;
    QString words_, hint_;
};

/// Pictures from a camera or a video: a live preview, the choice among several, and a button that takes one. The camera
/// is open while the panel is seen, and not longer.
class CameraPanel : public QWidget {
    Q_OBJECT
public:
    /// `side`: pixels of the pictures.
    CameraPanel(std::shared_ptr<const CameraService> service, int side, QWidget* parent = nullptr);
    ~CameraPanel() override;

    CameraView* view() const { return view_; }
    /// Whether there is a place left for a picture.
    void setRoom(bool room);
    /// A video in place of a camera.
    void openVideo(const std::filesystem::path& file);

public Q_SLOTS:
    /// Looks for cameras, and goes on with the one that is chosen, if it is still there.
    void look();
    /// The picture that is seen now; nothing where there is none or no place for it.
    void take();

Q_SIGNALS:
    void taken(const QImage& picture);
    /// Back to where the user came from.
    void left();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void found(const std::vector<CameraChoice>& cameras);
    void list();
    void choose(int index);
    void askForVideo();
    void open();
    void readNews();
    void refresh();

    const std::shared_ptr<const CameraService> service_;
    const int side_;
    QList<CameraChoice> cameras_, videos_;
    CameraChoice chosen_;  ///< without a file: none
    bool room_ = true;
    QString remark_;
    CameraView* view_;
    QComboBox* choice_;
    QLabel* words_;
    QPushButton *take_, *look_, *video_, *back_;
    std::unique_ptr<Camera> camera_;
    Background background_{Background::Waiting::Dropped};
};

}  // namespace palimpsest
