#include "tests/daemon/processes/workers/receiver.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define DEADLINE_MS 15000
#define LISTENING_MAX 16

/* True once the whole request, header and body, has arrived. */
static bool is_complete_request(const char *request)
{
    const char *end = strstr(request, "\r\n\r\n");
    const char *length = strcasestr(request, "\r\nContent-Length: ");
    return end != NULL && length != NULL &&
           strlen(end + 4) >= strtoul(length + strlen("\r\nContent-Length: "), NULL, 10);
}

static void send_text(int client, const char *words)
{
    (void)!write(client, words, strlen(words));
}

static void answer_request(int client, const char *request)
{
    char filler[512];
    memset(filler, 'x', sizeof filler);
    if (strncmp(request, "POST /good ", 11) == 0) {
        send_text(client, "HTTP/1.1 204 No Content\r\n\r\n");
    } else if (strncmp(request, "POST /broken ", 13) == 0) {
        send_text(client, "HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n");
    } else if (strncmp(request, "POST /elsewhere ", 16) == 0) {
        send_text(client, "HTTP/1.1 307 There\r\nLocation: /good\r\nContent-Length: 0\r\n\r\n");
    } else if (strncmp(request, "POST /endless ", 14) == 0) {
        send_text(client, "HTTP/1.1 200 Well\r\n\r\n");
        while (write(client, filler, sizeof filler) > 0) {
        }
    } else {
        char byte;
        (void)!read(client, &byte, 1); /* send nothing until the client closes the connection */
    }
}

static void serve_connection(int client, int request_socket)
{
    static char request[RECEIVER_MAX];
    size_t len = 0;
    ssize_t got = 1;
    while (!is_complete_request(request) && got > 0) {
        got = read(client, request + len, sizeof request - 1 - len);
        len += got > 0 ? (size_t)got : 0;
    }
    (void)send(request_socket, request, len, 0);
    answer_request(client, request);
    _exit(0);
}

static void accept_connections(int listening_socket, int request_socket)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGCHLD, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    for (;;) {
        int client = accept(listening_socket, NULL, NULL);
        if (client >= 0 && fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            serve_connection(client, request_socket);
        }
        close(client);
    }
}

void receiver_start(struct receiver *receiver)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int ends[2];
    int listening_socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(listening_socket >= 0);
    assert_int_equal(bind(listening_socket, (const struct sockaddr *)&address, len), 0);
    assert_int_equal(listen(listening_socket, LISTENING_MAX), 0);
    assert_int_equal(getsockname(listening_socket, (struct sockaddr *)&address, &len), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    receiver->port = ntohs(address.sin_port);
    receiver->requests = ends[0];
    receiver->pid = fork();
    assert_true(receiver->pid >= 0);
    if (receiver->pid == 0) {
        accept_connections(listening_socket, ends[1]);
    }
    close(listening_socket);
    close(ends[1]);
}

void receiver_stop(const struct receiver *receiver)
{
    kill(receiver->pid, SIGKILL);
    waitpid(receiver->pid, NULL, 0);
    close(receiver->requests);
}

void receiver_wait_for_request(const struct receiver *receiver, char request[RECEIVER_MAX])
{
    struct pollfd wanted = {.fd = receiver->requests, .events = POLLIN};
    assert_int_equal(poll(&wanted, 1, DEADLINE_MS), 1);
    ssize_t len = recv(receiver->requests, request, RECEIVER_MAX - 1, 0);
    assert_true(len > 0);
    request[len] = '\0';
}

int receiver_has_another_request(const struct receiver *receiver)
{
    struct pollfd wanted = {.fd = receiver->requests, .events = POLLIN};
    return poll(&wanted, 1, 0);
}
