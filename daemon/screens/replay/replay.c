#include "daemon/screens/replay/replay.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/table/table_state.h"

#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 400

/* The context of the function below. The engine calls it with its events while it replays the
 * record. */
struct replay_run {
    struct replay_game *game;
    uint32_t step;
};

static void note_event(void *context, const struct game_event *event)
{
    struct replay_run *run = context;
    struct replay_game *game = run->game;
    if (strcmp(event->kind, "trick") == 0) {
        game->marks[run->step] |= REPLAY_TRICK;
    } else if (strcmp(event->kind, "round") == 0) {
        game->marks[run->step] |= REPLAY_ROUND;
    } else if (event->is_score && game->row_count < GAME_ROUNDS_MAX) {
        game->rows[game->row_count++] = event->row;
    }
}

/* Plays the first `step` moves into *state; *before is the state one move earlier (unset at step
 * 0). */
static bool play_moves(struct replay_game *game, uint32_t step, struct game_state *state,
                       struct game_state *before)
{
    const struct history_source *source = &game->record.source;
    struct replay_run run = {.game = game};
    const struct game_log log = {.context = &run, .event = note_event};
    game->row_count = 0;
    if (game_start(source->game, &source->config, source->seed, state, &log) != GAME_OK) {
        return false;
    }
    for (uint32_t i = 0; i < step; i++) {
        run.step = i + 1;
        *before = *state;
        if (game_apply(source->game, state, source->moves[i].seat, source->moves[i].move, &log) !=
            GAME_OK) {
            return false;
        }
    }
    return true;
}

/* Adds to a hand the cards that another viewer knows. */
static void merge_hand(struct view_slot *hand, const struct view_slot *other, uint8_t slot_count)
{
    for (uint8_t i = 0; i < slot_count; i++) {
        if (other[i].card != CARD_NONE) {
            hand[i] = other[i];
        }
    }
}

/* Makes a view that contains everything any player knows about the hands. */
static void merge_all_views(const struct game_def *game, const struct game_state *state,
                            uint8_t player_count, struct game_view *out)
{
    struct game_view each;
    game_fill_view(game, state, SPECTATOR, out);
    for (uint8_t viewer = 0; viewer < player_count; viewer++) {
        game_fill_view(game, state, (int8_t)viewer, &each);
        for (uint8_t seat = 0; seat < out->seats; seat++) {
            merge_hand(out->hands[seat], each.hands[seat], out->slot_count[seat]);
        }
    }
}

static void make_shown_view(const struct replay_game *game, const struct game_state *state,
                            struct game_view *out)
{
    const struct history_source *source = &game->record.source;
    if (game->seat == SPECTATOR) {
        merge_all_views(source->game, state, source->config.players, out);
    } else {
        game_fill_view(source->game, state, game->seat, out);
    }
}

void replay_game_go_to(struct replay_game *game, uint32_t step)
{
    struct game_state state;
    struct game_state before;
    const struct history_source *source = &game->record.source;
    if (!play_moves(game, step, &state, &before)) {
        return; /* cannot happen: replay_game_init has played all moves */
    }
    game->step = step;
    make_shown_view(game, &state, &game->view);
    game->is_trick_done = step > 0 && (game->marks[step] & REPLAY_TRICK) != 0;
    if (step == 0) {
        story_tell(NULL, &game->view, &game->story);
        return;
    }
    struct game_view earlier;
    game->mover = source->moves[step - 1].seat;
    make_shown_view(game, &before, &earlier);
    story_tell(&earlier, &game->view, &game->story);
    if (game->is_trick_done && earlier.round != game->view.round) {
        table_make_view_of_finished_trick(&earlier, &game->view);
        game->view = earlier;
    }
    if (game->view.phase == PHASE_OVER) {
        struct game_outcome outcome;
        game_fill_outcome(source->game, &state, &outcome);
        game->winners = outcome.winners;
    }
}

bool replay_game_fill_movers_view(struct replay_game *game, struct game_view *view)
{
    struct game_state state;
    struct game_state before;
    const struct history_source *source = &game->record.source;
    if (game->step >= source->move_count || !play_moves(game, game->step, &state, &before)) {
        return false;
    }
    game_fill_view(source->game, &state, (int8_t)source->moves[game->step].seat, view);
    return true;
}

bool replay_game_init(struct replay_game *game, json_t *record)
{
    struct game_state state;
    struct game_state before;
    if (record == NULL || !record_from_json(record, &game->record)) {
        return false;
    }
    game->is_open = true;
    game->marks = must_allocate((size_t)game->record.source.move_count + 1);
    game->seat = SPECTATOR;
    if (!play_moves(game, game->record.source.move_count, &state, &before)) {
        replay_game_clear(game);
        return false;
    }
    replay_game_go_to(game, 0);
    return true;
}

void replay_game_clear(struct replay_game *game)
{
    if (game->is_open) {
        record_clear(&game->record);
    }
    free(game->marks);
    game->marks = NULL;
    game->is_open = false;
}

/* Finds the nearest step with this mark after the current step (direction 1) or before it (-1).
 * Returns the last or first step if there is none. */
