#include "tests/e2e/house.h"

#include "tests/e2e/openssh.h"
#include "tests/ports.h"
#include "tests/unit.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOG_END_BYTES 3000

int house_find_free_port(void)
{
    int port = ports_find_free();
    assert_true(port > 0);
    return port;
}

int house_connect_socket(int port, uint8_t loopback_host)
{
    const struct sockaddr_in from = {.sin_family = AF_INET,
                                     .sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + loopback_host)};
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(client >= 0);
    assert_int_equal(bind(client, (const struct sockaddr *)&from, sizeof(from)), 0);
    if (connect(client, (const struct sockaddr *)&to, sizeof(to)) != 0) {
        close(client);
        return -1;
    }
    return client;
}

int house_listen(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(listener >= 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, len), 0);
    assert_int_equal(listen(listener, 64), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &len), 0);
    *port = ntohs(address.sin_port);
    return listener;
}

/* Passes the sockets to the program that this process executes next, as sd_listen_fds(3) says. */
static bool pass_sockets(const int sockets[2])
{
    char pid[16];
    int copies[2];
    for (int i = 0; i < 2; i++) {
        copies[i] = fcntl(sockets[i], F_DUPFD_CLOEXEC, 5);
    }
    snprintf(pid, sizeof(pid), "%d", (int)getpid());
    return dup2(copies[0], 3) == 3 && dup2(copies[1], 4) == 4 &&
           setenv("LISTEN_PID", pid, 1) == 0 && setenv("LISTEN_FDS", "2", 1) == 0 &&
           setenv("LISTEN_FDNAMES", "ssh:telnet", 1) == 0;
}

static void exec_program(char *const *argv, int output, const int *sockets, pid_t parent)
{
    int nowhere = open("/dev/null", O_RDONLY);
    /* exec keeps this setting: the program gets SIGTERM when the test's program ends */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent && nowhere >= 0 && dup2(nowhere, STDIN_FILENO) >= 0 &&
        (output < 0 || dup2(output, STDOUT_FILENO) >= 0) &&
        (sockets == NULL || pass_sockets(sockets))) {
        execvp(argv[0], argv);
    }
    _exit(127);
}

/* Runs argv with its output sent to the given descriptor (-1: the test's own output), and passes
 * it two sockets (NULL: none). Returns the new process. The process is asked to end when the test's
 * program ends in any way, so a failed or killed test leaves no house behind. */
static pid_t start_process(char *const *argv, int output, const int *sockets)
{
    pid_t parent = getpid();
    fflush(NULL); /* otherwise both processes would write the buffered output */
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        exec_program(argv, output, sockets, parent);
    }
    return pid;
}

/* Reads until the house has printed that it is open, or waits for its data. */
static void wait_until_open(int output)
{
    char said[4096];
    size_t len = 0;
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    said[0] = '\0';
    while (strstr(said, "is open") == NULL && strstr(said, "waits for its data") == NULL) {
        ssize_t got = terminal_read_before(output, said + len, sizeof(said) - 1 - len, deadline);
        if (got <= 0) {
            fail_msg("the house did not open; it said: %s", said);
        }
        len += (size_t)got;
        said[len] = '\0';
    }
}

