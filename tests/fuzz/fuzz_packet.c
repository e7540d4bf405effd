#include "daemon/base/base.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/*
 * A peer sends packets that packet_send would not send: of any length, even empty, with up to three
 * descriptors. Three bytes of the input describe a packet: the first says how many descriptors it
 * has and whether the receiver wants one, the other two give its length. Nothing is written beyond
 * the buffer, and no descriptor stays open.
 */
#define FDS_MAX 3
/* a packet's length is a number of two bytes times this, and so may be far above PACKET_MAX */
#define LENGTH_UNIT 5

static char sent[65536 * LENGTH_UNIT];
static char buffer[PACKET_MAX];

static int find_lowest_free_fd(void)
{
    int fd = fcntl(STDIN_FILENO, F_DUPFD, 0);
    fuzz_assert(fd >= 0);
    close(fd);
    return fd;
}

/* Sends a packet with descriptors. Returns whether the packet was sent. */
static bool send_raw_packet(int socket, size_t len, int fd_count)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(FDS_MAX * sizeof(int))];
    } control = {0};
    struct iovec part = {.iov_base = sent, .iov_len = len};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd_count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE((size_t)fd_count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN((size_t)fd_count * sizeof(int));
        const int all[FDS_MAX] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
        memcpy(CMSG_DATA(header), all, (size_t)fd_count * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

static void receive_packet_and_check(int socket, bool is_fd_wanted, size_t len, int fd_count)
{
    size_t taken = 0;
    int fd = -1;
    switch (packet_receive(socket, buffer, &taken, is_fd_wanted ? &fd : NULL)) {
    case PACKET_OK:
        fuzz_assert(taken == len && len > 0 && len <= PACKET_MAX && fd_count <= 1);
        fuzz_assert((fd >= 0) == (is_fd_wanted && fd_count == 1));
        break;
    case PACKET_CLOSED:
        fuzz_assert(len == 0 && fd < 0);
        break;
    case PACKET_BAD:
        fuzz_assert((len > PACKET_MAX || fd_count > 0) && fd < 0);
        break;
    case PACKET_AGAIN:
        fuzz_assert(false);
    }
    if (fd >= 0) {
        close(fd);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    int ends[2];
    int first_free = find_lowest_free_fd();
    fuzz_assert(packet_make_socket_pair(ends) == 0);
    int free_with_pair = find_lowest_free_fd();
    for (; len >= 3; bytes += 3, len -= 3) {
        int fd_count = bytes[0] & 3;
        size_t size = LENGTH_UNIT * ((size_t)bytes[1] << 8 | bytes[2]);
        if (send_raw_packet(ends[0], size, fd_count)) {
            receive_packet_and_check(ends[1], (bytes[0] & 4) != 0, size, fd_count);
        }
        fuzz_assert(find_lowest_free_fd() == free_with_pair);
    }
    close(ends[0]);
    close(ends[1]);
    fuzz_assert(find_lowest_free_fd() == first_free);
    return 0;
}
