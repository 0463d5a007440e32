// same-work ROUND LIST [PORT]
//
// How CPU time grows with the number of files by itself, on this machine and disk. Each line of LIST is the path of a JPEG, a
// tab, and how many bytes its page has. Two threads do the same for every line: the picture is decoded and coded again into made/,
// linked into images/ under a name that begins with ROUND, and a page of that many bytes is written into pages-new/. Then all is
// synchronised, the pages go where those of the round before are, and the pictures of other rounds are removed, in the order of
// their inodes. But for the list and those pictures nothing is held, and nothing is looked up: what a line takes does not depend on
// how many there are, except for what the kernel, the disk and the machine make of it.
//
// With PORT pictures are not there yet: their paths are those of a web server on 127.0.0.1. Four threads, each over a connection of its own,
// bring each picture to the disk before it has its name in originals/, and go on with it as above.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// Uses size_t and FILE without declaring them, so it stands after what does.
#include <jpeglib.h>

enum { THREADS = 2, FETCHING_THREADS = 4, QUALITY = 82, ROW = 1 << 14, PAGE = 1 << 16, ANSWER = 1 << 17 };

struct Line {
    char *picture;
    size_t page;
};

static struct Line *lines;
static int line_count;
static atomic_int next_line;
static const char *round_name;
static int port;

static void fail(const char *what) {
    fprintf(stderr, "same-work: %s: %s\n", what, errno ? strerror(errno) : "not as it must be");
    exit(1);
}

static void *checked(void *memory) {
    if (memory == NULL) fail("memory");
    return memory;
}

static void read_list(const char *path) {
    FILE *list = fopen(path, "r");
    if (list == NULL) fail(path);
    char *text = NULL;
    size_t room = 0, capacity = 0;
    ssize_t length;
    while ((length = getline(&text, &room, list)) > 0) {
        char *tab = strchr(text, '\t');
        if (tab == NULL) fail("list");
        *tab = 0;
        if ((size_t)line_count == capacity) {
            capacity = capacity ? capacity * 2 : 1024;
            lines = checked(realloc(lines, capacity * sizeof *lines));
        }
        struct Line line = {checked(strdup(text)), strtoul(tab + 1, NULL, 10)};
        if (line.page > PAGE) fail("a page is too large");
        lines[line_count++] = line;
    }
    free(text);
    fclose(list);
}

static void write_file(const char *path, const void *bytes, size_t size) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size || close(file) != 0) fail(path);
}

static int connected(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0) fail("connection");
    return connection;
}

/// Asks for a picture and stores it, on the disk before it has its name.
static void fetch(int *connection, const char *path, int number, const char *stored) {
    char answer[ANSWER], written[64];
    int length = snprintf(answer, sizeof answer, "GET /%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path);
    if (send(*connection, answer, length, MSG_NOSIGNAL) != length) fail(path);
    size_t count = 0, size = 0;
    char *body = NULL;
    while (body == NULL || (size_t)(answer + count - body) < size) {
        ssize_t received = recv(*connection, answer + count, sizeof answer - 1 - count, 0);
        if (received <= 0) fail(path);
        count += received;
        answer[count] = 0;
        if (body != NULL || (body = strstr(answer, "\r\n\r\n")) == NULL) continue;
        *body = 0;
        body += 4;
        const char *told = strstr(answer, "\r\nContent-Length: ");
        if (strncmp(answer, "HTTP/1.1 200 ", 13) != 0 || told == NULL) fail(path);
        size = strtoul(told + 18, NULL, 10);
        if ((size_t)(body - answer) + size >= sizeof answer) fail("a picture is too large");
    }
    snprintf(written, sizeof written, "originals/%08x.part", number);
    int file = open(written, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 || write(file, body, size) != (ssize_t)size || fdatasync(file) != 0 || close(file) != 0) fail(written);
    if (rename(written, stored) != 0) fail(stored);
    if (strstr(answer, "\r\nConnection: close") == NULL) return;
    close(*connection);
    *connection = connected();
}

/// Decodes a picture, halves every sample's distance from white, and codes it again. The caller frees what is returned.
static unsigned char *recoded(const char *path, unsigned long *size) {
    FILE *source = fopen(path, "rb");
    if (source == NULL) fail(path);
    struct jpeg_error_mgr errors;
    struct jpeg_decompress_struct reader = {.err = jpeg_std_error(&errors)};
    struct jpeg_compress_struct writer = {.err = &errors};
    jpeg_create_decompress(&reader);
    jpeg_stdio_src(&reader, source);
    jpeg_read_header(&reader, TRUE);
    reader.out_color_space = JCS_RGB;
    jpeg_start_decompress(&reader);
    unsigned char *coded = NULL;
    jpeg_create_compress(&writer);
    jpeg_mem_dest(&writer, &coded, size);
    writer.image_width = reader.output_width;
    writer.image_height = reader.output_height;
    writer.input_components = 3;
    writer.in_color_space = JCS_RGB;
    jpeg_set_defaults(&writer);
    jpeg_set_quality(&writer, QUALITY, TRUE);
    jpeg_start_compress(&writer, TRUE);
    unsigned char samples[ROW];
    JSAMPROW row = samples;
    if (reader.output_width * 3 > ROW) fail("row");
    while (reader.output_scanline < reader.output_height) {
        jpeg_read_scanlines(&reader, &row, 1);
        for (unsigned index = 0; index < reader.output_width * 3; index++) samples[index] = 128 + samples[index] / 2;
        jpeg_write_scanlines(&writer, &row, 1);
    }
    jpeg_finish_compress(&writer);
    jpeg_finish_decompress(&reader);
    jpeg_destroy_compress(&writer);
    jpeg_destroy_decompress(&reader);
    fclose(source);
    return coded;
}

static void *work(void *unused) {
    (void)unused;
    static const char page[PAGE];
    char made[64], image[64], written[64], stored[64];
    int connection = port != 0 ? connected() : -1;
    for (int number; (number = atomic_fetch_add(&next_line, 1)) < line_count;) {
        unsigned long size = 0;
        const char *picture = lines[number].picture;
        if (port != 0) {
            // In 256 folders, and in no order, as where they are named by their content.
            snprintf(stored, sizeof stored, "originals/%02x/%08x", number * 2654435761u >> 24, number * 2654435761u);
            fetch(&connection, picture, number, stored);
            picture = stored;
        }
        unsigned char *coded = recoded(picture, &size);
        snprintf(made, sizeof made, "made/%08x", number);
        snprintf(image, sizeof image, "images/%s-%08x", round_name, number);
        snprintf(written, sizeof written, "pages-new/%08x", number);
        write_file(made, coded, size);
        free(coded);
        if (link(made, image) != 0 || unlink(made) != 0) fail(image);
        write_file(written, page, lines[number].page);
    }
    if (connection >= 0) close(connection);
    return NULL;
}

static void synchronise(void) {
    int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || syncfs(folder) != 0 || close(folder) != 0) fail("synchronise");
}

