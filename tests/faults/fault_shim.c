// SPDX-License-Identifier: GPL-3.0-or-later
// Makes calls of a program fail that concern the files below one folder, as a bad disk or a full one would. It is loaded
// before the C library (LD_PRELOAD), makes the system calls itself, and is told by the environment:
//   FAULT_BELOW   the folder, absolute and without links; nothing else is counted or fails
//   FAULT_CALL    kind of the calls that fail, a word of kWords; "change" are all that change something on the disk
//   FAULT_AT      the first of them that fails, from 1; FAULT_MANY  how many fail (default 1; 0: all that follow)
//   FAULT_ERROR   number of the error; 0: the call does half of its work; -1: the power fails and the program is gone
//   FAULT_LOG     file that receives the number of calls of each kind, and "struck 1" where one has failed
//   FAULT_SHADOW  folder that receives what is safe from a loss of power (see keepContent() and keepNames())
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum Kind { kOpen, kRead, kWrite, kSync, kRename, kLink, kMakeFolder, kRemove, kCut, kReserve, kMap, kClose, kChange,
            kKinds };
static const char* const kWords[kKinds] = {"open",   "read", "write",   "sync", "rename", "link",  "mkdir",
                                           "remove", "cut",  "reserve", "map",  "close",  "change"};

enum { kShort = -2, kPowerLost = 99 };

static char below[PATH_MAX], shadow[PATH_MAX];
static size_t belowLength;
static long counts[kKinds], firstFault, faults;
static int faultKind = -1, faultError, struck, ready;
static pthread_mutex_t shadowLock = PTHREAD_MUTEX_INITIALIZER;

static int isBelow(const char* path) {
    return strncmp(path, below, belowLength) == 0 && (path[belowLength] == '/' || path[belowLength] == '\0');
}

