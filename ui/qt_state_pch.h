// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Headers that most files of ui/style and ui/state include anyway; no widget among them.
#include <QAbstractItemModel>
#include <QColor>
#include <QHash>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <QVariant>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
