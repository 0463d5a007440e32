#ifndef FILE_CALLS_H
#define FILE_CALLS_H

#include <spawn.h>

/* System calls that Swift's modules leave out, because not every system has them. Names in an open folder are relative
   to its descriptor. */

/* Opens a file for reading, without updating its access time if the system allows that: each update would be a write.
   Returns a descriptor that child processes do not inherit, or -1 with errno. */
int file_open_quietly(const char *path);

/* Begins to write the content of an open file to the disk, without waiting for it. It guarantees and reports nothing: a
   later fsync does. If the system has no such call, fsync does all of the work. */
void file_begin_writing(int file);

/* Renames a file atomically, unless the new name is taken. Returns 0, or -1 with errno: EEXIST if the name is taken;
   ENOSYS, EINVAL or ENOTSUP if the system or the file system has no such call. */
int file_rename_new(int folder, const char *name, int other_folder, const char *other_name);

/* Exchanges the files of two names atomically. Returns 0, or -1 with errno: ENOENT if one of them does not exist;
   ENOSYS, EINVAL or ENOTSUP if the system or the file system has no such call. */
int file_exchange(int folder, const char *name, int other_folder, const char *other_name);

/* Whether file_sync_all reports failed writes on the file system of an open folder. Returns 1 if it does, or 0 if each
   file needs an fsync. Linux reports them since 5.8, except on file systems that report errors only at fsync or close:
   those of other machines (NFS) and of other processes (FUSE). */
int file_sync_all_reports(int folder);

/* Writes all unwritten data of the file system of an open folder to its disk. Returns 0, or -1 with the errno of a
   write that failed since the folder was opened (the kernel's errseq_t). So the folder must be opened before the files
   are written. */
int file_sync_all(int folder);

/* Copies the content of an open file from its current offset to its end, to the current offset of another. The file
   system or the server does the copying where it can. Returns 0, or -1 with the errno of the call that failed. */
int file_copy(int from, int to);

/* Makes posix_spawn start a program in a folder. Returns 0 or an error number. */
int file_start_in(posix_spawn_file_actions_t *actions, const char *folder);

/* Makes posix_spawn close all files in the new program except the standard streams. Returns 0 or an error number. On
   macOS the flag POSIX_SPAWN_CLOEXEC_DEFAULT does that, and this function nothing. */
int file_close_others(posix_spawn_file_actions_t *actions);

#endif
