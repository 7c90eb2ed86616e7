// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_preview.h"

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/state/run_controller.h"
#include "ui/stream/stream_picture.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {

StreamPreview::StreamPreview(QWidget* parent) : QWidget(parent), empty_text_(tr("Reading the labels …")) {
    setObjectName("streamPreview");
    setAccessibleName(tr("The stream: classes down, sessions across"));
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setSizePolicy(policy);
}

int StreamPreview::classes() const {
    return stream_ ? static_cast<int>(stream_->counts.size()) : 0;
}
int StreamPreview::sessions() const {
    return stream_ ? static_cast<int>(stream_->plan.sessions.size()) : 0;
}

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
    return {240, StreamCells::heightFor(classes() == 0 ? 10 : classes())};
}

QSize StreamPreview::minimumSizeHint() const {
    return {160, sizeHint().height()};
}

StreamCells StreamPreview::cells() const {
    return {classes(), sessions(), size()};
}

QRectF StreamPreview::cellRect(int label, int session) const {
    return cells().cell(label, session);
}
QRectF StreamPreview::rowRect(int label) const {
    return cells().row(label);
}
QRectF StreamPreview::columnRect(int session) const {
    return cells().column(session);
}
int StreamPreview::labelAt(const QPointF& point) const {
    return cells().labelAt(point);
}
int StreamPreview::sessionAt(int label, const QPointF& point) const {
    return cells().sessionAt(label, point);
}
int StreamPreview::columnAt(double x) const {
    return cells().columnAt(x);
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

StreamSessionStrip StreamPreview::strip() const {
    const StreamCells cells = this->cells();
    if (cells.empty()) return {};
    StreamSessionStrip strip;
    for (const auto& session : stream_->plan.sessions) strip.lengths.push_back(std::ssize(session));
    const QRectF first = cells.cell(0, 0);
    strip.place = {first.left(), cells.bottom(), width() - first.left() - StreamCells::kMargin,
                   StreamSessionStrip::height()};
    strip.gap = cells.column(0).isEmpty() ? 0 : strip.place.width() / sessions() - first.width();
    strip.titles = first.left();
    strip.current = current_;
    return strip;
}

void StreamPreview::showMove(int label, int from, int to) {
    const ClassMove move{label, from, to};
    if (move == move_) return;
    move_ = move;
    if (label >= 0) point(-1, -1);
    update();
}

bool StreamPreview::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int label = labelAt(help->pos());
    if (label >= 0 && !cell_tips_) return true;
    const int session = label < 0 ? -1 : sessionAt(label, help->pos());
    const int column = help->pos().y() >= cells().bottom() ? columnAt(help->pos().x()) : -1;
    if (column >= 0) {
        QToolTip::showText(help->globalPos(), sessionText(column), this);
        return true;
    }
    if (session >= 0) {
        QToolTip::showText(help->globalPos(), cellText(label, session), this, cellRect(label, session).toAlignedRect());
        return true;
    }
    const QString explanation = tr(
        "Which classes come in which session, and how many images of each. Orange classes belong to one session, blue "
        "ones return.");
    QToolTip::showText(help->globalPos(), toolTip().isEmpty() ? explanation : explanation + '\n' + toolTip(), this);
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
        case Qt::Key_Up:
            select(label - 1, session);
            break;
        case Qt::Key_Down:
            select(label_ < 0 ? 0 : label + 1, session);
            break;
        case Qt::Key_Left:
            select(label, session - 1);
            break;
        case Qt::Key_Right:
            select(label, session_ < 0 ? 0 : session + 1);
            break;
        case Qt::Key_Escape:
            point(-1, -1);
            break;
        default:
            QWidget::keyPressEvent(event);
            return;
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

    const StreamCells cells = this->cells();
    paintCells(painter, cells, theme);
    paintClassNames(painter, cells, *stream_, caption, theme);

    strip().paint(painter, font(), theme);
    // Frames of a cell or of all of them keep off the numbers below.
    painter.setClipRect(QRectF(0, 0, width(), cells.bottom()));
    paintStreamEdits(painter, cells, *stream_, theme);
    if (move_.label >= 0) paintClassMove(painter, cells, move_, home(move_.label).blurry, theme);
    painter.setBrush(Qt::NoBrush);
    if (current_ >= 0 && current_ < sessions() && classes() > 0) {
        painter.setPen(QPen(theme.accent, 1.5 * theme.weight));
        painter.drawRoundedRect(cells.column(current_).adjusted(-1.5, -1.5, 1.5, 1.5), 3, 3);
    }
    if (hasFocus() && label_ >= 0 && session_ >= 0) {
        painter.setPen(QPen(theme.text, 1.5 * theme.weight));
        painter.drawRoundedRect(cells.cell(label_, session_), 2, 2);
    } else if (hasFocus()) {
        paintFocusRing(painter, QRectF(0, 0, width(), cells.bottom()), theme);
    }
}

void StreamPreview::paintCells(QPainter& painter, const StreamCells& cells, const Theme& theme) {
    if (cells.empty()) return;
    if (paintedOneByOne(cells)) return paintStreamCells(painter, cells, *stream_, homes_, theme);
    if (small_.isNull()) small_ = smallPicture(theme);
    painter.drawImage(cells.all(), small_);
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

RunningSession::RunningSession(RunController* controller, StreamPreview* preview)
    : QObject(preview), preview_(preview) {
    connect(controller, &RunController::stateChanged, this, [this, controller] {
        if (controller->busy()) return;
        session_ = -1;
        show();
    });
    connect(controller->bridge(), &RunBridge::started, this, [this](const RunStarted& event) {
        fingerprint_ = QString::fromStdString(event.fingerprint);
        session_ = 0;
        show();
    });
    connect(controller->bridge(), &RunBridge::progressed, this, [this](const Progress& event) {
        session_ = static_cast<int>(event.session);
        show();
    });
}

void RunningSession::show() {
    const auto& stream = preview_->stream();
    preview_->setCurrentSession(stream && stream->fingerprint == fingerprint_ ? session_ : -1);
}

}  // namespace palimpsest