static void write_settings(const char *data_folder, const char *settings)
{
    char path[112];
    snprintf(path, sizeof(path), "%s/house.conf", data_folder);
    assert_int_equal(mkdir(data_folder, 0700), 0);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(settings, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The folders of the houses that are open. */
static char open_folders[8][sizeof(((struct house_fixture *)NULL)->folder)];

/* Prints the end of a house's log, for a person who reads the output of a failed test. */
static void print_end_of_log(const char *folder)
{
    char path[96], end[LOG_END_BYTES + 1];
    snprintf(path, sizeof(path), "%s/data/house.log", folder);
    FILE *log = fopen(path, "re");
    if (log == NULL) {
        return;
    }
    if (fseek(log, -LOG_END_BYTES, SEEK_END) != 0) {
        rewind(log); /* it is shorter */
    }
    end[fread(end, 1, LOG_END_BYTES, log)] = '\0';
    fclose(log);
    printf("---- the end of %s\n%s----\n", path, end);
    fflush(stdout);
}

/* When the program ends: what a failed test saw last. */
__attribute__((destructor)) static void print_screens_and_logs(void)
{
    terminal_print_open();
    for (size_t i = 0; i < sizeof(open_folders) / sizeof(open_folders[0]); i++) {
        print_end_of_log(open_folders[i]);
    }
}

static void note_folder(const char *folder, const char *instead_of)
{
    for (size_t i = 0; i < sizeof(open_folders) / sizeof(open_folders[0]); i++) {
        if (strcmp(open_folders[i], instead_of) == 0) {
            snprintf(open_folders[i], sizeof(open_folders[i]), "%s", folder);
            return;
        }
    }
}

static void house_make_folder(struct house_fixture *house)
{
    house->session_deaths = 0;
    snprintf(house->folder, sizeof(house->folder), "/tmp/trickhouse-e2e-XXXXXX");
    assert_non_null(mkdtemp(house->folder));
    note_folder(house->folder, "");
    assert_int_equal(
        chmod(house->folder, 0711),
        0); /* a house that root starts runs as another user, who must enter the folder */
}

/* Starts the program on these ports, or on the sockets if there are any, and waits until the house
 * is open. */
static void start_program(struct house_fixture *house, int ssh_port, int telnet_port,
                          const int *sockets)
{
    const char *program = getenv("TRICKHOUSE");
    char data[96], port[16], second_port[16];
    int output[2];
    assert_non_null(program);
    snprintf(data, sizeof(data), "%s/data", house->folder);
    snprintf(port, sizeof(port), "%d", ssh_port);
    snprintf(second_port, sizeof(second_port), "%d", telnet_port);
    char *path = strdup(program);
    char *argv[] = {path,
                    (char[]){"serve"},
                    (char[]){"--data"},
                    data,
                    (char[]){"--ssh-port"},
                    port,
                    (char[]){"--telnet-port"},
                    second_port,
                    (char[]){"--bind"},
                    (char[]){"127.0.0.1"},
                    (char[]){"--log"},
                    (char[]){"--bot-delay"},
                    (char[]){"0"},
                    NULL};
    assert_int_equal(pipe2(output, O_CLOEXEC), 0);
    house->pid = start_process(argv, output[1], sockets);
    free(path);
    close(output[1]);
    wait_until_open(output[0]);
    close(output[0]);
}

void house_start(struct house_fixture *house, const char *settings)
{
    char data[96];
    house->port = house_find_free_port();
    do {
        house->telnet_port = house_find_free_port();
    } while (house->telnet_port == house->port);
    snprintf(data, sizeof(data), "%s/data", house->folder);
    if (settings != NULL) {
        write_settings(data, settings);
    }
    start_program(house, house->port, house->telnet_port, NULL);
}

void house_start_on_sockets(struct house_fixture *house, int ssh_socket, int telnet_socket)
{
    const int sockets[] = {ssh_socket, telnet_socket};
    start_program(house, 22, 23, sockets);
}

void house_open(struct house_fixture *house)
{
    house_open_with_settings(house, "");
}

void house_open_with_settings(struct house_fixture *house, const char *settings)
{
    house_make_folder(house);
    house_start(house, settings);
}

void house_open_with_admin(struct house_fixture *house, const char *key, const char *settings)
{
    char command[160], bits[16], fingerprint[65], text[512];
    house_make_folder(house);
    house_make_key(house, key);
    snprintf(command, sizeof(command), "ssh-keygen -lf %s/%s", house->folder, key);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    assert_int_equal(fscanf(output, "%15s %64s", bits, fingerprint), 2);
    pclose(output);
    snprintf(text, sizeof(text), "[house]\nfirst_admin = %s\n%s", fingerprint, settings);
    house_start(house, text);
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info;
    (void)type;
    (void)ftw;
    return remove(path);
}

static int count_log_lines(const struct house_fixture *house, const char *words)
{
    char path[96], line[2048];
    int count = 0;
    snprintf(path, sizeof(path), "%s/data/house.log", house->folder);
    FILE *log = fopen(path, "re");
    assert_non_null(log);
    while (fgets(line, sizeof(line), log) != NULL) {
        count += strstr(line, words) != NULL ? 1 : 0;
    }
    fclose(log);
    return count;
}

/* Waits until all lines logged so far are in the file: logs one more line and waits until the file
 * contains that line. */
static void wait_until_log_is_written(const struct house_fixture *house)
{
    static unsigned marks;
    char path[64], mark[32], line[128];
    struct stat status;
    snprintf(path, sizeof(path), "/proc/%d/fd/2", (int)house->pid);
    int log = open(path, O_WRONLY | O_CLOEXEC);
    if (log < 0 || fstat(log, &status) != 0 || !S_ISFIFO(status.st_mode)) {
        close(log); /* no line is waiting to be written: the house has closed, or its processes
                       write the log themselves */
        return;
    }
    snprintf(mark, sizeof(mark), "what=mark-%u-of-%d\n", ++marks, (int)getpid());
    snprintf(line, sizeof(line), "2026-11-20T06:26:46.123Z test info conn=- event=note %s", mark);
    assert_int_equal(write(log, line, strlen(line)), strlen(line));
    close(log);
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    while (count_log_lines(house, mark) == 0) {
        assert_in_range(terminal_now_ms(), 0, deadline);
        (void)poll(NULL, 0, 5);
    }
}

int house_count_log_lines(const struct house_fixture *house, const char *words)
{
    wait_until_log_is_written(house);
    return count_log_lines(house, words);
}

void house_wait_for_log_lines(const struct house_fixture *house, const char *words, int count)
{
    long deadline_ms = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    while (house_count_log_lines(house, words) < count) {
        if (terminal_now_ms() >= deadline_ms) {
            fail_msg("the log has fewer than %d lines \"%s\"", count, words);
        }
        (void)poll(NULL, 0, 10);
    }
}

void house_expect_log_lines(const struct house_fixture *house, const char *words, int count)
{
    house_wait_for_log_lines(house, words, count);
    assert_int_equal(house_count_log_lines(house, words), count);
}

int house_run_command(const struct house_fixture *house, const char *command)
{
    char line[512];
    snprintf(line, sizeof(line), "%s %s --data %s/data", getenv("TRICKHOUSE"), command,
             house->folder);
    int status = system(line);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void house_stop(struct house_fixture *house)
{
    int status = 0;
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    kill(house->pid, SIGTERM);
    pid_t ended = 0;
    while ((ended = waitpid(house->pid, &status, WNOHANG)) == 0 && terminal_now_ms() < deadline) {
        poll(NULL, 0, 10);
    }
    if (ended == 0) {
        kill(house->pid, SIGKILL);
        waitpid(house->pid, &status, 0);
        fail_msg("the house did not close");
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

void house_close(struct house_fixture *house)
{
    terminal_print_open();
    print_end_of_log(house->folder);
    house_stop(house);
    assert_int_equal(house_count_log_lines(house, "reason=signal") +
                         house_count_log_lines(house, "reason=watchdog") +
                         house_count_log_lines(house, "process=session"),
                     house->session_deaths);
    note_folder("", house->folder);
    nftw(house->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

int house_set_up(void **state)
{
    static struct house_fixture house;
    house_open(&house);
    *state = &house;
    return 0;
}

int house_tear_down(void **state)
{
    house_close(*state);
    return 0;
}

void house_make_key(const struct house_fixture *house, const char *key)
{
    char path[128];
    int status = 0;
    snprintf(path, sizeof(path), "%s/%s", house->folder, key);
    if (access(path, F_OK) == 0) {
        return;
    }
    char *argv[] = {(char[]){"ssh-keygen"}, (char[]){"-q"}, (char[]){"-t"},
                    (char[]){"ed25519"},    (char[]){"-N"}, (char[]){""},
                    (char[]){"-f"},         path,           NULL};
    pid_t pid = start_process(argv, -1, NULL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static struct terminal *open_terminal(const struct connect_setup *setup, const char *const *argv)
{
    return terminal_open(argv, setup->term != NULL ? setup->term : "xterm-256color",
                         setup->columns != 0 ? setup->columns : 80,
                         setup->rows != 0 ? setup->rows : 24);
}

struct terminal *house_connect_by_telnet(const struct house_fixture *house,
                                         const struct connect_setup *setup)
{
    char port[16];
    snprintf(port, sizeof(port), "%d", house->telnet_port);
    return open_terminal(setup, (const char *const[]){"telnet", "127.0.0.1", port, NULL});
}

struct terminal *house_connect_by_ssh(const struct house_fixture *house,
                                      const struct connect_setup *setup)
{
    struct openssh line;
    openssh_begin_command_line(&line, house, "ssh");
    if (setup->options != NULL) {
        openssh_add_words(&line, setup->options);
    }
    openssh_add_login(&line, house, setup->user, setup->key);
    openssh_add_words(&line, (const char *const[]){setup->command, NULL});
    return open_terminal(setup, line.words);
}

/* Finds the newest child process of the parent with that name, which a process that executes its
 * program again has only after a moment. */
static pid_t find_newest_child(pid_t parent, const char *name)
{
    char command[128], line[64];
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    bool is_there = false;
    snprintf(command, sizeof(command), "pgrep -n -P %d -f 'trickhouse: %s'", (int)parent, name);
    while (!is_there) {
        FILE *output = popen(command, "r");
        assert_non_null(output);
        is_there = fgets(line, sizeof(line), output) != NULL;
        pclose(output);
        if (!is_there && terminal_now_ms() > deadline) {
            fail_msg("the house has no process %s", name);
        }
    }
    return (pid_t)strtol(line, NULL, 10);
}

pid_t house_find_process(const struct house_fixture *house, const char *name)
{
    return find_newest_child(house->pid, name);
}

void house_kill_process(const struct house_fixture *house, const char *name)
{
    pid_t pid = house_find_process(house, name);
    int process = pidfd_open(pid, 0);
    assert_true(process >= 0);
    kill(pid, SIGKILL);
    struct pollfd end = {.fd = process, .events = POLLIN};
    assert_int_equal(poll(&end, 1, TERMINAL_DEADLINE_MS), 1);
    close(process);
}

pid_t house_find_newest_session(const struct house_fixture *house)
{
    return find_newest_child(house_find_process(house, "gate"), "session");
}
