#define _GNU_SOURCE

#include "file_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __linux__
#include <stdlib.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#endif

int file_open_quietly(const char *path) {
    int flags = O_RDONLY | O_CLOEXEC;
#ifdef O_NOATIME
    int file = open(path, flags | O_NOATIME);
    /* Only the owner of the file and root may use O_NOATIME, and not every file system supports it. */
    if (file >= 0 || (errno != EPERM && errno != EINVAL)) return file;
#endif
    return open(path, flags);
}

void file_begin_writing(int file) {
#ifdef SYNC_FILE_RANGE_WRITE
    sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)file;
#endif
}

#if defined(__linux__)
#define RENAME(flag) renameat2(folder, name, other_folder, other_name, RENAME_##flag)
#elif defined(__APPLE__)
#define RENAME_NOREPLACE RENAME_EXCL
#define RENAME_EXCHANGE RENAME_SWAP
#define RENAME(flag) renameatx_np(folder, name, other_folder, other_name, RENAME_##flag)
#else
#define RENAME(flag) ((void)folder, (void)name, (void)other_folder, (void)other_name, errno = ENOSYS, -1)
#endif

int file_rename_new(int folder, const char *name, int other_folder, const char *other_name) {
    return RENAME(NOREPLACE);
}

int file_exchange(int folder, const char *name, int other_folder, const char *other_name) { return RENAME(EXCHANGE); }

int file_start_in(posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int file_close_others(posix_spawn_file_actions_t *actions) {
#ifdef __linux__
    return posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
#else
    (void)actions;
    return 0;
#endif
}

static int copy_by_reading(int from, int to) {
    char bytes[1 << 16];
    for (;;) {
        ssize_t count = read(from, bytes, sizeof bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return (int)count;
        for (ssize_t done = 0; done < count;) {
            ssize_t written = write(to, bytes + done, (size_t)(count - done));
            if (written < 0 && errno != EINTR) return -1;
            if (written > 0) done += written;
        }
    }
}

int file_copy(int from, int to) {
#ifdef __linux__
    /* The call fails at once, before it has copied anything, if the file systems do not support it. Some pretend that
       the file has ended, so its end is looked for by reading as well. */
    ssize_t count;
    do count = copy_file_range(from, NULL, to, NULL, 1 << 30, 0);
    while (count > 0 || (count < 0 && errno == EINTR));
    if (count < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EIO || errno == EFBIG)) return -1;
#endif
    return copy_by_reading(from, to);
}

#ifdef __linux__

static int kernel_is_at_least(long major, long minor) {
    struct utsname system;
    if (uname(&system) != 0) return 0;
    char *rest;
    long first = strtol(system.release, &rest, 10);
    long second = *rest == '.' ? strtol(rest + 1, NULL, 10) : 0;
    return first > major || (first == major && second >= minor);
}

int file_sync_all_reports(int folder) {
    /* The numbers are from linux/magic.h; those of CIFS, SMB2, Ceph and AFS are in the kernel's internal headers. */
    static const unsigned long apart[] = {
        0x6969,     /* NFS */
        0x517B,     /* SMB */
        0xFF534D42, /* CIFS */
        0xFE534D42, /* SMB2 */
        0x65735546, /* FUSE */
        0x01021997, /* 9P */
        0x00C36400, /* Ceph */
        0x5346414F, /* AFS */
        0x6B414653, /* kAFS */
        0x73757245, /* Coda */
        0x794C7630, /* overlay: errors occur in the layer below, and are reported only since Linux 5.16 */
    };
    struct statfs kind;
    if (fstatfs(folder, &kind) != 0) return 0;
    for (unsigned each = 0; each < sizeof apart / sizeof *apart; each++) {
        if (((unsigned long)kind.f_type & 0xFFFFFFFFUL) == apart[each]) return 0;
    }
    return kernel_is_at_least(5, 8);
}

int file_sync_all(int folder) { return syncfs(folder); }

#else

int file_sync_all_reports(int folder) {
    (void)folder;
    return 0;
}

int file_sync_all(int folder) {
    (void)folder;
    errno = ENOSYS;
    return -1;
}

#endif
