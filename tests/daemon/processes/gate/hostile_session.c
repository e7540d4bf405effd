#include "hostile_session.h"

#include "daemon/base/base.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static const char forged[] = "FORGED over what was there before\n";

static const char *overwrite_standard_streams(void)
{
    const char *result = "rewound nothing";
    for (int fd = 0; fd < 3; fd++) {
        (void)fcntl(
            fd, F_SETFL,
            0); /* now that O_APPEND is off, a write overwrites what is at the current position */
        bool is_rewound = lseek(fd, 0, SEEK_SET) == 0 && lseek(fd, 0, SEEK_END) > 0;
        result = is_rewound ? "rewound a file" : result;
        (void)lseek(fd, 0, SEEK_SET);
        ssize_t written = write(fd, forged, sizeof forged - 1);
        (void)written;
    }
    return result;
}

static const char *forge_log_lines(void)
{
    /* the last write contains two lines */
    static const char *const lines[] = {
        "2026-11-20T06:26:46.123Z core info conn=100 event=sign-in account=root\n",
        "2026-11-20T06:26:46.123Z session info conn=7 event=note what=another\n",
        "2026-11-20T06:26:46.123Z session info conn=100 event=sign-in account=root\n",
        ("2026-11-20T06:26:46.123Z session info conn=100 event=note what=\"x\" event=denied\n"
         "2026-11-20T06:26:46.123Z core info conn=100 event=sign-in account=root\n"),
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ssize_t written = write(STDERR_FILENO, lines[i], strlen(lines[i]));
        (void)written;
    }
    return "forged";
}

/* Writes log lines until nobody has read one for a while. */
static const char *flood_log(void)
{
    struct pollfd log = {.fd = STDERR_FILENO, .events = POLLOUT};
    for (int i = 0; i < 1000 && poll(&log, 1, 1000) == 1; i++) {
        ssize_t written = write(STDERR_FILENO, forged, sizeof forged - 1);
        (void)written;
    }
    return "flooded";
}

static const char *spin_for_ever(void)
{
    const struct itimerval never = {{0}, {0}};
    (void)setitimer(ITIMER_PROF, &never, NULL);
    (void)signal(SIGPROF, SIG_IGN);
    (void)signal(SIGXCPU, SIG_IGN);
    for (volatile unsigned i = 0;; i++) {
    }
    return "returned";
}

const char *hostile_session_act(char action)
{
    switch (action) {
    case HOSTILE_SESSION_REWIND:
        return overwrite_standard_streams();
    case HOSTILE_SESSION_FORGE:
        return forge_log_lines();
    case HOSTILE_SESSION_FLOOD:
        return flood_log();
    case HOSTILE_SESSION_SPIN:
        return spin_for_ever();
    default:
        return "nothing";
    }
}
