#include "daemon/base/base.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Size of a socket's buffer in bytes: room for several packets, so that a burst seldom fills the
 * socket. The kernel may grant less. */
#define SOCKET_BUFFER (4 * PACKET_MAX)
#define WAITS 20 /* with WAIT_MS each */
#define WAIT_MS 10

int packet_make_socket_pair(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return -1;
    }
    int size = SOCKET_BUFFER;
    for (int i = 0; i < 2; i++) {
        if (setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size) != 0) {
            fd_close_pair(ends);
            return -1;
        }
    }
    return 0;
}

static enum packet_result errno_to_packet_result(void)
{
    switch (errno) {
    case EAGAIN:
    case ENOBUFS:
    case ENOMEM:
        return PACKET_AGAIN;
    case EMSGSIZE:
    case ETOOMANYREFS: /* ETOOMANYREFS: too many descriptors in flight, since the other end does not
                          read them */
        return PACKET_BAD;
    default: /* EPIPE, ECONNRESET or ENOTCONN: the other end is closed */
        return PACKET_CLOSED;
    }
}

union control {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int))];
};

enum packet_result packet_send(int socket, const char *bytes, size_t len, int fd_to_pass)
{
    /* A packet without bytes would look like the end of the connection. */
    if (len == 0 || len > PACKET_MAX) {
        return PACKET_BAD;
    }
    union {
        const char *from;
        void *to;
    } base = {.from = bytes}; /* sendmsg only reads the bytes, although iov_base is not const */
    struct iovec part = {.iov_base = base.to, .iov_len = len};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union control control;
    if (fd_to_pass >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &fd_to_pass, sizeof fd_to_pass);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno_to_packet_result() : PACKET_OK;
}

static int find_passed_descriptor(struct msghdr *message)
{
    int fd = -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL;
         header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
            header->cmsg_len >= CMSG_LEN(sizeof fd)) {
            memcpy(&fd, CMSG_DATA(header), sizeof fd);
        }
    }
    return fd;
}

bool packet_send_waiting(int socket, const char *bytes, size_t len, int fd_to_pass)
{
    struct pollfd room = {.fd = socket, .events = POLLOUT};
    enum packet_result result = packet_send(socket, bytes, len, fd_to_pass);
    for (int i = 0; i < WAITS && result != PACKET_OK && result != PACKET_CLOSED; i++) {
        (void)poll(&room, 1, WAIT_MS);
        result = packet_send(socket, bytes, len, fd_to_pass);
    }
    return result == PACKET_OK;
}

enum packet_result packet_receive(int socket, char *buffer, size_t *len, int *fd_passed)
{
    struct iovec part = {.iov_base = buffer, .iov_len = PACKET_MAX};
    union control control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        /* CMSG_LEN leaves room for one descriptor; the padding in CMSG_SPACE would leave room for a
         * second. If a peer sends several descriptors, the kernel delivers the first and sets
         * MSG_CTRUNC. */
        .msg_controllen = CMSG_LEN(sizeof(int)),
    };
    *len = 0;
    if (fd_passed != NULL) {
        *fd_passed = -1;
    }
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received < 0) {
        return errno_to_packet_result();
    }
    int fd = find_passed_descriptor(&message);
    bool is_torn = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
    if (fd >= 0 && (is_torn || received == 0 || fd_passed == NULL)) {
        close(fd);
        fd = -1;
    }
    if (is_torn) {
        return PACKET_BAD;
    }
    if (received == 0) {
        return PACKET_CLOSED;
    }
    if (fd_passed != NULL) {
        *fd_passed = fd;
    }
    *len = (size_t)received;
    return PACKET_OK;
}

struct packet_in_queue {
    struct packet_in_queue *next;
    int fd;
    size_t len;
    char bytes[];
};

/* Overwrites the packet first, since it may contain a password. */
static void drop_first_packet(struct packet_queue *queue)
{
    struct packet_in_queue *packet = queue->first;
    queue->first = packet->next;
    queue->count--;
    queue->bytes -= packet->len;
    fd_close(packet->fd);
    explicit_bzero(packet->bytes, packet->len);
    free(packet);
}

void packet_queue_clear(struct packet_queue *queue)
{
    while (queue->count > 0) {
        drop_first_packet(queue);
    }
}

void packet_queue_add(struct packet_queue *queue, const char *bytes, size_t len, int fd)
{
    struct packet_in_queue *packet = must_allocate(sizeof *packet + len);
    packet->fd = fd;
    packet->len = len;
    memcpy(packet->bytes, bytes, len);
    *(queue->count == 0 ? &queue->first : &queue->last->next) = packet;
    queue->last = packet;
    queue->count++;
    queue->bytes += len;
}

enum packet_result packet_queue_send(struct packet_queue *queue, int socket)
{
    while (queue->count > 0) {
        const struct packet_in_queue *first = queue->first;
        enum packet_result result = packet_send(socket, first->bytes, first->len, first->fd);
        if (result != PACKET_OK) {
            return result;
        }
        drop_first_packet(queue);
    }
    return PACKET_OK;
}

#define CAP_FIRST 256

void bytes_init(struct bytes *bytes, size_t max_len)
{
    *bytes = (struct bytes){.max = max_len};
}

void bytes_clear(struct bytes *bytes)
{
    free(bytes->at);
    *bytes = (struct bytes){.max = bytes->max};
}

/* Doubles the buffer's size, so that adding byte by byte takes linear time. The size never exceeds
 * `max`. */
static void grow_buffer(struct bytes *bytes, size_t needed_len)
{
    size_t cap = bytes->cap > 0 ? bytes->cap : CAP_FIRST;
    while (cap < needed_len) {
        cap = cap > bytes->max / 2 ? bytes->max : cap * 2;
    }
    if (cap > bytes->max) {
        cap = bytes->max;
    }
    char *at = must_not_be_null(realloc(bytes->at, cap));
    bytes->at = at;
    bytes->cap = cap;
}

bool bytes_add(struct bytes *bytes, const void *data, size_t len)
{
    if (len > bytes->max - bytes->len) {
        return false;
    }
    if (len == 0) {
        return true;
    }
    if (bytes->len + len > bytes->cap) {
        grow_buffer(bytes, bytes->len + len);
    }
    memcpy(bytes->at + bytes->len, data, len);
    bytes->len += len;
    return true;
}

void bytes_drop_first(struct bytes *bytes, size_t len)
{
    if (len == 0) {
        return;
    }
    memmove(bytes->at, bytes->at + len, bytes->len - len);
    bytes->len -= len;
}
