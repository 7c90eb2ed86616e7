// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/pipe.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "engine/support/error.h"

namespace palimpsest {

Pipe::Pipe() {
    if (pipe2(ends_, O_CLOEXEC) != 0)
        throw runError(std::string("Cannot start another program: no pipe: ") + std::strerror(errno) + ".",
                       "Close other programs and try again.");
    for (int& end : ends_) {
        if (end > STDERR_FILENO) continue;
        const int higher = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(end);
        end = higher;
    }
}

Pipe::~Pipe() {
    for (const int end : ends_)
        if (end >= 0) close(end);
}

int Pipe::takeReading() {
    return std::exchange(ends_[0], -1);
}

int Pipe::takeWriting() {
    return std::exchange(ends_[1], -1);
}

void Pipe::closeWriting() {
    if (const int end = takeWriting(); end >= 0) close(end);
}

}  // namespace palimpsest
