// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QImage>
#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/report/publication.h"
#include "ui/publish/publisher.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace palimpsest {

/// A picture as large as there is room for, on white paper.
class PublishPreview : public QWidget {
    Q_OBJECT
public:
    explicit PublishPreview(QWidget* parent = nullptr);

    void setPicture(const QImage& picture);
    const QImage& picture() const { return picture_; }

    QSize sizeHint() const override { return {560, 420}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QImage picture_;
};

struct NamedRun {
    QString id, name;
};

/// Text that is read and copied, not typed.
QPlainTextEdit* makeReader(const QString& name, const QString& title, const QString& tip);

/// The column beside the preview of what is exported: what, format and style, the caption, the command that makes the
/// same file, and what can be done with it. Its controls are the dialog's to fill and to answer.
class PublishSide : public QWidget {
    Q_OBJECT
public:
    explicit PublishSide(QWidget* parent = nullptr);

    /// Nothing can be exported. The styles stay.
    void clear();
    /// Whose figures can be chosen: of all of them (no id) and of each by itself. Fewer than two: there is no choice.
    void setRuns(const QList<NamedRun>& runs, const QString& chosen);
    /// The first few of them.
    void showWarnings(const std::vector<std::string>& warnings);
    /// Empty: there is none.
    void showCommand(const QString& text);

    QComboBox *runs, *pieces, *formats, *styles;
    QLabel *measures, *notes, *status;
    QPlainTextEdit* caption;
    QLineEdit* command;
    QPushButton *copy, *save, *close_dialog, *copy_caption, *copy_command;

private:
    QLabel* runs_title_;
};

/// Command line that makes the same file, from the folders of the runs; empty without any. `at`: images seen, of a
/// confusion matrix that is not the last. `story`: the captions tell what happened.
QString reportCommand(const QStringList& folders, const report::PieceFormatRow& row, const report::FigureStyle& style,
                      std::optional<std::int64_t> at, bool story);

/// A figure or table for a paper or talk: format, style, a preview drawn by what writes the file, the caption, and the
/// command that makes the same file.
class PublishDialog : public QDialog {
    Q_OBJECT
public:
    explicit PublishDialog(QWidget* parent = nullptr);

    /// Reads anew and shows the piece whose file name begins with `wanted`. `folders`: of the runs, as the command
    /// names them; without any there is no command. `at` and `story`: see reportCommand().
    void show(Publisher::Source source, const QString& wanted, const QStringList& folders,
              std::optional<std::int64_t> at = {}, bool story = true);
    /// Sets the runs to choose from; see PublishSide::setRuns().
    void offerRuns(const QList<NamedRun>& runs, const QString& chosen) { side_->setRuns(runs, chosen); }
    /// There is nothing to publish, for this reason.
    void showNothing(const QString& reason);
    /// Begins with curves that grow, or with a figure that stands still.
    void preferAnimation(bool wanted);
    /// Folder that the file dialog opens.
    void setFolder(const QString& folder) { folder_ = folder; }
    QString folder() const { return folder_; }
    /// Shows a line about the last action.
    void showStatus(const QString& text);

Q_SIGNALS:
    /// The figures of this run, or of all (no id); `wanted`: what is shown now.
    void runChosen(const QString& id, const QString& wanted);
    void saveAsked(const QString& file, const QByteArray& bytes);

private:
    void fillPieces();
    void fillFormats();
    void draw();
    void display(const DrawnPiece& drawn);
    static QString drawingStatus();
    void clear(const QString& reason);
    void copyPiece();
    void askWhereToSave();
    const report::Piece* piece() const;
    report::PieceFormat format() const;
    const report::FigureStyle& style() const;

    Publisher* publisher_;
    Publisher::Publication all_;
    DrawnPiece drawn_;
    QString wanted_, folder_;
    QStringList folders_;
    std::optional<std::int64_t> at_;
    bool story_ = true;
    bool animation_ = false;          ///< an animation is wanted, until a format is chosen
    std::optional<int> still_style_;  ///< index of the style that figures had before an animation was wanted
    QStackedWidget* pages_;
    PublishPreview* preview_;
    QPlainTextEdit* text_;
    QLabel* message_;
    PublishSide* side_;
};

}  // namespace palimpsest
