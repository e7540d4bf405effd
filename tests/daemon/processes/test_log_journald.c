#include "daemon/processes/processes.h"

#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define TIME "2026-11-20T06:26:46.123Z "
#define LINE TIME "core info conn=- event=opened ssh=2222\n"
#define ENTRY_MAX 4096

/* Receives in place of systemd's journal. */
struct fixture {
    char folder[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
    int journal;    /* the journal's socket */
    int stream_end; /* the journal's end of the stream that systemd has opened */
    int stream;     /* the house's end, for the descriptor 2 */
    struct log_journald journald;
    char entry[ENTRY_MAX];
};

static void open_journal(struct fixture *fixture)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, fixture->path, strlen(fixture->path) + 1);
    fixture->journal = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fixture->journal, (const struct sockaddr *)&address, sizeof address), 0);
}

static void close_journal(struct fixture *fixture)
{
    close(fixture->journal);
    unlink(fixture->path);
}

static int set_up(void **state)
{
    static struct fixture fixture;
    int ends[2];
    assert_int_equal(folder_make(fixture.folder), 0);
    folder_write_path(fixture.path, fixture.folder, "socket");
    open_journal(&fixture);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    fixture.stream_end = ends[0];
    fixture.stream = ends[1];
    fixture.journald = (struct log_journald){.path = fixture.path,
                                             .socket = log_journald_connect(fixture.path),
                                             .stream = fixture.stream};
    assert_true(fixture.journald.socket >= 0);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    close_journal(fixture);
    close(fixture->stream);
    close(fixture->stream_end);
    close(fixture->journald.socket);
    return folder_remove(fixture->folder);
}

static void write_line(struct fixture *fixture, const char *line)
{
    log_journald_write_line(&fixture->journald, line, strlen(line));
}

static const char *read_text(struct fixture *fixture, int fd, int flags)
{
    ssize_t got = recv(fd, fixture->entry, sizeof fixture->entry - 1, flags);
    fixture->entry[got > 0 ? got : 0] = '\0';
    return fixture->entry;
}

/* Returns the next entry that the journal has received; "" if there is none. */
static const char *read_entry(struct fixture *fixture)
{
    return read_text(fixture, fixture->journal, MSG_DONTWAIT);
}

static void an_entry_has_a_field_for_each_part_of_the_line(void **state)
{
    struct fixture *fixture = *state;
    write_line(fixture, TIME "core info conn=812 event=sign-in method=key account=mira\n");
    assert_string_equal(read_entry(fixture),
                        "MESSAGE=core info conn=812 event=sign-in method=key account=mira\n"
                        "PRIORITY=6\nSYSLOG_IDENTIFIER=trickhouse\nTRICKHOUSE_PROCESS=core\n"
                        "TRICKHOUSE_CONN=812\nTRICKHOUSE_EVENT=sign-in\nTRICKHOUSE_METHOD=key\n"
                        "TRICKHOUSE_ACCOUNT=mira\n");
    write_line(fixture, TIME "session error conn=- event=note cipher-in=a what=\"x\\x0a y\"\n");
    assert_string_equal(read_entry(fixture),
                        "MESSAGE=session error conn=- event=note cipher-in=a what=\"x\\x0a y\"\n"
                        "PRIORITY=3\nSYSLOG_IDENTIFIER=trickhouse\nTRICKHOUSE_PROCESS=session\n"
                        "TRICKHOUSE_EVENT=note\nTRICKHOUSE_CIPHER_IN=a\n"
                        "TRICKHOUSE_WHAT=x\\x0a y\n");
}

static void a_key_too_long_for_a_field_name_stays_in_the_message(void **state)
{
    struct fixture *fixture = *state;
    char line[256] = TIME "core info conn=- event=note ";
    memset(line + strlen(line), 'k', 54);
    strcat(line, "=v a=b\n");
    write_line(fixture, line);
    const char *entry = read_entry(fixture);
    assert_null(strstr(entry, "TRICKHOUSE_K"));
    assert_non_null(strstr(entry, "kkk=v a=b\n"));
    assert_non_null(strstr(entry, "\nTRICKHOUSE_A=b\n"));
}

