// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/figure_table.h"

namespace palimpsest {

QString csvQuoted(QString text) {
    const bool plain = !text.contains(',') && !text.contains('"') && !text.contains('\n') && !text.contains('\r');
    return plain ? text : '"' + text.replace('"', QLatin1String("\"\"")) + '"';
}

}  // namespace palimpsest
