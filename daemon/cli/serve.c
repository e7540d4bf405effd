#include "daemon/base/i18n.h"
#include "daemon/cli/arguments.h"
#include "daemon/cli/config_faults.h"
#include "daemon/cli/house_log.h"
#include "daemon/cli/house_user.h"
#include "daemon/config/config.h"
#include "daemon/processes/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONFIG_FILE "house.conf" /* in the data folder, if no file is given */
#define READY_FD_LIMIT 1023
#define RESUME_LIMIT (1 << 20)

enum option {
    OPTION_DATA,
    OPTION_CONFIG,
    OPTION_LOG,
    OPTION_DETACH,
    OPTION_READY_FD,
    OPTION_CHECK,
    OPTION_RESUME,
    OPTION_SETTING, /* this option and those after it override the configuration file */
};

static const struct argument options[] = {
    [OPTION_DATA] = {"data", true},
    [OPTION_CONFIG] = {"config", true},
    [OPTION_LOG] = {"log", false},
    [OPTION_DETACH] = {"detach", false},
    [OPTION_READY_FD] = {"ready-fd", true},
    [OPTION_CHECK] = {"check", false},
    [OPTION_RESUME] = {"resume", true},
    [OPTION_SETTING] = {"ssh-port", true},
    {"telnet-port", true},
    {"bind", true},
    {"name", true},
    {"user", true},
    {"sessions", true},
    {"bot-delay", true},
    {"grace", true},
    {NULL, false},
};

/* The settings of the options from OPTION_SETTING on. */
static const struct {
    const char *section, *key;
} option_settings[] = {
    {"listen", "ssh_port"},   {"listen", "telnet_port"},  {"listen", "address"},
    {"house", "name"},        {"house", "user"},          {"limits", "sessions"},
    {"play", "bot_delay_ms"}, {"play", "absent_grace_s"},
};

_Static_assert(ARRAY_LEN(options) == OPTION_SETTING + ARRAY_LEN(option_settings) + 1,
               "one setting an option");

struct serve {
    struct supervisor_setup setup;
    struct config config;
    const char *config_file; /* NULL: CONFIG_FILE in the data folder, if it exists */
    bool has_own_file;       /* CONFIG_FILE exists, and a reload needs it again */
    bool is_detached;
    bool is_check; /* check only, open nothing */
};

static bool take_setting(struct serve *serve, int option, const char *value)
{
    int index = option - OPTION_SETTING;
    char why[CONFIG_WHY_SIZE];
    if (strcmp(option_settings[index].key, "telnet_port") == 0) {
        serve->config.listen_telnet = true;
    }
    if (!config_set(&serve->config, option_settings[index].section, option_settings[index].key,
                    value, CONFIG_FROM_COMMAND, why)) {
        subcommand_usage(&serve_subcommand, "--%s: %s", options[option].name, why);
        return false;
    }
    return true;
}

static bool take_option(struct serve *serve, int option, const char *value)
{
    struct supervisor_setup *setup = &serve->setup;
    uint32_t number;
    switch ((enum option)option) {
    case OPTION_DATA:
        setup->data_dir = value;
        return true;
    case OPTION_CONFIG:
        serve->config_file = value;
        return true;
    case OPTION_LOG:
        setup->is_logged_to_file = true;
        return true;
    case OPTION_DETACH:
        serve->is_detached = true;
        setup->is_logged_to_file = true;
        return true;
    case OPTION_READY_FD:
        if (!arguments_number(&serve_subcommand, "--ready-fd", value, 3, READY_FD_LIMIT, &number)) {
            return false;
        }
        setup->ready_fd = (int)number;
        return true;
    case OPTION_CHECK:
        serve->is_check = true;
        return true;
    case OPTION_RESUME:
        if (!arguments_number(&serve_subcommand, "--resume", value, 3, RESUME_LIMIT, &number)) {
            return false;
        }
        setup->image = (int)number;
        return true;
    case OPTION_SETTING:
        break;
    }
    return true; /* a setting, read in the second pass */
}

/* The command line is read twice: first the other options, then, after the file, the settings, so
 * that they override the file's. */
static bool read_options(struct serve *serve, int argc, char **argv, bool is_settings_turn)
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
        bool is_good = true;
        if (!is_settings_turn) {
            is_good = take_option(serve, option, arguments.value);
        } else if (option >= OPTION_SETTING) {
            is_good = take_setting(serve, option, arguments.value);
        }
        if (!is_good) {
            return false;
        }
    }
    return true;
}

static bool is_usage_good(const struct serve *serve)
{
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

/* Reads the configuration file; returns false after printing a line for each error. */
static bool read_config(struct serve *serve)
{
    const char *path = serve->config_file;
    char own[PATH_MAX];
    if (path == NULL) {
        int len = snprintf(own, sizeof own, "%s/" CONFIG_FILE, serve->setup.data_dir);
        if (len >= (int)sizeof own || access(own, F_OK) != 0) {
            return true;
        }
        path = own;
        serve->has_own_file = true;
    }
    return config_faults_print(&serve->config, path) == 0;
}

/* The supervisor leaves the terminal; the process that stays prints that the house is open. */
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
    long log_from = house_log_length(setup->data_dir);
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
    house_log_print_error(setup->data_dir, log_from);
    return 1;
}

