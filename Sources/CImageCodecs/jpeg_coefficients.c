/* Packed coefficients of JPEGs in several scans. libjpeg holds all coefficients of such a picture, 2 bytes each,
   although most of them are zero. Those of photographs take a sixth to a half of that here. The functions of libjpeg's
   memory manager for arrays of blocks can be replaced (libjpeg.txt, "Memory management"). An array has a window of
   unpacked rows of blocks. When libjpeg asks for rows outside it, the window is packed, and other rows are unpacked.

   A packed block begins with its first coefficient, which is nearly always large, in 2 bytes, and a mask of 8 bytes in
   which bit k stands for coefficient k. There are two forms:

   - If few of the other coefficients are not zero, the mask says which. Each of them has a byte, or if it is below -127
     or above 127, a byte of -128 and 2 bytes.
   - If many are not zero, bit 0 of the mask is set. The lower byte of each coefficient follows, and then, in 2 bytes,
     those that the mask names, because they do not fit in a byte. Neither packing nor unpacking handles small
     coefficients one by one. */

#include "jpeg_reader_parts.h"

#include <stdlib.h>
#include <string.h>

/* The most coefficients, without the first, that a block of the first form has. */
enum { MAX_SINGLE_COEFFICIENTS = 32 };

/* The most bytes of a packed block: the second form, with every coefficient too large for a byte. */
enum { MAX_PACKED_BLOCK = sizeof(JCOEF) + sizeof(uint64_t) + DCTSIZE2 + (DCTSIZE2 - 1) * sizeof(JCOEF) };

/* Says that a coefficient of 2 bytes follows. */
static const int8_t ESCAPE = INT8_MIN;

static const uint64_t SECOND_FORM = 1;

typedef JCOEF block_vector __attribute__((vector_size(sizeof(JBLOCK))));
typedef int8_t byte_vector __attribute__((vector_size(DCTSIZE2)));
typedef bool mask_vector __attribute__((ext_vector_type(DCTSIZE2)));

/* A packed row of blocks. It owns its bytes, which are NULL while all coefficients are zero. A row that packing would
   not make smaller is stored as it is. */
typedef struct packed_row {
    uint8_t *bytes;
    size_t size;
} packed_row;

/* The coefficients of one component. libjpeg's pool owns everything but the bytes of the packed rows. */
struct jpeg_packed_array {
    jpeg_packed_array *next;
    JDIMENSION width, height;        /* in blocks */
    JDIMENSION window_height;        /* the most rows that the window can have */
    JDIMENSION first, count;         /* the rows of the window */
    bool is_changed;                 /* the window may differ from the packed rows */
    JBLOCKARRAY window;
    uint8_t *packed;                 /* room for a packed row */
    packed_row *rows;
};

static void put(uint8_t **to, const void *bytes, size_t count) {
    memcpy(*to, bytes, count);
    *to += count;
}

static void take(const uint8_t **from, void *bytes, size_t count) {
    memcpy(bytes, *from, count);
    *from += count;
}

/* Calls for vectors of this size have no standard ABI on processors without AVX-512, so these functions are inlined. */
#define INLINED static inline __attribute__((always_inline))

INLINED uint64_t mask(mask_vector bits) { return __builtin_bit_cast(uint64_t, bits); }

INLINED uint64_t nonzero(const JCOEF *block) {
    block_vector all;
    memcpy(&all, block, sizeof all);
    return mask(__builtin_convertvector(all != 0, mask_vector));
}

/* Returns which coefficients do not fit in a byte. */
INLINED uint64_t large(const JCOEF *block) {
    block_vector all;
    memcpy(&all, block, sizeof all);
    return mask(__builtin_convertvector(((all + 128) & ~255) != 0, mask_vector));
}

INLINED void put_lower_bytes(uint8_t **to, const JCOEF *block) {
    block_vector all;
    memcpy(&all, block, sizeof all);
    byte_vector lower = __builtin_convertvector(all, byte_vector);
    put(to, &lower, sizeof lower);
}

INLINED void take_lower_bytes(const uint8_t **from, JCOEF *block) {
    byte_vector lower;
    take(from, &lower, sizeof lower);
    block_vector all = __builtin_convertvector(lower, block_vector);
    memcpy(block, &all, sizeof all);
}

static void pack_block(const JCOEF *block, uint8_t **to) {
    uint64_t others = nonzero(block) & ~UINT64_C(1);
    put(to, &block[0], sizeof *block);
    if (__builtin_popcountll(others) > MAX_SINGLE_COEFFICIENTS) {
        uint64_t exceptions = large(block) & ~UINT64_C(1), stored = exceptions | SECOND_FORM;
        put(to, &stored, sizeof stored);
        put_lower_bytes(to, block);
        for (; exceptions != 0; exceptions &= exceptions - 1)
            put(to, &block[__builtin_ctzll(exceptions)], sizeof *block);
        return;
    }
    put(to, &others, sizeof others);
    for (; others != 0; others &= others - 1) {
        JCOEF coefficient = block[__builtin_ctzll(others)];
        int8_t byte = (int8_t)coefficient;
        bool is_escaped = coefficient != byte || byte == ESCAPE;
        put(to, is_escaped ? &ESCAPE : &byte, sizeof byte);
        if (is_escaped) put(to, &coefficient, sizeof coefficient);
    }
}