static void text_that_is_no_line_of_the_log_becomes_a_warning(void **state)
{
    struct fixture *fixture = *state;
    write_line(fixture, "trickhouse: a.c:5: f: Assertion `x' failed.\n");
    assert_string_equal(read_entry(fixture), "MESSAGE=trickhouse: a.c:5: f: Assertion `x' failed.\n"
                                             "PRIORITY=4\nSYSLOG_IDENTIFIER=trickhouse\n");
}

static void lines_go_to_the_stream_while_the_journal_has_no_socket(void **state)
{
    struct fixture *fixture = *state;
    close_journal(fixture);
    write_line(fixture, LINE);
    assert_string_equal(read_text(fixture, fixture->stream_end, MSG_DONTWAIT),
                        "<6>core info conn=- event=opened ssh=2222\n");
    open_journal(fixture);
    write_line(fixture, LINE);
    assert_memory_equal(read_entry(fixture), "MESSAGE=core", strlen("MESSAGE=core"));
    assert_string_equal(read_text(fixture, fixture->stream_end, MSG_DONTWAIT), "");
}

/* Fills the queue of a socket whose reader does not read. */
static void fill(int fd)
{
    static const char bytes[512];
    while (send(fd, bytes, sizeof bytes, MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {
    }
}

static void a_journal_that_reads_nothing_loses_lines_but_holds_up_nobody(void **state)
{
    struct fixture *fixture = *state;
    int ends[2], status = -1;
    const char *lost;
    assert_int_equal(pipe(ends), 0);
    fill(fixture->stream);
    pid_t writer = fork();
    if (writer == 0) {
        const struct log_writer_setup setup = {
            .input = ends[0], .journal = fixture->journald.socket, .stream = fixture->stream};
        close(ends[1]);
        _exit(log_writer_run(&setup));
    }
    /* more lines than fit into the journal's queue and into the pipe */
    for (int i = 0; i < 5000; i++) {
        assert_int_equal(write(ends[1], LINE, strlen(LINE)), strlen(LINE));
    }
    while (strcmp(read_text(fixture, fixture->journal, MSG_DONTWAIT), "") != 0) {
    }
    do {
        assert_int_equal(write(ends[1], LINE, strlen(LINE)), strlen(LINE));
        lost = strstr(read_text(fixture, fixture->journal, 0), " event=lost count=");
    } while (lost == NULL);
    assert_non_null(strstr(fixture->entry, "\nPRIORITY=4\n"));
    assert_non_null(strstr(fixture->entry, "\nTRICKHOUSE_PROCESS=log\n"));
    assert_true(strtol(lost + strlen(" event=lost count="), NULL, 10) > 0);
    close(ends[1]);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    close(ends[0]);
}

static void standard_error_is_the_journal_if_its_stream_has_the_named_inode(void **state)
{
    (void)state;
    struct stat file;
    char stream[64];
    unsetenv("JOURNAL_STREAM");
    assert_false(log_journald_is_stderr());
    assert_int_equal(fstat(STDERR_FILENO, &file), 0);
    for (unsigned more = 0; more < 2; more++) {
        snprintf(stream, sizeof stream, "%ju:%ju", (uintmax_t)file.st_dev,
                 (uintmax_t)file.st_ino + more);
        setenv("JOURNAL_STREAM", stream, 1);
        assert_int_equal(log_journald_is_stderr(), more == 0);
    }
    unsetenv("JOURNAL_STREAM");
}

TEST_GROUP(log_journald)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_entry_has_a_field_for_each_part_of_the_line, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_key_too_long_for_a_field_name_stays_in_the_message,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(text_that_is_no_line_of_the_log_becomes_a_warning, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(lines_go_to_the_stream_while_the_journal_has_no_socket,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_journal_that_reads_nothing_loses_lines_but_holds_up_nobody, set_up, tear_down),
        cmocka_unit_test(standard_error_is_the_journal_if_its_stream_has_the_named_inode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
