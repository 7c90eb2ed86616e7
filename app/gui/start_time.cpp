// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/start_time.h"

#include <unistd.h>

#include <QCoreApplication>
#include <QEvent>
#include <QTimer>
#include <QWidget>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

namespace palimpsest {

std::optional<double> secondsSinceExec() {
#ifdef __linux__
    // Index after the name: the 22nd field is the start in clock ticks since boot; the second may hold spaces and ends
    // with ')' (proc(5)).
    constexpr int kAfterName = 20;
    std::string line;
    std::getline(std::ifstream("/proc/self/stat"), line);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string field;
    for (int i = 0; i < kAfterName; ++i) fields >> field;
    timespec now{};
    if (!fields || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return std::nullopt;
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 -
           std::stod(field) / static_cast<double>(sysconf(_SC_CLK_TCK));
#else
    return std::nullopt;
#endif
}

StartTime::StartTime(QWidget* window) : QObject(window), window_(window) {
    QCoreApplication::instance()->installEventFilter(this);
}

bool StartTime::eventFilter(QObject* watched, QEvent* event) {
    const auto* widget = event->type() == QEvent::Paint ? qobject_cast<QWidget*>(watched) : nullptr;
    if (!widget || widget->window() != window_) return false;
    QCoreApplication::instance()->removeEventFilter(this);
    // Fires after everything in the window is drawn.
    QTimer::singleShot(0, this, [] {
        if (const auto seconds = secondsSinceExec())
            std::printf("The window was drawn %.2f seconds after the start.\n", *seconds);
        else
            std::puts("This system does not tell when a program was started.");
        QCoreApplication::quit();
    });
    return false;
}

}  // namespace palimpsest
