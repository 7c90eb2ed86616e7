// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/publish_dialog.h"

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
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "engine/support/shell_quoted.h"
#include "ui/icons.h"
#include "ui/parts.h"
#include "ui/publish_preview.h"
#include "ui/spacing.h"
#include "ui/text_style.h"

namespace palimpsest {
namespace {

using spacing::kGap;
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

void addField(QVBoxLayout* column, const QString& title, QWidget* control) {
    QLabel* label = makeLabel(title, text_size::kText, QFont::Normal, true);
    label->setBuddy(control);
    column->addWidget(label);
    column->addWidget(control);
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

}  // namespace

PublishDialog::PublishDialog(QWidget* parent)
    : QDialog(parent),
      publisher_(new Publisher(this)),
      pages_(new QStackedWidget),
      preview_(new PublishPreview),
      text_(makeReader("publishText", tr("Preview of the file"), tr("How the file begins"))),
      message_(makeWords(text_size::kText, QFont::Normal, true)) {
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
    row->addWidget(makeSide());

    for (const report::FigureStyle& style : report::figureStyles())
        styles_->addItem(tr(style.title), QString::fromLatin1(style.name));
    styles_->setCurrentIndex(1);  // a figure that leaves the window mostly goes into a paper's column
    connect(pieces_, &QComboBox::currentIndexChanged, this, &PublishDialog::fillFormats);
    connect(formats_, &QComboBox::currentIndexChanged, this, &PublishDialog::draw);
    connect(styles_, &QComboBox::currentIndexChanged, this, &PublishDialog::draw);
    connect(publisher_, &Publisher::published, this, [this](const Publisher::Publication& all) {
        all_ = all;
        fillPieces();
    });
    connect(publisher_, &Publisher::drawn, this, &PublishDialog::display);
    connect(publisher_, &Publisher::failed, this, [this](const QString& message, const QString& hint) {
        clear(hint.isEmpty() ? message : message + '\n' + hint);
    });
    clear({});
}

QWidget* PublishDialog::makeSide() {
    auto* side = new QWidget;
    fitToText(side, [side] { side->setFixedWidth(scaled(kSideWidth)); });
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    pieces_ = makeChooser("publishPiece", tr("What"), tr("A figure, or the table of the numbers"));
    formats_ = makeChooser("publishFormat", tr("Format"), tr("What kind of file it becomes"));
    styles_ = makeChooser("publishStyle", tr("Style"), tr("Width, size of type and place of the names"));
    addField(column, tr("&What"), pieces_);
    addField(column, tr("&Format"), formats_);
    addField(column, tr("S&tyle"), styles_);
    measures_ = makeWords(text_size::kCaption, QFont::Normal, true);
    measures_->setObjectName("publishMeasures");
    column->addWidget(measures_);

    caption_ = makeReader("publishCaption", tr("Caption"), tr("Made from the runs; change it after copying"));
    fitToText(caption_, [this] {
        caption_->setFont(textFont(caption_->font(), text_size::kText));
        caption_->setMinimumHeight(scaled(kCaptionHeight) / 2);
        caption_->setMaximumHeight(scaled(kCaptionHeight));
    });
    addField(column, tr("C&aption"), caption_);
    copy_caption_ = makeButton("copyCaption", tr("Copy caption"), tr("Put the caption on the clipboard"));
    column->addWidget(copy_caption_, 0, Qt::AlignRight);

    command_ = new QLineEdit;
    command_->setObjectName("publishCommand");
    command_->setAccessibleName(tr("The same from the command line"));
    command_->setToolTip(tr("Writes the same file, byte for byte"));
    command_->setReadOnly(true);
    addField(column, tr("The same from the command &line"), command_);
    copy_command_ = makeButton("copyCommand", tr("Copy command"), tr("Put the command on the clipboard"));
    column->addWidget(copy_command_, 0, Qt::AlignRight);

    notes_ = makeWords(text_size::kCaption, QFont::Normal, true);
    notes_->setObjectName("publishNotes");
    column->addWidget(notes_);
    column->addStretch(1);
    status_ = makeWords(text_size::kText, QFont::Normal, true);
    status_->setObjectName("publishStatus");
    status_->setAccessibleName(tr("What was done"));
    column->addWidget(status_);
    copy_ =
        makeButton("copyPiece", tr("Copy"), tr("Put it on the clipboard: a figure as image and SVG, a text as text"));
    save_ = makeButton("savePiece", tr("Save …"), tr("Write it to a file"));
    withIcon(save_, "save", &Theme::on_accent);
    withIcon(copy_, "copy");
    withIcon(copy_caption_, "copy");
    withIcon(copy_command_, "copy");
    save_->setDefault(true);
    save_->setProperty("primary", true);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(copy_);
    buttons->addWidget(save_);
    column->addLayout(buttons);

    const auto copyText = [this](const QString& text) {
        QGuiApplication::clipboard()->setText(text);
        tell(tr("Copied."));
    };
    connect(copy_caption_, &QPushButton::clicked, this, [=, this] { copyText(caption_->toPlainText()); });
    connect(copy_command_, &QPushButton::clicked, this, [=, this] { copyText(command_->text()); });
    connect(copy_, &QPushButton::clicked, this, &PublishDialog::copyPiece);
    connect(save_, &QPushButton::clicked, this, &PublishDialog::askWhereToSave);
    return side;
}

void PublishDialog::show(Publisher::Source source, const QString& wanted, const QStringList& folders,
                         std::optional<std::int64_t> at) {
    wanted_ = wanted;
    at_ = at;
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

void PublishDialog::tell(const QString& text) {
    status_->setText(text);
}

void PublishDialog::clear(const QString& reason) {
    all_.reset();
    drawn_ = {};
    pieces_->clear();
    formats_->clear();
    for (QWidget* part :
         std::initializer_list<QWidget*>{pieces_, formats_, styles_, copy_, save_, copy_caption_, copy_command_})
        part->setEnabled(false);
    for (QLabel* label : {measures_, notes_, status_}) label->clear();
    caption_->clear();
    command_->clear();
    preview_->setPicture({});
    message_->setText(reason);
    pages_->setCurrentWidget(message_);
}

void PublishDialog::fillPieces() {
    int chosen = 0;
    {
        const QSignalBlocker blocker(pieces_);
        pieces_->clear();
        for (std::size_t k = all_->pieces.size(); k-- > 0;) {
            const report::Piece& piece = all_->pieces[k];
            pieces_->insertItem(0, QString::fromStdString(piece.title));
            if (QString::fromStdString(piece.file).startsWith(wanted_)) chosen = static_cast<int>(k);
        }
        pieces_->setCurrentIndex(chosen);
    }
    QStringList notes;
    const std::vector<std::string>& warnings = all_->runs.warnings;
    for (std::size_t k = 0; k < std::min(warnings.size(), kMostWarnings); ++k)
        notes << QString::fromStdString(warnings[k]);
    if (warnings.size() > kMostWarnings) notes << tr("And %1 more.").arg(warnings.size() - kMostWarnings);
    notes_->setText(notes.join('\n'));
    for (QWidget* part : std::initializer_list<QWidget*>{pieces_, formats_, copy_caption_}) part->setEnabled(true);
    fillFormats();
}

void PublishDialog::fillFormats() {
    const report::Piece* shown = piece();
    if (!shown) return;
    const QString before = formats_->currentText();
    {
        const QSignalBlocker blocker(formats_);
        formats_->clear();
        for (const report::PieceFormatRow& row : report::pieceFormats()) {
            if (!report::offers(*shown, row.format)) continue;
            formats_->addItem(QString("%1 (%2)").arg(tr(row.name), QString::fromLatin1(row.ending)),
                              static_cast<int>(row.format));
        }
        formats_->setCurrentIndex(std::max(0, formats_->findText(before)));
    }
    caption_->setPlainText(QString::fromStdString(shown->caption));
    draw();
}

void PublishDialog::draw() {
    if (!piece()) return;
    copy_->setEnabled(false);
    save_->setEnabled(false);
    tell({});
    styles_->setEnabled(report::formatRow(format()).drawn);
    refreshCommand();
    publisher_->draw(static_cast<std::size_t>(pieces_->currentIndex()), format(), style());
}

void PublishDialog::display(const DrawnPiece& piece) {
    drawn_ = piece;
    measures_->setText(piece.measures);
    preview_->setPicture(piece.preview);
    if (piece.preview.isNull()) text_->setPlainText(piece.text);
    pages_->setCurrentWidget(piece.preview.isNull() ? static_cast<QWidget*>(text_) : preview_);
    copy_->setEnabled(true);
    save_->setEnabled(true);
}

void PublishDialog::refreshCommand() {
    const report::PieceFormatRow& row = report::formatRow(format());
    QString text;
    if (!folders_.isEmpty()) {
        text = "palimpsest-cli report";
        for (const QString& folder : folders_) text += ' ' + QString::fromStdString(shellQuoted(folder.toStdString()));
        text += QString(" --out report --format %1").arg(QString::fromLatin1(row.report));
        if (row.drawn) text += QString(" --style %1").arg(QString::fromLatin1(style().name));
        if (at_) text += QString(" --at %1").arg(*at_);
    }
    command_->setText(text);
    command_->setCursorPosition(0);
    copy_command_->setEnabled(!text.isEmpty());
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
    tell(drawn_.picture.isNull() ? tr("Copied as text.") : tr("Copied as image and SVG."));
}

void PublishDialog::askWhereToSave() {
    const report::PieceFormatRow& row = report::formatRow(format());
    const QString ending = QString::fromLatin1(row.ending);
    auto* dialog = new QFileDialog(this, tr("Export: %1").arg(pieces_->currentText()), folder_,
                                   QString("%1 (*%2)").arg(tr(row.name), ending));
    dialog->setObjectName("exportDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending.mid(1));
    dialog->selectFile(QString::fromStdString(report::pieceFile(*piece(), format())));
    connect(dialog, &QFileDialog::fileSelected, this, [this, ending, bytes = drawn_.bytes](const QString& file) {
        if (file.endsWith(ending, Qt::CaseInsensitive)) return Q_EMIT saveAsked(file, bytes);
        tell(tr("%1 would be misread: give the file the ending %2.").arg(QFileInfo(file).fileName(), ending));
    });
    dialog->show();
}

const report::Piece* PublishDialog::piece() const {
    const auto index = static_cast<std::size_t>(pieces_->currentIndex());
    return all_ && index < all_->pieces.size() ? &all_->pieces[index] : nullptr;
}

report::PieceFormat PublishDialog::format() const {
    return static_cast<report::PieceFormat>(formats_->currentData().toInt());
}

const report::FigureStyle& PublishDialog::style() const {
    return report::figureStyles()[static_cast<std::size_t>(std::max(0, styles_->currentIndex()))];
}

}  // namespace palimpsest
