// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/process.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <fcntl.h>
#include <pwd.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <thread>
#include <vector>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

/// When the program started.
bool g_ignored[std::size(kEndingSignals)];

/// By a bare system call, since it runs before sanitizers are ready.
[[gnu::no_sanitize("address", "thread", "undefined")]] void noteIgnored(int, char**, char**) {
    // As the kernel lays it out; the handler comes first on every processor that Debian's LibTorch knows.
    struct KernelAction {
        void (*handler)(int);
        unsigned long flags, restorer, mask[2];
    };
    for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) {
        KernelAction action{};
        const bool known = syscall(SYS_rt_sigaction, kEndingSignals[i], nullptr, &action, std::size_t{8}) == 0;
        g_ignored[i] = known && action.handler == SIG_IGN;
    }
}

/// Before the initialisers of libraries: of those that Debian 13's LibTorch loads, one puts a handler where SIGHUP was
/// ignored.
[[gnu::section(".preinit_array"), gnu::used]] void (*const g_noteIgnored)(int, char**, char**) = noteIgnored;

}  // namespace

std::filesystem::path userFolder(const char* own, const char* xdg, const char* usual, const char* leaf) {
    const auto environment = [](const char* name) -> std::filesystem::path {
        const char* value = std::getenv(name);
        return value != nullptr ? value : "";
    };
    if (const auto named = environment(own); !named.empty()) return named;
    if (const auto base = environment(xdg); !base.empty()) return base / "palimpsest" / leaf;
    std::filesystem::path home = environment("HOME");
    if (home.empty()) {
        std::vector<char> room(std::size_t{1} << 14U);
        passwd entry{};
        passwd* found = nullptr;
        if (getpwuid_r(getuid(), &entry, room.data(), room.size(), &found) == 0 && found != nullptr &&
            entry.pw_dir != nullptr)
            home = entry.pw_dir;
    }
    if (!home.is_absolute())
        throw inputError("Neither HOME nor the system's list of users says where your files belong.",
                         std::string("Set HOME, or name a folder in ") + own + ".");
    return home / usual / "palimpsest" / leaf;
}

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

std::int64_t peakMemoryBytes() {
    // What getrusage() says also has the program that this process was before exec().
    std::ifstream status("/proc/self/status");
    std::string name;
    for (std::int64_t kilobytes = 0; status >> name; status.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
        if (name == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

bool forgetPeakMemory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    // 5 is the number that proc(5) gives for the peak.
    const bool forgotten = write(file, "5", 1) == 1;
    close(file);
    return forgotten;
}

std::int64_t ownMemoryBytes() {
    std::ifstream pages("/proc/self/statm");
    std::int64_t all = 0, resident = 0, shared = 0;
    return pages >> all >> resident >> shared ? (resident - shared) * sysconf(_SC_PAGESIZE) : 0;
}

std::int64_t availableMemory() {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::ifstream file("/proc/meminfo");
    std::string name;
    for (std::int64_t kilobytes = 0; file >> name >> kilobytes;) {
        if (name == "MemAvailable:") least = kilobytes * 1024;
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    // A job queue or a container may give less: the limits of the process's group and of those above it.
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        if (!line.starts_with("0::/")) continue;
        const std::filesystem::path root = "/sys/fs/cgroup";
        for (std::filesystem::path group = root / line.substr(4);; group = group.parent_path()) {
            std::int64_t limit = 0, used = 0;
            if (std::ifstream(group / "memory.max") >> limit && std::ifstream(group / "memory.current") >> used)
                least = std::min(least, std::max<std::int64_t>(limit - used, 0));
            if (group == root || !group.has_relative_path()) break;
        }
    }
    return least;
}

int availableCores() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

bool staysIgnored(int number) {
    struct sigaction now {};
    const bool ignored = sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
    const auto at =
        std::find(std::begin(kEndingSignals), std::end(kEndingSignals), number) - std::begin(kEndingSignals);
    if (!ignored && !(at < std::ssize(kEndingSignals) && g_ignored[at])) return false;
    std::signal(number, SIG_IGN);
    return true;
}

}  // namespace palimpsest
