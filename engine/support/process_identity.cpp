// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/process_identity.h"

#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <sstream>

namespace palimpsest {

std::string hostName() {
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::string processIdentity(long pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(stat), {}};
    // The program's name, in parentheses, may hold spaces: fields are counted from behind it. The start time is the
    // 20th from there (proc(5), field 22).
    const std::size_t name = text.rfind(')');
    if (name == std::string::npos) return {};
    std::istringstream fields(text.substr(name + 1));
    std::string field;
    fields >> field;
    // Ended, but whoever started it has not asked how.
    if (field == "Z" || field == "X") return {};
    for (int i = 1; i < 20; ++i) fields >> field;
    std::ifstream bootFile("/proc/sys/kernel/random/boot_id");
    std::string boot;
    bootFile >> boot;
    return boot + ":" + field;
}

bool processAlive(long pid, const std::string& identity) {
    if (pid <= 0) return false;
    if (!identity.empty()) return processIdentity(pid) == identity;
    return kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM;
}

}  // namespace palimpsest
