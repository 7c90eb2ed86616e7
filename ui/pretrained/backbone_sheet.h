// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include "engine/run/backbone_service.h"
#include "ui/state/engine_text.h"
#include "ui/widgets/fact_sheet.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace palimpsest {

/// "85.8 million (85,798,656)", "930,000".
QString parametersText(qint64 parameters);
/// One sentence about a file.
QString sentenceOf(const BackboneFacts& facts);
/// Facts about a file; unknown ones are left out. `known`: the card it has the checksum of; may be null.
QList<FactRow> rowsOf(const BackboneFacts& facts, const BackboneCard* known);
/// Facts about a backbone in common use, without its address and checksum.
QList<FactRow> rowsOf(const BackboneCard& card);
/// "346 MB · Apache 2.0"; what is not known is left out.
QString factsText(const BackboneCard& card);

/// Everything about one backbone, or about a file of weights, and what can be done with it.
class BackboneSheet : public FactSheet {
    Q_OBJECT
public:
    explicit BackboneSheet(QWidget* parent = nullptr);

    /// No file yet.
    void showInvitation();
    void showReading(const QString& file);
    /// `known`: the card whose checksum it has; may be null. `in_use`: the experiment uses it.
    void showFacts(const BackboneFacts& facts, const BackboneCard* known, bool in_use);
    void showFailure(const QString& file, const Failure& failure);
    void showCard(const BackboneCard& card, bool in_use);
    /// The card's file is being fetched.
    void showProgress(const DatasetProgress& progress);
    /// Where the next fetch has its file from, for the question before it.
    void setSource(const FetchOrigin& source);
    /// Adds to the sheet, in place, why the backbone cannot be used.
    void showRefusal(const Failure& failure);
    /// Adds that the fetch of the card's file was stopped, and what is kept of it.
    void showStopped(bool came);
    /// The focus is in it.
    bool holdsFocus() const;
    /// Gives the focus to the first of its buttons that can be pressed: Cancel while a file is fetched.
    void focusButton();
    /// A file is held over the window.
    void setDropping(bool dropping);

Q_SIGNALS:
    void chooseAsked();
    void useRequested();
    /// The user has seen what is fetched from where, and under which licence, and wants it.
    void fetchAgreed();
    void fetchStopAsked();

private:
    QWidget* makeDropPlace();
    QWidget* makeLinks();
    QWidget* makeFailure();
    QWidget* makeConsent();
    QWidget* makeProgress();
    void makeButtons();
    void begin(const QString& title, const QString& sentence);
    void showNotes(const std::vector<std::string>& notes);
    void showLinks(const BackboneCard& card);
    /// A sentence in the frame for what happened; `kind`: its look, as of a message.
    void showMessage(const char* kind, const QString& name, const Failure& words);
    void fillConsent();
    void askForConsent();
    /// The buttons; an empty `choose` offers no other file.
    void offer(bool use, bool in_use, const QString& choose, bool fetch = false);

    QWidget* drop_place_ = nullptr;
    QProgressBar* reading_ = nullptr;
    QLabel* notes_;
    QWidget* links_ = nullptr;
    QLabel *address_ = nullptr, *checksum_ = nullptr;
    QPushButton *open_ = nullptr, *copy_address_ = nullptr, *copy_checksum_ = nullptr;
    QWidget* failure_ = nullptr;
    QLabel *message_ = nullptr, *hint_ = nullptr;
    QWidget *consent_ = nullptr, *progress_ = nullptr;
    QLabel *consent_words_ = nullptr, *step_ = nullptr, *pace_ = nullptr;
    QProgressBar* bar_ = nullptr;
    QPushButton *use_ = nullptr, *choose_ = nullptr, *fetch_ = nullptr, *cancel_ = nullptr, *agree_ = nullptr;
    BackboneCard card_;  ///< that is shown, if one is
    FetchOrigin source_;
};

}  // namespace palimpsest
