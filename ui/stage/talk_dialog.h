// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QMenu;
class QPushButton;

namespace palimpsest {

class TalkBook;
struct ShippedTalk;
struct TalkScene;

/// The talk that is open: its scenes in a list, their captions and notes, their order, and what is missing before it
/// can be given.
class TalkDialog : public QDialog {
    Q_OBJECT
public:
    TalkDialog(TalkBook* book, QWidget* parent);

    /// Talks that come with the program.
    void setShipped(const std::vector<ShippedTalk>& talks);
    /// How captions are filled with the numbers of their runs; once more whenever there are others.
    void setCaptions(std::function<QString(const TalkScene&)> filled);
    /// What Prepare would do, and whether there is anything to do.
    void setNeeds(const QString& sentence, bool something);
    /// From 0; -1: none.
    int chosen() const;
    void choose(int scene);

Q_SIGNALS:
    void openAsked(const QString& file);
    void otherAsked();
    void saveAsked();
    /// No talk shall be open any more.
    void unloadAsked();
    void addAsked();
    void stageAsked(int scene);
    void prepareAsked();

private:
    void refresh();
    void showChosen();
    void keepCaption();
    void keepNote();
    void moveChosen(int by);
    /// The caption with its numbers, and the scene's line in the list.
    QString filledOf(int scene) const;
    QString lineOf(int scene) const;
    void showFilled();
    static QString summaryOf(const TalkScene& scene, const QString& note);

    TalkBook* book_;
    QLineEdit* title_;
    QMenu* open_;
    QListWidget* list_;
    QLineEdit *caption_, *note_;
    QLabel *shown_, *problem_, *needs_;
    QPushButton *add_, *up_, *down_, *remove_, *go_, *save_, *unload_, *shipped_, *prepare_, *stage_;
    QString shipped_file_;  ///< of the talk that comes with the program
    std::function<QString(const TalkScene&)> filled_;
    bool refreshing_ = false;
};

}  // namespace palimpsest
