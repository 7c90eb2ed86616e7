// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QWidget>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace palimpsest {

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
    QPushButton *copy, *save, *copy_caption, *copy_command;

private:
    QLabel* runs_title_;
};

}  // namespace palimpsest
