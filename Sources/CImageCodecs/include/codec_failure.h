#ifndef CODEC_FAILURE_H
#define CODEC_FAILURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The result of a call to a codec. After any result other than CODEC_OK, the only calls allowed on the handle are those
   that return its failure or close it. */
typedef enum codec_status {
    CODEC_OK = 0,
    CODEC_TRUNCATED,     /* the file ends before the picture does */
    CODEC_CORRUPT,       /* the data contradict the format */
    CODEC_UNSUPPORTED,   /* the file is valid, but of a kind that the library does not read */
    CODEC_IO,            /* read(2) or write(2) failed; io_errno says why */
    CODEC_OUT_OF_MEMORY,
    CODEC_CANCELLED      /* the caller cancelled the call */
} codec_status;

/* A failure: its status, the value of errno if a system call failed, and the library's message, which is never empty
   and is cut to fit. */
typedef struct codec_failure {
    codec_status status;
    int io_errno;
    char message[200];
} codec_failure;

#endif
