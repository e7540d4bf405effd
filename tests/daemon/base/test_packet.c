#include "daemon/base/base.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char buffer[PACKET_MAX];

static int set_up_socket_pair(void **state)
{
    static int ends[2];
    *state = ends;
    return packet_make_socket_pair(ends);
}

static int tear_down_socket_pair(void **state)
{
    int *ends = *state;
    close(ends[0]);
    close(ends[1]);
    return 0;
}

static void a_packet_arrives_unchanged(void **state)
{
    const int *ends = *state;
    size_t len;
    assert_int_equal(packet_send(ends[0], "hello", 5, -1), PACKET_OK);
    assert_int_equal(packet_send(ends[0], "you", 3, -1), PACKET_OK);
    assert_int_equal(packet_receive(ends[1], buffer, &len, NULL), PACKET_OK);
    assert_int_equal(len, 5);
    assert_memory_equal(buffer, "hello", 5);
    assert_int_equal(packet_receive(ends[1], buffer, &len, NULL), PACKET_OK);
    assert_int_equal(len, 3);
    assert_int_equal(packet_receive(ends[1], buffer, &len, NULL), PACKET_AGAIN);
}

static void the_largest_packet_arrives_whole(void **state)
{
    const int *ends = *state;
    static char sent[PACKET_MAX];
    size_t len;
    memset(sent, 'x', sizeof sent);
    sent[PACKET_MAX - 1] = 'z';
    assert_int_equal(packet_send(ends[1], sent, sizeof sent, -1), PACKET_OK);
    assert_int_equal(packet_receive(ends[0], buffer, &len, NULL), PACKET_OK);
    assert_int_equal(len, PACKET_MAX);
    assert_memory_equal(buffer, sent, PACKET_MAX);
}

static void empty_and_over_long_packets_are_not_sent(void **state)
{
    const int *ends = *state;
    static char sent[PACKET_MAX + 1];
    size_t len;
    assert_int_equal(packet_send(ends[0], sent, sizeof sent, -1), PACKET_BAD);
    assert_int_equal(packet_send(ends[0], sent, 0, -1), PACKET_BAD);
    assert_int_equal(packet_receive(ends[1], buffer, &len, NULL), PACKET_AGAIN);
}

static void receiving_an_over_long_packet_is_an_error(void **state)
{
    const int *ends = *state;
    static char sent[PACKET_MAX + 1];
    size_t len;
    assert_int_equal(send(ends[0], sent, sizeof sent, 0), sizeof sent);
    assert_int_equal(packet_receive(ends[1], buffer, &len, NULL), PACKET_BAD);
}

static void a_full_socket_accepts_more_once_it_is_read(void **state)
{
    const int *ends = *state;
    static char sent[PACKET_MAX];
    enum packet_result result;
    size_t len;
    unsigned count = 0;
    while ((result = packet_send(ends[0], sent, sizeof sent, -1)) == PACKET_OK) {
        count++;
    }
    assert_int_equal(result, PACKET_AGAIN);
    assert_true(count >= 1);
    while (packet_receive(ends[1], buffer, &len, NULL) == PACKET_OK) {
        count--;
    }
    assert_int_equal(count, 0);
    assert_int_equal(packet_send(ends[0], sent, sizeof sent, -1), PACKET_OK);
}

static void sending_and_receiving_both_report_a_closed_peer(void **state)
{
    (void)state;
    int ends[2];
    size_t len;
    assert_int_equal(packet_make_socket_pair(ends), 0);
    assert_int_equal(packet_send(ends[0], "last", 4, -1), PACKET_OK);
    close(ends[0]);
    assert_int_equal(packet_receive(ends[1], buffer, &len, NULL), PACKET_OK);
    assert_int_equal(len, 4);
    assert_int_equal(packet_receive(ends[1], buffer, &len, NULL), PACKET_CLOSED);
    assert_int_equal(packet_send(ends[1], "you?", 4, -1), PACKET_CLOSED);
    close(ends[1]);
}

