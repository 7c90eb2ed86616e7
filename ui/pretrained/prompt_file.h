// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QWidget>
#include <functional>
#include <string>

class QFileDialog;
class QLabel;
class QLineEdit;

namespace palimpsest {

class AdaptationJob;
class MessageBar;

/// Typed place of prompts as an absolute path with its ending: "~" is home, and a relative path lies in
/// `folder`.
QString promptFile(const QString& text, const QString& folder);

/// Default file of prompts of this kind ("naive", "sam" or "fam").
QString usualPromptFile(const QString& folder, const QString& kind, const std::string& experiment);

/// `file` where there is neither prompts nor a state to go on from, else the next of FILE-2, FILE-3 and so on where
/// that is so.
QString freeFile(const QString& file);

/// File that prompts are written to: a field, a button to browse, and a note.
class AdaptationPlaceBox : public QWidget {
    Q_OBJECT
public:
    /// `folder`: what is typed without a folder lies there.
    explicit AdaptationPlaceBox(const QString& folder, QWidget* parent = nullptr);

    /// The chosen file: an absolute path with its ending.
    QString file() const;
    /// Chooses a file as the user does.
    void choose(const QString& file);
    /// Only shows it: the next usual file replaces it unless the user chose one.
    void setFile(const QString& file);
    /// Proposed file, used until the user chooses another.
    void setUsual(const QString& file);
    /// Empty: none.
    void setNote(const QString& words);

    /// Shows a question about `file`. Nothing is overwritten without the user's consent.
    static QFileDialog* makeFileDialog(const QString& file, QWidget* parent);

Q_SIGNALS:
    void changed();

private:
    void askForFile();

    const QString folder_;
    QLineEdit* place_;
    QLabel* note_;
    QString usual_;     ///< file
    bool own_ = false;  ///< the user chose it
};

/// Prompts that are done but could not be written: the user chooses another place for them, or discards them.
class UnwrittenPrompts : public QObject {
    Q_OBJECT
public:
    /// `topic`: of what is said about an initial session. `window`: the questions stand in front of it.
    UnwrittenPrompts(AdaptationJob* controller, MessageBar* messages, const QString& topic, QWidget* window);

    /// Another place, beside a message that is shown. Nothing where there are no such prompts.
    void offer(const QString& message);
    void askForPlace();
    /// Calls `action`, which would lose them: at once where there are none, else only when the user agrees.
    void confirmLoss(const std::function<void()>& action);

private:
    AdaptationJob* controller_;
    MessageBar* messages_;
    const QString topic_;
    QWidget* window_;
};

}  // namespace palimpsest
