// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream_preview.h"

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/stream_shades.h"
#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

constexpr double kNames = 62;       // width of the class names
constexpr double kMargin = 3;       // room for the frame of the current session
constexpr double kRow = 15;
constexpr double kMaxHeight = 190;
/// Smaller cells, or more of them, are drawn as one picture: one by one they would hold the window up.
constexpr double kSmallCell = 3;
constexpr qint64 kMostCells = 2000;
/// Rows that are too low for a name leave the names out.
constexpr double kNameRow = 11;

}  // namespace

StreamPreview::StreamPreview(QWidget* parent) : QWidget(parent), empty_text_(tr("Reading the labels …")) {
    setObjectName("streamPreview");
    setAccessibleName(tr("The stream: classes down, sessions across"));
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setSizePolicy(policy);
}

int StreamPreview::classes() const { return stream_ ? static_cast<int>(stream_->counts.size()) : 0; }
int StreamPreview::sessions() const { return stream_ ? static_cast<int>(stream_->plan.sessions.size()) : 0; }

void StreamPreview::setStream(std::shared_ptr<const PlannedStream> stream) {
    const int before = classes();
    stream_ = std::move(stream);
    homes_.clear();
    small_ = {};
    if (stream_) {
        homes_ = classHomes(stream_->plan);
        setAccessibleDescription(tr("%1 classes in %2 sessions, %3 images; %4 disjoint classes, %5 blurry")
                                     .arg(classes())
                                     .arg(sessions())
                                     .arg(countText(stream_->plan.totalSamples()))
                                     .arg(stream_->plan.disjoint_count)
                                     .arg(stream_->plan.blurry_count));
    }
    label_ = std::min(label_, classes() - 1);
    session_ = std::min(session_, sessions() - 1);
    showMove(-1, -1, -1);
    point(-1, -1);
    if (classes() != before) updateGeometry();
    update();
}

void StreamPreview::setEmptyText(const QString& text) {
    empty_text_ = text;
    update();
}

void StreamPreview::setCurrentSession(int session) {
    if (session == current_) return;
    current_ = session;
    update();
}

QSize StreamPreview::sizeHint() const {
    const double rows = classes() == 0 ? 10 : classes();
    return {240, static_cast<int>(std::min(rows * scaled(kRow), scaled(kMaxHeight) - SessionStrip::height()) +
                                  SessionStrip::height() + 2 * kMargin)};
}

QSize StreamPreview::minimumSizeHint() const { return {160, sizeHint().height()}; }

QRectF StreamPreview::cellRect(int label, int session) const {
    if (classes() == 0 || sessions() == 0) return {};
    const double row = (height() - SessionStrip::height() - 2 * kMargin) / classes();
    const double left = row >= scaled(kNameRow) ? scaled(kNames) : kMargin;
    const double column = (width() - left - kMargin) / sessions();
    const double gap_x = column > 8 ? 2 : (column > 3 ? 1 : 0);
    const double gap_y = row > 8 ? 2 : (row > 3 ? 1 : 0);
    return {left + session * column, kMargin + label * row, column - gap_x, row - gap_y};
}

QString StreamPreview::cellText(int label, int session) const {
    if (label < 0 || session < 0 || label >= classes() || session >= sessions()) return {};
    const auto& names = stream_->labels->class_names;
    const auto count = stream_->counts[static_cast<std::size_t>(label)][static_cast<std::size_t>(session)];
    const QString kind = home(label).session < 0 ? tr("class never appears")
                         : home(label).blurry    ? tr("blurry class")
                                                 : tr("disjoint class");
    return tr("%1, session %2: %3 images, %4")
        .arg(QString::fromStdString(names[static_cast<std::size_t>(label)]))
        .arg(session + 1)
        .arg(countText(count), kind);
}

QString StreamPreview::sessionText(int session) const {
    if (session < 0 || session >= sessions()) return {};
    const Balance& balance = stream_->statistics.sessions[static_cast<std::size_t>(session)];
    return tr("Session %1: %2 images of %3 classes")
        .arg(session + 1)
        .arg(countText(balance.samples))
        .arg(balance.classes);
}

QRectF StreamPreview::columnRect(int session) const {
    if (classes() == 0 || session < 0 || session >= sessions()) return {};
    return cellRect(0, session).united(cellRect(classes() - 1, session));
}

int StreamPreview::columnAt(double x) const {
    if (classes() == 0 || sessions() == 0 || x < cellRect(0, 0).left() || x >= width()) return -1;
    const double column = (width() - kMargin - cellRect(0, 0).left()) / sessions();
    return std::min(static_cast<int>((x - cellRect(0, 0).left()) / column), sessions() - 1);
}

