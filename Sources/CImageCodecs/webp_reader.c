#include "webp_reader.h"
#include "descriptor_io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <webp/decode.h>
#include <webp/demux.h>

/* The number of bytes that one call of take_in passes to the decoder. The caller checks for cancellation between
   calls. */
enum { BYTES_A_CALL = 65536 };

/* A generous estimate of the memory for the decoder's rows and tables of a lossy picture. */
enum { HELD_BYTES = 1 << 20 };

struct codec_webp_reader {
    codec_failure failure;
    uint8_t *bytes;
    size_t length;
    WebPDemuxer *demuxer;
    WebPIterator frame;
    bool has_frame;
    codec_webp_lossless lossless;
    WebPChunkIterator exif, profile;
    WebPDecoderConfig config;
    WebPIDecoder *decoder;
    size_t taken;  /* the number of bytes of the frame that the decoder has been given */
    codec_webp_header header;
};

static codec_status fail(codec_webp_reader *reader, codec_status status, const char *message) {
    reader->failure.status = status;
    snprintf(reader->failure.message, sizeof reader->failure.message, "%s", message);
    return status;
}

static codec_status fail_by(codec_webp_reader *reader, VP8StatusCode code) {
    switch (code) {
    case VP8_STATUS_OUT_OF_MEMORY: return fail(reader, CODEC_OUT_OF_MEMORY, "out of memory");
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA: return fail(reader, CODEC_TRUNCATED, "premature end of file");
    case VP8_STATUS_UNSUPPORTED_FEATURE: return fail(reader, CODEC_UNSUPPORTED, "WebP of an unknown kind");
    default: return fail(reader, CODEC_CORRUPT, "the WebP bitstream is damaged");
    }
}

static codec_status read_file(codec_webp_reader *reader, int file) {
    struct stat facts;
    if (fstat(file, &facts) != 0) {
        reader->failure.io_errno = errno;
        return fail(reader, CODEC_IO, "reading failed");
    }
    reader->bytes = malloc((size_t)facts.st_size + 1);
    if (reader->bytes == NULL) return fail(reader, CODEC_OUT_OF_MEMORY, "out of memory");
    while (reader->length < (size_t)facts.st_size) {
        ssize_t count = descriptor_read(file, reader->bytes + reader->length, (size_t)facts.st_size - reader->length);
        if (count < 0) {
            reader->failure.io_errno = errno;
            return fail(reader, CODEC_IO, "reading failed");
        }
        if (count == 0) break;
        reader->length += (size_t)count;
    }
    return CODEC_OK;
}

/* Returns an estimate of the memory for the file and the decoder. The decoder holds the whole of a lossless picture:
   four bytes a pixel, and the small images of its transforms. An alpha channel is such a picture too, and takes another
   byte a pixel. */
static uint64_t held_bytes(const WebPBitstreamFeatures *features, uint64_t length) {
    uint64_t pixels = (uint64_t)features->width * (uint64_t)features->height;
    return length + HELD_BYTES + pixels * (features->format == 2 ? 5 : features->has_alpha ? 7 : 0)
        + 160 * (uint64_t)features->width;
}

codec_webp_header codec_webp_presumed_header(const uint8_t *start, size_t count, uint64_t length) {
    codec_webp_header header = {0};
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(start, count, &features) != VP8_STATUS_OK) return header;
    header.width = (uint32_t)features.width;
    header.height = (uint32_t)features.height;
    header.has_transparency = features.has_alpha;
    header.held_bytes = held_bytes(&features, length);
    return header;
}

