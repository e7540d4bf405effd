#include "games/macros.h"
#include "tests/times.h"

#include <dirent.h>
#include <errno.h>
#include <libssh/libssh.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Connects many guests at once over loopback. Measures how long each guest waits from the
 * connection to a complete first screen, how much memory a connection costs, and how long the echo
 * of a key takes while all guests are connected.
 *
 * load_sessions PORT SESSIONS WORKERS SUPERVISOR_PID
 */

#define SESSIONS_MAX 1000
#define FIRST_SCREEN_MS 30000
#define ECHOES 50
#define ECHO_MS 2000
#define QUIET_MS 150

struct guest {
    ssh_session session;
    ssh_channel channel;
};

struct share {
    int port;
    int count;
    int results; /* a pipe to the parent for the waiting times: doubles, in ms */
    int hold;    /* a pipe that the parent closes when all guests may leave */
};

/* Reads until the text appears. Returns false if time runs out or the channel ends. */
static bool read_until(ssh_channel channel, const char *words, double deadline_ms)
{
    char seen[65536];
    size_t len = 0;
    while (times_now_ms() < deadline_ms) {
        if (len >
            sizeof(seen) / 2) { /* keep the last bytes: the text may be split between two reads */
            memmove(seen, seen + len - 256, 256);
            len = 256;
        }
        int got = ssh_channel_read_timeout(channel, seen + len, (uint32_t)(sizeof(seen) - 1 - len),
                                           0, 100);
        if (got < 0 || ssh_channel_is_eof(channel)) {
            return false;
        }
        len += (size_t)got;
        seen[len] = '\0';
        if (memmem(seen, len, words, strlen(words)) != NULL) {
            return true;
        }
    }
    return false;
}

/* Discards output until none has arrived for QUIET_MS. */
static void read_until_quiet(ssh_channel channel)
{
    char bytes[4096];
    while (ssh_channel_read_timeout(channel, bytes, sizeof(bytes), 0, QUIET_MS) > 0) {
        /* the output shows only what other guests do, and is not needed */
    }
}

static bool guest_connect(struct guest *guest, int port)
{
    guest->session = ssh_new();
    guest->channel = NULL;
    if (guest->session == NULL) {
        return false;
    }
    int process_config = 0;
    long timeout_s = FIRST_SCREEN_MS / 1000;
    ssh_options_set(guest->session, SSH_OPTIONS_HOST, "127.0.0.1");
    ssh_options_set(guest->session, SSH_OPTIONS_PORT, &port);
    ssh_options_set(guest->session, SSH_OPTIONS_USER, "guest");
    ssh_options_set(guest->session, SSH_OPTIONS_TIMEOUT, &timeout_s);
    ssh_options_set(guest->session, SSH_OPTIONS_PROCESS_CONFIG, &process_config);
    if (ssh_connect(guest->session) != SSH_OK ||
        ssh_userauth_none(guest->session, NULL) != SSH_AUTH_SUCCESS) {
        fprintf(stderr, "guest: %s\n", ssh_get_error(guest->session));
        return false;
    }
    guest->channel = ssh_channel_new(guest->session);
    return guest->channel != NULL && ssh_channel_open_session(guest->channel) == SSH_OK &&
           ssh_channel_request_pty_size(guest->channel, "xterm-256color", 80, 24) == SSH_OK &&
           ssh_channel_request_shell(guest->channel) == SSH_OK &&
           read_until(guest->channel, "Play against bots", times_now_ms() + FIRST_SCREEN_MS);
}

static void guest_disconnect(struct guest *guest)
{
    if (guest->channel != NULL) {
        ssh_channel_free(guest->channel);
    }
    if (guest->session != NULL) {
        ssh_disconnect(guest->session);
        ssh_free(guest->session);
    }
}

static int run_worker(const struct share *share)
{
    struct guest *guests = calloc((size_t)share->count, sizeof(*guests));
    int failed = guests == NULL;
    for (int i = 0; !failed && i < share->count; i++) {
        double begin = times_now_ms();
        if (!guest_connect(&guests[i], share->port)) {
            failed = 1;
            break;
        }
        double took = times_now_ms() - begin;
        failed = write(share->results, &took, sizeof(took)) != sizeof(took);
    }
    close(share->results);
    char byte;
    while (read(share->hold, &byte, 1) > 0) {
        /* waits until the parent closes its end */
    }
    for (int i = 0; guests != NULL && i < share->count; i++) {
        guest_disconnect(&guests[i]);
    }
    free(guests);
    return failed;
}

static void print_times(const char *caption, double *times, int count)
{
    const double median = times_sort(times, (size_t)count);
    printf("%s: median %.1f ms, 90%% %.1f ms, worst %.1f ms (%d)\n", caption, median,
           times[count * 9 / 10], times[count - 1], count);
}