static uint32_t find_marked_step(const struct replay_game *game, enum replay_mark mark,
                                 int direction)
{
    uint32_t last = game->record.source.move_count;
    uint32_t step = game->step;
    while (direction > 0 ? step < last : step > 0) {
        step = direction > 0 ? step + 1 : step - 1;
        if ((game->marks[step] & (uint8_t)mark) != 0) {
            break;
        }
    }
    return step;
}

const char *replay_game_seat_name(const struct replay_game *game, uint8_t seat)
{
    const struct history_source *source = &game->record.source;
    if (seat >= source->config.players) {
        return "";
    }
    const char *name = source->seats[seat].name;
    for (uint32_t i = 0; i < source->change_count; i++) {
        if (source->changes[i].seat == seat && source->changes[i].step <= game->step) {
            name = source->changes[i].who.name;
        }
    }
    return name;
}

#define POINTS_COLUMNS 6
#define PRINTED_CHOICES 10 /* how many moves plain mode compares */

/* The hint at a step of a replay: what a strong bot would choose in the place of the player who
 * moves next. The bot sees what this player saw, not the open hands of the replay. */
struct replay_hint {
    bool is_shown; /* the hint is drawn whenever the replay is at its step */
    uint32_t step;
    uint8_t seat;          /* the player who moves next */
    uint8_t move;          /* the move that this player made */
    struct game_view view; /* what this player saw */
    struct hint hint;
};

/* True if the hint is to be drawn: it is one of the current step, and the replay shows all hands or
 * those that the player saw. */
static bool is_hint_shown(const struct replay_hint *hint, const struct replay_game *game)
{
    return hint->is_shown && hint->step == game->step &&
           (game->seat == SPECTATOR || game->seat == (int8_t)hint->seat);
}

/* Writes what the player chooses next, and whether the bot would choose the same. */
static const char *write_verdict(const struct replay_hint *hint, const struct words *words,
                                 struct text *out)
{
    const char *name = words_write_seat(words, hint->seat, &TEXT_OF(LINE_BYTES));
    const char *made = words_write_move(words, &hint->view, hint->move, &TEXT_OF(LINE_BYTES));
    if (hint->hint.is_only_move) {
        text_format(out, _("%s has only one legal move next: %s."), name, made);
    } else if (hint->hint.move == hint->move) {
        text_format(out, _("%s chooses %s next. The strong bot agrees."), name, made);
    } else {
        text_format(out, _("%s chooses %s next. The strong bot would choose %s."), name, made,
                    words_write_move(words, &hint->view, hint->hint.move, &TEXT_OF(LINE_BYTES)));
    }
    return out->at;
}

/* Returns what to know about the points, or why there are none; "" for the only legal move. */
static const char *explain_points(const struct hint *hint, const struct game_def *game)
{
    if (hint->count > 0) {
        return hint_explain_points(game);
    }
    return hint->is_only_move ? "" : _("The strong bot has compared no points here.");
}

/* Writes who chooses a move: the bot, the player, both or nobody. */
static const char *write_choosers(const struct replay_hint *hint, const struct words *words,
                                  uint8_t move, struct text *out)
{
    if (move == hint->move) {
        text_format_list_item(out, "%s", words_write_seat(words, hint->seat, &TEXT_OF(LINE_BYTES)));
    }
    if (move == hint->hint.move) {
        text_format_list_item(out, "%s", _("strong bot"));
    }
    return out->at;
}

