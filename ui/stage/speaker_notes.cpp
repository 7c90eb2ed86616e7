// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/speaker_notes.h"

#include <QGuiApplication>
#include <QLabel>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr double kNotesShare = 0.7;                         // of the screen
constexpr double kNoteLetters = 0.04, kOtherLetters = 0.6;  // of the height; and against the note's
constexpr int kSmallestNoteLetters = 18;                    // pixels

QLabel* makeNoteLabel(const QString& name, const QString& accessible) {
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setAccessibleName(accessible);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

}  // namespace

SpeakerNotes::SpeakerNotes(QWidget* parent)
    : QWidget(parent, Qt::Window),
      place_(makeNoteLabel("notesPlace", tr("Scene"))),
      caption_(makeNoteLabel("notesCaption", tr("Caption"))),
      note_(makeNoteLabel("notesNote", tr("Note for the speaker"))),
      next_(makeNoteLabel("notesNext", tr("Next caption"))) {
    setObjectName("speakerNotes");
    setWindowTitle(tr("Notes of the speaker"));
    setAccessibleName(tr("Notes of the speaker"));
    setAttribute(Qt::WA_ShowWithoutActivating);
    note_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * spacing::kGap, 2 * spacing::kGap, 2 * spacing::kGap, 2 * spacing::kGap);
    column->setSpacing(2 * spacing::kGap);
    column->addWidget(place_);
    column->addWidget(caption_);
    column->addWidget(makeScroll("notesScroll", note_), 1);
    column->addWidget(next_);
    for (QLabel* quiet : {place_, next_}) quiet->setForegroundRole(QPalette::PlaceholderText);
}

void SpeakerNotes::setScene(const QString& place, const QString& caption, const QString& note, const QString& next) {
    place_->setText(place);
    caption_->setText(caption);
    note_->setText(note.isEmpty() ? tr("No note.") : note);
    next_->setText(next.isEmpty() ? tr("This is the last scene.") : tr("Next: %1").arg(next));
}

const QScreen* SpeakerNotes::otherScreen(const QWidget& window) {
    const QScreen* own = window.screen();
    for (const QScreen* screen : QGuiApplication::screens())
        if (screen != own && own && !screen->geometry().intersects(own->geometry())) return screen;
    return nullptr;
}

void SpeakerNotes::showOn(const QScreen& screen) {
    const QRect room = screen.availableGeometry();
    QRect place(QPoint(), room.size() * kNotesShare);
    place.moveCenter(room.center());
    setGeometry(place);
    show();
}

void SpeakerNotes::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void SpeakerNotes::fit() {
    const int large = std::max(kSmallestNoteLetters, static_cast<int>(kNoteLetters * height() + 0.5));
    const auto give = [this](QLabel* label, int pixels, QFont::Weight weight) {
        QFont letters = font();
        letters.setPixelSize(pixels);
        letters.setWeight(weight);
        label->setFont(letters);
    };
    const int small = static_cast<int>(kOtherLetters * large);
    give(note_, large, QFont::Normal);
    give(caption_, small, QFont::DemiBold);
    give(place_, small, QFont::Normal);
    give(next_, small, QFont::Normal);
}

}  // namespace palimpsest
