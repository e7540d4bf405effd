#include "daemon/base/i18n.h"
#include "daemon/cli/arguments.h"
#include "daemon/processes/supervisor.h"
#include "lobby/house.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SSH_PORT 2222
#define SESSIONS_MAX 1000
#define SESSIONS_LIMIT 20000
#define BOT_DELAY_LIMIT_MS 60000
#define GRACE_LIMIT_S 86400
#define READY_FD_LIMIT 1023

enum option {
    OPTION_DATA,
    OPTION_SSH_PORT,
    OPTION_TELNET_PORT,
    OPTION_BIND,
    OPTION_NAME,
    OPTION_SESSIONS,
    OPTION_BOT_DELAY,
    OPTION_GRACE,
    OPTION_LOG,
    OPTION_DETACH,
    OPTION_READY_FD,
};

static const struct argument options[] = {
    [OPTION_DATA] = {"data", true},
    [OPTION_SSH_PORT] = {"ssh-port", true},
    [OPTION_TELNET_PORT] = {"telnet-port", true},
    [OPTION_BIND] = {"bind", true},
    [OPTION_NAME] = {"name", true},
    [OPTION_SESSIONS] = {"sessions", true},
    [OPTION_BOT_DELAY] = {"bot-delay", true},
    [OPTION_GRACE] = {"grace", true},
    [OPTION_LOG] = {"log", false},
    [OPTION_DETACH] = {"detach", false},
    [OPTION_READY_FD] = {"ready-fd", true},
    {NULL, false},
};

struct serve {
    struct supervisor_setup setup;
    bool is_detached;
};

static bool read_number(const char *what, const char *text, uint32_t min, uint32_t max,
                        uint32_t *number)
{
    return arguments_number(&serve_subcommand, what, text, min, max, number);
}

static bool read_port(const char *what, const char *text, uint16_t *port)
{
    uint32_t number = 0;
    bool is_port = read_number(what, text, 0, UINT16_MAX, &number);
    *port = (uint16_t)number;
    return is_port;
}

static bool take_option(struct serve *serve, enum option option, const char *value)
{
    struct supervisor_setup *setup = &serve->setup;
    uint32_t number;
    switch (option) {
    case OPTION_DATA:
        setup->data_dir = value;
        return true;
    case OPTION_BIND:
        setup->bind_address = value;
        return true;
    case OPTION_NAME:
        setup->name = value;
        return true;
    case OPTION_LOG:
        setup->is_logged_to_file = true;
        return true;
    case OPTION_DETACH:
        serve->is_detached = true;
        setup->is_logged_to_file = true;
        return true;
    case OPTION_SSH_PORT:
        return read_port("--ssh-port", value, &setup->ports.ssh);
    case OPTION_TELNET_PORT:
        setup->has_telnet = true;
        return read_port("--telnet-port", value, &setup->ports.telnet);
    case OPTION_READY_FD:
        if (!read_number("--ready-fd", value, 3, READY_FD_LIMIT, &number)) {
            return false;
        }
        setup->ready_fd = (int)number;
        return true;
    case OPTION_SESSIONS:
        return read_number("--sessions", value, 1, SESSIONS_LIMIT, &setup->sessions_max);
    case OPTION_BOT_DELAY:
        return read_number("--bot-delay", value, 0, BOT_DELAY_LIMIT_MS, &setup->bot_delay_ms);
    case OPTION_GRACE:
        return read_number("--grace", value, 0, GRACE_LIMIT_S, &setup->absent_grace_s);
    }
    return false;
}

static bool read_options(struct serve *serve, int argc, char **argv)
{
    struct arguments arguments = arguments_of(&serve_subcommand, options, argc, argv);
    int option;
    while ((option = arguments_next(&arguments)) != ARGUMENT_END) {
        if (option == ARGUMENT_BAD) {
            return false;
        }
        if (option == ARGUMENT_WORD) {
            subcommand_usage(&serve_subcommand, "\"%s\" is no option", arguments.value);
            return false;
        }
        if (!take_option(serve, (enum option)option, arguments.value)) {
            return false;
        }
    }
    if (serve->setup.data_dir == NULL) {
        subcommand_usage(&serve_subcommand, "--data DIR is missing");
        return false;
    }
    if (serve->is_detached && serve->setup.ready_fd >= 0) {
        subcommand_usage(&serve_subcommand, "--detach and --ready-fd exclude each other");
        return false;
    }
    return true;
}