static void unpack_block(const uint8_t **from, JCOEF *block) {
    JCOEF first;
    uint64_t stored;
    take(from, &first, sizeof first);
    take(from, &stored, sizeof stored);
    if ((stored & SECOND_FORM) != 0) {
        take_lower_bytes(from, block);
        for (stored &= ~SECOND_FORM; stored != 0; stored &= stored - 1)
            take(from, &block[__builtin_ctzll(stored)], sizeof *block);
    } else {
        memset(block, 0, sizeof(JBLOCK));
        for (; stored != 0; stored &= stored - 1) {
            int8_t byte;
            take(from, &byte, sizeof byte);
            JCOEF coefficient = byte;
            if (byte == ESCAPE) take(from, &coefficient, sizeof coefficient);
            block[__builtin_ctzll(stored)] = coefficient;
        }
    }
    block[0] = first;
}

static void save_window(j_common_ptr codec, jpeg_packed_array *array) {
    size_t unpacked_size = array->width * sizeof(JBLOCK);
    for (JDIMENSION i = 0; array->is_changed && i < array->count; i++) {
        JBLOCKROW blocks = array->window[i];
        uint8_t *end = array->packed;
        for (JDIMENSION b = 0, width = array->width; b < width; b++) pack_block(blocks[b], &end);
        size_t size = (size_t)(end - array->packed);
        const void *bytes = array->packed;
        if (size >= unpacked_size) {
            size = unpacked_size;
            bytes = blocks;
        }
        packed_row *row = &array->rows[array->first + i];
        if (size != row->size) {
            /* A row that grows by realloc can get a quarter more than it needs. */
            free(row->bytes);
            *row = (packed_row){malloc(size), size};
            if (row->bytes == NULL) ERREXIT1(codec, JERR_OUT_OF_MEMORY, 0);
        }
        memcpy(row->bytes, bytes, size);
    }
    array->is_changed = false;
}

static void load_row(const packed_row *row, JBLOCKROW blocks, JDIMENSION width) {
    size_t unpacked_size = width * sizeof(JBLOCK);
    const uint8_t *from = row->bytes;
    if (from == NULL) memset(blocks, 0, unpacked_size);
    else if (row->size == unpacked_size) memcpy(blocks, from, unpacked_size);
    else for (JDIMENSION b = 0; b < width; b++) unpack_block(&from, blocks[b]);
}

/* Replaces request_virt_barray. All coefficients are zero at first, whether libjpeg asks for that or not. */
static jvirt_barray_ptr request(
    j_common_ptr codec, int pool, boolean pre_zero, JDIMENSION width, JDIMENSION height, JDIMENSION window_height) {
    (void)pre_zero;
    codec_jpeg_reader *reader = codec->client_data;
    jpeg_packed_array *array = codec->mem->alloc_small(codec, pool, sizeof *array);
    *array = (jpeg_packed_array){.width = width, .height = height, .window_height = window_height};
    array->window = codec->mem->alloc_barray(codec, pool, width, window_height);
    array->packed = codec->mem->alloc_large(codec, pool, (size_t)width * MAX_PACKED_BLOCK);
    array->rows = codec->mem->alloc_large(codec, pool, height * sizeof(packed_row));
    memset(array->rows, 0, height * sizeof(packed_row));
    array->next = reader->packed_arrays;
    reader->packed_arrays = array;
    return (jvirt_barray_ptr)array;
}

/* Replaces access_virt_barray. */
static JBLOCKARRAY access_rows(
    j_common_ptr codec, jvirt_barray_ptr requested, JDIMENSION first, JDIMENSION count, boolean writable) {
    jpeg_packed_array *array = (jpeg_packed_array *)requested;
    if (count > array->window_height || first > array->height || count > array->height - first)
        ERREXIT(codec, JERR_BAD_VIRTUAL_ACCESS);
    if (first < array->first || first + count > array->first + array->count) {
        save_window(codec, array);
        array->first = first;
        array->count = count;
        if (!writable) {
            /* Where libjpeg-turbo 2.1 smooths a picture, it asks for too few rows (jdcoefct.c, decompress_smooth_data).
               All that it reads are in a window of this height. */
            JDIMENSION left = array->height - first;
            array->count = left < array->window_height ? left : array->window_height;
        }
        for (JDIMENSION i = 0; i < array->count; i++) load_row(&array->rows[first + i], array->window[i], array->width);
    }
    array->is_changed |= writable;
    return array->window + (first - array->first);
}

void jpeg_reader_pack_coefficients(codec_jpeg_reader *reader) {
    reader->codec.mem->request_virt_barray = request;
    reader->codec.mem->access_virt_barray = access_rows;
}

uint64_t jpeg_reader_packing_bytes(uint64_t width, uint64_t height, uint64_t window_height) {
    return width * (window_height * sizeof(JBLOCK) + MAX_PACKED_BLOCK) + height * sizeof(packed_row);
}

void jpeg_reader_free_coefficients(codec_jpeg_reader *reader) {
    for (jpeg_packed_array *array = reader->packed_arrays; array != NULL; array = array->next)
        for (JDIMENSION i = 0; i < array->height; i++) free(array->rows[i].bytes);
    reader->packed_arrays = NULL;
}
