// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/publish/publish_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFrame>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/support/text.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kMargin = 14;

constexpr int kSideWidth = 320;
constexpr int kCaptionHeight = 150;
/// More are named in the report's page.
constexpr std::size_t kMostWarnings = 3;

QComboBox* makeChooser(const QString& name, const QString& title, const QString& tip) {
    auto* chooser = new QComboBox;
    chooser->setObjectName(name);
    chooser->setAccessibleName(title);
    chooser->setToolTip(tip);
    chooser->setItemDelegate(new QStyledItemDelegate(chooser));
    // A long name of an experiment is cut, the dialog does not grow with it.
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser->setMinimumContentsLength(16);
    return chooser;
}

QLabel* addField(QVBoxLayout* column, const QString& title, QWidget* control) {
    QLabel* label = makeLabel(title, text_size::kText, QFont::Normal, true);
    label->setBuddy(control);
    column->addWidget(label);
    column->addWidget(control);
    return label;
}

using spacing::kGap;

}  // namespace

PublishPreview::PublishPreview(QWidget* parent) : QWidget(parent) {
    setObjectName("publishPreview");
    setAccessibleName(tr("Preview of the figure"));
    setToolTip(tr("The figure as it will stand in the file"));
    setMinimumSize(320, 240);
}

void PublishPreview::setPicture(const QImage& picture) {
    picture_ = picture;
    update();
}

