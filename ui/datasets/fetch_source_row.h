// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QCheckBox;
class QHBoxLayout;
class QLineEdit;

namespace palimpsest {

/// The row that says where a fetch has its files from: a mirror, or what is here.
struct FetchSourceRow {
    QHBoxLayout* row = nullptr;
    QLineEdit* mirror = nullptr;
    QCheckBox* offline = nullptr;
};

/// The fields are called `prefix` + "Mirror" and "Offline". `mirrorTip` says what happens where none is given.
FetchSourceRow makeFetchSourceRow(const QString& prefix, const QString& mirrorTip, const QString& offlineTip);

}  // namespace palimpsest