SessionStrip StreamPreview::strip() const {
    if (classes() == 0 || sessions() == 0) return {};
    SessionStrip strip;
    for (const auto& session : stream_->plan.sessions) strip.lengths.push_back(std::ssize(session));
    const QRectF first = cellRect(0, 0);
    strip.place = {first.left(), height() - SessionStrip::height(), width() - first.left() - kMargin,
                   SessionStrip::height()};
    strip.gap = columnRect(0).isEmpty() ? 0 : strip.place.width() / sessions() - first.width();
    strip.titles = first.left();
    strip.current = current_;
    return strip;
}

void StreamPreview::showMove(int label, int from, int to) {
    if (label == move_label_ && from == move_from_ && to == move_to_) return;
    move_label_ = label;
    move_from_ = from;
    move_to_ = to;
    if (label >= 0) point(-1, -1);
    update();
}

QRectF StreamPreview::rowRect(int label) const {
    const QRectF first = cellRect(label, 0);
    return {0, first.top(), static_cast<double>(width()), first.height()};
}

int StreamPreview::labelAt(const QPointF& point) const {
    for (int label = 0; label < classes(); ++label)
        if (rowRect(label).contains(point)) return label;
    return -1;
}

int StreamPreview::sessionAt(int label, const QPointF& point) const {
    for (int session = 0; session < sessions(); ++session)
        if (cellRect(label, session).contains(point)) return session;
    return -1;
}

bool StreamPreview::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int label = labelAt(help->pos());
    if (label >= 0 && !cell_tips_) return true;
    const int session = label < 0 ? -1 : sessionAt(label, help->pos());
    const int column = help->pos().y() >= height() - SessionStrip::height() ? columnAt(help->pos().x()) : -1;
    if (column >= 0) {
        QToolTip::showText(help->globalPos(), sessionText(column), this);
        return true;
    }
    if (session >= 0) {
        QToolTip::showText(help->globalPos(), cellText(label, session), this, cellRect(label, session).toAlignedRect());
        return true;
    }
    const QString words =
        tr("Which classes come in which session, and how many images of each. Orange classes belong to one session, blue "
           "ones return.");
    QToolTip::showText(help->globalPos(), toolTip().isEmpty() ? words : words + '\n' + toolTip(), this);
    return true;
}

void StreamPreview::mouseMoveEvent(QMouseEvent* event) {
    const int label = labelAt(event->position());
    // Between two rows nothing changes: the next row is a pixel away.
    const bool between = label < 0 && rect().contains(event->position().toPoint()) &&
                         event->position().y() < rowRect(classes() - 1).bottom();
    if (!between) point(label, label < 0 ? -1 : sessionAt(label, event->position()));
    QWidget::mouseMoveEvent(event);
}

void StreamPreview::leaveEvent(QEvent* event) {
    point(-1, -1);
    QWidget::leaveEvent(event);
}

void StreamPreview::focusOutEvent(QFocusEvent* event) {
    point(-1, -1);
    QWidget::focusOutEvent(event);
}

void StreamPreview::point(int label, int session) {
    if (label == pointed_label_ && session == pointed_session_) return;
    pointed_label_ = label;
    pointed_session_ = session;
    Q_EMIT pointed(label, session);
}

void StreamPreview::keyPressEvent(QKeyEvent* event) {
    const int label = std::max(label_, 0), session = std::max(session_, 0);
    switch (event->key()) {
        case Qt::Key_Up: select(label - 1, session); break;
        case Qt::Key_Down: select(label_ < 0 ? 0 : label + 1, session); break;
        case Qt::Key_Left: select(label, session - 1); break;
        case Qt::Key_Right: select(label, session_ < 0 ? 0 : session + 1); break;
        case Qt::Key_Escape: point(-1, -1); break;
        default: QWidget::keyPressEvent(event); return;
    }
}

void StreamPreview::select(int label, int session) {
    if (classes() == 0 || sessions() == 0) return;
    label_ = std::clamp(label, 0, classes() - 1);
    session_ = std::clamp(session, 0, sessions() - 1);
    const QString text = cellText(label_, session_);
    setAccessibleDescription(text);
    if (cell_tips_) QToolTip::showText(mapToGlobal(cellRect(label_, session_).bottomRight().toPoint()), text, this);
    point(label_, session_);
    update();
}

void StreamPreview::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        small_ = {};
        update();
    }
    QWidget::changeEvent(event);
}