/* Reads the number of KiB after `key` in the file /proc/PID/`file`. Returns 0 when the file or the
 * key does not exist. */
static long read_process_kib(long pid, const char *file, const char *key)
{
    char path[64], line[256];
    long kib = 0;
    snprintf(path, sizeof(path), "/proc/%ld/%s", pid, file);
    FILE *in = fopen(path, "r");
    if (in == NULL) {
        return 0;
    }
    while (fgets(line, sizeof(line), in) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0) {
            kib = strtol(line + strlen(key), NULL, 10);
            break;
        }
    }
    fclose(in);
    return kib;
}

static bool process_descends_from(long pid, long ancestor)
{
    for (int depth = 0; pid > 1 && depth < 8; depth++) {
        if (pid == ancestor) {
            return true;
        }
        pid = read_process_kib(pid, "status", "PPid:");
    }
    return false;
}

static void print_memory(long supervisor, int sessions)
{
    long pss = 0;
    int processes = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc != NULL && (entry = readdir(proc)) != NULL;) {
        long pid = strtol(entry->d_name, NULL, 10);
        if (pid > 0 && process_descends_from(pid, supervisor)) {
            pss += read_process_kib(pid, "smaps_rollup", "Pss:");
            processes++;
        }
    }
    if (proc != NULL) {
        closedir(proc);
    }
    printf("house: %d processes, %ld KiB in all (Pss), %.0f KiB a connection\n", processes, pss,
           sessions > 0 ? (double)pss / sessions : 0.0);
}

static void measure_echo(int port)
{
    struct guest guest;
    double times[ECHOES];
    if (!guest_connect(&guest, port)) {
        fprintf(stderr, "cannot connect a guest to measure the echo\n");
        guest_disconnect(&guest);
        return;
    }
    int count = 0;
    read_until_quiet(guest.channel);
    ssh_channel_write(guest.channel, "c", 1); /* begins a chat line */
    read_until_quiet(guest.channel);
    for (; count < ECHOES; count++) {
        /* Types a letter that appears nowhere else on the screen and waits for its echo. Then
         * deletes the letter, which is not measured. */
        double begin = times_now_ms();
        ssh_channel_write(guest.channel, "Z", 1);
        if (!read_until(guest.channel, "Z", begin + ECHO_MS)) {
            break;
        }
        times[count] = times_now_ms() - begin;
        ssh_channel_write(guest.channel, "\x15", 1);
        read_until_quiet(guest.channel);
    }
    guest_disconnect(&guest);
    if (count > 0) {
        print_times("key to echo", times, count);
    }
}

static int read_number_argument(const char *text, int max)
{
    char *end;
    long value = strtol(text, &end, 10);
    return *end == '\0' && value > 0 && value <= max ? (int)value : -1;
}

int main(int argc, char **argv)
{
    static const int most[] = {65535, SESSIONS_MAX, 64, INT_MAX};
    int numbers[ARRAY_LEN(most)];
    bool is_good = argc == 1 + (int)ARRAY_LEN(most);
    for (size_t i = 0; i < ARRAY_LEN(most) && is_good; i++) {
        numbers[i] = read_number_argument(argv[1 + i], most[i]);
        is_good = numbers[i] > 0;
    }
    if (!is_good) {
        fprintf(stderr, "usage: load_sessions PORT SESSIONS WORKERS SUPERVISOR_PID\n"
                        "Guests on loopback; at most 1000 sessions, 64 workers.\n");
        return 2;
    }
    int port = numbers[0], sessions = numbers[1], workers = numbers[2];
    int results[2], hold[2];
    static double times[SESSIONS_MAX];
    if (pipe(results) != 0 || pipe(hold) != 0) {
        perror("pipe");
        return 1;
    }
    print_memory(numbers[3], 0);
    for (int i = 0; i < workers; i++) {
        int count = sessions / workers + (i < sessions % workers ? 1 : 0);
        if (fork() == 0) {
            close(results[0]);
            close(hold[1]);
            struct share share = {port, count, results[1], hold[0]};
            _exit(run_worker(&share));
        }
    }
    close(results[1]);
    close(hold[0]);
    int arrived = 0;
    double begin = times_now_ms();
    while (arrived < sessions &&
           read(results[0], &times[arrived], sizeof(times[0])) == sizeof(times[0])) {
        arrived++;
    }
    printf("%d of %d sessions in after %.1f s, %d at a time\n", arrived, sessions,
           (times_now_ms() - begin) / 1000.0, workers);
    if (arrived > 0) {
        print_times("connect to first screen", times, arrived);
        print_memory(numbers[3], arrived);
        measure_echo(port);
    }
    close(hold[1]);
    while (wait(NULL) > 0) {
        /* waits for all workers */
    }
    return arrived == sessions ? 0 : 1;
}
