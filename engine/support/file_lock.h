// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

/// Takes the lock of an open file without waiting, until the file is closed; false where another program holds it. NFS
/// locks only what is open for writing, and keeps the locks of folders to one machine. File systems without locks admit
/// every program. `shared`: beside others that share it.
bool tryLock(int file, bool shared = false);

}  // namespace palimpsest
