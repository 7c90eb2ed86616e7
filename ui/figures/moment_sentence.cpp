// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/moment_sentence.h"

#include <QTextLayout>
#include <algorithm>
#include <utility>

#include "engine/record/moment_story.h"
#include "ui/state/window_state.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kSentenceTurnMs = 100, kSentenceLines = 2;

/// `told`: images seen at the evaluation that is told of.
StoryFacts factsOf(const OptionTable& table, const ShownRun& run, std::int64_t told) {
    StoryFacts facts =
        storyFacts(table, settingsAt(table, run, told - 1), !run.facts->imported && told > run.facts->forked_at);
    facts.mask_changed = maskChanged(run.changes, told);
    facts.session_starts = run.facts->session_starts;
    facts.total_samples = run.facts->total_samples;
    facts.name = [&run](std::int32_t label) { return run.facts->class_names.name(label).toStdString(); };
    return facts;
}

}  // namespace

MomentSentence::MomentSentence(FigureState& state, QWidget* parent)
    : QLabel(parent),
      state_(state),
      throttle_(
          kSentenceTurnMs, [this] { refresh(); }, this) {
    setObjectName("momentSentence");
    styleLabel(this, text_size::kText, QFont::Normal, false);
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setFocusPolicy(Qt::NoFocus);
    setContentsMargins(spacing::kMargin, 0, spacing::kMargin, 0);
    // Narrow windows cut the words rather than grow; all of them stand in the tip.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    fitToText(this, [this] { setFixedHeight(kSentenceLines * fontMetrics().lineSpacing() + 2); });
    connect(&state_.cursor, &CurveCursor::moved, &throttle_, &Throttle::ask);
    connect(&state_.runs, &RunSet::runsChanged, &throttle_, &Throttle::ask);
    connect(&state_.runs, &RunSet::changed, &throttle_, &Throttle::ask);
    connect(&state_.histories, &HistoryStore::changed, &throttle_, &Throttle::ask);
    connect(&state_.options, &CurveOptions::changed, &throttle_, &Throttle::ask);
    connect(&state_.guesses, &GuessBook::drawingChanged, &throttle_, &Throttle::ask);
    refresh();
}

QStringList MomentSentence::sentences() const {
    const ShownRun* run = state_.runs.selected();
    // Beside a guess, nothing is said of the runs before.
    if (!run || state_.guesses.drawing()) return {};
    const HistoryStore::History history = state_.histories.find(run->id);
    if (!history) return {};
    // Of a run that is played back the history is known to its end already.
    const std::int64_t newest = run->points.samplesSeen();
    const std::int64_t moment = std::min(state_.cursor.moment().value_or(newest), newest);
    StoryFacts facts = factsOf(state_.runs.table(), *run, evaluationTold(*history, moment));
    QStringList words;
    for (const bool brief : {false, true}) {
        facts.brief = brief;
        words.append(QString::fromStdString(momentStory(*history, facts, moment)));
    }
    return words;
}

void MomentSentence::setRoom(bool room) {
    if (std::exchange(room_, room) != room) refresh();
}

void MomentSentence::refresh() {
    const bool shown = room_ && state_.options.values().story && state_.runs.selected();
    setVisible(shown);
    if (!shown) return;
    const QStringList words = sentences();
    if (words == words_) return;
    words_ = words;
    const QString whole = words.value(0);
    setToolTip("<qt>" + whole.toHtmlEscaped() + "</qt>");
    setAccessibleName(whole);
    fit();
}

MomentSentence::Lines MomentSentence::linesOf(const QString& words) const {
    QTextLayout layout(words, font());
    layout.beginLayout();
    Lines found;
    qsizetype end = 0;
    for (int line = 0; line < kSentenceLines; ++line) {
        QTextLine row = layout.createLine();
        if (!row.isValid()) break;
        row.setLineWidth(contentsRect().width());
        found.last = end;
        end += row.textLength();
    }
    layout.endLayout();
    found.enough = end >= words.size();
    return found;
}

void MomentSentence::fit() {
    for (const QString& words : words_)
        if (linesOf(words).enough) return setText(words);
    const QString shortest = words_.value(words_.size() - 1);
    const qsizetype last = linesOf(shortest).last;
    setText(shortest.left(last) + fontMetrics().elidedText(shortest.mid(last), Qt::ElideRight, contentsRect().width()));
}

void MomentSentence::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    fit();
}

void MomentSentence::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange) fit();
}

}  // namespace palimpsest