/// Path of an open file; empty when it has none.
static void pathOf(int file, char* path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const long length = syscall(SYS_readlink, link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
}

static int concernsFile(int file) {
    if (!ready || file < 0) return 0;
    const int kept = errno;
    char path[PATH_MAX];
    pathOf(file, path);
    errno = kept;
    return isBelow(path);
}

static int concernsPath(int at, const char* path) {
    if (!ready || !path) return 0;
    if (path[0] == '/') return isBelow(path);
    const int kept = errno;
    char whole[2 * PATH_MAX + 2];
    if (at == AT_FDCWD)
        syscall(SYS_getcwd, whole, PATH_MAX);
    else
        pathOf(at, whole);
    strncat(whole, "/", 2);
    strncat(whole, path, PATH_MAX);
    errno = kept;
    return isBelow(whole);
}

static void writeLog(void) {
    const char* const name = getenv("FAULT_LOG");
    if (!name) return;
    char text[1024];
    int length = 0;
    for (int i = 0; i < kKinds; ++i)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s %ld\n", kWords[i], counts[i]);
    length += snprintf(text + length, sizeof text - (size_t)length, "struck %d\n", struck);
    const long file = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return;
    syscall(SYS_write, file, text, length);
    syscall(SYS_close, file);
}

static int strikes(int kind, long number) {
    return kind == faultKind && number >= firstFault && (faults == 0 || number < firstFault + faults);
}

/// 0: the call is to be made; kShort: half of it; otherwise the error that it ends with. Counts the call.
static int verdict(int kind, int changes) {
    const long number = __atomic_add_fetch(&counts[kind], 1, __ATOMIC_SEQ_CST);
    int hit = strikes(kind, number);
    if (changes) hit |= strikes(kChange, __atomic_add_fetch(&counts[kChange], 1, __ATOMIC_SEQ_CST));
    if (!hit) return 0;
    struck = 1;
    if (faultError < 0) {
        // No thread may be keeping a content at this moment.
        pthread_mutex_lock(&shadowLock);
        writeLog();
        syscall(SYS_exit_group, kPowerLost);
    }
    return faultError == 0 ? kShort : faultError;
}

static int refused(int error) {
    if (error <= 0) return 0;
    errno = error;
    return 1;
}

// What would survive a loss of power. POSIX promises the content of a file once it was synced, and a name once its
// folder was. Below FAULT_SHADOW, files and folders go by the numbers of their inodes:
//   contents/NUMBER  content of a file when it was synced last
//   names/NUMBER     names in a folder when it was synced last: a line "f NUMBER NAME" or "d NUMBER NAME" for each
//   inodes/NUMBER    a link, so that the system gives the number to no other file

static void shadowName(char* name, const char* part, unsigned long number) {
    snprintf(name, 2 * PATH_MAX, "%s/%s/%lu", shadow, part, number);
}

static void keepInode(int folder, const char* name, unsigned long number) {
    char link[2 * PATH_MAX];
    shadowName(link, "inodes", number);
    syscall(SYS_linkat, folder, name, AT_FDCWD, link, AT_SYMLINK_FOLLOW);
}

static void keepContent(int file, unsigned long number) {
    char name[2 * PATH_MAX], self[64], block[65536];
    snprintf(self, sizeof self, "/proc/self/fd/%d", file);
    keepInode(AT_FDCWD, self, number);
    const long in = syscall(SYS_openat, AT_FDCWD, self, O_RDONLY | O_CLOEXEC);
    shadowName(name, "contents", number);
    const long out = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    long got;
    while ((got = syscall(SYS_read, in, block, sizeof block)) > 0) syscall(SYS_write, out, block, got);
    syscall(SYS_close, in);
    syscall(SYS_close, out);
}

/// `withAll`: contents and folders below it, too.
static void keepNames(int folder, unsigned long number, int withAll) {
    char name[2 * PATH_MAX], self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", folder);
    shadowName(name, "names", number);
    const long out = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const long in = syscall(SYS_openat, AT_FDCWD, self, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* const entries = in < 0 ? NULL : fdopendir((int)in);
    for (struct dirent* entry; entries && (entry = readdir(entries));) {
        struct stat now;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (fstatat((int)in, entry->d_name, &now, AT_SYMLINK_NOFOLLOW) != 0) continue;
        char line[PATH_MAX];
        const int length = snprintf(line, sizeof line, "%c %lu %s\n", S_ISDIR(now.st_mode) ? 'd' : 'f',
                                    (unsigned long)now.st_ino, entry->d_name);
        syscall(SYS_write, out, line, length);
        if (S_ISREG(now.st_mode)) keepInode((int)in, entry->d_name, now.st_ino);
        if (!withAll) continue;
        const long one = syscall(SYS_openat, in, entry->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (one < 0) continue;
        if (S_ISDIR(now.st_mode)) keepNames((int)one, now.st_ino, 1);
        if (S_ISREG(now.st_mode)) keepContent((int)one, now.st_ino);
        syscall(SYS_close, one);
    }
    if (entries) closedir(entries);
    syscall(SYS_close, out);
}

static void keepAll(void) {
    struct stat now;
    const long root = syscall(SYS_openat, AT_FDCWD, below, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) return;
    pthread_mutex_lock(&shadowLock);
    if (fstat((int)root, &now) == 0) keepNames((int)root, now.st_ino, 1);
    pthread_mutex_unlock(&shadowLock);
    syscall(SYS_close, root);
}

static void keepSynced(int file) {
    struct stat now;
    if (!shadow[0] || fstat(file, &now) != 0) return;
    const int kept = errno;
    pthread_mutex_lock(&shadowLock);
    if (S_ISDIR(now.st_mode)) keepNames(file, now.st_ino, 0);
    if (S_ISREG(now.st_mode)) keepContent(file, now.st_ino);
    pthread_mutex_unlock(&shadowLock);
    errno = kept;
}

/// A folder that was just made may have the number of one that is gone.
static void forgetNames(int at, const char* path) {
    struct stat now;
    char name[2 * PATH_MAX];
    if (!shadow[0] || fstatat(at, path, &now, AT_SYMLINK_NOFOLLOW) != 0) return;
    shadowName(name, "names", now.st_ino);
    pthread_mutex_lock(&shadowLock);
    syscall(SYS_unlinkat, AT_FDCWD, name, 0);
    pthread_mutex_unlock(&shadowLock);
}

__attribute__((constructor)) static void begin(void) {
    const char* const folder = getenv("FAULT_BELOW");
    const char* const call = getenv("FAULT_CALL");
    const char* const at = getenv("FAULT_AT");
    const char* const many = getenv("FAULT_MANY");
    const char* const error = getenv("FAULT_ERROR");
    const char* const safe = getenv("FAULT_SHADOW");
    if (!folder || strlen(folder) >= sizeof below) return;
    strcpy(below, folder);
    belowLength = strlen(below);
    for (int i = 0; call && i < kKinds; ++i)
        if (strcmp(call, kWords[i]) == 0) faultKind = i;
    firstFault = at ? atol(at) : 1;
    faults = many ? atol(many) : 1;
    faultError = error ? atoi(error) : EIO;
    if (safe && strlen(safe) < sizeof shadow) {
        strcpy(shadow, safe);
        char part[2 * PATH_MAX];
        static const char* const kParts[] = {"contents", "names", "inodes"};
        for (int i = 0; i < 3; ++i) {
            snprintf(part, sizeof part, "%s/%s", shadow, kParts[i]);
            syscall(SYS_mkdirat, AT_FDCWD, part, 0777);
        }
        keepAll();
    }
    ready = 1;
}

__attribute__((destructor)) static void end(void) {
    if (ready) writeLog();
}

// Opening and closing

static int openCounted(int at, const char* path, int flags, mode_t mode) {
    if (concernsPath(at, path)) {
        const int changes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
        if (refused(verdict(kOpen, changes))) return -1;
    }
    return (int)syscall(SYS_openat, at, path, flags, mode);
}

#define MODE_OF(flags)                                         \
    mode_t mode = 0;                                           \
    if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) { \
        va_list rest;                                          \
        va_start(rest, flags);                                 \
        mode = va_arg(rest, mode_t);                           \
        va_end(rest);                                          \
    }

int open(const char* path, int flags, ...) {
    MODE_OF(flags)
    return openCounted(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    MODE_OF(flags)
    return openCounted(AT_FDCWD, path, flags, mode);
}
int openat(int at, const char* path, int flags, ...) {
    MODE_OF(flags)
    return openCounted(at, path, flags, mode);
}
int openat64(int at, const char* path, int flags, ...) {
    MODE_OF(flags)
    return openCounted(at, path, flags, mode);
}
int __open_2(const char* path, int flags) {
    return openCounted(AT_FDCWD, path, flags, 0);
}
int __open64_2(const char* path, int flags) {
    return openCounted(AT_FDCWD, path, flags, 0);
}
int __openat_2(int at, const char* path, int flags) {
    return openCounted(at, path, flags, 0);
}
int __openat64_2(int at, const char* path, int flags) {
    return openCounted(at, path, flags, 0);
}
int creat(const char* path, mode_t mode) {
    return openCounted(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

DIR* opendir(const char* path) {
    const int file = openCounted(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK, 0);
    return file < 0 ? NULL : fdopendir(file);
}

int close(int file) {
    const int error = concernsFile(file) ? verdict(kClose, 0) : 0;
    const long result = syscall(SYS_close, file);
    return refused(error) ? -1 : (int)result;
}

// Reading and writing

static size_t shortened(int decided, size_t size) {
    return decided == kShort && size > 1 ? size / 2 : size;
}

ssize_t read(int file, void* bytes, size_t size) {
    const int decided = concernsFile(file) ? verdict(kRead, 0) : 0;
    return refused(decided) ? -1 : syscall(SYS_read, file, bytes, shortened(decided, size));
}

static ssize_t preadCounted(int file, void* bytes, size_t size, off_t place) {
    const int decided = concernsFile(file) ? verdict(kRead, 0) : 0;
    return refused(decided) ? -1 : syscall(SYS_pread64, file, bytes, shortened(decided, size), place);
}
ssize_t pread(int file, void* bytes, size_t size, off_t place) {
    return preadCounted(file, bytes, size, place);
}
ssize_t pread64(int file, void* bytes, size_t size, off_t place) {
    return preadCounted(file, bytes, size, place);
}

ssize_t write(int file, const void* bytes, size_t size) {
    const int decided = concernsFile(file) ? verdict(kWrite, 1) : 0;
    return refused(decided) ? -1 : syscall(SYS_write, file, bytes, shortened(decided, size));
}

static ssize_t pwriteCounted(int file, const void* bytes, size_t size, off_t place) {
    const int decided = concernsFile(file) ? verdict(kWrite, 1) : 0;
    return refused(decided) ? -1 : syscall(SYS_pwrite64, file, bytes, shortened(decided, size), place);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t place) {
    return pwriteCounted(file, bytes, size, place);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off_t place) {
    return pwriteCounted(file, bytes, size, place);
}

ssize_t writev(int file, const struct iovec* parts, int count) {
    const int decided = concernsFile(file) ? verdict(kWrite, 1) : 0;
    if (refused(decided)) return -1;
    if (decided != kShort) return syscall(SYS_writev, file, parts, count);
    return syscall(SYS_write, file, parts[0].iov_base, shortened(decided, parts[0].iov_len));
}

static int cutCounted(int file, off_t length) {
    if (concernsFile(file) && refused(verdict(kCut, 1))) return -1;
    return (int)syscall(SYS_ftruncate, file, length);
}
int ftruncate(int file, off_t length) {
    return cutCounted(file, length);
}
int ftruncate64(int file, off_t length) {
    return cutCounted(file, length);
}

static int reserveCounted(int file, off_t from, off_t length) {
    const int decided = concernsFile(file) ? verdict(kReserve, 1) : 0;
    if (decided > 0) return decided;
    return syscall(SYS_fallocate, file, 0, from, length) == 0 ? 0 : errno;
}
int posix_fallocate(int file, off_t from, off_t length) {
    return reserveCounted(file, from, length);
}
int posix_fallocate64(int file, off_t from, off_t length) {
    return reserveCounted(file, from, length);
}

static void* mapCounted(void* at, size_t size, int protection, int flags, int file, off_t place) {
    if (concernsFile(file) && refused(verdict(kMap, 0))) return (void*)-1;
    return (void*)syscall(SYS_mmap, at, size, protection, flags, file, place);
}
void* mmap(void* at, size_t size, int protection, int flags, int file, off_t place) {
    return mapCounted(at, size, protection, flags, file, place);
}
void* mmap64(void* at, size_t size, int protection, int flags, int file, off_t place) {
    return mapCounted(at, size, protection, flags, file, place);
}

// Bringing to the disk

static int syncCounted(int file, long call) {
    if (concernsFile(file) == 0) return (int)syscall(call, file);
    if (refused(verdict(kSync, 1))) return -1;
    const long result = syscall(call, file);
    if (result == 0) keepSynced(file);
    return (int)result;
}
int fsync(int file) {
    return syncCounted(file, SYS_fsync);
}
int fdatasync(int file) {
    return syncCounted(file, SYS_fdatasync);
}
int syncfs(int file) {
    if (concernsFile(file) == 0) return (int)syscall(SYS_syncfs, file);
    if (refused(verdict(kSync, 1))) return -1;
    // The whole disk may take long, and only this folder is looked at.
    if (shadow[0]) keepAll();
    return 0;
}

// Names

static int renameCounted(int fromAt, const char* from, int toAt, const char* to, unsigned flags) {
    if ((concernsPath(fromAt, from) || concernsPath(toAt, to)) && refused(verdict(kRename, 1))) return -1;
    return (int)syscall(SYS_renameat2, fromAt, from, toAt, to, flags);
}
int rename(const char* from, const char* to) {
    return renameCounted(AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int fromAt, const char* from, int toAt, const char* to) {
    return renameCounted(fromAt, from, toAt, to, 0);
}
int renameat2(int fromAt, const char* from, int toAt, const char* to, unsigned flags) {
    return renameCounted(fromAt, from, toAt, to, flags);
}

int linkat(int fromAt, const char* from, int toAt, const char* to, int flags) {
    if (concernsPath(toAt, to) && refused(verdict(kLink, 1))) return -1;
    return (int)syscall(SYS_linkat, fromAt, from, toAt, to, flags);
}
int link(const char* from, const char* to) {
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int mkdirat(int at, const char* path, mode_t mode) {
    const int concerns = concernsPath(at, path);
    if (concerns && refused(verdict(kMakeFolder, 1))) return -1;
    const long result = syscall(SYS_mkdirat, at, path, mode);
    const int kept = errno;
    if (concerns && result == 0) forgetNames(at, path);
    errno = kept;
    return (int)result;
}
int mkdir(const char* path, mode_t mode) {
    return mkdirat(AT_FDCWD, path, mode);
}

int unlinkat(int at, const char* path, int flags) {
    if (concernsPath(at, path) && refused(verdict(kRemove, 1))) return -1;
    return (int)syscall(SYS_unlinkat, at, path, flags);
}
int unlink(const char* path) {
    return unlinkat(AT_FDCWD, path, 0);
}
int rmdir(const char* path) {
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}
int remove(const char* path) {
    struct stat now;
    const int isFolder = fstatat(AT_FDCWD, path, &now, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(now.st_mode);
    return unlinkat(AT_FDCWD, path, isFolder ? AT_REMOVEDIR : 0);
}
