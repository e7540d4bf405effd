#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"
#include "daemon/screens/model/model.h"
#include "games/macros.h"

#include <stdio.h>
#include <string.h>

#define WORD_MAX 32

static const struct command *const commands[] = {
#define COMMAND(name) &(name),
#include "daemon/screens/commands/commands.def"
#undef COMMAND
};

/* The moderation commands. The core carries them out; this list is only for help, completion and
 * suggestions after a mistyped name. */
#define ROLE_OF_PLAYER ROLE_PLAYER
#define ROLE_OF_HOST ROLE_PLAYER
#define ROLE_OF_MOD ROLE_MOD
#define ROLE_OF_ADMIN ROLE_ADMIN
static const struct command mod_commands[] = {
#define MOD_COMMAND(word, who, arguments, words, ...)                                              \
    {                                                                                              \
        .name = #word,                                                                             \
        .args = (arguments),                                                                       \
        .help = (words),                                                                           \
        .role = ROLE_OF_##who,                                                                     \
        .completes = COMPLETE_NAMES,                                                               \
    },
#include "lobby/protocol/mod_commands.def"
#undef MOD_COMMAND
};

const struct command *command_at(size_t index)
{
    if (index < ARRAY_LEN(commands)) {
        return commands[index];
    }
    index -= ARRAY_LEN(commands);
    return index < ARRAY_LEN(mod_commands) ? &mod_commands[index] : NULL;
}

/* Names that other programs give to commands, with our names for the same commands. */
static const struct {
    const char *word, *name;
} synonyms[] = {{"profile", "finger"}, {"exit", "quit"}, {"logout", "quit"}, {"rating", "assess"}};

/* Returns the only command whose name begins with this text; NULL if no command or several do. */
static const struct command *find_command_by_beginning(const char *name)
{
    const struct command *found = NULL;
    const struct command *command;
    size_t len = strlen(name);
    for (size_t i = 0; (command = command_at(i)) != NULL && len > 0; i++) {
        bool is_everybodys = command->role == ROLE_PLAYER;
        if (!is_everybodys || strncmp(command->name, name, len) != 0) {
            continue;
        }
        if (found != NULL) {
            return NULL;
        }
        found = command;
    }
    return found;
}

/* Finds a command by its whole name, or another word for it; NULL if there is none. */
static const struct command *find_command_by_whole_name(const char *name)
{
    const struct command *command;
    for (size_t i = 0; i < ARRAY_LEN(synonyms); i++) {
        name = strcmp(synonyms[i].word, name) == 0 ? synonyms[i].name : name;
    }
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}

const struct command *command_find(const char *name)
{
    const struct command *command = find_command_by_whole_name(name);
    return command != NULL ? command : find_command_by_beginning(name);
}

bool command_is_named(const struct ui *ui, const char *line)
{
    const struct command *command = find_command_by_whole_name(line);
    return command != NULL && command->role <= screen_model(ui)->you.role;
}

/* The Levenshtein distance between two words, which are cut to WORD_MAX. */
static size_t edit_distance(const char *a, const char *b)
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

/* Returns the command with the most similar name; NULL if none is similar. */
static const struct command *find_most_similar_command(const char *name, enum person_role role)
{
    const struct command *nearest = NULL;
    const struct command *command;
    /* A name with half of its letters wrong is a different word. */
    size_t best = strlen(name) / 2 + 1;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        size_t how_far = edit_distance(name, command->name);
        if (how_far < best && command->role <= role) {
            best = how_far;
            nearest = command;
        }
    }
    return nearest;
}

void command_write_summary(const struct command *command, struct text *out)
{
    const char *help = _(command->help);
    const char *end = strstr(help, ". ");
    size_t len = end != NULL ? (size_t)(end - help) + 1 : strlen(help);
    for (size_t i = 0; i < len; i++) {
        text_put_char(out, help[i]);
    }
}

const char *command_read_word(const char *args, char *word, size_t cap)
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

bool command_word_is(const char *typed, const char *word)
{
    return strcmp(typed, word) == 0 || strcmp(typed, _(word)) == 0;
}

static void warn_unknown_command(struct ui *ui, const char *name)
{
    const struct command *nearest =
        find_most_similar_command(name, (enum person_role)screen_model(ui)->you.role);
    if (nearest != NULL) {
        screen_warn(ui, _("There is no /%s. Did you mean /%s?"), name, nearest->name);
    } else {
        screen_warn(ui, _("There is no /%s. ? lists the commands."), name);
    }
}

static void send_moderation_request(struct ui *ui, const char *line);

static void send_confirmed_command(struct ui *ui, UNUSED void *state, const char *answer)
{
    char line[sizeof ui->order + 8];
    if (answer == NULL) {
        screen_inform(ui, "%s", _("Nothing was done."));
        return;
    }
    snprintf(line, sizeof line, "yes %s", ui->order);
    send_moderation_request(ui, line);
}

