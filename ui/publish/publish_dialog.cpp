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
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/publish/publish_preview.h"
#include "ui/publish/report_command.h"
#include "ui/style/spacing.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"

namespace palimpsest {
namespace {

using spacing::kGap;

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
        tell(tr("Copied."));
    };
    connect(side_->copy_caption, &QPushButton::clicked, this, [=, this] { copyText(side_->caption->toPlainText()); });
    connect(side_->copy_command, &QPushButton::clicked, this, [=, this] { copyText(side_->command->text()); });
    connect(side_->copy, &QPushButton::clicked, this, &PublishDialog::copyPiece);
    connect(side_->save, &QPushButton::clicked, this, &PublishDialog::askWhereToSave);
    clear({});
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

void PublishDialog::offerRuns(const QList<NamedRun>& runs, const QString& chosen) {
    side_->setRuns(runs, chosen);
}

void PublishDialog::showNothing(const QString& reason) {
    clear(reason);
    QDialog::show();
    raise();
}

void PublishDialog::tell(const QString& text) {
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
        side_->formats->setCurrentIndex(std::max(0, side_->formats->findText(before)));
    }
    side_->caption->setPlainText(QString::fromStdString(shown->caption));
    draw();
}

void PublishDialog::draw() {
    if (!piece()) return;
    side_->copy->setEnabled(false);
    side_->save->setEnabled(false);
    tell({});
    const report::PieceFormatRow& row = report::formatRow(format());
    side_->styles->setEnabled(row.drawn);
    side_->showCommand(reportCommand(folders_, row, style(), at_));
    publisher_->draw(static_cast<std::size_t>(side_->pieces->currentIndex()), format(), style());
}

void PublishDialog::display(const DrawnPiece& piece) {
    drawn_ = piece;
    side_->measures->setText(piece.measures);
    preview_->setPicture(piece.preview);
    if (piece.preview.isNull()) text_->setPlainText(piece.text);
    pages_->setCurrentWidget(piece.preview.isNull() ? static_cast<QWidget*>(text_) : preview_);
    side_->copy->setEnabled(true);
    side_->save->setEnabled(true);
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
        tell(tr("%1 would be misread: give the file the ending %2.").arg(QFileInfo(file).fileName(), ending));
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