static void put_pages_in_place(void) {
    char from[64], to[64];
    for (int number = 0; number < line_count; number++) {
        snprintf(from, sizeof from, "pages-new/%08x", number);
        snprintf(to, sizeof to, "pages/%08x", number);
        if (rename(from, to) != 0) fail(to);
    }
}

struct Old {
    ino_t inode;
    char name[64 - sizeof(ino_t)];
};

static int by_inode(const void *left, const void *right) {
    ino_t one = ((const struct Old *)left)->inode, other = ((const struct Old *)right)->inode;
    return (one > other) - (one < other);
}

static void remove_other_rounds(void) {
    DIR *folder = opendir("images");
    if (folder == NULL) fail("images");
    size_t length = strlen(round_name), count = 0, capacity = 0;
    struct Old *old = NULL;
    for (struct dirent *entry; errno = 0, (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.' || (strncmp(entry->d_name, round_name, length) == 0 && entry->d_name[length] == '-')) continue;
        if (count == capacity) {
            capacity = capacity ? capacity * 2 : 1024;
            old = checked(realloc(old, capacity * sizeof *old));
        }
        if (strlen(entry->d_name) >= sizeof old->name) fail(entry->d_name);
        old[count].inode = entry->d_ino;
        strcpy(old[count++].name, entry->d_name);
    }
    if (errno != 0) fail("images");
    if (count != 0) qsort(old, count, sizeof *old, by_inode);
    for (size_t number = 0; number < count; number++)
        if (unlinkat(dirfd(folder), old[number].name, 0) != 0) fail(old[number].name);
    free(old);
    closedir(folder);
}

int main(int count, char **arguments) {
    if (count != 3 && count != 4) return 64;
    round_name = arguments[1];
    read_list(arguments[2]);
    port = count == 4 ? atoi(arguments[3]) : 0;
    for (const char **name = (const char *[]){"made", "images", "pages", "pages-new", "originals", NULL}; *name; name++)
        mkdir(*name, 0777);
    char folder[64];
    for (int number = 0; port != 0 && number < 256; number++) {
        snprintf(folder, sizeof folder, "originals/%02x", number);
        mkdir(folder, 0777);
    }
    pthread_t threads[FETCHING_THREADS];
    int thread_count = port != 0 ? FETCHING_THREADS : THREADS;
    for (int number = 0; number < thread_count; number++)
        if (pthread_create(&threads[number], NULL, work, NULL) != 0) fail("thread");
    for (int number = 0; number < thread_count; number++) pthread_join(threads[number], NULL);
    synchronise();
    put_pages_in_place();
    remove_other_rounds();
    synchronise();
    printf("%d\n", line_count);
    return 0;
}
