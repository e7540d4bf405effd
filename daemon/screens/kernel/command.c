#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"
#include "games/macros.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define WORD_MAX 32

/* Names that other programs give to commands, with our names for the same commands. */
static const struct {
    const char *word, *name;
} synonyms[] = {{"profile", "finger"}, {"exit", "quit"}, {"logout", "quit"}, {"rating", "assess"}};

/* Returns the only command whose name begins with this text; NULL if no command or several do. */
static const struct command *find_command_by_beginning(const char *name)
{
    const struct command *found = NULL;
    size_t len = strlen(name);
    for (const struct command *command = command_list; command->name != NULL && len > 0;
         command++) {
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
    for (size_t i = 0; i < ARRAY_LEN(synonyms); i++) {
        name = strcmp(synonyms[i].word, name) == 0 ? synonyms[i].name : name;
    }
    for (const struct command *command = command_list; command->name != NULL; command++) {
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

/* True if the line is the whole name of a command that the person may use, or another word for
 * it ("exit"). */
static bool command_is_named(const struct ui *ui, const char *line)
{
    const struct command *command = find_command_by_whole_name(line);
    return command != NULL && command->role <= screen_model(ui)->you.role;
}

/* Returns the command with the most similar name; NULL if none is similar. */
static const struct command *find_most_similar_command(const char *name, enum person_role role)
{
    const struct command *nearest = NULL;
    /* A name with half of its letters wrong is a different word. */
    size_t best = strlen(name) / 2 + 1;
    for (const struct command *command = command_list; command->name != NULL; command++) {
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
static void show_moderation_answer(struct ui *ui, const struct ui_answer *answer)
{
    char line[MODEL_TEXT_MAX];
    json_t *lines = core_text_translate_lines(answer->json);
    ui->is_order_done = answer->is_ok;
    if (strcmp(answer->code, "confirm") == 0) {
        model_read_sentence(answer->json, "why", line, sizeof line);
        screen_ask(ui, ASK_SURE, line, NULL, send_confirmed_command);
    } else if (!answer->is_ok) {
        screen_warn_of_refusal(ui, answer);
    } else if (json_array_size(lines) == 1) {
        drawable_copy_text(json_array_get(lines, 0), line, sizeof line);
        screen_inform(ui, "%s", line);
    } else {
        for (size_t i = 0; i < json_array_size(lines); i++) {
            const json_t *text = json_array_get(lines, i);
            drawable_copy_text(text, line, sizeof line);
            screen_add_chat_line(ui, "%s", line);
        }
    }
    json_decref(lines);
}

static json_t *write_moderation_request(const struct ui *ui, const char *line)
{
    json_t *fields = json_pack("{s:s}", "line", line);
    if (ui->is_exec) {
        (void)json_object_set_new(fields, "via", json_string("exec"));
    }
    return fields;
}

static void send_moderation_request(struct ui *ui, const char *line)
{
    screen_send_request(ui, "mod", write_moderation_request(ui, line), show_moderation_answer, 0);
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

void command_send_mod_command(struct ui *ui, const char *line)
{
    char kick[WORD_MAX], name[MODEL_NAME_MAX], question[UI_QUESTION_MAX];
    command_read_word(command_read_word(line, kick, sizeof kick), name, sizeof name);
    bool is_kick = strncmp(line, "kick ", 5) == 0 && line[5] != '\0';
    if (strncmp(line, "yes ", 4) != 0) {
        struct text order = text_init(ui->order, sizeof ui->order);
        text_put(&order, line);
    }
    ui->is_order_done = false;
    if (is_kick && !ui->is_exec && may_kick(ui->model, name)) {
        /* The core asks back only before commands that meet many people. */
        snprintf(question, sizeof question, _("Kick %s: are you sure?"), name);
        screen_ask_and_send(ui, question,
                            &(struct ui_request){.type = "mod",
                                                 .fields = write_moderation_request(ui, line),
                                                 .answer = show_moderation_answer});
    } else {
        send_moderation_request(ui, line);
    }
}

static bool is_moderation_command(const struct command *command)
{
    return command->run == NULL && command->act == NULL && command->turn == NULL &&
           command->setting == NULL && command->opens == NULL && command->request == NULL;
}

static void run_on_off_command(struct ui *ui, const struct command *command, const char *args)
{
    bool is_on = command_word_is(args, N_("on"));
    if (!is_on && !command_word_is(args, N_("off"))) {
        screen_warn(ui, _("Say on or off: /%s on"), command->name);
        return;
    }
    if (command->turn != NULL) {
        command->turn(ui, is_on);
        return;
    }
    const char *notice = is_on ? command->done : command->off;
    screen_change_settings(ui, json_pack("{s:b}", command->setting, is_on));
    if (notice != NULL) {
        screen_inform(ui, "%s", _(notice));
    }
}

static void send_command_request(struct ui *ui, const struct command *command, const char *args)
{
    if (args[0] == '\0' && command->missing != NULL) {
        screen_warn(ui, "%s", _(command->missing));
        return;
    }
    json_t *fields = json_loads(command->fields != NULL ? command->fields : "{}", 0, NULL);
    if (args[0] != '\0' && command->field != NULL) {
        (void)json_object_set_new(fields, command->field, json_string(args));
    }
    if (command->result != NULL) {
        screen_send_and_handle_success(ui, command->request, fields, command->result, 0);
    } else {
        screen_send_and_show_notice(ui, command->request, fields, command->done);
    }
}

/* Returns the choice that the arguments begin with, and sets *rest to what follows its word; NULL
 * if they begin with none. */
static const struct command *find_choice(const struct command *command, const char *args,
                                         const char **rest)
{
    char word[WORD_MAX], name[2 * WORD_MAX];
    *rest = command_read_word(args, word, sizeof word);
    snprintf(name, sizeof name, "%.31s %s", command->name, word);
    for (const struct command *choice = command_choices; choice->name != NULL; choice++) {
        bool takes_rest = choice->run != NULL || choice->field != NULL;
        if (strcmp(choice->name, name) == 0 && (takes_rest || **rest == '\0')) {
            return choice;
        }
    }
    return NULL;
}

static void carry_out_command(struct ui *ui, const struct command *command, const char *args)
{
    if (command->otherwise != NULL && args[0] != '\0') {
        screen_warn(ui, "%s", _(command->otherwise));
    } else if (command->run != NULL) {
        command->run(ui, args);
    } else if (command->act != NULL) {
        command->act(ui);
    } else if (command->turn != NULL || command->setting != NULL) {
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
        const char *rest;
        const struct command *choice = find_choice(command, args, &rest);
        carry_out_command(ui, choice != NULL ? choice : command, choice != NULL ? rest : args);
    }
}

/* Handles Tab: completes the word before the cursor as far as it is unambiguous, and shows the
 * candidates. */

/* The word before the cursor, and what can complete it. */
struct word {
    size_t from; /* where the word begins */
    enum command_completes completes;
    const char *const *words;    /* for COMPLETE_NOTHING; may be NULL */
    char start[INPUT_MAX];       /* the part of the word that has been typed */
    int count;                   /* of candidates */
    char common[MODEL_NAME_MAX]; /* what all candidates begin with */
    char list[MODEL_TEXT_MAX];   /* the candidates */
    struct text shown;           /* writes the list */
};

static void add_candidate_if_it_matches(struct word *word, const char *candidate)
{
    if (strncasecmp(candidate, word->start, strlen(word->start)) != 0) {
        return;
    }
    if (word->count++ == 0) {
        snprintf(word->common, sizeof word->common, "%s", candidate);
    }
    size_t same = 0;
    while (candidate[same] != '\0' && word->common[same] == candidate[same]) {
        same++;
    }
    word->common[same] = '\0';
    text_put(&word->shown, word->count > 1 ? "  " : "");
    text_put(&word->shown, candidate);
}

static void add_command_names(const struct ui *ui, struct word *word)
{
    for (const struct command *command = command_list; command->name != NULL; command++) {
        if (command->role <= ui->model->you.role) {
            add_candidate_if_it_matches(word, command->name);
        }
    }
}

static void add_own_channel_names(const struct ui *ui, struct word *word)
{
    for (int i = 0; i < MODEL_ROOMS_MAX; i++) {
        if (ui->model->rooms[i][0] != '\0') {
            add_candidate_if_it_matches(word, ui->model->rooms[i]);
        }
    }
}

/* Adds all words that complete the word, unless only the core knows them. */
static void add_all_candidates(const struct ui *ui, struct word *word)
{
    switch (word->completes) {
    case COMPLETE_NAMES:
    case COMPLETE_TABLES:
        break;
    case COMPLETE_COMMANDS:
        add_command_names(ui, word);
        break;
    case COMPLETE_FRIENDS:
        for (int i = 0; i < ui->model->friend_count; i++) {
            add_candidate_if_it_matches(word, ui->model->friends[i]);
        }
        break;
    case COMPLETE_GAMES:
        for (uint8_t i = 0; i < game_count(); i++) {
            add_candidate_if_it_matches(word, game_at(i)->id);
        }
        break;
    case COMPLETE_CHANNELS:
        add_own_channel_names(ui, word);
        break;
    case COMPLETE_NOTHING:
        for (size_t i = 0; word->words != NULL && word->words[i] != NULL; i++) {
            add_candidate_if_it_matches(word, word->words[i]);
        }
        break;
    }
}

/* True if the word at `word_start` comes after the command's first argument. */
static bool is_after_first_argument(const char *text, size_t word_start)
{
    const char *argument = strchr(text, ' ');
    while (argument != NULL && *argument == ' ') {
        argument++;
    }
    return argument != NULL && argument < text + word_start;
}

/* Chooses what completes the word that begins at word->from. */
static void choose_completion(const struct input *input, struct word *word)
{
    char name[MODEL_NAME_MAX];
    if (input->text[0] != '/') {
        word->completes = COMPLETE_NAMES;
        return;
    }
    if (word->from == 1) {
        word->completes = COMPLETE_COMMANDS;
        return;
    }
    command_read_word(input->text + 1, name, sizeof name);
    const struct command *command = command_find(name);
    if (command == NULL) {
        return;
    }
    if (command->more != NULL && is_after_first_argument(input->text, word->from)) {
        word->words = command->more;
    } else {
        word->completes = command->completes;
        word->words = command->words;
    }
}

/* Returns where the word before the cursor begins. */
static size_t find_word_start(const struct input *input)
{
    size_t from = input->cursor;
    while (from > 0 && input->text[from - 1] != ' ') {
        from--;
    }
    return from == 0 && input->text[0] == '/' ? 1 : from;
}

/* Replaces the word before the cursor by what all candidates have in common, and shows them if
 * there are several. */
static void use_candidates(struct ui *ui, const struct word *word)
{
    struct input *input = &ui->input;
    if (word->count == 1) {
        char whole[MODEL_NAME_MAX + 2];
        /* a name at the beginning of a chat line becomes "ada: " */
        bool is_address = word->from == 0;
        snprintf(whole, sizeof whole, "%s%s ", word->common, is_address ? ":" : "");
        input_replace_before_cursor(input, word->from, whole);
    } else if (word->count > 1) {
        if (strlen(word->common) > strlen(word->start)) {
            input_replace_before_cursor(input, word->from, word->common);
        }
        screen_inform(ui, "%s", word->list);
        ui->is_notice_brief = true;
    }
}

static void read_word(const struct input *input, struct word *word)
{
    *word = (struct word){.from = find_word_start(input)};
    size_t len = input->cursor > word->from ? input->cursor - word->from : 0;
    memcpy(word->start, input->text + word->from, len);
    word->start[len] = '\0';
    word->shown = text_init(word->list, sizeof word->list);
    choose_completion(input, word);
}

/* Completes the word by the names of people or the numbers of tables that the core has answered,
 * unless the person has typed on meanwhile. */
static void complete_from_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct word word;
    struct house_lists lists = {0};
    read_word(&ui->input, &word);
    if (!answer->is_ok || answer->tag != ui->completion) {
        return; /* without an answer, Tab completes nothing */
    }
    house_lists_read(&lists, answer->json);
    for (int i = 0; i < lists.people.count; i++) {
        add_candidate_if_it_matches(&word, lists.people.people[i].name);
    }
    for (int i = 0; i < lists.tables.count; i++) {
        char number[MODEL_NAME_MAX];
        snprintf(number, sizeof number, "%s%lld", word.start[0] == '#' ? "#" : "",
                 (long long)lists.tables.tables[i].id);
        add_candidate_if_it_matches(&word, number);
    }
    house_lists_clear(&lists);
    use_candidates(ui, &word);
}

static void ask_core(struct ui *ui, enum command_completes what, const char *start)
{
    struct text filter = TEXT_OF(INPUT_MAX + 8);
    text_format(&filter, "#%s", start[0] == '#' ? start + 1 : start);
    bool is_name = what == COMPLETE_NAMES;
    if (filter.len > MODEL_NAME_MAX) {
        return; /* no name and no number is so long */
    }
    ui->completion++;
    ui_request(ui, is_name ? "people" : "tables",
               json_pack("{s:s}", is_name ? "start" : "filter", is_name ? start : filter.at),
               complete_from_answer, ui->completion);
}

void ui_complete_word(struct ui *ui)
{
    struct word word;
    read_word(&ui->input, &word);
    if (word.completes == COMPLETE_NAMES || word.completes == COMPLETE_TABLES) {
        ask_core(ui, word.completes, word.start);
        return;
    }
    add_all_candidates(ui, &word);
    use_candidates(ui, &word);
}

void screen_begin_typing(struct ui *ui, const char *text)
{
    input_set_text(&ui->input, text);
    ui->is_typing = true;
    ui->is_dirty = true;
}

/* Offers a line to the open screens before it is said. */
static bool is_line_caught_by_screen(struct ui *ui, const char *line)
{
    bool is_caught = false;
    for (int i = ui->depth - 1; i >= 0 && !is_caught; i--) {
        struct ui_layer layer = ui->stack[i];
        uint32_t before = ui_set_running_screen(ui, layer.serial);
        is_caught =
            layer.screen->catches_line != NULL && layer.screen->catches_line(ui, layer.state, line);
        (void)ui_set_running_screen(ui, before);
    }
    return is_caught;
}

/* In plain mode nothing tells talk from a command but the slash: handles the name of a command that
 * was typed alone and without it. Asking for help needs no slash. False for any other line. */
static bool handle_bare_command(struct ui *ui, const char *line)
{
    bool asks_for_help = strcmp(line, "?") == 0 || strcmp(line, "help") == 0;
    if (!ui->plain.is_on || (!asks_for_help && !command_is_named(ui, line))) {
        return false;
    }
    if (asks_for_help) {
        command_run(ui, "/help");
    } else {
        screen_inform(ui, _("\"%s\" was not said. /%s is the command, /chat %s says it."), line,
                      line, line);
    }
    return true;
}

void screen_carry_out_line(struct ui *ui, const char *line)
{
    while (*line == ' ') {
        line++;
    }
    if (*line == '/') {
        command_run(ui, line);
        return;
    }
    if (*line != '\0' && !is_line_caught_by_screen(ui, line) && !handle_bare_command(ui, line)) {
        screen_say(ui, line);
    }
}

void screen_say(struct ui *ui, const char *text)
{
    if (ui->model->you.name[0] == '\0') {
        screen_warn(ui, "%s", _("Choose a name first: then you can talk."));
        return;
    }
    ui_request(
        ui, "say",
        json_pack("{s:s, s:s, s:s}", "to", screen_chat_recipient(ui), "kind", "say", "text", text),
        NULL, 0);
}
