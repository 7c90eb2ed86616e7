// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_attention.h"

#include <QEvent>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kLines = 2;

}  // namespace

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
    const qsizetype most = whole_ || lines_.size() <= kLines + 1 ? lines_.size() : kLines;
    for (const QString& line : lines_.mid(0, most)) shown.append(sign + line.toHtmlEscaped());
    if (lines_.size() > most)
        shown.append(QString("<a href=\"all\">%1</a>").arg(tr("and %1 more").arg(lines_.size() - most)));
    setText(shown.join("<br>"));
}

}  // namespace palimpsest
