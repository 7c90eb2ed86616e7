// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/run/dataset_service.h"

namespace palimpsest {

/// "162 MB", "1.30 GB", "512 bytes": steps of 1,000, three digits.
QString bytesText(qint64 bytes);
/// "10 classes · 70,000 images · 30.9 MB"; what is not known is left out.
QString factsText(const DatasetCard& card);
/// 0 to 1; < 0: not known. Never beyond, whatever was reported.
double shareOf(const DatasetProgress& progress);
/// "12.3 MB of 30.9 MB · 4.10 MB/s · 5 s left"; what is not known is left out.
QString paceText(const DatasetProgress& progress);

}  // namespace palimpsest
