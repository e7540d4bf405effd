#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"

#include <string.h>

#define LABEL_BYTES 200
#define KEY_BYTES 20

static const struct game_lesson *find_lesson(const struct model_entered *entered)
{
    return entered->details.is_lesson ? entered->row.game->face->lesson : NULL;
}

static void choose_what_to_tell(struct table_lesson *lesson, const struct game_view *view,
                                bool is_stop)
{
    uint8_t note = lesson_find_note(view, lesson->told, is_stop);
    bool ends = !is_stop && !lesson->has_ended && lesson_script_has_ended(view);
    lesson->suggestion = is_stop ? NULL : lesson_find_suggestion(view);
    if (note < LESSON_NOTES_MAX) {
        lesson->note = note;
        lesson->told |= UINT32_C(1) << note;
    }
    lesson->tells_end |= ends;
    lesson->has_strayed |= ends && view->step < view->game->face->lesson->move_count;
    lesson->has_ended |= ends;
}

void table_lesson_update(struct table_lesson *lesson, const struct model_entered *entered)
{
    const struct game_view *view = &entered->view;
    const struct table_lesson none = {.note = LESSON_NOTES_MAX, .printed_note = LESSON_NOTES_MAX};
    if (find_lesson(entered) == NULL || !entered->has_view) {
        *lesson = none;
        return;
    }
    if (lesson->game != entered->details.game_id) {
        *lesson = none;
        lesson->game = entered->details.game_id;
    }
    bool is_stop = round_end_is_stop(entered);
    uint16_t step = (uint16_t)(view->step + 1U);
    if (lesson->step == step && lesson->is_stop == is_stop) {
        return;
    }
    struct move_set asked = view_viewer_may_move(view) && !is_stop ? view->legal : move_set_empty();
    /* True if the player has done what the present note and suggestion are about. Moves of the
     * others leave the player's legal moves as they are when several players act at once. */
    bool has_acted =
        (lesson->is_stop && !is_stop) ||
        (move_set_count(&lesson->asked) > 0 && memcmp(&lesson->asked, &asked, sizeof(asked)) != 0);
    if (has_acted) {
        lesson->note = LESSON_NOTES_MAX;
        lesson->tells_end = false;
    }
    lesson->asked = asked;
    lesson->step = step;
    lesson->is_stop = is_stop;
    choose_what_to_tell(lesson, view, is_stop);
}

/* Writes the key that makes the move; nothing if the player types the move's label anyway, as with
 * numbers. */
static const char *write_key(const struct game_view *view, uint8_t move,
                             const struct hand_plan *plan, struct text *out)
{
    struct choices choices;
    struct face_order order;
    for (int place = 0; place < plan->count && !plan->has_no_keys; place++) {
        uint8_t slot = plan->slots[place];
        if (!view->hands[view->seat][slot].is_empty &&
            view->game->face->point(view, slot) == move) {
            text_put_char(out, hand_keyboard_key_of_place(place));
            return out->at;
        }
    }
    if (order_read_move(view, move, &order)) {
        text_put_char(out, ORDER_KEY_GIVE);
        return out->at;
    }
    choices_collect(view, &choices);
    bool are_labels_typed = choices.keys == CHOICE_NUMBERS || choices.keys == CHOICE_GRID;
    for (int i = 0; i < choices.count && !are_labels_typed; i++) {
        text_put(out, choices.moves[i] == move ? choices.typed[i] : "");
    }
    return out->at;
}

/* True if the label is about one number, and that is the key: "card 8". */
static bool label_names_key(const struct phrase *label, const char *key)
{
    struct text number = TEXT_OF(KEY_BYTES);
    if (label->args[0].type == ARG_NUMBER) {
        text_format(&number, "%d", (int)label->args[0].number);
    }
    return strcmp(number.at, key) == 0;
}

static void write_suggestion(const struct table_lesson *lesson, const struct model_entered *entered,
                             const struct words *words, const struct hand_plan *plan,
                             struct text *out)
{
    const struct game_view *view = &entered->view;
    uint8_t move = game_move_parse(view->game, lesson->suggestion->move);
    struct text label = TEXT_OF(LABEL_BYTES), key = TEXT_OF(KEY_BYTES);
    struct phrase named = face_label(view, move);
    words_write_phrase(words, named, &label);
    if (plan == NULL || write_key(view, move, plan, &key)[0] == '\0' ||
        label_names_key(&named, key.at)) {
        text_format(out, _("Try %s: %s."), label.at, _(lesson->suggestion->why));
    } else {
        text_format(out, _("Try %s (key %s): %s."), label.at, key.at, _(lesson->suggestion->why));
    }
}

const char *table_lesson_write(const struct table_lesson *lesson,
                               const struct model_entered *entered, const struct words *words,
                               const struct hand_plan *plan, struct text *out)
{
    const struct game_lesson *source = find_lesson(entered);
    struct words spelled = *words;
    struct aims aims;
    spelled.spells_suits = true;
    aims_collect_pointing_moves(&entered->view, &aims);
    if (source != NULL && lesson->note < source->note_count) {
        text_put(out, _(source->notes[lesson->note].text));
        if (plan != NULL && !lesson->is_stop && aims.count > 0) {
            text_put(out, " ");
            text_put(out, _("Arrows choose a card, Tab the clue, Enter twice gives it."));
        }
    }
    if (source != NULL && lesson->tells_end) {
        text_put(out, out->len > 0 ? " " : "");
        text_put(out, lesson->has_strayed
                          ? _("You chose another move than suggested: from here you play without "
                              "suggestions; what is new is still explained.")
                          : _("From here you play without suggestions."));
    }
    if (source != NULL && lesson->suggestion != NULL) {
        text_put(out, out->len > 0 ? " " : "");
        write_suggestion(lesson, entered, &spelled, plan, out);
    }
    return out->at;
}

void table_lesson_print(struct table_lesson *lesson, const struct model_entered *entered,
                        const struct words *words, bool has_old, struct lines *lines)
{
    struct text text = TEXT_OF(LINES_LINE_MAX);
    struct table_lesson told = *lesson;
    if (!has_old && told.note == told.printed_note) {
        told.note = LESSON_NOTES_MAX;
    }
    if (!has_old && told.suggestion == told.printed_suggestion) {
        told.suggestion = NULL;
    }
    told.tells_end &= has_old || !told.is_end_printed;
    if (table_lesson_write(&told, entered, words, NULL, &text)[0] != '\0') {
        lines_put(lines, text.at);
    }
    lesson->printed_note = lesson->note;
    lesson->is_end_printed = lesson->tells_end;
    lesson->printed_suggestion = lesson->suggestion;
}