/* Returns the 32-bit number that the format stores at `bytes`, in little-endian order. */
static uint32_t number_at(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Returns the lossless bitstream of a frame, which consists of complete chunks. This is its picture or, if its picture
   is lossy, its alpha channel, unless that is uncompressed. */
static codec_webp_lossless lossless_part(const WebPIterator *frame, bool is_lossless) {
    enum { CHUNK_HEADER = 8, PICTURE_HEADER = 5, TRANSPARENCY_HEADER = 1, PACKED = 1 };
    codec_webp_lossless part = {NULL, 0, (uint32_t)frame->width, (uint32_t)frame->height};
    const uint8_t *chunk = frame->fragment.bytes;
    size_t size = frame->fragment.size, header = CHUNK_HEADER;
    if (size < CHUNK_HEADER) return part;
    if (is_lossless) {
        header += PICTURE_HEADER;
    } else {
        header += TRANSPARENCY_HEADER;
        if (memcmp(chunk, "ALPH", 4) != 0 || size < header || (chunk[CHUNK_HEADER] & 3) != PACKED) return part;
        size_t length = number_at(chunk + 4);
        if (length < size - CHUNK_HEADER) size = CHUNK_HEADER + length;
    }
    if (size <= header) return part;
    part.bytes = chunk + header;
    part.length = size - header;
    return part;
}

/* libwebp keeps a record for each chunk, even for those that it doesn't know, and a chunk can be as small as eight
   bytes. An animation of half an hour has no more chunks than this. */
enum { CHUNK_RECORD_BYTES = 100, MOST_CHUNKS = 100000 };

/* Returns the number of chunks in the file, or more than MOST_CHUNKS without counting the rest. */
static int count_chunks(const codec_webp_reader *reader) {
    enum { FILE_HEADER = 12, CHUNK_HEADER = 8 };
    uint64_t offset = FILE_HEADER, end = reader->length;
    if (end < FILE_HEADER) return 0;
    /* Bytes after the container belong to no chunk. */
    uint64_t container = CHUNK_HEADER + (uint64_t)number_at(reader->bytes + 4);
    if (container < end) end = container;
    int count = 0;
    while (count <= MOST_CHUNKS && offset + CHUNK_HEADER <= end) {
        uint64_t size = number_at(reader->bytes + offset + 4);
        offset += CHUNK_HEADER + size + (size & 1);
        count++;
    }
    return count;
}

/* Reads the canvas, the first frame and the metadata from the chunks. */
static codec_status read_chunks(codec_webp_reader *reader) {
    int chunks = count_chunks(reader);
    if (chunks > MOST_CHUNKS) return fail(reader, CODEC_CORRUPT, "more than 100,000 WebP chunks");
    WebPData data = {reader->bytes, reader->length};
    WebPDemuxState state;
    reader->demuxer = WebPDemuxPartial(&data, &state);
    if (reader->demuxer == NULL)
        return state == WEBP_DEMUX_PARSE_ERROR ? fail(reader, CODEC_CORRUPT, "the WebP chunks make no picture")
                                               : fail(reader, CODEC_TRUNCATED, "premature end of file");
    /* The sizes are -1 if the file ended before they were known. */
    int width = (int)WebPDemuxGetI(reader->demuxer, WEBP_FF_CANVAS_WIDTH);
    int height = (int)WebPDemuxGetI(reader->demuxer, WEBP_FF_CANVAS_HEIGHT);
    reader->header.width = width > 0 ? (uint32_t)width : 0;
    reader->header.height = height > 0 ? (uint32_t)height : 0;
    if (state != WEBP_DEMUX_DONE) return fail(reader, CODEC_TRUNCATED, "premature end of file");
    reader->has_frame = WebPDemuxGetFrame(reader->demuxer, 1, &reader->frame) != 0;
    if (!reader->has_frame) return fail(reader, CODEC_CORRUPT, "there is no picture in the file");

    WebPBitstreamFeatures features;
    VP8StatusCode code = WebPGetFeatures(reader->frame.fragment.bytes, reader->frame.fragment.size, &features);
    if (code != VP8_STATUS_OK) return fail_by(reader, code);
    const WebPIterator *frame = &reader->frame;
    if (features.width != frame->width || features.height != frame->height)
        return fail(reader, CODEC_CORRUPT, "the frame is not of the size that the file says");
    bool covers = frame->width == (int)reader->header.width && frame->height == (int)reader->header.height;
    reader->header.has_transparency = features.has_alpha || !covers;
    reader->header.held_bytes = held_bytes(&features, reader->length) + (uint64_t)chunks * CHUNK_RECORD_BYTES;
    reader->lossless = lossless_part(frame, features.format == 2);

    uint32_t flags = WebPDemuxGetI(reader->demuxer, WEBP_FF_FORMAT_FLAGS);
    if (flags & EXIF_FLAG) WebPDemuxGetChunk(reader->demuxer, "EXIF", 1, &reader->exif);
    if (flags & ICCP_FLAG) WebPDemuxGetChunk(reader->demuxer, "ICCP", 1, &reader->profile);
    reader->header.profile_bytes = reader->profile.chunk.size;
    return CODEC_OK;
}

int codec_webp_version(void) { return WebPGetDecoderVersion(); }

codec_status codec_webp_reader_open(int file, codec_webp_reader **result) {
    codec_webp_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return CODEC_OUT_OF_MEMORY;
    *result = reader;
    codec_status status = read_file(reader, file);
    return status == CODEC_OK ? read_chunks(reader) : status;
}

codec_webp_header codec_webp_reader_header(const codec_webp_reader *reader) { return reader->header; }

codec_webp_lossless codec_webp_reader_lossless(const codec_webp_reader *reader) { return reader->lossless; }

const uint8_t *codec_webp_reader_exif(const codec_webp_reader *reader, size_t *length) {
    *length = reader->exif.chunk.size;
    return *length > 0 ? reader->exif.chunk.bytes : NULL;
}

const uint8_t *codec_webp_reader_profile(const codec_webp_reader *reader, size_t *length) {
    *length = reader->profile.chunk.size;
    return *length > 0 ? reader->profile.chunk.bytes : NULL;
}

codec_status codec_webp_reader_start(codec_webp_reader *reader, uint8_t *pixels, size_t stride) {
    if (!WebPInitDecoderConfig(&reader->config)) {
        return fail(reader, CODEC_UNSUPPORTED, "another libwebp than expected");
    }
    const WebPIterator *frame = &reader->frame;
    bool has_alpha = reader->header.has_transparency;
    size_t bytes_per_pixel = has_alpha ? 4 : 3;
    WebPDecBuffer *output = &reader->config.output;
    output->colorspace = has_alpha ? MODE_RGBA : MODE_RGB;
    output->is_external_memory = 1;
    output->u.RGBA.rgba = pixels + (size_t)frame->y_offset * stride + (size_t)frame->x_offset * bytes_per_pixel;
    output->u.RGBA.stride = (int)stride;
    output->u.RGBA.size = stride * (size_t)(frame->height - 1) + (size_t)frame->width * bytes_per_pixel;
    reader->decoder = WebPIDecode(NULL, 0, &reader->config);
    return reader->decoder != NULL ? CODEC_OK : fail(reader, CODEC_OUT_OF_MEMORY, "out of memory");
}

codec_status codec_webp_reader_take_in(codec_webp_reader *reader, bool *done) {
    const WebPData *data = &reader->frame.fragment;
    reader->taken = data->size - reader->taken > BYTES_A_CALL ? reader->taken + BYTES_A_CALL : data->size;
    VP8StatusCode code = WebPIUpdate(reader->decoder, data->bytes, reader->taken);
    *done = code == VP8_STATUS_OK;
    if (*done || (code == VP8_STATUS_SUSPENDED && reader->taken < data->size)) return CODEC_OK;
    return fail_by(reader, code);
}

const codec_failure *codec_webp_reader_failure(const codec_webp_reader *reader) { return &reader->failure; }

void codec_webp_reader_close(codec_webp_reader *reader) {
    if (reader == NULL) return;
    WebPIDelete(reader->decoder);
    if (reader->has_frame) WebPDemuxReleaseIterator(&reader->frame);
    WebPDemuxReleaseChunkIterator(&reader->exif);
    WebPDemuxReleaseChunkIterator(&reader->profile);
    WebPDemuxDelete(reader->demuxer);
    free(reader->bytes);
    free(reader);
}