static char *copy_text(const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL) {
        abort();
    }
    return copy;
}

/* Returns the arguments without those added by an exec of the supervisor, and with the
 * configuration file that was found: if it were missing at the next reload, all settings would
 * silently be the defaults. */
static char **copy_arguments(const struct serve *serve, int argc, char **argv)
{
    char **copy = calloc((size_t)argc + 3, sizeof *copy);
    int count = 0;
    if (copy == NULL) {
        abort();
    }
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--resume") == 0) {
            i++;
        } else {
            copy[count++] = copy_text(argv[i]);
        }
    }
    if (serve->has_own_file) {
        char own[PATH_MAX];
        (void)snprintf(own, sizeof own, "%s/" CONFIG_FILE, serve->setup.data_dir);
        copy[count++] = copy_text("--config");
        copy[count++] = copy_text(own);
    }
    return copy;
}

static void free_arguments(char **arguments)
{
    for (size_t i = 0; arguments[i] != NULL; i++) {
        free(arguments[i]);
    }
    free(arguments);
}

/* Returns the path of this program, so that a newer one in its place can be found. */
static char *own_path(void)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    path[len > 0 ? len : 0] = '\0';
    return copy_text(path);
}

/* Processes overwrite the command line with their names, so the texts that are still needed are
 * copied. */
static int open_house(struct serve *serve, int argc, char **argv)
{
    struct supervisor_setup *setup = &serve->setup;
    char *data_dir = copy_text(setup->data_dir);
    char *program = own_path();
    char **arguments = copy_arguments(serve, argc, argv);
    const char **borrowed;
    memcpy(&borrowed, &arguments, sizeof borrowed);
    setup->data_dir = data_dir;
    setup->program = program;
    setup->args = borrowed;
    if (setup->image >= 0) {
        setup->ready_fd = -1; /* sent before the exec */
    }
    bool is_to_detach = serve->is_detached && setup->image < 0;
    int status = is_to_detach ? detach(setup) : supervisor_run(setup);
    free_arguments(arguments);
    free(program);
    free(data_dir);
    return status;
}

static bool is_low(uint32_t port)
{
    return port > 0 && port < IPPORT_RESERVED;
}

static bool has_low_port(const struct config *config)
{
    return is_low(config->listen_ssh_port) ||
           (config->listen_telnet && is_low(config->listen_telnet_port));
}

static int serve_run(int argc, char **argv)
{
    struct serve serve = {
        .setup = {.ready_fd = -1, .image = -1},
        .config = config_default(),
    };
    serve.setup.config = &serve.config;
    if (!read_options(&serve, argc, argv, false) || !is_usage_good(&serve)) {
        return 2;
    }
    if (!read_config(&serve)) {
        return 1;
    }
    if (!read_options(&serve, argc, argv, true)) {
        return 2;
    }
    if (serve.is_check) {
        return 0;
    }
    bool is_new = serve.setup.image < 0; /* otherwise it changed its user before the exec */
    if (is_new && !house_user_become(serve.config.house_user, serve.setup.data_dir,
                                     has_low_port(&serve.config))) {
        return 1;
    }
    return open_house(&serve, argc, argv);
}

const struct subcommand serve_subcommand = {
    .name = "serve",
    .args = "--data DIR [--config FILE] [--ssh-port N] [--bind ADDRESS] [--detach] […]",
    .help = N_("Open the house."),
    .more = N_(
        "  --data DIR       keep accounts, tables and games in DIR, which is made if missing\n"
        "  --config FILE    read the settings from FILE (DIR/house.conf, if it exists);\n"
        "                   `trickhouse check-config FILE` checks a file\n"
        "  --log            write the log to DIR/house.log instead of standard error\n"
        "  --detach         return once people can connect, and keep the house running in the\n"
        "                   background with its log in DIR/house.log\n"
        "  --check          only check the options and settings\n"
        "  --ready-fd N     write the port (with telnet: both) to descriptor N once people\n"
        "                   can connect\n"
        "\n"
        "These options override the configuration file:\n"
        "  --ssh-port N     listen for ssh on port N (2222); 0: any free port\n"
        "  --telnet-port N  listen for telnet too, which is not encrypted (off)\n"
        "  --bind ADDRESS   listen on this address only\n"
        "  --name TEXT      the house's name (Trickhouse)\n"
        "  --user NAME      if root opens the house, run it as this user (default: the owner of\n"
        "                   DIR; for a new one trickhouse, or nobody if there is no such account)\n"
        "  --sessions N     connections at the same time (1000)\n"
        "  --bot-delay MS   least time between a move and the bot's move that follows\n"
        "  --grace S        without a clock, how long the game waits for an absent player\n"
        "\n"
        "SIGTERM, SIGINT and `trickhouse stop` close the house."),
    .run = serve_run,
};