/* The supervisor leaves the terminal; that the house is open is said by who
 * stays. */
static int run_in_background(struct supervisor_setup *setup, int ready_fd)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0 || setsid() < 0 || dup2(nowhere, STDIN_FILENO) < 0 ||
        dup2(nowhere, STDOUT_FILENO) < 0) {
        fprintf(stderr, "trickhouse serve: %s\n", strerror(errno));
        return 1;
    }
    if (nowhere > STDERR_FILENO) {
        close(nowhere);
    }
    setup->ready_fd = ready_fd;
    return supervisor_run(setup);
}

static int detach(struct supervisor_setup *setup)
{
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) != 0) {
        fprintf(stderr, "trickhouse serve: %s\n", strerror(errno));
        return 1;
    }
    pid_t pid = fork();
    if (pid < 0) {
        fprintf(stderr, "trickhouse serve: %s\n", strerror(errno));
        return 1;
    }
    if (pid == 0) {
        close(ready[0]);
        exit(run_in_background(setup, ready[1]));
    }
    close(ready[1]);
    char text[PORTS_TEXT_MAX];
    ssize_t got;
    while ((got = read(ready[0], text, sizeof text - 1)) < 0 && errno == EINTR) {
    }
    if (got > 0) {
        text[got] = '\0';
        struct ports ports = ports_read(text);
        supervisor_announce(setup, &ports);
        return 0;
    }
    fprintf(stderr, "trickhouse serve: the house did not open; %s/house.log says why\n",
            setup->data_dir);
    return 1;
}

/* Processes write their names over the command line, so what is needed of it is copied. NULL stays
 * NULL. */
static char *copy_text(const char *text)
{
    char *copy = text != NULL ? strdup(text) : NULL;
    if (text != NULL && copy == NULL) {
        abort();
    }
    return copy;
}

static int open_house(struct serve *serve)
{
    struct supervisor_setup *setup = &serve->setup;
    char *data_dir = copy_text(setup->data_dir);
    char *name = copy_text(setup->name);
    char *bind_address = copy_text(setup->bind_address);
    setup->data_dir = data_dir;
    setup->name = name;
    setup->bind_address = bind_address;
    int status = serve->is_detached ? detach(setup) : supervisor_run(setup);
    free(bind_address);
    free(name);
    free(data_dir);
    return status;
}

static int serve_run(int argc, char **argv)
{
    const struct house_config defaults = house_config_default();
    struct serve serve = {
        .setup =
            {
                .name = "Trickhouse",
                .ports.ssh = SSH_PORT,
                .sessions_max = SESSIONS_MAX,
                .bot_delay_ms = defaults.bot_delay_ms,
                .absent_grace_s = defaults.absent_grace_s,
                .ready_fd = -1,
            },
    };
    return read_options(&serve, argc, argv) ? open_house(&serve) : 2;
}

const struct subcommand serve_subcommand = {
    .name = "serve",
    .args = "--data DIR [--ssh-port N] [--bind ADDRESS] [--detach] […]",
    .help = N_("Open the house."),
    .more = N_("  --data DIR       keep accounts, tables and games in DIR, "
               "made when missing\n"
               "  --ssh-port N     listen for ssh on port N (2222); 0: any "
               "that is free\n"
               "  --telnet-port N  listen for telnet too, which is not encrypted "
               "(off)\n"
               "  --bind ADDRESS   listen on this address only\n"
               "  --name TEXT      the house's name (Trickhouse)\n"
               "  --sessions N     how many connections at once (1000)\n"
               "  --bot-delay MS   a bot's move is shown no sooner after the "
               "one before\n"
               "  --grace S        how long an absent player's turn waits at a "
               "table without clock\n"
               "  --log            write the log to DIR/house.log, not to "
               "standard error\n"
               "  --detach         return when people can come in, with the "
               "house in the\n"
               "                   background and its log in DIR/house.log\n"
               "  --ready-fd N     write the port (with telnet: both) to descriptor N "
               "when people can\n"
               "                   come in\n"
               "\n"
               "SIGTERM and SIGINT close the house in good order; `trickhouse "
               "stop` does so too."),
    .run = serve_run,
};
