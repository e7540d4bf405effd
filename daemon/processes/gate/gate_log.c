#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "daemon/processes/gate/gate_state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/* log lines that the pipe can hold until the gate reads them; each takes a page of memory */
#define WAITING_LINES 8
#define PAGE_BYTES 4096

bool gate_log_make_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK | O_DIRECT) != 0) {
        return false;
    }
    if (fcntl(ends[1], F_SETPIPE_SZ, WAITING_LINES * PAGE_BYTES) < 0 && errno != EPERM) {
        /* EPERM: the user has many pipes, so a new one is small anyway */
        fd_close_pair(ends);
        return false;
    }
    return true;
}

static uint64_t compute_event_id_of_log(const struct gate *gate,
                                        const struct sessions_entry *session)
{
    return gate_watch_event_id_of_session((size_t)(session - gate->sessions.entries), true);
}

bool gate_log_watch(const struct gate *gate, const struct sessions_entry *session)
{
    return session->log_fd < 0 ||
           gate_watch_descriptor(gate, session->log_fd, EPOLLIN,
                                 compute_event_id_of_log(gate, session), EPOLL_CTL_ADD);
}

/* Removes the pipe from epoll, which would otherwise keep reporting that the pipe is closed. */
static void stop_watching_log(const struct gate *gate, const struct sessions_entry *session)
{
    epoll_ctl(gate->epoll, EPOLL_CTL_DEL, session->log_fd, NULL);
}

static void log_session_line(const struct sessions_entry *session, char *text, size_t len)
{
    static const char *const events[] = {"key-exchange", "note", NULL};
    size_t line_len = len > 0 && text[len - 1] == '\n' ? len - 1 : len;
    text[line_len] = '\0';
    if (strlen(text) != line_len || !log_relay_line("session", session->conn, text, events)) {
        log_event(LOG_LEVEL_WARN, session->conn, "the session said: %s", text);
    }
}

/* Reads and logs one line of the session. Returns false if no line is waiting. */
static bool log_next_session_line(const struct sessions_entry *session)
{
    char text[PAGE_BYTES + 1];
    ssize_t got = read(session->log_fd, text, PAGE_BYTES);
    if (got > 0) {
        log_session_line(session, text, (size_t)got);
    }
    return got > 0;
}

/* Returns how many lines of the session may be logged now. */
static int64_t count_allowed_lines(struct sessions_entry *session, int64_t now_ms)
{
    int64_t earned = (now_ms - session->log.since_ms) / GATE_LOG_EVERY_MS;
    session->log.since_ms += earned * GATE_LOG_EVERY_MS;
    session->log.lines = session->log.lines > earned ? session->log.lines - earned : 0;
    return GATE_LOG_BURST - session->log.lines;
}

static void pause_log(struct gate *gate, struct sessions_entry *session)
{
    if (!session->log.is_paced) {
        log_event(LOG_LEVEL_WARN, session->conn,
                  "the session logs too much: from now on one line every %d s is kept",
                  GATE_LOG_EVERY_MS / 1000);
    }
    session->log.is_paced = true;
    sessions_pause_log(&gate->sessions, session, session->log.since_ms + GATE_LOG_EVERY_MS);
    stop_watching_log(gate, session);
}

void gate_log_relay_lines(struct gate *gate, struct sessions_entry *session)
{
    if (session->pid == 0 || session->log_fd < 0 || session->log.due_ms != 0) {
        return; /* the session ended earlier in this pass of the loop, or its log is paused */
    }
    int64_t left = count_allowed_lines(session, clock_steady_ms());
    for (; left > 0 && log_next_session_line(session); left--) {
        session->log.lines++;
    }
    if (left == 0) {
        pause_log(gate, session);
    }
}

void gate_log_relay_last_lines(struct gate *gate, struct sessions_entry *session)
{
    if (session->log_fd < 0) {
        return;
    }
    for (int i = 0; i < WAITING_LINES && log_next_session_line(session); i++) {
    }
    if (session->log.due_ms == 0) {
        stop_watching_log(gate, session);
    }
}

int64_t gate_log_resume_paused(struct gate *gate, int64_t now_ms)
{
    int64_t next_ms = -1;
    struct sessions_entry *after;
    for (struct sessions_entry *session = LIST_FIRST(&gate->sessions.paused); session != NULL;
         session = after) {
        after = LIST_NEXT(session, of_paused);
        int64_t left_ms = session->log.due_ms - now_ms;
        if (left_ms <= 0) {
            sessions_resume_log(session);
            (void)gate_log_watch(gate, session); /* gate_watch_descriptor has logged the error */
        } else {
            next_ms = next_ms < 0 || left_ms < next_ms ? left_ms : next_ms;
        }
    }
    return next_ms;
}
