// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/run/backbone_service.h"
#include "ui/widgets/fact_sheet.h"

namespace palimpsest {

/// "85.8 million (85,798,656)", "930,000".
QString parametersText(qint64 parameters);
/// One sentence about a file.
QString sentenceOf(const BackboneFacts& facts);
/// Facts about a file; unknown ones are left out. `known`: the card it has the checksum of; may be null.
QList<FactRow> rowsOf(const BackboneFacts& facts, const BackboneCard* known);
/// Facts about a backbone in common use, without its address and checksum.
QList<FactRow> rowsOf(const BackboneCard& card);
/// "346 MB · Apache 2.0"; what is not known is left out.
QString factsText(const BackboneCard& card);

}  // namespace palimpsest