void PublishPreview::paintEvent(QPaintEvent*) {
    if (picture_.isNull()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const QRectF room = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const QSizeF size = QSizeF(picture_.size()).scaled(room.size(), Qt::KeepAspectRatio);
    const QRectF place(room.center() - QPointF(size.width(), size.height()) / 2, size);
    const QRectF paper = place.adjusted(-8, -8, 8, 8);
    painter.setPen(Theme::of(this).line);
    painter.setBrush(Qt::white);
    painter.drawRect(paper);
    painter.drawImage(place, picture_);
}

QPlainTextEdit* makeReader(const QString& name, const QString& title, const QString& tip) {
    auto* reader = new QPlainTextEdit;
    reader->setObjectName(name);
    reader->setAccessibleName(title);
    reader->setToolTip(tip);
    reader->setReadOnly(true);
    reader->setTabChangesFocus(true);
    return reader;
}

PublishSide::PublishSide(QWidget* parent) : QWidget(parent) {
    fitToText(this, [this] { setFixedWidth(scaled(kSideWidth)); });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    runs = makeChooser("publishRun", tr("Run"), tr("All that are shown, or the figures of one: its classes and more"));
    runs_title_ = addField(column, tr("&Run"), runs);
    setRuns({}, {});
    pieces = makeChooser("publishPiece", tr("What"), tr("A figure, or the table of the numbers"));
    formats = makeChooser("publishFormat", tr("Format"), tr("What kind of file it becomes"));
    styles = makeChooser("publishStyle", tr("Style"), tr("Width, size of type and place of the names"));
    addField(column, tr("&What"), pieces);
    addField(column, tr("&Format"), formats);
    addField(column, tr("S&tyle"), styles);
    measures = makeTextLabel(text_size::kCaption, QFont::Normal, true);
    measures->setObjectName("publishMeasures");
    column->addWidget(measures);

    caption = makeReader("publishCaption", tr("Caption"), tr("Made from the runs; change it after copying"));
    fitToText(caption, [this] {
        caption->setFont(textFont(caption->font(), text_size::kText));
        caption->setMinimumHeight(scaled(kCaptionHeight) / 2);
        caption->setMaximumHeight(scaled(kCaptionHeight));
    });
    addField(column, tr("C&aption"), caption);
    copy_caption = makeButton("copyCaption", tr("Copy caption"), tr("Put the caption on the clipboard"));
    column->addWidget(copy_caption, 0, Qt::AlignRight);

    command = new QLineEdit;
    command->setObjectName("publishCommand");
    command->setAccessibleName(tr("The same from the command line"));
    command->setToolTip(tr("Writes the same file, byte for byte"));
    command->setReadOnly(true);
    addField(column, tr("The same from the command &line"), command);
    copy_command = makeButton("copyCommand", tr("Copy command"), tr("Put the command on the clipboard"));
    column->addWidget(copy_command, 0, Qt::AlignRight);

    notes = makeTextLabel(text_size::kCaption, QFont::Normal, true);
    notes->setObjectName("publishNotes");
    column->addWidget(notes);
    column->addStretch(1);
    status = makeTextLabel(text_size::kText, QFont::Normal, true);
    status->setObjectName("publishStatus");
    status->setAccessibleName(tr("What was done"));
    column->addWidget(status);
    copy =
        makeButton("copyPiece", tr("Copy"), tr("Put it on the clipboard: a figure as image and SVG, a text as text"));
    save = makeButton("savePiece", tr("Save …"), tr("Write it to a file"));
    close_dialog = makeButton("publishClose", tr("Close"), tr("Close; what was saved stays"));
    withIcon(save, "save", &Theme::on_accent);
    withIcon(copy, "copy");
    withIcon(copy_caption, "copy");
    withIcon(copy_command, "copy");
    save->setDefault(true);
    save->setProperty("primary", true);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(copy);
    buttons->addWidget(save);
    buttons->addWidget(close_dialog);
    column->addLayout(buttons);
}

void PublishSide::clear() {
    pieces->clear();
    formats->clear();
    for (QWidget* part :
         std::initializer_list<QWidget*>{pieces, formats, styles, copy, save, copy_caption, copy_command})
        part->setEnabled(false);
    for (QLabel* label : {measures, notes, status}) label->clear();
    caption->clear();
    command->clear();
}

void PublishSide::setRuns(const QList<NamedRun>& list, const QString& chosen) {
    const QSignalBlocker blocker(runs);
    runs->clear();
    runs->addItem(tr("All %1 that are shown").arg(list.size()), QString());
    for (const NamedRun& run : list) runs->addItem(run.name, run.id);
    runs->setCurrentIndex(std::max(0, runs->findData(chosen)));
    for (QWidget* part : std::initializer_list<QWidget*>{runs_title_, runs}) part->setVisible(list.size() > 1);
}

void PublishSide::showWarnings(const std::vector<std::string>& warnings) {
    QStringList lines;
    for (std::size_t k = 0; k < std::min(warnings.size(), kMostWarnings); ++k)
        lines << QString::fromStdString(warnings[k]);
    if (warnings.size() > kMostWarnings) lines << tr("And %1 more.").arg(warnings.size() - kMostWarnings);
    notes->setText(lines.join('\n'));
}

void PublishSide::showCommand(const QString& text) {
    command->setText(text);
    command->setCursorPosition(0);
    copy_command->setEnabled(!text.isEmpty());
}

QString reportCommand(const QStringList& folders, const report::PieceFormatRow& row, const report::FigureStyle& style,
                      std::optional<std::int64_t> at, bool story) {
    if (folders.isEmpty()) return {};
    QString text = "palimpsest-cli report";
    for (const QString& folder : folders) text += ' ' + QString::fromStdString(shellQuoted(folder.toStdString()));
    text += QString(" --out report --format %1").arg(QString::fromLatin1(row.report));
    if (row.drawn) text += QString(" --style %1").arg(QString::fromLatin1(style.name));
    if (at) text += QString(" --at %1").arg(*at);
    if (!story) text += " --no-story";
    return text;
}

PublishDialog::PublishDialog(QWidget* parent)
    : QDialog(parent),
      publisher_(new Publisher(this)),
      pages_(new QStackedWidget),
      preview_(new PublishPreview),
      text_(makeReader("publishText", tr("Preview of the file"), tr("How the file begins"))),
      message_(makeTextLabel(text_size::kText, QFont::Normal, true)) {
    setObjectName("publishDialog");
    setWindowTitle(tr("Export"));
    setModal(false);
    resize(960, 600);

    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    fitToText(text_, [this] {
        text_->setFont(textFont(QFontDatabase::systemFont(QFontDatabase::FixedFont), text_size::kText));
    });
    text_->setFrameShape(QFrame::NoFrame);
    message_->setObjectName("publishMessage");
    message_->setAlignment(Qt::AlignCenter);
    message_->setMargin(3 * kGap);
    pages_->addWidget(preview_);
    pages_->addWidget(text_);
    pages_->addWidget(message_);
    auto* panel = new QFrame;
    panel->setProperty("panel", true);
    auto* inside = new QVBoxLayout(panel);
    inside->setContentsMargins(1, 1, 1, 1);
    inside->addWidget(pages_);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kGap, kGap, kGap, kGap);
    row->setSpacing(kGap);
    row->addWidget(panel, 1);
    side_ = new PublishSide;
    row->addWidget(side_);

    for (const report::FigureStyle& style : report::figureStyles())
        side_->styles->addItem(tr(style.title), QString::fromLatin1(style.name));
    side_->styles->setCurrentIndex(1);  // a figure that leaves the window mostly goes into a paper's column
    connect(side_->runs, &QComboBox::currentIndexChanged, this, [this] {
        const report::Piece* shown = piece();
        Q_EMIT runChosen(side_->runs->currentData().toString(), shown ? QString::fromStdString(shown->file) : wanted_);
    });
    connect(side_->pieces, &QComboBox::currentIndexChanged, this, &PublishDialog::fillFormats);
    connect(side_->formats, &QComboBox::currentIndexChanged, this, &PublishDialog::draw);
    connect(side_->formats, &QComboBox::activated, this, [this] { animation_ = false; });
    connect(side_->styles, &QComboBox::currentIndexChanged, this, &PublishDialog::draw);
    connect(publisher_, &Publisher::published, this, [this](const Publisher::Publication& all) {
        all_ = all;
        fillPieces();
    });
    connect(publisher_, &Publisher::drawn, this, &PublishDialog::display);
    connect(publisher_, &Publisher::failed, this, [this](const QString& message, const QString& hint) {
        clear(hint.isEmpty() ? message : message + '\n' + hint);
    });
    const auto copyText = [this](const QString& text) {
        QGuiApplication::clipboard()->setText(text);
        showStatus(tr("Copied."));
    };
    connect(side_->copy_caption, &QPushButton::clicked, this, [=, this] { copyText(side_->caption->toPlainText()); });
    connect(side_->copy_command, &QPushButton::clicked, this, [=, this] { copyText(side_->command->text()); });
    connect(side_->copy, &QPushButton::clicked, this, &PublishDialog::copyPiece);
    connect(side_->save, &QPushButton::clicked, this, &PublishDialog::askWhereToSave);
    connect(side_->close_dialog, &QPushButton::clicked, this, &QDialog::close);
    clear({});
}

