// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <malloc.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <algorithm>
#include <cstddef>
#include <vector>

namespace palimpsest::testing {

/// Memory, file descriptors and threads of this process at one moment.
struct Footprint {
    qint64 heap_kb = 0;      ///< allocated and not freed
    qint64 resident_kb = 0;  ///< resident memory, with free memory that the C library keeps
    qint64 handles = 0, threads = 0;

    static Footprint now() {
        const struct mallinfo2 heap = mallinfo2();
        QFile pages("/proc/self/statm");
        const bool read = pages.open(QIODevice::ReadOnly);
        const qint64 resident = read ? pages.readAll().split(' ').value(1).toLongLong() : 0;
        const auto entries = [](const char* folder) {
            return QDir(folder).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size();
        };
        return {static_cast<qint64>(heap.uordblks + heap.hblkhd) / 1024, resident * sysconf(_SC_PAGESIZE) / 1024,
                entries("/proc/self/fd"), entries("/proc/self/task")};
    }
};

/// Footprints of this process, one after each round of the same work.
class FootprintLog {
public:
    void add() { held_.push_back(Footprint::now()); }

    /// What stayed in the last third of the rounds beyond what had stayed in the second, in which nothing is made for
    /// the first time any more. What a picture, a dialog or data that are looked at hold comes and goes; so the least
    /// of a third counts.
    qint64 grown(qint64 Footprint::*what) const {
        const std::size_t third = held_.size() / 3;
        return least(what, 2 * third, held_.size()) - least(what, third, 2 * third);
    }

    /// Writes all of it as CSV where the environment names a file for it.
    void write(const char* variable) const {
        const QString name = qEnvironmentVariable(variable);
        if (name.isEmpty()) return;
        QFile file(name);
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)) {
            qWarning("%s cannot be written", qPrintable(name));
            return;
        }
        file.write("round,heap_kb,resident_kb,handles,threads\n");
        for (std::size_t i = 0; i < held_.size(); ++i)
            file.write(QString("%1,%2,%3,%4,%5\n")
                           .arg(i + 1)
                           .arg(held_[i].heap_kb)
                           .arg(held_[i].resident_kb)
                           .arg(held_[i].handles)
                           .arg(held_[i].threads)
                           .toLatin1());
    }

private:
    qint64 least(qint64 Footprint::*what, std::size_t from, std::size_t to) const {
        qint64 found = held_.at(from).*what;
        for (std::size_t i = from; i < to; ++i) found = std::min(found, held_[i].*what);
        return found;
    }

    std::vector<Footprint> held_;
};

}  // namespace palimpsest::testing
