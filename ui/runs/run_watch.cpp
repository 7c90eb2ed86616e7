// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_watch.h"

#include <QWidget>
#include <algorithm>

#include "ui/state/run_library.h"

namespace palimpsest {
namespace {

constexpr int kShare = 20;  // at most one part in so many of the time goes into scanning

}  // namespace

RunWatch::RunWatch(RunLibrary* library, QWidget* seen, std::chrono::milliseconds pause, QObject* parent)
    : QObject(parent), library_(library), seen_(seen), pause_(pause) {
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &RunWatch::scan);
    connect(library_, &RunLibrary::scanned, this, [this] {
        if (clock_.isValid() && !library_->scanning()) rest();
    });
    timer_.start(pause_);
}

void RunWatch::scan() {
    const QWidget* window = seen_ ? seen_->window() : nullptr;
    if (!window || !seen_->isVisible() || window->isMinimized() || library_->scanning()) return timer_.start(pause_);
    clock_.start();
    library_->refresh();
}

void RunWatch::rest() {
    const std::chrono::milliseconds taken(clock_.elapsed());
    clock_.invalidate();
    timer_.start(std::max(pause_, kShare * taken));
}

}  // namespace palimpsest
