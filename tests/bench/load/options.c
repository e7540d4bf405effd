#include "tests/bench/load/options.h"

#include "tests/bench/load/house_play.h"

#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum option_kind {
    OPTION_TEXT,
    OPTION_NUMBER,
    OPTION_KEYS,
    OPTION_STEPS,
    OPTION_PORTS,
    OPTION_FLAG,
    OPTION_PLAIN,
};

struct option_row {
    const char *name;
    enum option_kind kind;
    size_t at; /* offset in struct options */
    int least, most;
    const char *help;
};

#define AT(member) offsetof(struct options, member)
#define SECONDS_MAX 86400

static const struct option_row rows[] = {
    {"host", OPTION_TEXT, AT(host), 0, 0, "address of the server (127.0.0.1)"},
    {"port", OPTION_PORTS, 0, 0, 0,
     "its port (2222); or those of several nodes, such as 2441,2442, entered in turn"},
    {"user", OPTION_TEXT, AT(user), 0, 0, "login name (guest)"},
    {"key", OPTION_TEXT, AT(key_file), 0, 0, "private key to sign in with; otherwise `none`"},
    {"password-env", OPTION_TEXT, AT(password_env), 0, 0, "variable that holds the password"},
    {"marker", OPTION_TEXT, AT(marker), 0, 0, "words of the first screen"},
    {"server-pid", OPTION_NUMBER, AT(server_pid), 1, 1 << 30,
     "process whose CPU and memory count, with its descendants"},
    {"connections", OPTION_STEPS, 0, 0, 0, "how many connections (20)"},
    {"steps", OPTION_STEPS, 0, 0, 0, "several numbers of connections, such as 100,300,1000"},
    {"at-a-time", OPTION_NUMBER, AT(at_a_time), 1, 64, "arrivals under way at once (1)"},
    {"extra", OPTION_NUMBER, AT(extra), 0, 1000,
     "arrivals measured when all others are in (50); they leave again"},
    {"then", OPTION_KEYS, AT(then), 0, 0, "keys that everybody types after the marker"},
    {"settle", OPTION_NUMBER, AT(settle_s), 1, 600,
     "longest wait until the server is quiet (15 s)"},
    {"timeout", OPTION_NUMBER, AT(timeout_s), 1, 600, "longest wait for a screen or echo (30 s)"},
    {"idle", OPTION_NUMBER, AT(idle_s), 0, SECONDS_MAX, "time to measure idle CPU (5 s)"},
    {"echoes", OPTION_NUMBER, AT(echoes), 0, 100000, "keys whose echo is measured (200)"},
    {"arrivals-per-second", OPTION_NUMBER, AT(arrivals_per_s), 0, 1000,
     "arrivals while the echo is measured (10)"},
    {"before-echo", OPTION_KEYS, AT(before_echo), 0, 0, "keys that begin a line"},
    {"echo-key", OPTION_KEYS, AT(echo_key), 0, 0, "key whose echo is measured (Z)"},
    {"after-echo", OPTION_KEYS, AT(after_echo), 0, 0, "keys that empty the line"},
    {"chat", OPTION_NUMBER, AT(chat_lines), 0, 100, "chat lines to measure (0)"},
    {"tables", OPTION_NUMBER, AT(tables), 0, OPTIONS_CONNECTIONS_MAX / 4,
     "tables of four people in play (0)"},
    {"move-every", OPTION_NUMBER, AT(move_every_s), 1, SECONDS_MAX,
     "mean time between two moves of one person (20 s)"},
    {"play", OPTION_NUMBER, AT(play_s), 1, SECONDS_MAX, "time to measure moves (60 s)"},
    {"plain", OPTION_PLAIN, 0, 0, 0, "not Trickhouse: types only the keys given after this option"},
    {"json", OPTION_FLAG, AT(is_json), 0, 0, "prints JSON"},
    {"help", OPTION_FLAG, 0, 0, 0, "prints this"},
};
#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

static void print_help(FILE *out)
{
    fprintf(out, "usage: load [options]\n"
                 "Measures an ssh server while many people connect. See "
                 "tests/bench/load/README.md.\n");
    for (size_t i = 0; i < ROW_COUNT; i++) {
        fprintf(out, "  --%-20s %s\n", rows[i].name, rows[i].help);
    }
    fprintf(out, "Keys may contain \\r \\n \\t \\e \\\\ and \\xHH.\n");
}

static bool read_number(const char *text, int least, int most, int *out)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > most) {
        return false;
    }
    *out = (int)value;
    return true;
}

/* Reads the keys of one escape sequence behind a backslash. Returns the bytes read, 0 if invalid.
 */
static size_t read_escape(const char *text, char *out)
{
    static const char names[] = "rnte\\", values[] = "\r\n\t\033\\";
    const char *name = *text != '\0' ? strchr(names, *text) : NULL;
    if (name != NULL) {
        *out = values[name - names];
        return 1;
    }
    char digits[3] = {0};
    if (text[0] != 'x' || strspn(text + 1, "0123456789abcdefABCDEF") < 2) {
        return 0;
    }
    memcpy(digits, text + 1, 2);
    *out = (char)strtol(digits, NULL, 16);
    return *out != '\0' ? 3 : 0;
}

