// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/support/error.h"

#include <QByteArray>
#include <QString>
#include <random>

namespace palimpsest::test {

/// Sentence of the input error that `action` throws; empty when it throws none.
template <class Action>
QString inputErrorOf(Action action) {
    try {
        action();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Input || error.hint().empty()) return {};
        return QString::fromStdString(error.sentence());
    }
    return {};
}

/// True if `action` throws an Error with both sentences; any other exception propagates and fails the test.
template <class Action>
bool refused(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return !std::string(error.what()).empty() && !error.hint().empty();
    }
    return false;
}

/// Changes one to three bytes, the same ones for the same round.
inline QByteArray damaged(QByteArray bytes, unsigned round) {
    std::mt19937 random(round);
    for (unsigned change = 0; change <= round % 3; ++change)
        bytes[static_cast<qsizetype>(random() % static_cast<unsigned>(bytes.size()))] = static_cast<char>(random());
    return bytes;
}

}  // namespace palimpsest::test
