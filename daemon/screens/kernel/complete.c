#include "daemon/screens/kernel/complete.h"

#include "daemon/screens/kernel/command.h"
#include "daemon/screens/kernel/ui_state.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Handles Tab: completes the word before the cursor as far as it is unambiguous, and shows the
 * candidates. */

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

static void add_names_of_people(const struct ui *ui, struct candidates *candidates)
{
    for (int i = 0; i < ui->model->people_count; i++) {
        add_candidate_if_it_matches(candidates, ui->model->people[i].name);
    }
}

/* Adds the tables' numbers, with a leading "#" if one was typed. */
static void add_table_numbers(const struct ui *ui, struct candidates *candidates)
{
    for (int i = 0; i < ui->model->table_count; i++) {
        char number[MODEL_NAME_MAX];
        snprintf(number, sizeof number, "%s%lld", candidates->start[0] == '#' ? "#" : "",
                 (long long)ui->model->tables[i].id);
        add_candidate_if_it_matches(candidates, number);
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

/* Adds the values that the command's first argument can have. */
static void add_first_argument_values(const struct ui *ui, const struct command *command,
                                      struct candidates *candidates)
{
    static const char *const on_off[] = {"on", "off", NULL};
    switch (command->completes) {
    case COMPLETE_NAMES:
        add_names_of_people(ui, candidates);
        break;
    case COMPLETE_COMMANDS:
        add_command_names(ui, candidates);
        break;
    case COMPLETE_FRIENDS:
        for (int i = 0; i < ui->model->friend_count; i++) {
            add_candidate_if_it_matches(candidates, ui->model->friends[i]);
        }
        break;
    case COMPLETE_TABLES:
        add_table_numbers(ui, candidates);
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

static void add_all_candidates(const struct ui *ui, size_t word_start,
                               struct candidates *candidates)
{
    const char *text = ui->input.text;
    if (text[0] != '/') {
        add_names_of_people(ui, candidates);
        return;
    }
    char name[MODEL_NAME_MAX];
    command_read_word(text + 1, name, sizeof name);
    if (word_start == 1) {
        add_command_names(ui, candidates);
        return;
    }
    const struct command *command = command_find(name);
    if (command != NULL && command->more != NULL && is_after_first_argument(text, word_start)) {
        add_matching_words(command->more, candidates);
    } else if (command != NULL) {
        add_first_argument_values(ui, command, candidates);
    }
}

void ui_complete_word(struct ui *ui)
{
    struct input *input = &ui->input;
    size_t from = input->cursor;
    while (from > 0 && input->text[from - 1] != ' ') {
        from--;
    }
    if (from == 0 && input->text[0] == '/') {
        from = 1;
    }
    char start[INPUT_MAX];
    size_t len = input->cursor > from ? input->cursor - from : 0;
    memcpy(start, input->text + from, len);
    start[len] = '\0';
    struct candidates candidates = {.start = start};
    candidates.shown = text_init(candidates.list, sizeof candidates.list);
    add_all_candidates(ui, from, &candidates);
    if (candidates.count == 0) {
        return;
    }
    if (candidates.count == 1) {
        char word[MODEL_NAME_MAX + 2];
        /* a name at the beginning of a chat line becomes "ada: " */
        bool is_address = from == 0;
        snprintf(word, sizeof word, "%s%s ", candidates.common, is_address ? ":" : "");
        input_replace_before_cursor(input, from, word);
        return;
    }
    if (strlen(candidates.common) > len) {
        input_replace_before_cursor(input, from, candidates.common);
    }
    screen_inform(ui, "%s", candidates.list);
    ui->is_notice_brief = true;
}
