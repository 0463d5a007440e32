/* A library for LD_PRELOAD that gives a program host names and addresses that do not exist, and files whose
 * synchronisation hangs. Unlike a network namespace, it needs no privileges.
 *
 * FAKE_NAMES   What host names resolve to: "name=address+address,other=silent,third=address|address". The lookup of a
 *              silent name never returns. A name with alternatives resolves to the next one at each lookup, and stays
 *              at the last. libc resolves all other names and literal addresses.
 * HANG_PATH    Part of a path. fsync and fdatasync of files whose path contains it never return.
 * HANG_UNTIL   A named pipe. Once it is open for writing, these calls return.
 * HANG_LOG     A file to which a line is appended for each call on these files: "begin PATH" for sync_file_range,
 *              "wait PATH" for fsync and fdatasync, "name PATH" for rename.
 *
 * With FAKE_NAMES set, no packet leaves the machine: a connection to an address that is not loopback goes to the same
 * port of 127.0.0.1, and getpeername returns the address that the program asked for. Addresses that end in .99 refuse
 * connections. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_DESCRIPTORS 4096
#define MOST_TEXT 4096
#define MOST_NAMES 64

static struct sockaddr_storage wanted[MOST_DESCRIPTORS];
static socklen_t wanted_length[MOST_DESCRIPTORS];

/* How many times the n-th name of the list was looked up before this call. */
static int times_looked_up(int number) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int times[MOST_NAMES];
    if (number >= MOST_NAMES) abort();
    pthread_mutex_lock(&lock);
    int before = times[number]++;
    pthread_mutex_unlock(&lock);
    return before;
}

/* Copies the addresses of `name` to `found`. Returns 0 if the list does not contain the name. */
static int look_up(const char *name, char found[MOST_TEXT]) {
    const char *list = getenv("FAKE_NAMES");
    if (!list || !name || strlen(list) >= MOST_TEXT) return 0;
    char copy[MOST_TEXT], *rest = copy;
    strcpy(copy, list);
    int number = 0;
    for (char *entry; (entry = strsep(&rest, ",")); number++) {
        char *addresses = strchr(entry, '=');
        if (!addresses) continue;
        *addresses++ = 0;
        if (strcasecmp(entry, name) == 0) {
            int earlier = strchr(addresses, '|') ? times_looked_up(number) : 0;
            char *now = strsep(&addresses, "|");
            while (earlier-- > 0 && addresses) now = strsep(&addresses, "|");
            strcpy(found, now);
            return 1;
        }
    }
    return 0;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    static int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    if (!real) real = dlsym(RTLD_NEXT, "getaddrinfo");
    char found[MOST_TEXT], *rest = found;
    if (!look_up(name, found)) return real(name, service, hints, result);
    if (strcmp(found, "silent") == 0) for (;;) pause();
    struct addrinfo **end = result;
    *result = NULL;
    for (char *address; (address = strsep(&rest, "+"));) {
        if (real(address, service, hints, end) != 0) continue;
        while (*end) end = &(*end)->ai_next;
    }
    return *result ? 0 : EAI_NONAME;
}

static int is_far(const struct sockaddr *address) {
    if (!getenv("FAKE_NAMES")) return 0;
    if (address->sa_family == AF_INET) {
        return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 != 127;
    }
    return address->sa_family == AF_INET6 && !IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
    static int (*real)(int, const struct sockaddr *, socklen_t);
    if (!real) real = dlsym(RTLD_NEXT, "connect");
    if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS) return real(descriptor, address, length);
    wanted_length[descriptor] = 0;
    if (!is_far(address)) return real(descriptor, address, length);
    struct sockaddr_storage near;
    memcpy(&near, address, length);
    if (address->sa_family == AF_INET) {
        struct in_addr *inner = &((struct sockaddr_in *)&near)->sin_addr;
        if ((ntohl(inner->s_addr) & 0xFF) == 99) {
            errno = ECONNREFUSED;
            return -1;
        }
        inner->s_addr = htonl(INADDR_LOOPBACK);
    } else {
        inet_pton(AF_INET6, "::ffff:127.0.0.1", &((struct sockaddr_in6 *)&near)->sin6_addr);
    }
    memcpy(&wanted[descriptor], address, length);
    wanted_length[descriptor] = length;
    return real(descriptor, (struct sockaddr *)&near, length);
}

int getpeername(int descriptor, struct sockaddr *address, socklen_t *length) {
    static int (*real)(int, struct sockaddr *, socklen_t *);
    if (!real) real = dlsym(RTLD_NEXT, "getpeername");
    int code = real(descriptor, address, length);
    if (code == 0 && descriptor < MOST_DESCRIPTORS && wanted_length[descriptor]) {
        memcpy(address, &wanted[descriptor], wanted_length[descriptor]);
        *length = wanted_length[descriptor];
    }
    return code;
}

/* Whether a path contains HANG_PATH. If it does, appends a line to HANG_LOG. */
static int is_meant(const char *path, const char *what) {
    const char *part = getenv("HANG_PATH"), *log = getenv("HANG_LOG");
    char line[MOST_TEXT + 16];
    if (!part || !strstr(path, part)) return 0;
    int file = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0644) : -1;
    if (file >= 0) {
        int count = snprintf(line, sizeof line, "%s %s\n", what, path);
        if (write(file, line, count) != count) abort();
        close(file);
    }
    return 1;
}

static int file_is_meant(int descriptor, const char *what) {
    char link[64], path[MOST_TEXT];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_meant(path, what);
}

static void hang_if_told(int descriptor) {
    const char *until = getenv("HANG_UNTIL");
    if (!file_is_meant(descriptor, "wait")) return;
    if (!until) for (;;) pause();
    int pipe;
    do pipe = open(until, O_RDONLY);
    while (pipe < 0 && errno == EINTR);
    struct stat status;
    if (pipe < 0 || fstat(pipe, &status) != 0 || !S_ISFIFO(status.st_mode)) abort();
    close(pipe);
}

int fsync(int descriptor) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fsync");
    hang_if_told(descriptor);
    return real(descriptor);
}

int rename(const char *old, const char *new) {
    static int (*real)(const char *, const char *);
    if (!real) real = dlsym(RTLD_NEXT, "rename");
    is_meant(old, "name");
    return real(old, new);
}

int sync_file_range(int descriptor, loff_t offset, loff_t length, unsigned int flags) {
    static int (*real)(int, loff_t, loff_t, unsigned int);
    if (!real) real = dlsym(RTLD_NEXT, "sync_file_range");
    file_is_meant(descriptor, "begin");
    return real(descriptor, offset, length, flags);
}

int fdatasync(int descriptor) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
    hang_if_told(descriptor);
    return real(descriptor);
}
