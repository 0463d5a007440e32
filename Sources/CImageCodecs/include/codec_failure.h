#ifndef CODEC_FAILURE_H
#define CODEC_FAILURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The result of a call of a codec. After anything but CODEC_OK the handle may only be asked for its failure, and
   closed. */
typedef enum codec_status {
    CODEC_OK = 0,
    CODEC_TRUNCATED,     /* the file ends before the picture does */
    CODEC_CORRUPT,       /* the data contradict the format */
    CODEC_UNSUPPORTED,   /* a valid file of a kind that the library does not read */
    CODEC_IO,            /* read(2) or write(2) failed: io_errno says why */
    CODEC_OUT_OF_MEMORY,
    CODEC_CANCELLED      /* the caller cancelled the call */
} codec_status;

/* A failure: the status, errno if a system call failed, and the message of the library (never empty, cut to fit). */
typedef struct codec_failure {
    codec_status status;
    int io_errno;
    char message[200];
} codec_failure;

#endif