static int measure_widest_move(const struct replay_hint *hint, const struct words *words)
{
    int widest = 0;
    for (uint8_t i = 0; i < hint->hint.count; i++) {
        int width = draw_measure_text(
            words_write_move(words, &hint->view, hint->hint.choices[i].move, &TEXT_OF(LINE_BYTES)));
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void draw_choice(const struct canvas *canvas, const struct area *row,
                        const struct replay_hint *hint, const struct words *words,
                        const struct search_choice *choice)
{
    enum style style = choice->move == hint->move ? STYLE_TURN : STYLE_PLAIN;
    int most = row->width - POINTS_COLUMNS - 2;
    int width = measure_widest_move(hint, words);
    width = width < most ? width : most;
    draw_text(canvas, row->row, row->column, width, style,
              words_write_move(words, &hint->view, choice->move, &TEXT_OF(LINE_BYTES)));
    draw_text_right_aligned(canvas, row->row, row->column + width, POINTS_COLUMNS, style,
                            hint_write_points(words->theme, choice, &TEXT_OF(LINE_BYTES)));
    draw_text(canvas, row->row, row->column + width + POINTS_COLUMNS + 2, most - width, STYLE_DIM,
              write_choosers(hint, words, choice->move, &TEXT_OF(LINE_BYTES)));
}

/* Draws as many choices as the area has rows; the last row is for the move that was made if it has
 * no other. */
static void draw_choices(const struct canvas *canvas, const struct area *area,
                         const struct replay_hint *hint, const struct words *words)
{
    const struct hint *found = &hint->hint;
    bool is_made_drawn = hint_find_choice(found, hint->move) == NULL;
    for (int i = 0; i < area->height && i < found->count; i++) {
        const struct area row = {area->row + i, area->column, 1, area->width};
        bool is_for_made = i == area->height - 1 && !is_made_drawn;
        const struct search_choice *choice =
            is_for_made ? hint_find_choice(found, hint->move) : &found->choices[i];
        draw_choice(canvas, &row, hint, words, choice);
        is_made_drawn = is_made_drawn || choice->move == hint->move;
    }
}

/* Draws an empty box, whose title tells what the bot knows. */
static void draw_empty_box(const struct canvas *canvas, const struct area *box,
                           const struct replay_hint *hint, const struct words *words)
{
    struct text title = TEXT_OF(LINE_BYTES);
    text_format(&title, _("The strong bot, with what %s saw"),
                words_write_seat(words, hint->seat, &TEXT_OF(LINE_BYTES)));
    draw_filled_area(canvas, box, STYLE_PLAIN);
    draw_box(canvas, box, title.at, true);
    draw_title(canvas, box->row + box->height - 1, box->column, box->width, _("b closes"), false);
}

/* Draws the hint in a frame over the upper part of the area; a list too long for the area is cut,
 * but always contains the move that was made. */
static void draw_hint_box(const struct canvas *canvas, const struct area *area,
                          const struct replay_hint *hint, const struct words *words)
{
    const struct hint *found = &hint->hint;
    struct text verdict = TEXT_OF(LINE_BYTES * 2);
    struct area inside = {area->row + 1, area->column + 2, area->height - 2, area->width - 4};
    const char *note = explain_points(found, hint->view.game);
    write_verdict(hint, words, &verdict);
    int above = draw_wrapped_text(NULL, &inside, STYLE_PLAIN, verdict.at, 0, 0);
    above += found->count > 0;
    int below = note[0] == '\0' ? 0 : draw_wrapped_text(NULL, &inside, STYLE_DIM, note, 0, 0);
    int room = inside.height - above - below > 0 ? inside.height - above - below : 0;
    struct area choices = {inside.row + above, inside.column,
                           found->count < room ? found->count : room, inside.width};
    struct area box = {area->row, area->column, above + choices.height + below + 2, area->width};
    box.height = box.height < area->height ? box.height : area->height;
    inside.height = box.height - 2;
    draw_empty_box(canvas, &box, hint, words);
    (void)draw_wrapped_text(canvas, &inside, STYLE_PLAIN, verdict.at, 0, 0);
    if (found->count > 0) {
        draw_text(canvas, choices.row - 1, inside.column, inside.width, STYLE_DIM,
                  _("Points it expects this round:"));
    }
    draw_choices(canvas, &choices, hint, words);
    inside.row = choices.row + choices.height;
    inside.height = box.row + box.height - 1 - inside.row;
    (void)draw_wrapped_text(canvas, &inside, STYLE_DIM, note, 0, 0);
}

/* Prints the hint for plain mode. */
static void print_hint_lines(const struct replay_hint *hint, const struct words *words,
                             struct lines *lines)
{
    const struct hint *found = &hint->hint;
    const char *note = explain_points(found, hint->view.game);
    lines_put(lines, write_verdict(hint, words, &TEXT_OF(LINES_LINE_MAX)));
    if (found->count > 0) {
        lines_format(lines, _("Expected points this round: %s."),
                     hint_write_choices(words, &hint->view, found, PRINTED_CHOICES, hint->move,
                                        &TEXT_OF(LINES_LINE_MAX)));
    }
    if (note[0] != '\0') {
        lines_put(lines, note);
    }
}

/* Returns the current step in the form that the table's drawing functions take; borrows from the
 * game. */
static struct scene make_scene(const struct replay_game *game, const struct theme *theme)
{
    struct scene scene = {
        .view = &game->view,
        .words = {.theme = theme,
                  .game = game->view.game,
                  .config = &game->record.source.config,
                  .players = game->record.source.config.players,
                  .you = SPECTATOR},
        .bottom = game->seat >= 0 ? (uint8_t)game->seat : 0,
        .is_held = game->is_trick_done,
        .is_open = game->seat < 0,
    };
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        scene.words.names[seat] = replay_game_seat_name(game, seat);
    }
    return scene;
}

/* Appends a line of what the last move did, in at most `width` columns if that is possible with the
 * short names of suits; nothing if there are fewer lines. */
static void write_story_line(const struct replay_game *game, const struct scene *scene,
                             uint8_t number, int width, struct text *out)
{
    struct words words = scene->words;
    struct text spelled = TEXT_OF(LINE_BYTES * 2);
    if (number >= game->story.count) {
        return;
    }
    const struct phrase *phrase = &game->story.lines[number].words;
    words.spells_suits = true;
    words_write_phrase(&words, *phrase, &spelled);
    words.spells_suits = draw_measure_text(spelled.at) <= width;
    words.abbreviates_suits = !words.spells_suits;
    words_write_phrase(&words, *phrase, out);
}

/* Appends the current step's number, such as "step 31 of 204"; returns all of `out`. */
static const char *write_step_number(const struct replay_game *game, struct text *out)
{
    text_format(out, game->record.is_void ? _("declared void, step %u of %u") : _("step %u of %u"),
                game->step, game->record.source.move_count);
    return out->at;
}

/* Writes the step's number and the first line of what the move did. Returns the number of lines
 * written: 0 if the line does not fit into `width` columns. */
static uint8_t write_step(const struct replay_game *game, const struct scene *scene, int width,
                          struct text *out)
{
    struct text line = TEXT_OF(LINE_BYTES * 2);
    write_step_number(game, out);
    int left = width - draw_measure_text(out->at) - 3;
    if (game->step == 0) {
        text_put(&line, _("the first deal"));
    } else if (game->story.count == 0) {
        text_format(&line, _("%s makes a secret choice"),
                    words_write_seat(&scene->words, game->mover, &TEXT_OF(LINE_BYTES)));
    } else {
        write_story_line(game, scene, 0, left, &line);
    }
    if (draw_measure_text(line.at) > left) {
        return 0;
    }
    text_format(out, " %s %s", theme_glyph_text(scene->words.theme, GLYPH_DOT), line.at);
    return 1;
}

/* Writes what the last move did, from line number `first` on, as many lines as fit; at the last
 * step, who has won and why. */
static void write_consequences(const struct replay_game *game, const struct scene *scene,
                               uint8_t first, int width, struct text *out)
{
    uint8_t end = game->is_trick_done ? game->story.old_count : 0;
    end = end > 0 ? end : game->story.count;
    if (game->view.phase == PHASE_OVER) {
        struct story result;
        story_tell_result(&game->view, &game->record.source.config, game->winners, &result);
        words_write_phrase(&scene->words, result.lines[0].words, out);
        return;
    }
    for (uint8_t i = first; i < end; i++) {
        struct text line = TEXT_OF(LINE_BYTES * 2);
        int left = width - draw_measure_text(out->at) - (i > first ? 3 : 0);
        write_story_line(game, scene, i, left, &line);
        if (i > first && draw_measure_text(line.at) > left) {
            return;
        }
        if (i > first) {
            text_format(out, " %s ", theme_glyph_text(scene->words.theme, GLYPH_DOT));
        }
        text_put(out, line.at);
    }
}

/* The announcement of a great moment in the last move; NULL if there was none. */
static const struct phrase *find_great_moment(const struct replay_game *game)
{
    const struct phrase *great = NULL;
    for (uint8_t i = 0; i < game->story.count; i++) {
        const struct phrase *each = &game->story.lines[i].great;
        great = each->format != NULL ? each : great;
    }
    return great;
}

static void compute_layout(struct table_layout *layout, const struct canvas *canvas,
                           const struct scene *scene, struct hand_plan *plan)
{
    struct hand_plans plans;
    struct table_layout_needs wants = scene_compute_layout_needs(scene);
    table_layout_make(&canvas->body, &wants, layout);
    int width = layout->header.width;
    wants.fact_rows = board_draw_rows(NULL, &layout->header, scene);
    hand_make_plans(scene->view, &scene->words, width, false, false, &plans);
    scene_finish_layout(scene, &canvas->body, &plans, &wants, layout, plan);
}

void replay_draw_scene(const struct canvas *canvas, const struct replay_picture *picture)
{
    const struct scene *scene = picture->scene;
    struct table_layout layout;
    struct hand_plan plan;
    struct text headline = TEXT_OF(LINE_BYTES * 2), last_trick = TEXT_OF(LINE_BYTES * 2);
    compute_layout(&layout, canvas, scene, &plan);
    scene_write_headline(scene, "", canvas->body.width - draw_measure_text(picture->right_text) - 4,
                         &headline);
    draw_header(canvas, headline.at, picture->right_text);
    (void)board_draw_rows(canvas, &layout.facts, scene);
    scene_draw(canvas, &layout, scene);
    draw_text(canvas, layout.prompt.row, layout.prompt.column + 1, layout.prompt.width - 2,
              STYLE_TURN, picture->line);
    hand_draw(canvas, &layout.hand, &plan, scene->view, &scene->words, -1);
    if (picture->status != NULL) {
        text_put(&last_trick, picture->status);
    } else {
        scene_write_status(&layout, scene, layout.status.width - 2, &last_trick);
    }
    draw_text(canvas, layout.status.row, layout.status.column + 1, layout.status.width - 2,
              STYLE_DIM, last_trick.at);
    if (layout.side.width > 0) {
        struct area board = layout.side, sheet = layout.side;
        board.height = board_draw_box(NULL, &board, scene);
        sheet.row += board.height;
        sheet.height -= board.height;
        (void)board_draw_box(canvas, &board, scene);
        sheet_draw_box(canvas, &sheet, picture->sheet);
    } else if (picture->has_sheet) {
        struct sheet over = *picture->sheet;
        over.closing = _("s closes");
        sheet_draw_box(canvas, &layout.felt, &over);
    }
    if (picture->hint != NULL) {
        draw_hint_box(canvas, &layout.felt, picture->hint, &scene->words);
    }
}

void replay_draw_game(const struct canvas *canvas, const struct replay_game *game,
                      const char *right_text, bool has_sheet, const struct replay_hint *hint)
{
    struct scene scene = make_scene(game, canvas->theme);
    struct sheet sheet = {
        .words = &scene.words,
        .seats = game->view.seats,
        .rows = game->rows,
        .count = game->row_count,
        .selected = game->row_count - 1,
    };
    struct text step = TEXT_OF(LINE_BYTES * 2), status = TEXT_OF(LINE_BYTES * 4);
    int width = canvas->body.width - 2;
    uint8_t written = write_step(game, &scene, width, &step);
    write_consequences(game, &scene, written, width, &status);
    scene.great = find_great_moment(game);
    replay_draw_scene(canvas, &(struct replay_picture){.scene = &scene,
                                                       .right_text = right_text,
                                                       .line = step.at,
                                                       .status = status.at,
                                                       .sheet = &sheet,
                                                       .has_sheet = has_sheet,
                                                       .hint = hint});
}

/* Replays a finished game step by step, drawn like a table. */

struct replay_state {
    int64_t game_id;
    struct replay_game game;
    bool is_sending; /* the leader's step was sent and is not answered yet */
    bool is_failed;
    bool has_sheet; /* the score sheet is drawn over the table */
    struct replay_hint hint;
};

/* Returns the shared replay of this game that the person leads or follows; NULL if there is
 * none. */
static const struct model_shared_replay *find_shared_replay(struct ui *ui,
                                                            const struct replay_state *state)
{
    const struct model_shared_replay *review = &screen_model(ui)->shared_replay;
    return review->game_id == state->game_id && state->game_id != 0 ? review : NULL;
}

static void handle_step_answer(struct ui *ui, const struct ui_answer *answer);

/* Sends the leader's current step to the followers of the shared replay. While a key is held down,
 * steps come faster than answers: then only the last one is sent. */
static void send_leader_step(struct ui *ui, struct replay_state *state)
{
    const struct model_shared_replay *review = find_shared_replay(ui, state);
    const struct replay_game *game = &state->game;
    bool is_told = review != NULL && review->step == game->step && review->seat == game->seat;
    if (review == NULL || !review->is_led || state->is_sending || is_told) {
        return;
    }
    json_t *fields = json_pack("{s:I}", "step", (json_int_t)game->step);
    if (game->seat != SPECTATOR) {
        json_object_set_new(fields, "seat", json_integer(game->seat));
    }
    state->is_sending = true;
    screen_send_request(ui, "review_go", fields, handle_step_answer, game->step);
}

static void handle_step_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct replay_state *state = answer->state;
    state->is_sending = false;
    if (!answer->is_ok) {
        screen_warn_of_refusal(ui, answer);
    } else if (state->game.is_open && answer->tag != state->game.step) {
        send_leader_step(ui, state);
    }
}

