// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/quit_signals.h"

#include <fcntl.h>
#include <unistd.h>
#include <QSocketNotifier>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "engine/support/ending_signals.h"

namespace palimpsest {
namespace {

/// So many signals end a program whose run does not stop.
constexpr int kMostPatience = 3;

struct sigaction g_before[std::size(kEndingSignals)];

int g_pipe[2] = {-1, -1};

/// Only what is allowed in a signal handler.
void onSignal(int) {
    const int kept = errno;
    const char word = 1;
    [[maybe_unused]] const auto written = write(g_pipe[1], &word, 1);
    errno = kept;
}

}  // namespace

QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {
    if (pipe2(g_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;  // then these signals end the program as they always do
    auto* notifier = new QSocketNotifier(g_pipe[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &QuitSignals::hear);
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) {
        const int number = kEndingSignals[i];
        sigaction(number, staysIgnored(number) ? nullptr : &action, &g_before[i]);
    }
}

QuitSignals::~QuitSignals() {
    if (g_pipe[0] < 0) return;
    for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) sigaction(kEndingSignals[i], &g_before[i], nullptr);
    for (int& end : g_pipe) close(std::exchange(end, -1));
}

void QuitSignals::hear() {
    char words[16];
    for (ssize_t count = 0; (count = read(g_pipe[0], words, sizeof words)) > 0;) heard_ += static_cast<int>(count);
    if (heard_ >= kMostPatience) std::_Exit(1);
    Q_EMIT asked();
}

}  // namespace palimpsest
