#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"

#include <stdio.h>
#include <string.h>

/* The help screen: the keys of the screen on which help was opened, the keys that work everywhere,
 * and the commands. Help reads them from the tables that drive keys and commands, so it is never
 * out of date. */

#define LINE_BYTES 200
#define KEYS_WIDTH_MIN 9
#define KEYS_WIDTH_MAX 18
#define COMMANDS_WIDTH 15 /* width in columns of the longest command and two blanks */

struct help {
    const struct screen *about; /* the screen for which help was requested */
    bool lists_all;             /* plain mode prints all commands, not only those of the place */
    unsigned role;              /* the role whose commands are shown */
    struct list list;
};

struct line {
    struct ui *ui;
    const struct canvas
        *canvas; /* the canvas on which help is drawn; NULL: the rows are only counted */
    const struct help *help;
    int width; /* width of the screen */
    int left;  /* width of the column of keys or commands */
    int count; /* number of rows laid out so far, visible or not */
};

static const struct screen_key usual_keys[] = {
    {"?", N_("this help"), "/help", NULL},
    {"q Esc", N_("back to where you came from"), "/back", NULL},
    {"c", N_("type chat (the space bar too); Enter sends it, Esc deletes it"), "/chat", NULL},
    {"/", N_("type a command; Tab completes commands and names"), NULL, NULL},
    {"arrows", N_("move; also h j k l, PgUp, PgDn, Home, End and the mouse wheel"), NULL, NULL},
    {"Ctrl-L", N_("draw the screen afresh"), NULL, NULL},
    {"Ctrl-C", N_("leave the house"), "/quit", NULL},
    {NULL, NULL, NULL, NULL},
};

/* Draws the visible part of one entry, whose description may take several rows. */
static void draw_help_entry(struct line *line, enum style style, const char *key,
                            const char *explanation, const char *command)
{
    int far_width = command != NULL ? draw_measure_text(command) + 2 : 0;
    int start = 3 + line->left;
    int first = line->count - line->help->list.top;
    const struct canvas *canvas = line->canvas;
    int top = canvas != NULL ? canvas->body.row + 2 : 0;
    struct area area = {top, start, line->help->list.visible, line->width - start - 2 - far_width};
    int rows = draw_wrapped_text(canvas, &area, STYLE_PLAIN, explanation, -first, 0);
    line->count += rows > 0 ? rows : 1;
    if (canvas != NULL && first >= 0 && first < area.height) {
        int left_width = style == STYLE_TITLE ? line->width - 6 : line->left - 1;
        draw_text(canvas, top + first, 3, left_width, style, key);
        if (command != NULL) {
            draw_text_right_aligned(canvas, top + first, line->width - far_width - 1, far_width,
                                    STYLE_SYSTEM, command);
        }
    }
}

/* True if the help has a line for the key; `screen` may be NULL. */
static bool is_key_listed(struct ui *ui, const struct screen *screen, const struct screen_key *key)
{
    bool is_useful = screen == NULL || screen->lists_key == NULL || screen->lists_key(ui, key);
    return key->help != NULL && is_useful;
}

/* Returns the width of the column of keys: the widest key, within limits, and a gap. */
static int measure_key_column_width(struct ui *ui, const struct screen *screen,
                                    const struct screen_key *keys)
{
    int width = KEYS_WIDTH_MIN;
    for (; keys != NULL && keys->keys != NULL; keys++) {
        int wanted = draw_measure_text(hints_translate_key_names(keys->keys, true)) + 2;
        width = is_key_listed(ui, screen, keys) && wanted > width ? wanted : width;
    }
    return width < KEYS_WIDTH_MAX ? width : KEYS_WIDTH_MAX;
}

/* Draws one entry per key. The keys are those of `screen`; NULL: they work on every screen. */
static void draw_key_entries(struct line *line, const struct screen *screen,
                             const struct screen_key *keys)
{
    line->left = measure_key_column_width(line->ui, screen, keys);
    for (; keys != NULL && keys->keys != NULL; keys++) {
        if (is_key_listed(line->ui, screen, keys)) {
            draw_help_entry(line, STYLE_KEY, hints_translate_key_names(keys->keys, true),
                            _(keys->help), keys->command);
        }
    }
}

/* Draws one line per command; `/help NAME` shows the whole explanation of a command. */
static void draw_command_entries(struct line *line, unsigned role)
{
    line->left = COMMANDS_WIDTH;
    for (const struct command *command = command_list; command->name != NULL; command++) {
        char name[LINE_BYTES];
        struct text summary = TEXT_OF(LINE_BYTES);
        if (command->role > role) {
            continue;
        }
        snprintf(name, sizeof name, "/%s", command->name);
        command_write_summary(command, &summary);
        draw_help_entry(line, STYLE_KEY, name, summary.at, NULL);
    }
}

static int draw_whole_help(struct ui *ui, const struct help *help, int width,
                           const struct canvas *canvas)
{
    struct line line = {.ui = ui, .canvas = canvas, .help = help, .width = width};
    draw_help_entry(&line, STYLE_TITLE, help->about != NULL ? _(help->about->title) : _("Here"), "",
                    NULL);
    draw_key_entries(&line, help->about, help->about != NULL ? help->about->keys : NULL);
    draw_help_entry(&line, STYLE_TITLE, "", "", NULL);
    draw_help_entry(&line, STYLE_TITLE, _("Everywhere"), "", NULL);
    draw_key_entries(&line, NULL, usual_keys);
    draw_help_entry(&line, STYLE_TITLE, "", "", NULL);
    draw_help_entry(&line, STYLE_TITLE, _("Commands; /help and a name explains one"), "", NULL);
    draw_command_entries(&line, help->role);
    return line.count;
}

