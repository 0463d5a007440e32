#ifndef FILE_CALLS_H
#define FILE_CALLS_H

/* Calls of the system that Swift's modules leave out, as not every system has them. */

/* Opens a file for reading, and where the system lets us, without the time of the reading being kept: that would be
   a write for each file. Returns a descriptor that other programs do not inherit, or -1 with errno. */
int file_open_quietly(const char *path);

/* Has the content of an open file written to the disk, without waiting for it. It promises nothing, and reports
   nothing: a later fsync does. Where the system has no such call, that does all of it. */
void file_begin_writing(int file);

/* Gives a file another name in one step, unless anything has that name. Returns 0, or -1 with errno: EEXIST where
   the name is taken; ENOSYS, EINVAL or ENOTSUP where the system or the file system has no such call. */
int file_rename_new(int folder, const char *name, int other_folder, const char *other_name);

/* Exchanges what two names stand for, in one step. Returns 0, or -1 with errno: ENOENT where one of them is not there;
   ENOSYS, EINVAL or ENOTSUP where the system or the file system has no such call. */
int file_exchange(int folder, const char *name, int other_folder, const char *other_name);

/* Whether file_sync_all reports for this file system what the disk lost: 1, or 0 where each file has to be asked. It
   does since Linux 5.8, but not for file systems whose errors are told at fsync or close alone: those of other
   machines and of other processes. */
int file_sync_all_reports(int folder);

/* Writes all that the file system of an open folder holds to its disk. Returns 0, or -1 with errno of a write that
   failed since the folder was opened (errseq_t, of the kernel): the folder has to be open before what is written. */
int file_sync_all(int folder);

#endif