void StreamPreview::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(this);
    const QFont caption = textFont(font(), text_size::kCaption);
    painter.setFont(caption);
    if (!stream_) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.raised);
        painter.drawRoundedRect(rect().adjusted(0, 0, -1, -1), 6, 6);
        painter.setPen(theme.quiet);
        painter.drawText(rect().adjusted(12, 8, -12, -8), Qt::AlignCenter | Qt::TextWordWrap, empty_text_);
        return;
    }

    const QFontMetricsF metrics(caption);
    paintCells(painter, theme);
    const double row = (height() - SessionStrip::height() - 2 * kMargin) / std::max(classes(), 1);
    for (int label = 0; row >= scaled(kNameRow) && label < classes(); ++label) {
        const QRectF first = cellRect(label, 0);
        const QString name = QString::fromStdString(stream_->labels->class_names[static_cast<std::size_t>(label)]);
        painter.setPen(theme.quiet);
        painter.drawText(QRectF(0, first.top() - 1, scaled(kNames) - 8, first.height() + 2),
                         Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(name, Qt::ElideRight, scaled(kNames) - 8));
    }

    strip().paint(painter, font(), theme);
    // What frames a cell or all of them keeps off the numbers below.
    const double cells = height() - SessionStrip::height();
    painter.setClipRect(QRectF(0, 0, width(), cells));
    paintEdits(painter, theme);
    painter.setBrush(Qt::NoBrush);
    if (current_ >= 0 && current_ < sessions() && classes() > 0) {
        painter.setPen(QPen(theme.accent, 1.5 * theme.weight));
        const QRectF all = cellRect(0, current_).united(cellRect(classes() - 1, current_));
        painter.drawRoundedRect(all.adjusted(-1.5, -1.5, 1.5, 1.5), 3, 3);
    }
    if (hasFocus() && label_ >= 0 && session_ >= 0) {
        painter.setPen(QPen(theme.text, 1.5 * theme.weight));
        painter.drawRoundedRect(cellRect(label_, session_), 2, 2);
    } else if (hasFocus()) {
        painter.setPen(QPen(theme.accent, theme.weight));
        painter.drawRoundedRect(QRectF(0, 0, width(), cells).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

void StreamPreview::paintEdits(QPainter& painter, const Theme& theme) const {
    painter.setBrush(Qt::NoBrush);
    const bool cells = !cellRect(0, 0).isEmpty() && std::min(cellRect(0, 0).width(), cellRect(0, 0).height()) >= 2 * kSmallCell;
    painter.setPen(QPen(theme.text, 1, Qt::DotLine));
    for (const AppliedEdit& applied : stream_->plan.edits)
        if (cells && applied.moved > 0)
            painter.drawRoundedRect(
                cellRect(static_cast<int>(applied.edit.label), static_cast<int>(applied.edit.to)), 2, 2);
    if (move_label_ < 0) return;
    const QRectF row = rowRect(move_label_);
    const double tall = std::max(row.height(), 2 * kSmallCell);
    const auto cell = [&](int session) {
        const QRectF column = columnRect(session);
        return QRectF(column.left(), row.center().y() - tall / 2, column.width(), tall);
    };
    const QColor colour = home(move_label_).blurry ? theme.blurry : theme.disjoint;
    painter.setPen(QPen(colour, 1, Qt::DashLine));
    painter.drawRoundedRect(cell(move_from_), 2, 2);
    if (move_to_ < 0) return;
    painter.setPen(QPen(theme.text, 1));
    painter.drawRoundedRect(columnRect(move_to_).adjusted(-1, -1, 1, 1), 3, 3);
    painter.setPen(QPen(theme.text, 1.5 * theme.weight));
    painter.setBrush(colour);
    painter.drawRoundedRect(cell(move_to_), 2, 2);
    painter.setBrush(Qt::NoBrush);
}

void StreamPreview::paintCells(QPainter& painter, const Theme& theme) {
    if (classes() == 0 || sessions() == 0) return;
    const QRectF all = cellRect(0, 0).united(cellRect(classes() - 1, sessions() - 1));
    const QRectF one = cellRect(0, 0);
    const qint64 cells = qint64{classes()} * sessions();
    if (std::min(one.width(), one.height()) < kSmallCell || cells > kMostCells) {
        if (small_.isNull()) small_ = smallPicture(theme);
        painter.drawImage(all, small_);
        return;
    }
    painter.setPen(Qt::NoPen);
    for (int label = 0; label < classes(); ++label) {
        const auto& counts = stream_->counts[static_cast<std::size_t>(label)];
        const auto most = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
        for (int session = 0; session < sessions(); ++session) {
            const QRectF cell = cellRect(label, session);
            const double radius = std::min({2.0, cell.width() / 4, cell.height() / 4});
            const std::int64_t count = counts[static_cast<std::size_t>(session)];
            painter.setBrush(theme.raised);
            painter.drawRoundedRect(cell, radius, radius);
            if (count == 0) continue;
            QColor colour = home(label).blurry ? theme.blurry : theme.disjoint;
            colour.setAlphaF(shadeStrength(static_cast<double>(count) / most));
            painter.setBrush(colour);
            painter.drawRoundedRect(cell, radius, radius);
        }
    }
}

QImage StreamPreview::smallPicture(const Theme& theme) const {
    const double ratio = devicePixelRatioF();
    const StreamGrid grid = stream_->grid.shrunk(std::max(1, static_cast<int>(height() * ratio)),
                                                 std::max(1, static_cast<int>(width() * ratio)));
    return shadedPicture(grid, theme);
}

void StreamPreview::resizeEvent(QResizeEvent* event) {
    small_ = {};
    QWidget::resizeEvent(event);
}

}  // namespace palimpsest