static void print_steps_up_to(struct ui *ui, struct replay_state *state, uint32_t last_step);

static void follow_leader(struct ui *ui, struct replay_state *state,
                          const struct model_shared_replay *shared)
{
    struct replay_game *game = &state->game;
    uint32_t last = game->record.source.move_count;
    uint32_t step = shared->step < last ? shared->step : last;
    bool is_seat = shared->seat < game->record.source.config.players;
    int8_t seat = (int8_t)(is_seat ? shared->seat : SPECTATOR);
    if (seat == game->seat && step == game->step) {
        return;
    }
    if (ui->plain.is_on && seat == game->seat && step > game->step) {
        print_steps_up_to(ui, state, step);
        return;
    }
    game->seat = seat;
    replay_game_go_to(game, step);
    screen_print_top_again(ui);
}

static void handle_shared_replay_message(struct ui *ui, void *opaque, UNUSED const json_t *message)
{
    struct replay_state *state = opaque;
    const struct model_shared_replay *review =
        state->game.is_open ? find_shared_replay(ui, state) : NULL;
    if (review != NULL && review->is_led) {
        send_leader_step(ui, state); /* a new leader may be at another step than the followers */
    } else if (review != NULL) {
        follow_leader(ui, state, review);
    }
}

static const struct screen_push replay_pushes[] = {{"review", handle_shared_replay_message},
                                                   {NULL, NULL}};

