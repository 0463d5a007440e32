#include "gif_reader.h"
#include "descriptor_io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

struct codec_gif_reader {
    codec_failure failure;
    GifFileType *gif;
    int file;
    bool past_end;
    codec_gif_header header;
    int transparent_index;  /* the colour index, or NO_TRANSPARENT_COLOR */
    uint32_t rows_read;
    unsigned pass;          /* the current pass of an interlaced frame, 0 to 3 */
    uint32_t next_row;      /* the index of the next row, within the frame */
    GifPixelType *indices;
    size_t used, filled;
    uint8_t buffer[DESCRIPTOR_BUFFER_SIZE];
};

/* The first row of each pass of an interlaced frame, and the distance between its rows (GIF89a, appendix E). */
static const uint32_t pass_start[4] = {0, 4, 2, 1};
static const uint32_t pass_step[4] = {8, 8, 4, 2};

static codec_status fail(codec_gif_reader *reader, codec_status status, const char *message) {
    if (reader->failure.status == CODEC_OK) {
        reader->failure.status = status;
        snprintf(reader->failure.message, sizeof reader->failure.message, "%s", message);
    }
    return reader->failure.status;
}

static codec_status fail_by(codec_gif_reader *reader, int code) {
    const char *message = GifErrorString(code);
    if (code == D_GIF_ERR_NOT_ENOUGH_MEM) return fail(reader, CODEC_OUT_OF_MEMORY, "out of memory");
    if (reader->past_end) return fail(reader, CODEC_TRUNCATED, "premature end of file");
    return fail(reader, CODEC_CORRUPT, message != NULL ? message : "the GIF is damaged");
}

static int read_bytes(GifFileType *gif, GifByteType *bytes, int wanted) {
    codec_gif_reader *reader = gif->UserData;
    int done = 0;
    while (done < wanted) {
        if (reader->used == reader->filled) {
            ssize_t count = descriptor_read(reader->file, reader->buffer, sizeof reader->buffer);
            if (count < 0) {
                reader->failure.io_errno = errno;
                fail(reader, CODEC_IO, "reading failed");
            }
            if (count <= 0) {
                reader->past_end = true;
                return done;
            }
            reader->used = 0;
            reader->filled = (size_t)count;
        }
        size_t part = reader->filled - reader->used;
        if (part > (size_t)(wanted - done)) part = (size_t)(wanted - done);
        memcpy(bytes + done, reader->buffer + reader->used, part);
        reader->used += part;
        done += (int)part;
    }
    return done;
}

/* Skips an extension. Only the transparent colour of the next frame is kept. */
static codec_status read_extension(codec_gif_reader *reader) {
    int code;
    GifByteType *block;
    int status = DGifGetExtension(reader->gif, &code, &block);
    while (status == GIF_OK && block != NULL) {
        GraphicsControlBlock control;
        if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
            reader->transparent_index = control.TransparentColor;
        status = DGifGetExtensionNext(reader->gif, &block);
    }
    return status == GIF_OK ? CODEC_OK : fail_by(reader, reader->gif->Error);
}

static codec_status begin_frame(codec_gif_reader *reader) {
    GifFileType *gif = reader->gif;
    if (DGifGetImageDesc(gif) != GIF_OK) return fail_by(reader, gif->Error);
    const GifImageDesc *frame = &gif->Image;
    if (frame->Width <= 0 || frame->Height <= 0) return fail(reader, CODEC_CORRUPT, "the frame has no pixels");
    if (frame->ColorMap == NULL && gif->SColorMap == NULL)
        return fail(reader, CODEC_CORRUPT, "the frame has no colours");
    uint32_t right = (uint32_t)frame->Left + (uint32_t)frame->Width;
    uint32_t bottom = (uint32_t)frame->Top + (uint32_t)frame->Height;
    uint32_t width = (uint32_t)gif->SWidth > right ? (uint32_t)gif->SWidth : right;
    uint32_t height = (uint32_t)gif->SHeight > bottom ? (uint32_t)gif->SHeight : bottom;
    bool covers = width == (uint32_t)frame->Width && height == (uint32_t)frame->Height;
    reader->header = (codec_gif_header){
        .width = width,
        .height = height,
        .has_transparency = !covers || reader->transparent_index != NO_TRANSPARENT_COLOR,
        .is_interlaced = frame->Interlace,
    };
    reader->indices = malloc((size_t)frame->Width);
    return reader->indices != NULL ? CODEC_OK : fail(reader, CODEC_OUT_OF_MEMORY, "out of memory");
}

codec_status codec_gif_reader_open(int file, codec_gif_reader **result) {
    codec_gif_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return CODEC_OUT_OF_MEMORY;
    *result = reader;
    reader->file = file;
    reader->transparent_index = NO_TRANSPARENT_COLOR;
    int code = 0;
    reader->gif = DGifOpen(reader, read_bytes, &code);
    if (reader->gif == NULL) return fail_by(reader, code);
    while (true) {
        GifRecordType type;
        if (DGifGetRecordType(reader->gif, &type) != GIF_OK) return fail_by(reader, reader->gif->Error);
        if (type == IMAGE_DESC_RECORD_TYPE) return begin_frame(reader);
        if (type != EXTENSION_RECORD_TYPE) return fail(reader, CODEC_CORRUPT, "there is no picture in the file");
        codec_status status = read_extension(reader);
        if (status != CODEC_OK) return status;
    }
}

codec_gif_header codec_gif_reader_header(const codec_gif_reader *reader) { return reader->header; }

bool codec_gif_reader_next_line(const codec_gif_reader *reader, uint32_t *line) {
    *line = (uint32_t)reader->gif->Image.Top + reader->next_row;
    return reader->rows_read < (uint32_t)reader->gif->Image.Height;
}

static void advance(codec_gif_reader *reader) {
    uint32_t height = (uint32_t)reader->gif->Image.Height;
    reader->rows_read++;
    reader->next_row += reader->header.is_interlaced ? pass_step[reader->pass] : 1;
    while (reader->header.is_interlaced && reader->next_row >= height && reader->pass < 3)
        reader->next_row = pass_start[++reader->pass];
}

codec_status codec_gif_reader_row(codec_gif_reader *reader, uint8_t *row) {
    GifFileType *gif = reader->gif;
    const GifImageDesc *frame = &gif->Image;
    if (DGifGetLine(gif, reader->indices, frame->Width) != GIF_OK) return fail_by(reader, gif->Error);
    const ColorMapObject *map = frame->ColorMap != NULL ? frame->ColorMap : gif->SColorMap;
    size_t channels = reader->header.has_transparency ? 4 : 3;
    uint8_t *pixel = row + (size_t)frame->Left * channels;
    for (int x = 0; x < frame->Width; x++, pixel += channels) {
        int index = reader->indices[x];
        if (index == reader->transparent_index) continue;
        /* A pixel whose index is beyond the colour table is black, as in browsers. */
        GifColorType colour = index < map->ColorCount ? map->Colors[index] : (GifColorType){0, 0, 0};
        pixel[0] = colour.Red;
        pixel[1] = colour.Green;
        pixel[2] = colour.Blue;
        if (channels == 4) pixel[3] = 255;
    }
    advance(reader);
    return CODEC_OK;
}

const codec_failure *codec_gif_reader_failure(const codec_gif_reader *reader) { return &reader->failure; }

void codec_gif_reader_close(codec_gif_reader *reader) {
    if (reader == NULL) return;
    int code;
    if (reader->gif != NULL) DGifCloseFile(reader->gif, &code);
    free(reader->indices);
    free(reader);
}
