// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

namespace palimpsest {

class CurveStore;

/// What the chip of A_AUC says of the run in full colour and the one it is compared with.
struct AreaText {
    std::optional<double> value, compared;  ///< fractions
    QString note;                           ///< "so far"
    QString tip;
    bool comparable = true;  ///< their difference says something
    std::int64_t reach = 0;  ///< images up to which the value is taken
};

/// Nothing before the first evaluation.
std::optional<AreaText> areaText(const CurveStore& store);

}  // namespace palimpsest