/* If the person follows a shared replay, says that only its leader can change the step, and returns
 * true. Returns false for anybody else. */
static bool warn_if_following_a_leader(struct ui *ui, const struct replay_state *state)
{
    const struct model_shared_replay *review = find_shared_replay(ui, state);
    if (review == NULL || review->is_led) {
        return false;
    }
    screen_inform(ui, _("%s leads: x or /unfollow lets you go on alone."), review->leader);
    return true;
}

static void receive_record(struct ui *ui, const struct ui_answer *answer)
{
    struct replay_state *state = answer->state;
    if (!answer->is_ok) {
        state->is_failed = true;
        screen_warn_of_refusal(ui, answer);
        return;
    }
    replay_game_clear(&state->game);
    state->is_failed = !replay_game_init(&state->game, json_object_get(answer->json, "record"));
    const struct model_shared_replay *review =
        state->is_failed ? NULL : find_shared_replay(ui, state);
    if (review != NULL) {
        follow_leader(ui, state, review);
    }
}

static void replay_enter(struct ui *ui, void *opaque, int64_t game_id)
{
    struct replay_state *state = opaque;
    replay_game_clear(&state->game);
    *state = (struct replay_state){.game_id = game_id, .is_sending = state->is_sending};
    screen_send_request(ui, "record", json_pack("{s:I}", "game_id", (json_int_t)game_id),
                        receive_record, 0);
}

