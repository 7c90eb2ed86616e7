// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <string>

namespace palimpsest::test {

/// Path of a learner that is built beside the tests: "learner_nearest_mean" or "learner_faulty".
inline std::string builtLearner(const char* name) {
    return QCoreApplication::applicationDirPath().toStdString() + "/" + name;
}

}  // namespace palimpsest::test
