// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/backbone_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QStringList>

#include "ui/datasets/dataset_text.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr qint64 kMillion = 1'000'000;

QString tr(const char* text) {
    return QCoreApplication::translate("BackboneText", text);
}

QString words(const std::string& text) {
    return QString::fromStdString(text);
}

QString networkText(const BackboneFacts& facts) {
    QStringList parts;
    if (facts.depth > 0) parts.append(facts.depth == 1 ? tr("1 block") : tr("%1 blocks").arg(facts.depth));
    if (facts.heads > 0) parts.append(facts.heads == 1 ? tr("1 head") : tr("%1 heads").arg(facts.heads));
    if (facts.width > 0) parts.append(tr("width %1").arg(facts.width));
    if (facts.patch_size > 0) parts.append(tr("patches of %1 pixels").arg(facts.patch_size));
    return parts.join(", ");
}

QString clipText(const BackboneFacts& facts) {
    QStringList parts;
    if (facts.pre_norm) parts.append(tr("a layer norm before the first block"));
    if (facts.quick_gelu) parts.append(tr("quick GELU"));
    return parts.join(", ");
}

/// Rows with a value, under the object names of the sheet.
QList<FactRow> filled(QList<FactRow> rows) {
    rows.removeIf([](const FactRow& row) { return row.value.isEmpty(); });
    for (FactRow& row : rows) row.name.prepend("backboneFact.");
    return rows;
}

}  // namespace

QString parametersText(qint64 parameters) {
    if (parameters < kMillion) return countText(parameters);
    const double millions = static_cast<double>(parameters) / kMillion;
    return tr("%1 million (%2)").arg(millions, 0, 'f', millions < 99.95 ? 1 : 0).arg(countText(parameters));
}

QString sentenceOf(const BackboneFacts& facts) {
    return tr("%1, kept as %2, with the tensor names of %3.")
        .arg(words(facts.title), words(facts.format), words(facts.layout));
}

QList<FactRow> rowsOf(const BackboneFacts& facts, const BackboneCard* known) {
    const qint64 side = facts.image_size;
    return filled({
        {"file", tr("File"), QDir::toNativeSeparators(words(facts.file.string()))},
        {"known", tr("Known as"),
         known ? tr("%1; its checksum agrees").arg(words(known->title)) : words(facts.known_as)},
        {"format", tr("Format"), words(facts.format)},
        {"names", tr("Names"), words(facts.layout)},
        {"images", tr("Images"), side > 0 ? tr("%1 × %1 pixels").arg(side) : QString()},
        {"network", tr("Network"), networkText(facts)},
        {"parameters", tr("Parameters"), facts.parameters > 0 ? parametersText(facts.parameters) : QString()},
        {"size", tr("Size"), facts.bytes > 0 ? bytesText(facts.bytes) : QString()},
        {"head", tr("Head"),
         facts.head_classes > 0 ? tr("that of %1 classes is left out").arg(countText(facts.head_classes)) : QString()},
        {"clip", tr("As in CLIP"), clipText(facts)},
    });
}

QList<FactRow> rowsOf(const BackboneCard& card) {
    QString file = words(card.file);
    if (card.bytes > 0) file += (file.isEmpty() ? "" : ", ") + bytesText(card.bytes);
    return filled({
        {"user", tr("In the paper"), words(card.user)},
        {"origin", tr("Made by"), words(card.origin)},
        {"licence", tr("Licence"), words(card.licence)},
        {"file", tr("File"), file},
    });
}

QString factsText(const BackboneCard& card) {
    QStringList parts;
    if (card.bytes > 0) parts.append(bytesText(card.bytes));
    if (!card.licence.empty()) parts.append(words(card.licence));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace palimpsest