static void replay_leave(struct ui *ui, void *opaque)
{
    struct replay_state *state = opaque;
    if (find_shared_replay(ui, state) != NULL) {
        review_leave(ui);
    }
    replay_game_clear(&state->game);
}

/* Writes whose cards the replay shows, and who leads the replay. */
static const char *write_viewpoint(struct ui *ui, const struct replay_state *state,
                                   struct text *out)
{
    const struct model_shared_replay *review = find_shared_replay(ui, state);
    const struct replay_game *game = &state->game;
    const char *whose =
        game->seat < 0 ? _("all hands") : replay_game_seat_name(game, (uint8_t)game->seat);
    if (review == NULL) {
        text_format(out, _("replay: %s"), whose);
    } else if (review->is_led) {
        unsigned followers = review->people > 0 ? review->people - 1U : 0;
        text_format(out, ngettext("you lead, %u follows: %s", "you lead, %u follow: %s", followers),
                    followers, whose);
    } else {
        text_format(out, _("%s leads: %s"), review->leader, whose);
    }
    return out->at;
}

static void replay_draw(struct ui *ui, void *opaque, const struct canvas *canvas)
{
    const struct replay_state *state = opaque;
    const struct area *body = &canvas->body;
    if (state->game.is_open) {
        const char *right = write_viewpoint(ui, state, &TEXT_OF(LINE_BYTES));
        bool has_hint = is_hint_shown(&state->hint, &state->game);
        replay_draw_game(canvas, &state->game, right, state->has_sheet,
                         has_hint ? &state->hint : NULL);
        return;
    }
    draw_header(canvas, _("Replay"), "");
    draw_text_centred(canvas, body->row + body->height / 2, body->column, body->width, STYLE_DIM,
                      state->is_failed ? _("This game cannot be shown: q goes back.")
                                       : _("One moment…"));
}

static void show_view_of_next_seat(struct replay_game *game)
{
    int seat = game->seat + 1;
    game->seat = (int8_t)(seat < game->record.source.config.players ? seat : SPECTATOR);
    replay_game_go_to(game, game->step);
}

int64_t replay_find_target_step(const struct press *press, int64_t step, int64_t last,
                                const int64_t tricks[2], const int64_t rounds[2])
{
    uint32_t code = press->kind == PRESS_CHAR ? press->code : 0;
    if (press->kind == PRESS_RIGHT || press->kind == PRESS_WHEEL_DOWN || code == 'l' ||
        code == ' ') {
        return step < last ? step + 1 : last;
    }
    if (press->kind == PRESS_LEFT || press->kind == PRESS_WHEEL_UP || code == 'h') {
        return step > 0 ? step - 1 : 0;
    }
    if (press->kind == PRESS_DOWN || code == 'j' || press->kind == PRESS_UP || code == 'k') {
        return tricks[press->kind == PRESS_DOWN || code == 'j'];
    }
    if (press->kind == PRESS_PAGE_DOWN || press->kind == PRESS_PAGE_UP) {
        return rounds[press->kind == PRESS_PAGE_DOWN];
    }
    if (press->kind == PRESS_HOME || press->kind == PRESS_END) {
        return press->kind == PRESS_HOME ? 0 : last;
    }
    return -1;
}

static int64_t find_target_step(const struct replay_game *game, const struct press *press)
{
    const int64_t tricks[] = {find_marked_step(game, REPLAY_TRICK, -1),
                              find_marked_step(game, REPLAY_TRICK, 1)};
    const int64_t rounds[] = {find_marked_step(game, REPLAY_ROUND, -1),
                              find_marked_step(game, REPLAY_ROUND, 1)};
    return replay_find_target_step(press, game->step, game->record.source.move_count, tricks,
                                   rounds);
}

static void go_to_step(struct ui *ui, struct replay_state *state, int64_t step)
{
    uint32_t last = state->game.record.source.move_count;
    replay_game_go_to(&state->game, step < 0 ? 0 : step > last ? last : (uint32_t)step);
    screen_print_top_again(ui);
}

static void go_to_typed_step(struct ui *ui, void *opaque, const char *text)
{
    struct replay_state *state = opaque;
    char *end;
    long long step = text == NULL ? -1 : strtoll(text, &end, 10);
    if (text != NULL && end != text && *end == '\0' && step >= 0) {
        go_to_step(ui, state, step);
        send_leader_step(ui, state);
    }
}

/* Makes the hint for the current step. Returns false, and tells the person why, if there is none.
 */
