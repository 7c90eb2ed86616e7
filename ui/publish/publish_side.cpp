// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/publish/publish_side.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

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

}  // namespace

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
    measures = makeWords(text_size::kCaption, QFont::Normal, true);
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

    notes = makeWords(text_size::kCaption, QFont::Normal, true);
    notes->setObjectName("publishNotes");
    column->addWidget(notes);
    column->addStretch(1);
    status = makeWords(text_size::kText, QFont::Normal, true);
    status->setObjectName("publishStatus");
    status->setAccessibleName(tr("What was done"));
    column->addWidget(status);
    copy =
        makeButton("copyPiece", tr("Copy"), tr("Put it on the clipboard: a figure as image and SVG, a text as text"));
    save = makeButton("savePiece", tr("Save …"), tr("Write it to a file"));
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

}  // namespace palimpsest
