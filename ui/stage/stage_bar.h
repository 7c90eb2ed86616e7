// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>

class QLabel;

namespace palimpsest {

/// The caption of a scene under the figures, in letters that the back row can read, and beside it, quietly, which scene
/// it is. Its height is that of the longest of a talk's captions, so that the figures keep theirs from scene to scene.
class StageBar : public QFrame {
    Q_OBJECT
public:
    /// Height of a caption's letters, at least, as a share of the window's.
    static constexpr double kLetters = 0.045;

    explicit StageBar(QWidget* parent = nullptr);

    /// All captions that will come, for the height.
    void setCaptions(const QStringList& captions);
    /// Height of the window, in pixels.
    void setStage(int height);
    void setCaption(const QString& caption);
    QString caption() const;
    /// "3 / 14", or what is being typed.
    void setPlace(const QString& place);
    QString place() const;
    /// What the speaker must know, one sentence: a run that is missing, what the next key starts. Empty: nothing.
    void setNotice(const QString& notice);
    QString notice() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();

    QLabel* caption_;
    QLabel* notice_;
    QLabel* place_;
    QString said_;
    QStringList captions_;
    int stage_ = 0;
    bool fitting_ = false;
};

/// Blanks what lies below.
class StageCurtain : public QWidget {
    Q_OBJECT
public:
    explicit StageCurtain(QWidget* below);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* below_;
};

}  // namespace palimpsest