static bool make_hint(struct ui *ui, struct replay_state *state)
{
    struct replay_game *game = &state->game;
    struct replay_hint hint = {.step = game->step};
    if (!replay_game_fill_movers_view(game, &hint.view)) {
        screen_warn(ui, "%s", _("Nobody moves after the last step, so there is no hint."));
        return false;
    }
    const struct history_source *source = &game->record.source;
    hint.seat = source->moves[game->step].seat;
    hint.move = source->moves[game->step].move;
    if (game->seat != SPECTATOR && game->seat != (int8_t)hint.seat) {
        screen_warn(ui, _("%s moves next, but this view shows what %s saw: v shows other views."),
                    replay_game_seat_name(game, hint.seat),
                    replay_game_seat_name(game, (uint8_t)game->seat));
        return false;
    }
    const struct hint *found = screen_find_hint(ui, &hint.view, &source->config, state->game_id);
    if (found == NULL) {
        return false;
    }
    hint.hint = *found;
    state->hint = hint;
    return true;
}

static void show_or_hide_hint(struct ui *ui, struct replay_state *state)
{
    if (is_hint_shown(&state->hint, &state->game)) {
        state->hint.is_shown = false;
    } else if (make_hint(ui, state)) {
        state->hint.is_shown = true;
    }
}

static void print_hint(struct ui *ui, struct replay_state *state)
{
    if (make_hint(ui, state)) {
        struct scene scene = make_scene(&state->game, screen_theme(ui));
        print_hint_lines(&state->hint, &scene.words, screen_get_plain_lines(ui));
    }
}

bool replay_show_hint(struct ui *ui)
{
    struct replay_state *state = screen_find_state(ui, "replay");
    if (state == NULL || !state->game.is_open) {
        return false;
    }
    if (ui->plain.is_on) {
        print_hint(ui, state);
    } else {
        show_or_hide_hint(ui, state);
    }
    return true;
}

static bool handle_letter_key(struct ui *ui, struct replay_state *state, uint32_t letter)
{
    if ((letter == 'g' || letter == 'L') && warn_if_following_a_leader(ui, state)) {
        return true;
    }
    switch (letter) {
    case 's':
        state->has_sheet = !state->has_sheet;
        return true;
    case 'b':
        show_or_hide_hint(ui, state);
        return true;
    case 'g':
        screen_ask(ui, ASK_WORDS, _("Go to step:"), NULL, go_to_typed_step);
        return true;
    case 'L':
        screen_send_request(ui, "review_open",
                            json_pack("{s:I}", "game_id", (json_int_t)state->game_id), NULL, 0);
        return true;
    case 'x':
        review_leave(ui);
        return true;
    case 'e':
        screen_inform(ui,
                      _("ssh HOST replay %lld gives this game as text, --json as data, --cast for "
                        "asciinema."),
                      (long long)state->game_id);
        return true;
    default:
        return false;
    }
}

static bool replay_handle_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct replay_state *state = opaque;
    if (!state->game.is_open) {
        return false;
    }
    int64_t target = find_target_step(&state->game, press);
    uint32_t letter = press->kind == PRESS_CHAR ? press->code : 0;
    bool is_switch = press->kind == PRESS_TAB || letter == 'v';
    if (target < 0 && !is_switch) {
        return handle_letter_key(ui, state, letter);
    }
    if (warn_if_following_a_leader(ui, state)) {
        return true;
    }
    if (is_switch) {
        show_view_of_next_seat(&state->game);
    } else {
        replay_game_go_to(&state->game, (uint32_t)target);
    }
    send_leader_step(ui, state);
    return true;
}

static void print_instructions(struct lines *lines)
{
    lines_put(lines,
              _("Enter or next goes to the next step, back to the previous one, trick and round to "
                "the next trick or round, start, end or a number to that step, view changes whose "
                "cards are shown, hint tells what the strong bot would do next, all prints "
                "everything to the end, /back leaves."));
}

static bool replay_print(struct ui *ui, void *opaque, struct lines *lines)
{
    const struct replay_state *state = opaque;
    if (!state->game.is_open) {
        return state->is_failed;
    }
    struct scene scene = make_scene(&state->game, screen_theme(ui));
    struct text step = TEXT_OF(LINES_LINE_MAX);
    (void)write_step(&state->game, &scene, LINES_LINE_MAX, &step);
    lines_put(lines, step.at);
    game_print_headline(&state->game.view, &scene.words, lines);
    game_print_seats(&state->game.view, &scene.words, lines);
    game_print_hand(&state->game.view, &scene.words, lines);
    game_print_trick(&state->game.view, &scene.words, lines);
    print_instructions(lines);
    return true;
}

void replay_print_step(const struct replay_game *game, const struct game_view *before,
                       const struct words *words, struct lines *lines)
{
    const struct story *story = &game->story;
    bool is_new_round = before->round != game->view.round;
    if (is_new_round) {
        game_print_new_hands(before, &game->view, words, lines);
    }
    game_print_story_lines(story, 0, story->old_count, words, lines);
    if (story->old_count > 0) {
        game_print_score(&game->rows[game->row_count - 1], &game->view, words, lines);
    }
    game_print_story_lines(story, story->old_count, story->count, words, lines);
    if (!is_new_round) {
        game_print_new_hands(before, &game->view, words, lines);
    }
    if (game->view.phase == PHASE_OVER) {
        struct story result;
        story_tell_result(&game->view, &game->record.source.config, game->winners, &result);
        game_print_story_lines(&result, 0, result.count, words, lines);
    }
}

