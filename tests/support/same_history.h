// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>
#include <cmath>

#include "engine/record/run_history.h"

namespace palimpsest::testing {

/// Fails the test if two histories differ.
inline void requireSame(const RunHistory& a, const RunHistory& b) {
    QCOMPARE(a.loss.xs(), b.loss.xs());
    QCOMPARE(a.loss.ys(), b.loss.ys());
    QCOMPARE(a.seen, b.seen);
    QCOMPARE(a.classes.size(), b.classes.size());
    for (std::size_t i = 0; i < a.classes.size(); ++i) {
        QCOMPARE(a.classes[i].samples_seen, b.classes[i].samples_seen);
        QCOMPARE(a.classes[i].accuracy.size(), b.classes[i].accuracy.size());
        for (std::size_t k = 0; k < a.classes[i].accuracy.size(); ++k) {
            const float x = a.classes[i].accuracy[k], y = b.classes[i].accuracy[k];
            QVERIFY(x == y || (std::isnan(x) && std::isnan(y)));
        }
    }
    QCOMPARE(a.prompts, b.prompts);
    QCOMPARE(a.pushes.size(), b.pushes.size());
    for (std::size_t i = 0; i < a.pushes.size(); ++i) {
        QCOMPARE(a.pushes[i].samples_seen, b.pushes[i].samples_seen);
        QCOMPARE(classPushes(a.pushes[i], a.seen), classPushes(b.pushes[i], b.seen));
    }
    QCOMPARE(a.memory, b.memory);
    QCOMPARE(a.predicted, b.predicted);
    QCOMPARE(*a.test_labels, *b.test_labels);
}

}  // namespace palimpsest::testing
