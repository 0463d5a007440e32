// delay ROUND-TRIP-MS LISTEN-PORT TARGET-PORT
//
// Forwards TCP connections on loopback to another port with the latency of a long round trip. Bytes arrive half a round
// trip later, and the first bytes of a connection one round trip later still, which is the time of a handshake. The
// bandwidth is not limited, and there is no packet loss and no slow start. Linux only.
//
// The kernel's netem is not used, because many kernels lack it and it needs root.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 500, PIECE = 65536 };

/// Bytes that were received and are not sent yet. No bytes mean the end of the stream.
struct piece {
    struct piece *next;
    int64_t due;
    size_t count, sent;
    char bytes[];
};

/// One direction of a connection.
struct lane {
    int from, to;
    /// `is_full`: whether the receiver accepts no more bytes for now.
    bool has_ended, is_done, is_full;
    /// The time before which no byte arrives.
    int64_t opened;
    struct piece *first, **last;
};

/// A connection with its two directions: from the client, and from the server.
struct connection {
    struct lane lanes[2];
};

static struct connection *connections[MOST_CONNECTIONS];
static int count;
static int64_t one_way;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int listen_at(int port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    struct sockaddr_in address = loopback(port);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
    if (listen(listener, 512) != 0) fail("listen");
    return listener;
}

static void set_up(struct lane *lane, int from, int to, int64_t opened) {
    int on = 1;
    setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(from, F_SETFL, O_NONBLOCK);
    *lane = (struct lane){.from = from, .to = to, .opened = opened};
    lane->last = &lane->first;
}

static void accept_one(int listener, int target) {
    int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (client < 0) return;
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = loopback(target);
    struct connection *connection = calloc(1, sizeof *connection);
    if (count == MOST_CONNECTIONS || connection == NULL || server < 0
        || connect(server, (struct sockaddr *)&address, sizeof address) != 0)
        fail("connect");
    // The client sends its first bytes at once, because its handshake with this proxy takes no time.
    set_up(&connection->lanes[0], client, server, now() + 2 * one_way);
    set_up(&connection->lanes[1], server, client, 0);
    connections[count++] = connection;
}

/// Reads the available bytes of a lane, or its end.
static void receive(struct lane *lane) {
    static char buffer[PIECE];
    ssize_t got = read(lane->from, buffer, sizeof buffer);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    // A reset is forwarded as an end of the stream.
    if (got <= 0) {
        got = 0;
        lane->has_ended = true;
    }
    struct piece *piece = malloc(sizeof *piece + (size_t)got);
    if (piece == NULL) fail("malloc");
    int64_t left = now() > lane->opened ? now() : lane->opened;
    *piece = (struct piece){.due = left + one_way, .count = (size_t)got};
    memcpy(piece->bytes, buffer, (size_t)got);
    *lane->last = piece;
    lane->last = &piece->next;
}

static void drop_first(struct lane *lane) {
    struct piece *piece = lane->first;
    lane->first = piece->next;
    if (lane->first == NULL) lane->last = &lane->first;
    free(piece);
}

/// Sends the bytes that are due, as far as the receiver accepts them.
static void deliver(struct lane *lane) {
    lane->is_full = false;
    while (lane->first != NULL && lane->first->due <= now()) {
        struct piece *piece = lane->first;
        if (piece->count == 0) {
            shutdown(lane->to, SHUT_WR);
            lane->is_done = true;
            return drop_first(lane);
        }
        ssize_t sent = send(lane->to, piece->bytes + piece->sent, piece->count - piece->sent, MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) {
            lane->is_full = true;
            return;
        }
        if (sent < 0) {
            // The receiver has closed the connection, so the rest is dropped.
            while (lane->first != NULL) drop_first(lane);
            lane->has_ended = lane->is_done = true;
            shutdown(lane->from, SHUT_RD);
            return;
        }
        piece->sent += (size_t)sent;
        if (piece->sent == piece->count) drop_first(lane);
    }
}

static void close_ended(void) {
    for (int index = 0; index < count;) {
        struct connection *connection = connections[index];
        if (!connection->lanes[0].is_done || !connection->lanes[1].is_done) {
            index++;
            continue;
        }
        close(connection->lanes[0].from);
        close(connection->lanes[1].from);
        free(connection);
        connections[index] = connections[--count];
    }
}

int main(int argument_count, char **arguments) {
    if (argument_count != 4) {
        fprintf(stderr, "usage: delay ROUND-TRIP-MS LISTEN-PORT TARGET-PORT\n");
        return 2;
    }
    one_way = (int64_t)(atof(arguments[1]) * 1e6 / 2);
    int listener = listen_at(atoi(arguments[2])), target = atoi(arguments[3]);
    static struct pollfd events[2 * MOST_CONNECTIONS + 1];
    for (;;) {
        int64_t next = INT64_MAX;
        int watched = count;
        events[0] = (struct pollfd){.fd = listener, .events = POLLIN};
        for (int index = 0; index < 2 * watched; index++) {
            struct lane *lane = &connections[index / 2]->lanes[index % 2];
            struct lane *opposite = &connections[index / 2]->lanes[1 - index % 2];
            if (lane->first != NULL && !lane->is_full && lane->first->due < next) next = lane->first->due;
            short wanted = (short)((lane->has_ended ? 0 : POLLIN) | (opposite->is_full ? POLLOUT : 0));
            // poll ignores a negative descriptor.
            events[index + 1] = (struct pollfd){.fd = wanted ? lane->from : -1, .events = wanted};
        }
        int64_t wait = next == INT64_MAX ? 1000000000 : next - now();
        struct timespec timeout = {.tv_sec = wait > 0 ? wait / 1000000000 : 0,
                                   .tv_nsec = wait > 0 ? wait % 1000000000 : 0};
        if (ppoll(events, (nfds_t)(2 * watched + 1), &timeout, NULL) < 0 && errno != EINTR) fail("ppoll");
        for (int index = 0; index < 2 * watched; index++) {
            struct lane *lane = &connections[index / 2]->lanes[index % 2];
            if ((events[index + 1].revents & ~POLLOUT) != 0 && !lane->has_ended) receive(lane);
            deliver(lane);
        }
        if (events[0].revents != 0) accept_one(listener, target);
        close_ended();
    }
}
