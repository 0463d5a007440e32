/* A library for LD_PRELOAD that wraps libc's file functions and injects faults.

   FAULTY_ARRIVAL=NAME      Just before the first rename to an entry called NAME, creates a file with the text "theirs"
                            there, as another program might.
   FAULTY_RENAMES=missing   renameat2 with flags fails with EINVAL, as on a file system that does not support them.
   FAULTY_LINKS=missing     linkat fails with EPERM.
   FAULTY_SYNCFS=EIO        syncfs fails with EIO.
   FAULTY_CLOSE=PART        close closes the file, but reports EDQUOT, if the file was open for writing and its path
                            contains PART. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int has_arrived;

static void arrive(int folder, const char *name) {
    const char *awaited = getenv("FAULTY_ARRIVAL");
    if (!awaited || strcmp(awaited, name) != 0 || atomic_exchange(&has_arrived, 1)) return;
    unlinkat(folder, name, 0);
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (file < 0) abort();
    if (write(file, "theirs", 6) != 6) abort();
    close(file);
}

static int is_missing(const char *variable) {
    const char *value = getenv(variable);
    return value && strcmp(value, "missing") == 0;
}

int renameat2(int from, const char *name, int to, const char *new_name, unsigned flags) {
    static int (*real)(int, const char *, int, const char *, unsigned);
    if (!real) real = dlsym(RTLD_NEXT, "renameat2");
    if (flags && is_missing("FAULTY_RENAMES")) return errno = EINVAL, -1;
    arrive(to, new_name);
    return real(from, name, to, new_name, flags);
}

int renameat(int from, const char *name, int to, const char *new_name) {
    static int (*real)(int, const char *, int, const char *);
    if (!real) real = dlsym(RTLD_NEXT, "renameat");
    arrive(to, new_name);
    return real(from, name, to, new_name);
}

int linkat(int from, const char *name, int to, const char *new_name, int flags) {
    static int (*real)(int, const char *, int, const char *, int);
    if (!real) real = dlsym(RTLD_NEXT, "linkat");
    if (is_missing("FAULTY_LINKS")) return errno = EPERM, -1;
    if (is_missing("FAULTY_RENAMES")) {
        arrive(to, new_name);
        /* Without exchanging renames, the program keeps the old file by linking it to a second name. */
        arrive(from, name);
    }
    return real(from, name, to, new_name, flags);
}

int syncfs(int folder) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "syncfs");
    const char *lost = getenv("FAULTY_SYNCFS");
    return lost ? (errno = EIO, -1) : real(folder);
}

int close(int file) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "close");
    const char *part = getenv("FAULTY_CLOSE");
    char link[64], path[4096];
    int is_lost = 0;
    if (part) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        ssize_t length = readlink(link, path, sizeof path - 1);
        if (length > 0) {
            path[length] = 0;
            is_lost = strstr(path, part) && (fcntl(file, F_GETFL) & O_ACCMODE) == O_WRONLY;
        }
    }
    int result = real(file);
    return is_lost ? (errno = EDQUOT, -1) : result;
}