static void a_passed_descriptor_arrives_and_the_sender_keeps_its_own(void **state)
{
    const int *ends = *state;
    int pipe_ends[2];
    int passed;
    size_t len;
    char byte;
    assert_int_equal(pipe2(pipe_ends, O_CLOEXEC), 0);
    assert_int_equal(packet_send(ends[0], "here", 4, pipe_ends[1]), PACKET_OK);
    assert_int_equal(packet_receive(ends[1], buffer, &len, &passed), PACKET_OK);
    assert_true(passed >= 0);
    assert_true(passed != pipe_ends[1]);
    assert_int_equal(fcntl(passed, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    assert_int_equal(write(passed, "a", 1), 1);
    assert_int_equal(write(pipe_ends[1], "b", 1), 1);
    assert_int_equal(read(pipe_ends[0], &byte, 1), 1);
    assert_int_equal(byte, 'a');
    close(passed);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

/* True once no process has the writing end of this pipe open. */
static int is_writing_end_closed(int reading_end)
{
    char byte;
    return fcntl(reading_end, F_SETFL, O_NONBLOCK) == 0 && read(reading_end, &byte, 1) == 0;
}

static void an_unexpected_descriptor_is_closed(void **state)
{
    const int *ends = *state;
    int pipe_ends[2];
    size_t len;
    assert_int_equal(pipe2(pipe_ends, O_CLOEXEC), 0);
    assert_int_equal(packet_send(ends[0], "here", 4, pipe_ends[1]), PACKET_OK);
    close(pipe_ends[1]);
    assert_int_equal(packet_receive(ends[1], buffer, &len, NULL), PACKET_OK);
    assert_true(is_writing_end_closed(pipe_ends[0]));
    close(pipe_ends[0]);
}

static void send_two_descriptors(int socket, int fd)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control = {.bytes = {0}};
    char byte = 'x';
    int fds[2] = {fd, fd};
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fds);
    memcpy(CMSG_DATA(header), fds, sizeof fds);
    assert_int_equal(sendmsg(socket, &message, 0), 1);
}

static void a_packet_with_two_descriptors_is_an_error_and_leaks_no_descriptor(void **state)
{
    const int *ends = *state;
    int pipe_ends[2];
    int passed;
    size_t len;
    assert_int_equal(pipe2(pipe_ends, O_CLOEXEC), 0);
    send_two_descriptors(ends[0], pipe_ends[1]);
    close(pipe_ends[1]);
    assert_int_equal(packet_receive(ends[1], buffer, &len, &passed), PACKET_BAD);
    assert_int_equal(passed, -1);
    assert_true(is_writing_end_closed(pipe_ends[0]));
    close(pipe_ends[0]);
}

TEST_GROUP(packet)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_packet_arrives_unchanged, set_up_socket_pair,
                                        tear_down_socket_pair),
        cmocka_unit_test_setup_teardown(the_largest_packet_arrives_whole, set_up_socket_pair,
                                        tear_down_socket_pair),
        cmocka_unit_test_setup_teardown(empty_and_over_long_packets_are_not_sent,
                                        set_up_socket_pair, tear_down_socket_pair),
        cmocka_unit_test_setup_teardown(receiving_an_over_long_packet_is_an_error,
                                        set_up_socket_pair, tear_down_socket_pair),
        cmocka_unit_test_setup_teardown(a_full_socket_accepts_more_once_it_is_read,
                                        set_up_socket_pair, tear_down_socket_pair),
        cmocka_unit_test(sending_and_receiving_both_report_a_closed_peer),
        cmocka_unit_test_setup_teardown(a_passed_descriptor_arrives_and_the_sender_keeps_its_own,
                                        set_up_socket_pair, tear_down_socket_pair),
        cmocka_unit_test_setup_teardown(an_unexpected_descriptor_is_closed, set_up_socket_pair,
                                        tear_down_socket_pair),
        cmocka_unit_test_setup_teardown(
            a_packet_with_two_descriptors_is_an_error_and_leaks_no_descriptor, set_up_socket_pair,
            tear_down_socket_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