void PublishDialog::show(Publisher::Source source, const QString& wanted, const QStringList& folders,
                         std::optional<std::int64_t> at, bool story) {
    wanted_ = wanted;
    at_ = at;
    story_ = story;
    folders_ = folders;
    clear(tr("Reading …"));
    publisher_->read(std::move(source));
    QDialog::show();
    raise();
    activateWindow();
}

void PublishDialog::showNothing(const QString& reason) {
    clear(reason);
    QDialog::show();
    raise();
}

QString PublishDialog::drawingStatus() {
    return tr("Drawing each moment …");
}

void PublishDialog::preferAnimation(bool wanted) {
    // What was chosen for an animation does not hold for a figure.
    if (!wanted && side_->formats->count() > 0 && report::formatRow(format()).animated) {
        const QSignalBlocker blocker(side_->formats);
        side_->formats->clear();
    }
    animation_ = wanted;
    // An animation is looked at on a screen, also where figures go into the column of a paper.
    const QSignalBlocker blocker(side_->styles);
    if (wanted && !still_style_) {
        still_style_ = side_->styles->currentIndex();
        side_->styles->setCurrentIndex(side_->styles->findData(QString::fromLatin1(report::screenStyle().name)));
    } else if (!wanted && still_style_) {
        side_->styles->setCurrentIndex(*still_style_);
        still_style_.reset();
    }
}

void PublishDialog::showStatus(const QString& text) {
    side_->status->setText(text);
}

void PublishDialog::clear(const QString& reason) {
    all_.reset();
    drawn_ = {};
    side_->clear();
    preview_->setPicture({});
    message_->setText(reason);
    pages_->setCurrentWidget(message_);
}

void PublishDialog::fillPieces() {
    int chosen = 0;
    {
        const QSignalBlocker blocker(side_->pieces);
        side_->pieces->clear();
        for (std::size_t k = all_->pieces.size(); k-- > 0;) {
            const report::Piece& piece = all_->pieces[k];
            side_->pieces->insertItem(0, QString::fromStdString(piece.title));
            if (QString::fromStdString(piece.file).startsWith(wanted_)) chosen = static_cast<int>(k);
        }
        side_->pieces->setCurrentIndex(chosen);
    }
    side_->showWarnings(all_->runs.warnings);
    for (QWidget* part : std::initializer_list<QWidget*>{side_->pieces, side_->formats, side_->copy_caption})
        part->setEnabled(true);
    fillFormats();
}

