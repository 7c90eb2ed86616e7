// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command_palette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/commands/palette_model.h"
#include "ui/style/text_style.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr QSize kUsual(560, 396);
constexpr int kTop = 52;  // below the window's upper edge: the top bar stays in sight
constexpr int kMargin = 12;

}  // namespace

CommandPalette::CommandPalette(std::function<QList<PaletteCommand>()> commands, QWidget* window)
    : QFrame(window),
      commands_(std::move(commands)),
      window_(window),
      line_(new QLineEdit),
      list_(new QListView),
      nothing_(makeLabel({}, text_size::kText, QFont::Normal, true)),
      model_(new PaletteModel(this)) {
    setObjectName("commandPalette");
    setAccessibleName(tr("Find or do anything"));
    setProperty("panel", true);
    setProperty("overlay", true);
    line_->setObjectName("paletteSearch");
    line_->setAccessibleName(tr("What to find or do"));
    line_->setToolTip(tr("A few letters of a command, a setting, a preset or a page of the guide"));
    line_->setPlaceholderText(tr("Find or do anything: a command, a setting, a preset, a page of the guide"));
    list_->setObjectName("paletteList");
    list_->setAccessibleName(tr("What was found"));
    list_->setToolTip(tr("Up and Down choose, Return does it"));
    list_->setModel(model_);
    list_->setItemDelegate(new PaletteDelegate(list_));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setUniformItemSizes(true);
    list_->setMouseTracking(true);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    nothing_->setObjectName("paletteNothing");
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setWordWrap(true);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    column->addWidget(line_);
    column->addWidget(list_, 1);
    column->addWidget(nothing_, 1);
    hide();
    connect(line_, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(list_, &QListView::clicked, this, &CommandPalette::choose);
    line_->installEventFilter(this);
    window_->installEventFilter(this);
    fitToText(this, [this] {
        if (isVisible()) place();
    });
}

void CommandPalette::open() {
    if (!isVisible()) before_ = QApplication::focusWidget();
    // A detached panel may have asked for it.
    if (!window_->isActiveWindow()) window_->activateWindow();
    model_->setCommands(commands_());
    line_->clear();
    search({});
    place();
    show();
    raise();
    line_->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::place() {
    const QSize room = window_->size() - QSize(2 * kMargin, scaled(kTop) + kMargin);
    const QSize size = QSize(scaled(kUsual.width()), scaled(kUsual.height())).boundedTo(room);
    setGeometry((window_->width() - size.width()) / 2, scaled(kTop), size.width(), size.height());
}

void CommandPalette::search(const QString& query) {
    model_->setQuery(query);
    const bool any = model_->rowCount() > 0;
    list_->setVisible(any);
    nothing_->setVisible(!any);
    nothing_->setText(tr("Nothing is called “%1”. Try fewer letters.").arg(query.simplified()));
    if (any) list_->setCurrentIndex(model_->index(0));
    list_->scrollToTop();
    move(0);
}

void CommandPalette::move(int rows) {
    if (model_->rowCount() == 0) return;
    const int row = std::clamp(list_->currentIndex().row() + rows, 0, model_->rowCount() - 1);
    const QModelIndex index = model_->index(row);
    list_->setCurrentIndex(index);
    // The focus stays in the line, so that is where the choice is announced.
    line_->setAccessibleDescription(index.data(Qt::AccessibleTextRole).toString());
}

void CommandPalette::choose() {
    const QModelIndex index = list_->currentIndex();
    if (!index.isValid()) return;
    const PaletteCommand command = model_->command(index.row());
    leave(true);
    if (!command.refusal.isEmpty()) {
        Q_EMIT refused(command.title, command.refusal);
        return;
    }
    model_->noteUse(command.name);
    command.run();
}

void CommandPalette::leave(bool back) {
    const bool focused = isAncestorOf(QApplication::focusWidget());
    hide();
    if (!back || !focused) return;
    if (before_) {
        if (!before_->isActiveWindow()) before_->activateWindow();
        before_->setFocus(Qt::OtherFocusReason);
    } else
        window_->setFocus(Qt::OtherFocusReason);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window_) {
        if (event->type() == QEvent::Resize && isVisible()) place();
        return false;
    }
    if (event->type() == QEvent::FocusOut) {
        const auto reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) leave(false);
        return false;
    }
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int page = std::max(1, list_->viewport()->height() / std::max(1, list_->sizeHintForRow(0)));
    int rows = 0;
    switch (key) {
        case Qt::Key_Down:
        case Qt::Key_Tab:  // the focus stays in the line as long as the palette is open
            rows = 1;
            break;
        case Qt::Key_Up:
        case Qt::Key_Backtab:
            rows = -1;
            break;
        case Qt::Key_PageDown:
            rows = page;
            break;
        case Qt::Key_PageUp:
            rows = -page;
            break;
        case Qt::Key_Escape:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            break;
        default:
            return false;
    }
    event->accept();
    if (event->type() == QEvent::ShortcutOverride) return true;  // no command of the window gets the key
    if (rows != 0)
        move(rows);
    else if (key == Qt::Key_Escape)
        leave(true);
    else
        choose();
    return true;
}

}  // namespace palimpsest
