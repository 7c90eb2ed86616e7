// SPDX-License-Identifier: GPL-3.0-or-later
// Time to restyle the whole window for another theme or text size.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/scripted_run.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/window/main_window.h"

namespace palimpsest {
namespace {

class Dressed {
public:
    Dressed() : window_(script_.laboratory(), folder_.path().toStdString()) {
        window_.resize(1280, 800);
        window_.show();
        QTest::qWait(1000);
    }
    ~Dressed() {
        applyTextSize(*qApp, TextSize::Normal);
        applyAppearance(*qApp, Appearance::Dark);
    }

private:
    testing::ScriptedRun script_;
    QTemporaryDir folder_;
    MainWindow window_;
};

void anotherTheme(benchmark::State& state) {
    const Dressed window;
    bool light = false;
    for (auto _ : state) {
        light = !light;
        applyAppearance(*qApp, light ? Appearance::Light : Appearance::Dark);
        state.PauseTiming();
        QTest::qWait(50);
        state.ResumeTiming();
    }
}

void anotherTextSize(benchmark::State& state) {
    const Dressed window;
    bool large = false;
    for (auto _ : state) {
        large = !large;
        applyTextSize(*qApp, large ? TextSize::Large : TextSize::Normal);
        state.PauseTiming();
        QTest::qWait(50);
        state.ResumeTiming();
    }
}

BENCHMARK(anotherTheme)->Iterations(20)->Unit(benchmark::kMillisecond);
BENCHMARK(anotherTextSize)->Iterations(20)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace palimpsest