void PublishDialog::fillFormats() {
    const report::Piece* shown = piece();
    if (!shown) return;
    const QString before = side_->formats->currentText();
    {
        const QSignalBlocker blocker(side_->formats);
        side_->formats->clear();
        for (const report::PieceFormatRow& row : report::pieceFormats()) {
            if (!report::offers(*shown, row.format)) continue;
            side_->formats->addItem(QString("%1 (%2)").arg(tr(row.name), QString::fromLatin1(row.ending)),
                                    static_cast<int>(row.format));
        }
        int chosen = std::max(0, side_->formats->findText(before));
        for (const report::PieceFormatRow& row : report::pieceFormats())
            if (animation_ && row.animated && report::offers(*shown, row.format))
                chosen = side_->formats->findData(static_cast<int>(row.format));
        side_->formats->setCurrentIndex(chosen);
    }
    side_->caption->setPlainText(QString::fromStdString(shown->caption));
    draw();
}

void PublishDialog::draw() {
    if (!piece()) return;
    side_->copy->setEnabled(false);
    side_->save->setEnabled(false);
    const report::PieceFormatRow& row = report::formatRow(format());
    showStatus(row.animated ? drawingStatus() : QString());
    side_->styles->setEnabled(row.drawn);
    side_->showCommand(reportCommand(folders_, row, style(), at_, story_));
    publisher_->draw(static_cast<std::size_t>(side_->pieces->currentIndex()), format(), style());
}

void PublishDialog::display(const DrawnPiece& drawn) {
    if (!piece()) return;  // what was drawn is not there any more
    drawn_ = drawn;
    side_->measures->setText(drawn.measures);
    preview_->setPicture(drawn.preview);
    if (drawn.preview.isNull()) text_->setPlainText(drawn.text);
    pages_->setCurrentWidget(drawn.preview.isNull() ? static_cast<QWidget*>(text_) : preview_);
    side_->copy->setEnabled(true);
    side_->save->setEnabled(true);
    if (side_->status->text() == drawingStatus()) showStatus({});
}

void PublishDialog::copyPiece() {
    auto* copied = new QMimeData;
    if (drawn_.picture.isNull()) {
        copied->setText(QString::fromUtf8(drawn_.bytes));
    } else {
        copied->setImageData(drawn_.picture);
        copied->setData("image/svg+xml", drawn_.svg);
    }
    QGuiApplication::clipboard()->setMimeData(copied);
    showStatus(drawn_.picture.isNull() ? tr("Copied as text.") : tr("Copied as image and SVG."));
}

void PublishDialog::askWhereToSave() {
    // It asks once at a time, of what is shown now.
    delete findChild<QFileDialog*>(QStringLiteral("exportDialog"));
    const report::PieceFormatRow& row = report::formatRow(format());
    const QString ending = QString::fromLatin1(row.ending);
    auto* dialog = new QFileDialog(this, tr("Export: %1").arg(side_->pieces->currentText()), folder_,
                                   QString("%1 (*%2)").arg(tr(row.name), ending));
    dialog->setObjectName("exportDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending.mid(1));
    dialog->selectFile(QString::fromStdString(report::pieceFile(*piece(), format())));
    connect(dialog, &QFileDialog::fileSelected, this, [this, ending, bytes = drawn_.bytes](const QString& file) {
        if (file.endsWith(ending, Qt::CaseInsensitive)) return Q_EMIT saveAsked(file, bytes);
        showStatus(tr("%1 would be misread: give the file the ending %2.").arg(QFileInfo(file).fileName(), ending));
    });
    dialog->show();
}

const report::Piece* PublishDialog::piece() const {
    const auto index = static_cast<std::size_t>(side_->pieces->currentIndex());
    return all_ && index < all_->pieces.size() ? &all_->pieces[index] : nullptr;
}

report::PieceFormat PublishDialog::format() const {
    return static_cast<report::PieceFormat>(side_->formats->currentData().toInt());
}

const report::FigureStyle& PublishDialog::style() const {
    return report::figureStyles()[static_cast<std::size_t>(std::max(0, side_->styles->currentIndex()))];
}

}  // namespace palimpsest
