#include "daemon/screens/command.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/screen.h"
#include "games/macros.h"

#include <stdio.h>
#include <string.h>

#define WORD_MAX 32

static const struct command *const commands[] = {
#define COMMAND(name) &(name),
#include "daemon/screens/commands.def"
#undef COMMAND
};

const struct command *command_at(size_t index)
{
    return index < ARRAY_LEN(commands) ? commands[index] : NULL;
}

/* The one command whose name begins so, NULL when there is none or several. */
static const struct command *find_beginning(const char *name)
{
    const struct command *found = NULL;
    size_t len = strlen(name);
    for (size_t i = 0; i < ARRAY_LEN(commands) && len > 0; i++) {
        bool is_everybodys = commands[i]->role == ROLE_PLAYER;
        if (!is_everybodys || strncmp(commands[i]->name, name, len) != 0) {
            continue;
        }
        if (found != NULL) {
            return NULL;
        }
        found = commands[i];
    }
    return found;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return find_beginning(name);
}

/* Levenshtein's distance, words cut to WORD_MAX. */
static size_t distance(const char *a, const char *b)
{
    size_t row[WORD_MAX + 1];
    size_t len = strnlen(b, WORD_MAX);
    for (size_t j = 0; j <= len; j++) {
        row[j] = j;
    }
    for (size_t i = 0; i < WORD_MAX && a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < len; j++) {
            size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            size_t shifted = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = changed < shifted ? changed : shifted;
        }
    }
    return row[len];
}

const struct command *command_nearest(const char *name)
{
    const struct command *nearest = NULL;
    size_t best = strlen(name) / 2 + 1; /* half of it wrong is a different word */
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        size_t how_far = distance(name, commands[i]->name);
        if (how_far < best) {
            best = how_far;
            nearest = commands[i];
        }
    }
    return nearest;
}

const char *command_word(const char *args, char *word, size_t cap)
{
    size_t len = 0;
    for (; *args != '\0' && *args != ' '; args++) {
        if (len + 1 < cap) {
            word[len++] = *args;
        }
    }
    word[len] = '\0';
    while (*args == ' ') {
        args++;
    }
    return args;
}

static void unknown(struct ui *ui, const char *name)
{
    const struct command *nearest = command_nearest(name);
    if (nearest != NULL) {
        screen_warn(ui, _("There is no /%s. Did you mean /%s?"), name, nearest->name);
    } else {
        screen_warn(ui, _("There is no /%s. ? lists the commands."), name);
    }
}

void command_run(struct ui *ui, const char *line)
{
    char name[WORD_MAX];
    char args[MODEL_TEXT_MAX];
    snprintf(args, sizeof args, "%s", command_word(line + 1, name, sizeof name));
    for (size_t len = strlen(args); len > 0 && args[len - 1] == ' '; len--) {
        args[len - 1] = '\0';
    }
    const struct command *command = command_find(name);
    if (command == NULL) {
        unknown(ui, name);
        return;
    }
    bool is_in = screen_model(ui)->you.name[0] != '\0';
    bool is_at_table = screen_model(ui)->entered != NULL;
    if (command->where != COMMAND_ANYWHERE && !is_in) {
        screen_warn(ui, _("/%s works once you have a name: answer the question first."),
                    command->name);
    } else if (command->where == COMMAND_AT_TABLE && !is_at_table) {
        screen_warn(ui, _("/%s works at a table: /sit or /watch one first, or open one with /new."),
                    command->name);
    } else {
        command->run(ui, args);
    }
}
