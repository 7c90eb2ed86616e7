// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QFileDialog;
class QLabel;
class QLineEdit;

namespace palimpsest {

/// Where prompts are written: a field for the file, a button that looks for another, and a note.
class AdaptationPlaceBox : public QWidget {
    Q_OBJECT
public:
    /// `folder`: what is typed without a folder lies there.
    explicit AdaptationPlaceBox(const QString& folder, QWidget* parent = nullptr);

    /// The chosen file: an absolute path with its ending.
    QString file() const;
    /// As if a person had chosen it.
    void choose(const QString& file);
    /// Only shows it: the next usual file takes its place unless a person chose one.
    void setFile(const QString& file);
    /// What is proposed, and taken until a person chooses another.
    void setUsual(const QString& file);
    /// Empty: none.
    void setNote(const QString& words);

    /// For `file`, to be shown. Nothing is overwritten without being asked for.
    static QFileDialog* makeFileDialog(const QString& file, QWidget* parent);

Q_SIGNALS:
    void changed();

private:
    void askForFile();

    const QString folder_;
    QLineEdit* place_;
    QLabel* note_;
    QString usual_;     ///< file
    bool own_ = false;  ///< a person chose it
};

}  // namespace palimpsest