static void enter_help(struct ui *ui, void *state, int64_t argument)
{
    struct help *help = state;
    const char *below = screen_name_below_top(ui);
    help->lists_all = argument == HELP_ALL;
    if (strcmp(below, "help") != 0) {
        help->about = screen_find(below);
    }
}

static void draw_help(struct ui *ui, void *state, const struct canvas *canvas)
{
    struct help *help = state;
    int visible = canvas->body.height - 2;
    help->role = screen_model(ui)->you.role;
    int count = draw_whole_help(ui, help, canvas->body.width, NULL);
    int last_top = count > visible ? count - visible : 0;
    help->list.count = last_top + 1;
    help->list.visible = visible;
    help->list.selected = help->list.top =
        help->list.selected > last_top ? last_top : help->list.selected;
    char more[64] = "";
    if (last_top > 0) {
        snprintf(more, sizeof more, _("%d-%d of %d"), help->list.top + 1,
                 help->list.top + (visible < count ? visible : count), count);
    }
    draw_header(canvas, _("Help"), more);
    draw_whole_help(ui, help, canvas->body.width, canvas);
}

/* Scrolls the help. `list.selected` is the index of the first row shown. */
static bool handle_help_key(UNUSED struct ui *ui, void *state, const struct press *press)
{
    struct help *help = state;
    struct list list = help->list;
    list.top = 0;
    if (!list_handle_key(&list, press)) {
        return press->kind == PRESS_CHAR && press->code == '?';
    }
    help->list.selected = list.selected;
    return true;
}

/* At a table, plain mode prints the commands that work only there; elsewhere the others. */
static bool is_command_of_place(struct ui *ui, const struct command *command)
{
    bool is_at_table = screen_model(ui)->entered != NULL;
    return (command->where == COMMAND_AT_TABLE) == is_at_table;
}

static bool print_help(struct ui *ui, void *state, struct lines *lines)
{
    const struct help *help = state;
    lines_put(lines, _("A line that begins with / is a command, which you may shorten. Enter alone "
                       "says where you are; /look prints the whole screen again."));
    lines_put(lines, _("At a table, the number or name of a card or choice plays it. Any other "
                       "line goes to everybody there as chat."));
    for (const struct command *command = command_list; command->name != NULL; command++) {
        struct text summary = TEXT_OF(LINE_BYTES);
        if (command->role > screen_model(ui)->you.role ||
            (!help->lists_all && !is_command_of_place(ui, command))) {
            continue;
        }
        command_write_summary(command, &summary);
        const struct usage usage = {"/", command->name, command->args, summary.at};
        lines_put(lines, usage_write_entry(&usage, &TEXT_OF(LINES_LINE_MAX)));
    }
    if (!help->lists_all) {
        lines_put(lines, screen_model(ui)->entered != NULL
                             ? _("/help all lists the commands of the lobby too.")
                             : _("/help all lists the commands at a table too."));
    }
    lines_put(lines, _("More about a command: /help and its name."));
    return true;
}

static const struct screen_key help_keys[] = {
    {"↑ ↓", NULL, NULL, N_("scroll")},
    {N_("PgDn"), NULL, NULL, N_("next page")},
    {"q", NULL, NULL, N_("back")},
    {NULL, NULL, NULL, NULL},
};

const struct screen help_screen = {
    .name = "help",
    .title = N_("Help"),
    .has_own_exit = true,
    .keys = help_keys,
    .state_size = sizeof(struct help),
    .enter = enter_help,
    .draw = draw_help,
    .key = handle_help_key,
    .print = print_help,
};

/* The commands, then the moderation commands. The core carries out the latter; here they are only
 * for help, completion and suggestions after a mistyped name. */
#define ROLE_OF_PLAYER ROLE_PLAYER
#define ROLE_OF_HOST ROLE_PLAYER
#define ROLE_OF_MOD ROLE_MOD
#define ROLE_OF_ADMIN ROLE_ADMIN
const struct command command_list[] = {
#define COMMAND(word, arguments, words, ...)                                                       \
    {.name = #word, .args = (arguments), .help = (words), __VA_ARGS__},
#define CHOICE(command, word, ...)
#define RUN(function) .run = (function)
#define RUN_WORDS(function, list) .run = (function), .words = (list)
#define ACT(function) .act = (function)
#define TURN(function) .turn = (function), .words = WORDS("on", "off")
#define SETS(field) .setting = #field, .words = WORDS("on", "off")
#define OPENS(screen) .opens = (screen)
#define SENDS(type) .request = (type)
#define SHOWS(type, function) .request = (type), .result = (function)
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#include "daemon/screens/commands/commands.def"
#undef COMMAND
#undef CHOICE
#define MOD_COMMAND(word, who, arguments, words, ...)                                              \
    {.name = #word,                                                                                \
     .args = (arguments),                                                                          \
     .help = (words),                                                                              \
     .role = ROLE_OF_##who,                                                                        \
     .completes = COMPLETE_NAMES},
#include "lobby/protocol/mod_commands.def"
    {.name = NULL},
};

const struct command command_choices[] = {
#define COMMAND(...)
#define CHOICE(command, word, ...) {.name = #command " " #word, __VA_ARGS__},
#include "daemon/screens/commands/commands.def"
    {.name = NULL},
};
