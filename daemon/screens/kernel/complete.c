#include "daemon/screens/kernel/ui.h"

#include "daemon/screens/kernel/ui_state.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Handles Tab: completes the word before the cursor as far as it is unambiguous, and shows the
 * candidates. */

/* The word before the cursor. */
struct word {
    size_t from;                   /* where the word begins */
    const struct command *command; /* the command whose argument it is; NULL: none */
    bool is_after_first_argument;
    char start[INPUT_MAX]; /* the part of the word that has been typed */
};

struct candidates {
    const char *start; /* the part of the word that has been typed */
    char common[MODEL_NAME_MAX];
    int count;
    char list[MODEL_TEXT_MAX];
    struct text shown;
};

static void add_candidate_if_it_matches(struct candidates *candidates, const char *word)
{
    if (strncasecmp(word, candidates->start, strlen(candidates->start)) != 0) {
        return;
    }
    if (candidates->count++ == 0) {
        snprintf(candidates->common, sizeof candidates->common, "%s", word);
    }
    size_t same = 0;
    while (word[same] != '\0' && candidates->common[same] == word[same]) {
        same++;
    }
    candidates->common[same] = '\0';
    text_put(&candidates->shown, candidates->count > 1 ? "  " : "");
    text_put(&candidates->shown, word);
}

static void add_command_names(const struct ui *ui, struct candidates *candidates)
{
    const struct command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        if (command->role <= ui->model->you.role) {
            add_candidate_if_it_matches(candidates, command->name);
        }
    }
}

static void add_own_channel_names(const struct ui *ui, struct candidates *candidates)
{
    for (int i = 0; i < MODEL_ROOMS_MAX; i++) {
        if (ui->model->rooms[i][0] != '\0') {
            add_candidate_if_it_matches(candidates, ui->model->rooms[i]);
        }
    }
}

static void add_matching_words(const char *const *words, struct candidates *candidates)
{
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        add_candidate_if_it_matches(candidates, words[i]);
    }
}

/* Adds the values that the command's first argument can have, unless only the core knows them
 * (find_list_of_core). */
