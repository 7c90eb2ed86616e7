// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/run/backbone_service.h"
#include "ui/widgets/fact_sheet.h"

namespace palimpsest {

/// "85.8 million (85,798,656)", "930,000".
QString parametersText(qint64 parameters);
/// What a file is, in a sentence.
QString sentenceOf(const BackboneFacts& facts);
/// What is known of a file; what is not known is left out. `known`: the card it has the checksum of; may be null.
QList<FactRow> rowsOf(const BackboneFacts& facts, const BackboneCard* known);
/// What is known of a backbone that people use, without its address and checksum.
QList<FactRow> rowsOf(const BackboneCard& card);
/// "346 MB · Apache 2.0"; what is not known is left out.
QString factsText(const BackboneCard& card);

}  // namespace palimpsest
