// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/resources.h"

#include <QtGlobal>

// Resources of a static library are linked in only where they are asked for; the macro must stand outside namespaces.
static void initOwn() {
    Q_INIT_RESOURCE(ui);
}

namespace palimpsest {

void initResources() {
    initOwn();
}

}  // namespace palimpsest
