// process-tree REPORT COMMAND [ARGUMENT...]
//
// Runs a command and writes the resources that it and its descendants used to REPORT as JSON: wall, user and system
// time in seconds, and peak memory in bytes. Linux only.
//
// This is not written in Python, because the peak memory of a child (ru_maxrss) includes the memory of its parent at
// the fork, so no command could measure less than Python itself.

#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_MEMBERS = 1024 };

static const struct timespec SAMPLE_INTERVAL = {.tv_sec = 0, .tv_nsec = 25000000};

static double monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/// The parent of a process, or 0 if the process has ended since the folder was listed.
static pid_t parent_of(pid_t process) {
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (file == NULL) return 0;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    // The second field is the program's name in parentheses. The name may contain parentheses and spaces, so the last
    // parenthesis of the line ends it.
    const char *end = strrchr(line, ')');
    int parent = 0;
    if (end == NULL || sscanf(end + 1, " %*c %d", &parent) != 1) return 0;
    return parent;
}

static long resident_bytes(pid_t process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    FILE *file = fopen(path, "r");
    if (file == NULL) return 0;
    long pages = 0;
    if (fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

/// The sum of the resident memory of all descendants of this process. It is an upper bound, because shared pages are
/// counted for each process.
static long tree_bytes(void) {
    pid_t members[MOST_MEMBERS] = {getpid()};
    int count = 1;
    long total = 0;
    DIR *folder = opendir("/proc");
    if (folder == NULL) return 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        pid_t process = (pid_t)atoi(entry->d_name);
        // /proc lists ids in ascending order, and a child's id is greater than its parent's. So one pass finds the
        // whole tree, and older processes are skipped. (Ids wrap around after four million processes.)
        if (process <= members[0]) continue;
        pid_t parent = parent_of(process);
        for (int index = 0; index < count && count < MOST_MEMBERS; index++) {
            if (members[index] == parent) {
                members[count++] = process;
                total += resident_bytes(process);
                break;
            }
        }
    }
    closedir(folder);
    return total;
}

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int main(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "usage: process-tree REPORT COMMAND [ARGUMENT...]\n");
        return 64;
    }
    // If the benchmark is killed, this process and the command end too.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    // Descendants whose parent has ended become children of this process, so that all are counted.
    prctl(PR_SET_CHILD_SUBREAPER, 1);

    sigset_t child_ended, before;
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ended, &before);

    double start = monotonic_seconds(), wall = 0;
    pid_t command = fork();
    if (command == -1) {
        perror("fork");
        return 71;
    }
    if (command == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(arguments[2], arguments + 2);
        perror(arguments[2]);
        _exit(127);
    }

    int exit_code = 0;
    long peak_tree = 0;
    for (;;) {
        int status;
        pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended == command) {
            wall = monotonic_seconds() - start;
            exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        if (ended > 0) continue;
        if (ended == -1 && errno == ECHILD) break;
        sigtimedwait(&child_ended, NULL, &SAMPLE_INTERVAL);
        long bytes = tree_bytes();
        if (bytes > peak_tree) peak_tree = bytes;
    }

    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    long peak_process = used.ru_maxrss * 1024;
    // A sample can miss the peak of the largest process, which the kernel reports exactly.
    if (peak_process > peak_tree) peak_tree = peak_process;

    FILE *report = fopen(arguments[1], "w");
    if (report == NULL) {
        perror(arguments[1]);
        return 73;
    }
    fprintf(report,
            "{\"wall\": %.6f, \"user\": %.6f, \"system\": %.6f, \"peak_process\": %ld, \"peak_tree\": %ld, "
            "\"exit_code\": %d}\n",
            wall, seconds(used.ru_utime), seconds(used.ru_stime), peak_process, peak_tree, exit_code);
    return fclose(report) == 0 ? 0 : 74;
}
