#ifndef FILE_CALLS_H
#define FILE_CALLS_H

/* Calls of the system that Swift's modules leave out, as not every system has them. */

/* Opens a file for reading, and where the system lets us, without the time of the reading being kept: that would be a write
   for each file. Returns a descriptor that other programs do not inherit, or -1 with errno. */
int file_open_quietly(const char *path);

/* Has the content of an open file written to the disk, without waiting for it. It promises nothing, and reports nothing: a
   later fsync does. Where the system has no such call, that does all of it. */
void file_begin_writing(int file);

#endif