static bool read_keys(const char *text, char out[OPTIONS_KEYS_MAX])
{
    size_t len = 0;
    while (*text != '\0' && len < OPTIONS_KEYS_MAX - 1) {
        if (*text != '\\') {
            out[len++] = *text++;
            continue;
        }
        size_t used = read_escape(text + 1, &out[len++]);
        if (used == 0) {
            return false;
        }
        text += 1 + used;
    }
    out[len] = '\0';
    return *text == '\0';
}

/* Reads numbers between commas. Returns how many, or 0 if one is invalid or there are too many. */
static int read_numbers(const char *text, int most, int *numbers, int capacity)
{
    for (int count = 0; count < capacity;) {
        char number[16];
        size_t len = strcspn(text, ",");
        if (len >= sizeof(number)) {
            return 0;
        }
        memcpy(number, text, len);
        number[len] = '\0';
        if (!read_number(number, 1, most, &numbers[count++])) {
            return 0;
        }
        if (text[len] == '\0') {
            return count;
        }
        text += len + 1;
    }
    return 0;
}

static bool read_ports(const char *text, struct options *out)
{
    out->port_count = read_numbers(text, 65535, out->ports, OPTIONS_PORTS_MAX);
    return out->port_count > 0;
}

/* Reads numbers of connections, each larger than the one before. */
static bool read_steps(const char *text, struct options *out)
{
    out->step_count = read_numbers(text, OPTIONS_CONNECTIONS_MAX, out->steps, OPTIONS_STEPS_MAX);
    bool is_good = out->step_count > 0;
    for (int i = 1; i < out->step_count; i++) {
        is_good = is_good && out->steps[i] > out->steps[i - 1];
    }
    return is_good;
}

static bool take_option(const struct option_row *row, const char *text, struct options *out)
{
    char *at = (char *)out + row->at;
    switch (row->kind) {
    case OPTION_TEXT:
        memcpy(at, &text, sizeof(text));
        return true;
    case OPTION_NUMBER: {
        int number;
        bool is_good = read_number(text, row->least, row->most, &number);
        if (is_good) {
            memcpy(at, &number, sizeof(number));
        }
        return is_good;
    }
    case OPTION_KEYS:
        return read_keys(text, at);
    case OPTION_STEPS:
        return read_steps(text, out);
    case OPTION_PORTS:
        return read_ports(text, out);
    case OPTION_PLAIN:
        out->then[0] = out->before_echo[0] = out->after_echo[0] = '\0';
        return true;
    case OPTION_FLAG:
        break;
    }
    *(bool *)at = true;
    return true;
}

static void set_defaults(struct options *out)
{
    *out = (struct options){
        .host = "127.0.0.1",
        .user = "guest",
        .marker = house_play.marker,
        .ports = {2222},
        .port_count = 1,
        .steps = {20},
        .step_count = 1,
        .at_a_time = 1,
        .extra = 50,
        .idle_s = 5,
        .settle_s = 15,
        .timeout_s = 30,
        .echoes = 200,
        .arrivals_per_s = 10,
        .move_every_s = 20,
        .play_s = 60,
    };
    snprintf(out->then, sizeof(out->then), "%s", house_play.enter);
    snprintf(out->before_echo, sizeof(out->before_echo), "%s", house_play.before_echo);
    snprintf(out->echo_key, sizeof(out->echo_key), "%s", house_play.echo_key);
    snprintf(out->after_echo, sizeof(out->after_echo), "%s", house_play.after_echo);
}

static const char *find_contradiction(const struct options *options)
{
    if (options->tables * 4 > options->steps[options->step_count - 1]) {
        return "--tables needs four connections for each table";
    }
    if (options->marker[0] == '\0' || strlen(options->marker) > 200) {
        return "--marker needs 1 to 200 bytes";
    }
    if (strlen(options->echo_key) != 1) {
        return "--echo-key needs one byte";
    }
    return NULL;
}

int options_read(int argc, char **argv, struct options *out)
{
    struct option names[ROW_COUNT + 1] = {{0}};
    for (size_t i = 0; i < ROW_COUNT; i++) {
        bool is_flag = rows[i].kind == OPTION_FLAG || rows[i].kind == OPTION_PLAIN;
        names[i] =
            (struct option){rows[i].name, is_flag ? no_argument : required_argument, NULL, (int)i};
    }
    set_defaults(out);
    for (int found; (found = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        if (found == '?') {
            return 3;
        }
        if (strcmp(rows[found].name, "help") == 0) {
            print_help(stdout);
            return 1;
        }
        if (!take_option(&rows[found], optarg, out)) {
            fprintf(stderr, "load: --%s cannot be %s\n", rows[found].name, optarg);
            return 3;
        }
    }
    const char *wrong = optind < argc ? "only options are allowed" : find_contradiction(out);
    if (wrong != NULL) {
        fprintf(stderr, "load: %s (see --help)\n", wrong);
        return 3;
    }
    return 0;
}
