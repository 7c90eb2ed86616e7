// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/file_lock.h"

#include <sys/file.h>
#include <cerrno>

namespace palimpsest {

bool tryLock(int file, bool shared) {
    return flock(file, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

}  // namespace palimpsest
