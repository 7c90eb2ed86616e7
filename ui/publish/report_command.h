// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <cstdint>
#include <optional>

#include "engine/report/publication.h"

namespace palimpsest {

/// What makes the same file at a command line, from the folders of the runs; without any empty. `at`: images seen, of a
/// confusion matrix that is not the last.
QString reportCommand(const QStringList& folders, const report::PieceFormatRow& row, const report::FigureStyle& style,
                      std::optional<std::int64_t> at);

}  // namespace palimpsest
