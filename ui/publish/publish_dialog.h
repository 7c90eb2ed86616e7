// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStringList>

#include "ui/publish/publish_side.h"
#include "ui/publish/publisher.h"

class QLabel;
class QPlainTextEdit;
class QStackedWidget;

namespace palimpsest {

class PublishPreview;

/// A figure or table for a paper or talk: format, style, a preview drawn by what writes the file, the caption, and the
/// command that makes the same file.
class PublishDialog : public QDialog {
    Q_OBJECT
public:
    explicit PublishDialog(QWidget* parent = nullptr);

    /// Reads anew and shows the piece whose file name begins with `wanted`. `folders`: of the runs, as the command
    /// names them; without any there is no command. `at`: images seen, of a confusion matrix that is not the last.
    void show(Publisher::Source source, const QString& wanted, const QStringList& folders,
              std::optional<std::int64_t> at = {});
    /// Of which runs the dialog lets choose one; see PublishSide::setRuns().
    void offerRuns(const QList<NamedRun>& runs, const QString& chosen);
    /// There is nothing to publish, for this reason.
    void showNothing(const QString& reason);
    /// Where the question for a file begins.
    void setFolder(const QString& folder) { folder_ = folder; }
    QString folder() const { return folder_; }
    /// What has become of it, in a line.
    void tell(const QString& text);

Q_SIGNALS:
    /// The figures of this run, or of all (no id); `wanted`: what is shown now.
    void runChosen(const QString& id, const QString& wanted);
    void saveAsked(const QString& file, const QByteArray& bytes);

private:
    void fillPieces();
    void fillFormats();
    void draw();
    void display(const DrawnPiece& piece);
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
    QStackedWidget* pages_;
    PublishPreview* preview_;
    QPlainTextEdit* text_;
    QLabel* message_;
    PublishSide* side_;
};

}  // namespace palimpsest
