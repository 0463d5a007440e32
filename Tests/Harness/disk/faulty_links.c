/* A library for LD_PRELOAD that makes hard links fail as on some file systems. The variable FAULTY_LINKS says how:

   lost         the link is made, and the call fails with EEXIST, as after a repeated request to an NFS server
   lost-eio     the link is made, and the call fails with EIO
   none         the call fails with EPERM, as on FAT
   nothing      that too, and renaming without replacing fails with EINVAL, as on some FUSE file systems
   kill         the process is killed instead of making the link */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(const char *name) {
    const char *value = getenv("FAULTY_LINKS");
    return value && strcmp(value, name) == 0;
}

int linkat(int folder, const char *name, int other_folder, const char *other_name, int flags) {
    int (*real)(int, const char *, int, const char *, int) =
        (int (*)(int, const char *, int, const char *, int))dlsym(RTLD_NEXT, "linkat");
    if (is("kill")) kill(getpid(), SIGKILL);
    if (is("none") || is("nothing")) {
        errno = EPERM;
        return -1;
    }
    int result = real(folder, name, other_folder, other_name, flags);
    if (result == 0 && (is("lost") || is("lost-eio"))) {
        errno = is("lost") ? EEXIST : EIO;
        return -1;
    }
    return result;
}

int renameat2(int folder, const char *name, int other_folder, const char *other_name, unsigned flags) {
    int (*real)(int, const char *, int, const char *, unsigned) =
        (int (*)(int, const char *, int, const char *, unsigned))dlsym(RTLD_NEXT, "renameat2");
    if (is("nothing")) {
        errno = EINVAL;
        return -1;
    }
    return real(folder, name, other_folder, other_name, flags);
}