/* Shows an answer of one line as a notice, a longer one in the chat. */
static void show_moderation_answer(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                   bool is_ok, const json_t *answer)
{
    char line[MODEL_TEXT_MAX];
    json_t *lines = core_text_translate_lines(answer);
    ui->is_order_done = is_ok;
    model_read_text(json_object_get(answer, "code"), line, sizeof line);
    if (!is_ok && strcmp(line, "confirm") == 0) {
        model_read_sentence(answer, "why", line, sizeof line);
        screen_ask(ui, ASK_SURE, line, NULL, send_confirmed_command);
    } else if (!is_ok) {
        screen_warn_of_refusal(ui, answer);
    } else if (json_array_size(lines) == 1) {
        model_read_text(json_array_get(lines, 0), line, sizeof line);
        screen_inform(ui, "%s", line);
    } else {
        for (size_t i = 0; i < json_array_size(lines); i++) {
            const json_t *text = json_array_get(lines, i);
            model_read_text(text, line, sizeof line);
            screen_add_chat_line(ui, "%s", line);
        }
    }
    json_decref(lines);
}

static void send_moderation_request(struct ui *ui, const char *line)
{
    json_t *fields = json_pack("{s:s}", "line", line);
    if (ui->is_exec) {
        (void)json_object_set_new(fields, "via", json_string("exec"));
    }
    ui->is_order_done = false;
    screen_send_request(ui, "mod", fields, show_moderation_answer, 0);
}

static void kick_if_confirmed(struct ui *ui, UNUSED void *state, const char *answer)
{
    if (answer != NULL) {
        send_moderation_request(ui, screen_asked_about(ui));
    }
}

/* True if the core would carry the kick out: staff may end connections, and a host may free another
 * person's seat before the start. It refuses all others, and nobody is asked in vain. */
static bool may_kick(const struct model *model, const char *name)
{
    const struct model_entered *entered = model->entered;
    if (model->you.role >= ROLE_MOD) {
        return true;
    }
    for (int seat = 0; entered != NULL && entered->is_host && seat < entered->row.players; seat++) {
        const struct seat_row *who = &entered->details.seats.at[seat];
        if (who->is_taken && seat != entered->you && strcmp(who->name, name) == 0) {
            return entered->row.phase != TABLE_PLAYING;
        }
    }
    return false;
}

/* The core asks back only before commands that meet many people. */
static void ask_before_kicking(struct ui *ui, const char *line)
{
    char kick[WORD_MAX], name[MODEL_NAME_MAX], question[UI_QUESTION_MAX];
    command_read_word(command_read_word(line, kick, sizeof kick), name, sizeof name);
    if (!may_kick(ui->model, name)) {
        send_moderation_request(ui, line);
        return;
    }
    snprintf(question, sizeof question, _("Kick %s: are you sure?"), name);
    screen_ask_about(ui, question, line, kick_if_confirmed);
}

void command_send_mod_command(struct ui *ui, const char *line)
{
    bool is_kick = strncmp(line, "kick ", 5) == 0 && line[5] != '\0';
    if (strncmp(line, "yes ", 4) != 0) {
        struct text order = text_init(ui->order, sizeof ui->order);
        text_put(&order, line);
    }
    if (is_kick && !ui->is_exec) {
        ask_before_kicking(ui, line);
    } else {
        send_moderation_request(ui, line);
    }
}

static bool is_moderation_command(const struct command *command)
{
    return command->run == NULL && command->act == NULL && command->turn == NULL &&
           command->opens == NULL && command->request == NULL;
}

static void run_on_off_command(struct ui *ui, const struct command *command, const char *args)
{
    bool is_on = command_word_is(args, N_("on"));
    if (is_on || command_word_is(args, N_("off"))) {
        command->turn(ui, is_on);
    } else {
        screen_warn(ui, _("Say on or off: /%s on"), command->name);
    }
}

static void send_command_request(struct ui *ui, const struct command *command, const char *args)
{
    json_t *fields = NULL;
    if (args[0] == '\0' && command->missing != NULL) {
        screen_warn(ui, "%s", _(command->missing));
        return;
    }
    if (args[0] != '\0') {
        fields = json_pack("{s:s}", command->field, args);
    }
    if (command->result != NULL) {
        screen_send_and_handle_success(ui, command->request, fields, command->result, 0);
    } else {
        screen_send_and_show_notice(ui, command->request, fields, command->done);
    }
}

static void carry_out_command(struct ui *ui, const struct command *command, const char *args)
{
    if (command->run != NULL) {
        command->run(ui, args);
    } else if (command->act != NULL) {
        command->act(ui);
    } else if (command->turn != NULL) {
        run_on_off_command(ui, command, args);
    } else if (command->opens != NULL) {
        screen_open(ui, command->opens, command->argument);
    } else if (command->request != NULL) {
        send_command_request(ui, command, args);
    } else {
        char order[WORD_MAX + MODEL_TEXT_MAX];
        snprintf(order, sizeof order, "%s %s", command->name, args);
        command_send_mod_command(ui, order);
    }
}

void command_run(struct ui *ui, const char *line)
{
    char name[WORD_MAX];
    char args[MODEL_TEXT_MAX];
    snprintf(args, sizeof args, "%s", command_read_word(line + 1, name, sizeof name));
    for (size_t len = strlen(args); len > 0 && args[len - 1] == ' '; len--) {
        args[len - 1] = '\0';
    }
    const struct command *command = command_find(name);
    if (command == NULL) {
        warn_unknown_command(ui, name);
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
    } else if (!is_moderation_command(command) && command->args == NULL && args[0] != '\0') {
        screen_warn(ui, _("/%s takes nothing after it: type it alone."), command->name);
    } else {
        carry_out_command(ui, command, args);
    }
}