/* Goes one step forward and prints what happened. */
static void print_next_step(struct ui *ui, struct replay_state *state, struct lines *lines)
{
    struct replay_game *game = &state->game;
    struct game_view before = game->view;
    replay_game_go_to(game, game->step + 1);
    struct scene scene = make_scene(game, screen_theme(ui));
    lines_put(lines, write_step_number(game, &TEXT_OF(LINES_LINE_MAX)));
    replay_print_step(game, &before, &scene.words, lines);
}

static void print_steps_up_to(struct ui *ui, struct replay_state *state, uint32_t last_step)
{
    struct lines *lines = screen_get_plain_lines(ui);
    if (last_step <= state->game.step) {
        lines_put(lines, _("This is the end of the game."));
    }
    while (state->game.step < last_step) {
        print_next_step(ui, state, lines);
    }
}

static bool handle_replay_line(struct ui *ui, struct replay_state *state, const char *line)
{
    static const char *const onward_words[] = {"next", "n", "", "trick", "round", "all", NULL};
    static const char *const go_words[] = {"back", "b", "start", "end", NULL};
    struct replay_game *game = &state->game;
    const struct model_shared_replay *review = find_shared_replay(ui, state);
    if (review != NULL && !review->is_led) {
        /* any other line is sent to the chat */
        return line[0] == '\0' && warn_if_following_a_leader(ui, state);
    }
    uint32_t last = game->record.source.move_count;
    uint32_t next = game->step < last ? game->step + 1 : last;
    uint32_t trick = find_marked_step(game, REPLAY_TRICK, 1);
    uint32_t round = find_marked_step(game, REPLAY_ROUND, 1);
    uint32_t onward[] = {next, next, next, trick, round, last};
    int64_t before = (int64_t)game->step - 1;
    int64_t goes[] = {before, before, 0, last};
    int word = text_find_word(onward_words, line);
    int go = text_find_word(go_words, line);
    if (word >= 0) {
        print_steps_up_to(ui, state, onward[word]);
    } else if (go >= 0) {
        go_to_step(ui, state, goes[go]);
    } else if (strcmp(line, "view") == 0) {
        show_view_of_next_seat(game);
        screen_print_top_again(ui);
    } else if (strcmp(line, "hint") == 0) {
        print_hint(ui, state);
    } else if (strspn(line, "0123456789") == strlen(line)) {
        go_to_step(ui, state, strtoll(line, NULL, 10));
    } else {
        print_instructions(screen_get_plain_lines(ui));
    }
    return true;
}

static bool replay_handle_line(struct ui *ui, void *opaque, const char *line)
{
    struct replay_state *state = opaque;
    if (!state->game.is_open) {
        return false;
    }
    bool is_used = handle_replay_line(ui, state, line);
    send_leader_step(ui, state);
    return is_used;
}

static void replay_add_hints(struct ui *ui, void *opaque, struct hints *hints)
{
    const struct model_shared_replay *review = find_shared_replay(ui, opaque);
    if (review != NULL && !review->is_led) {
        hints_add(hints, "x", _("go on alone"));
        return;
    }
    hints_add(hints, "← →", _("step"));
    hints_add(hints, "↑ ↓", _("trick"));
    hints_add(hints, "PgUp PgDn", _("round"));
    hints_add(hints, "v", _("other view"));
    hints_add(hints, "b", _("bot"));
    hints_add(hints, "g", _("go to"));
    if (review == NULL) {
        hints_add(hints, "L", _("lead others"));
    }
}

static const struct screen_key replay_keys[] = {
    {"← →", N_("one step back or forward"), NULL, NULL},
    {"↑ ↓", N_("to the previous or next trick"), NULL, NULL},
    {N_("PgUp PgDn"), N_("to the previous or next round"), NULL, NULL},
    {N_("Home End"), N_("to the first deal, to the end"), NULL, NULL},
    {"v Tab", N_("show all hands, or what one seat saw"), NULL, NULL},
    {"g", N_("to a step by its number"), NULL, NULL},
    {"b", N_("what the strong bot would do next, with what that player saw"), "/hint", NULL},
    {"s", N_("scores so far"), NULL, N_("scores")},
    {"L", N_("lead others through this game: they see the step you see"), "/review", NULL},
    {"x", N_("stop following or leading, and go on alone"), "/unfollow", NULL},
    {"e", N_("how to get the game as text, data or a recording"), NULL, N_("export")},
    {NULL, NULL, NULL, NULL},
};

const struct screen replay_screen = {
    .name = "replay",
    .title = N_("Replay"),
    .state_size = sizeof(struct replay_state),
    .keys = replay_keys,
    .enter = replay_enter,
    .leave = replay_leave,
    .draw = replay_draw,
    .key = replay_handle_key,
    .hints = replay_add_hints,
    .pushes = replay_pushes,
    .print = replay_print,
    .line = replay_handle_line,
};
