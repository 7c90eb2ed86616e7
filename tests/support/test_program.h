// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>

namespace palimpsest::testing {

/// Registers one test of a program that holds several. It is named after its file: "tst_random".
struct TestEntry {
    TestEntry(const char* file, int (*run)(int, char**));
};

}  // namespace palimpsest::testing

// Replaces QTEST_MAIN(Class) and the like: many tests share one program, which runs the one that is named.
#define PALIMPSEST_TEST_RUN(Class, ...)            \
    static int run##Class(int argc, char** argv) { \
        __VA_ARGS__;                               \
        Class test;                                \
        QTEST_SET_MAIN_SOURCE_PATH                 \
        return QTest::qExec(&test, argc, argv);    \
    }                                              \
    static const palimpsest::testing::TestEntry entry##Class(__FILE__, run##Class);

/// Registers a test that needs widgets.
#define PALIMPSEST_TEST(Class) \
    PALIMPSEST_TEST_RUN(Class, QApplication application(argc, argv); application.setAttribute(Qt::AA_Use96Dpi, true))
/// Registers a test that only needs an event loop.
#define PALIMPSEST_GUILESS_TEST(Class) PALIMPSEST_TEST_RUN(Class, QCoreApplication application(argc, argv))
/// Registers a test that needs no application.
#define PALIMPSEST_APPLESS_TEST(Class) PALIMPSEST_TEST_RUN(Class)
