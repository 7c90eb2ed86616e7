// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace palimpsest {

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
    /// The first few of them.
    void showWarnings(const std::vector<std::string>& warnings);
    /// Empty: there is none.
    void showCommand(const QString& text);

    QComboBox *pieces, *formats, *styles;
    QLabel *measures, *notes, *status;
    QPlainTextEdit* caption;
    QLineEdit* command;
    QPushButton *copy, *save, *copy_caption, *copy_command;
};

}  // namespace palimpsest