static void add_first_argument_values(const struct ui *ui, const struct command *command,
                                      struct candidates *candidates)
{
    static const char *const on_off[] = {"on", "off", NULL};
    switch (command->completes) {
    case COMPLETE_NAMES:
    case COMPLETE_TABLES:
        break;
    case COMPLETE_COMMANDS:
        add_command_names(ui, candidates);
        break;
    case COMPLETE_FRIENDS:
        for (int i = 0; i < ui->model->friend_count; i++) {
            add_candidate_if_it_matches(candidates, ui->model->friends[i]);
        }
        break;
    case COMPLETE_GAMES:
        for (uint8_t i = 0; i < game_count(); i++) {
            add_candidate_if_it_matches(candidates, game_at(i)->id);
        }
        break;
    case COMPLETE_CHANNELS:
        add_own_channel_names(ui, candidates);
        break;
    case COMPLETE_NOTHING:
        add_matching_words(command->turn != NULL ? on_off : command->words, candidates);
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

static void add_all_candidates(const struct ui *ui, const struct word *word,
                               struct candidates *candidates)
{
    const struct command *command = word->command;
    if (command == NULL && word->from == 1) {
        add_command_names(ui, candidates);
    } else if (command != NULL && command->more != NULL && word->is_after_first_argument) {
        add_matching_words(command->more, candidates);
    } else if (command != NULL) {
        add_first_argument_values(ui, command, candidates);
    }
}

/* Returns what completes the word from the lobby's lists, for which the core is asked:
 * COMPLETE_NAMES, COMPLETE_TABLES; COMPLETE_NOTHING: neither. */
static enum command_completes find_list_of_core(const struct ui *ui, const struct word *word)
{
    const struct command *command = word->command;
    if (ui->input.text[0] != '/') {
        return COMPLETE_NAMES;
    }
    bool is_first = command != NULL && !(command->more != NULL && word->is_after_first_argument);
    bool is_listed =
        is_first && (command->completes == COMPLETE_NAMES || command->completes == COMPLETE_TABLES);
    return is_listed ? command->completes : COMPLETE_NOTHING;
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
static void use_candidates(struct ui *ui, size_t from, const struct candidates *candidates)
{
    struct input *input = &ui->input;
    if (candidates->count == 0) {
        return;
    }
    if (candidates->count == 1) {
        char word[MODEL_NAME_MAX + 2];
        /* a name at the beginning of a chat line becomes "ada: " */
        bool is_address = from == 0;
        snprintf(word, sizeof word, "%s%s ", candidates->common, is_address ? ":" : "");
        input_replace_before_cursor(input, from, word);
        return;
    }
    if (strlen(candidates->common) > strlen(candidates->start)) {
        input_replace_before_cursor(input, from, candidates->common);
    }
    screen_inform(ui, "%s", candidates->list);
    ui->is_notice_brief = true;
}

static void read_word(const struct input *input, struct word *word)
{
    char name[MODEL_NAME_MAX];
    bool is_command = input->text[0] == '/';
    word->from = find_word_start(input);
    size_t len = input->cursor > word->from ? input->cursor - word->from : 0;
    memcpy(word->start, input->text + word->from, len);
    word->start[len] = '\0';
    command_read_word(is_command ? input->text + 1 : "", name, sizeof name);
    word->command = is_command && word->from > 1 ? command_find(name) : NULL;
    word->is_after_first_argument =
        word->command != NULL && is_after_first_argument(input->text, word->from);
}

/* Adds the names of people or the numbers of tables that the core has answered. */
static void add_rows(const json_t *answer, struct candidates *candidates)
{
    struct model_people people = {0};
    struct model_tables tables = {0};
    model_people_read(answer, &people);
    model_tables_read(answer, &tables);
    for (int i = 0; i < people.count; i++) {
        add_candidate_if_it_matches(candidates, people.rows[i].name);
    }
    for (int i = 0; i < tables.count; i++) {
        char number[MODEL_NAME_MAX];
        snprintf(number, sizeof number, "%s%lld", candidates->start[0] == '#' ? "#" : "",
                 (long long)tables.rows[i].id);
        add_candidate_if_it_matches(candidates, number);
    }
    model_people_clear(&people);
    model_tables_clear(&tables);
}

/* Completes the word, unless the person has typed on meanwhile. */
static void complete_from_answer(struct ui *ui, UNUSED void *state, int64_t tag, bool is_ok,
                                 const json_t *answer)
{
    struct word word;
    read_word(&ui->input, &word);
    if (!is_ok || tag != ui->completion) {
        return; /* without an answer, Tab completes nothing */
    }
    struct candidates candidates = {.start = word.start};
    candidates.shown = text_init(candidates.list, sizeof candidates.list);
    add_rows(answer, &candidates);
    use_candidates(ui, word.from, &candidates);
}

static void ask_core(struct ui *ui, enum command_completes what, const char *start)
{
    char filter[INPUT_MAX + 8];
    snprintf(filter, sizeof filter, "#%s", start[0] == '#' ? start + 1 : start);
    bool is_name = what == COMPLETE_NAMES;
    if (strlen(filter) > MODEL_NAME_MAX) {
        return; /* no name and no number is so long */
    }
    ui->completion++;
    ui_request(ui, is_name ? "people" : "tables",
               json_pack("{s:s}", is_name ? "start" : "filter", is_name ? start : filter),
               complete_from_answer, ui->completion);
}

void ui_complete_word(struct ui *ui)
{
    struct word word;
    read_word(&ui->input, &word);
    enum command_completes list = find_list_of_core(ui, &word);
    if (list != COMPLETE_NOTHING) {
        ask_core(ui, list, word.start);
        return;
    }
    struct candidates candidates = {.start = word.start};
    candidates.shown = text_init(candidates.list, sizeof candidates.list);
    add_all_candidates(ui, &word, &candidates);
    use_candidates(ui, word.from, &candidates);
}

void ui_cancel_completion(struct ui *ui)
{
    ui->completion++;
}
