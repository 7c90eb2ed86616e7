// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_legend.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/term_label.h"

namespace palimpsest {
namespace {

/// "a3f9·2c71" of the sixteen digits.
QString shortFingerprint(const QString& full) {
    return full.left(4) + "·" + full.mid(4, 4);
}

/// A small square in the hue of disjoint or blurry classes.
class LegendSwatch : public QWidget {
public:
    enum Hue { Disjoint, Blurry };
    explicit LegendSwatch(Hue hue) : hue_(hue) { setFixedSize(9, 9); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(hue_ == Disjoint ? Theme::of(this).disjoint : Theme::of(this).blurry);
        painter.drawRoundedRect(rect(), 2, 2);
    }

private:
    const Hue hue_;
};

constexpr qsizetype kAttentionLines = 2;

}  // namespace

StreamLegend::StreamLegend(QWidget* parent)
    : QWidget(parent), fingerprint_(makeLabel({}, text_size::kCaption, QFont::Normal, true)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(5);
    const auto entry = [row](LegendSwatch::Hue hue, Term term, const QString& text, const QString& tip) {
        auto* label = new TermLabel(term, text);
        styleLabel(label, text_size::kCaption, QFont::Normal, true);
        label->setObjectName("term." + textOf(term).name);
        label->setToolTip(tip);
        row->addWidget(new LegendSwatch(hue));
        row->addWidget(label);
    };
    entry(LegendSwatch::Disjoint, Term::Disjoint, tr("disjoint"), tr("A disjoint class appears in one session only"));
    row->addSpacing(8);
    entry(LegendSwatch::Blurry, Term::Blurry, tr("blurry"),
          tr("A blurry class is at home in one session and returns, thinly, in all others"));
    row->addStretch(1);
    fitToText(fingerprint_, [this] {
        QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        mono.setPixelSize(scaled(text_size::kCaption));
        fingerprint_->setFont(mono);
    });
    fingerprint_->setObjectName("streamFingerprint");
    fingerprint_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(fingerprint_);
}

void StreamLegend::setFingerprint(const QString& fingerprint) {
    if (fingerprint.isEmpty()) {
        fingerprint_->clear();
        return;
    }
    fingerprint_->setText(shortFingerprint(fingerprint));
    fingerprint_->setToolTip(
        tr("Fingerprint of the stream: the same digits, the same images in the same order. In full: %1")
            .arg(fingerprint));
}

StreamAttention::StreamAttention(QWidget* parent) : QLabel(parent) {
    styleLabel(this, text_size::kCaption, QFont::Normal, false);
    setObjectName("streamAttention");
    setAccessibleName(tr("What to know about this stream"));
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(this, &QLabel::linkActivated, this, [this] {
        whole_ = true;
        setLines(lines_);
    });
    hide();
}

void StreamAttention::setLines(const QStringList& lines) {
    lines_ = lines;
    refresh();
    setToolTip(lines.join("\n"));
    setVisible(!lines.isEmpty());
}

void StreamAttention::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
    QLabel::changeEvent(event);
}

void StreamAttention::refresh() {
    const QString sign = QString("<span style=\"color:%1\">▲</span>&nbsp; ").arg(Theme::of(this).attention.name());
    QStringList shown;
    // One more line fits as well as the note that it is left out.
    const qsizetype most = whole_ || lines_.size() <= kAttentionLines + 1 ? lines_.size() : kAttentionLines;
    for (const QString& line : lines_.mid(0, most)) shown.append(sign + line.toHtmlEscaped());
    if (lines_.size() > most)
        shown.append(QString("<a href=\"all\">%1</a>").arg(tr("and %1 more").arg(lines_.size() - most)));
    setText(shown.join("<br>"));
}

}  // namespace palimpsest
