#include "daemon/screens/replay/replay.h"

#include "daemon/screens/table/table_state.h"

#include <stdlib.h>
#include <string.h>

/* The context of the two functions below. The engine calls them with its events and score rows
 * while it replays the record. */
struct replay_run {
    struct replay_game *game;
    uint32_t step;
};

static void mark_step_of_event(void *context, const struct fields *event)
{
    struct replay_run *run = context;
    const struct field *type = fields_find(event, "e");
    if (type == NULL) {
        return;
    }
    if (strcmp(type->text, "trick") == 0) {
        run->game->marks[run->step] |= REPLAY_TRICK;
    } else if (strcmp(type->text, "round") == 0) {
        run->game->marks[run->step] |= REPLAY_ROUND;
    }
}

static void add_score_row(void *context, const struct score_row *row)
{
    struct replay_run *run = context;
    struct replay_game *game = run->game;
    if (game->row_count == GAME_ROUNDS_MAX) {
        return;
    }
    struct model_sheet_row *out = &game->rows[game->row_count++];
    *out = (struct model_sheet_row){.round = row->round, .has_bids = row->has_bids};
    memcpy(out->bids, row->bids, sizeof(out->bids));
    memcpy(out->tricks, row->tricks, sizeof(out->tricks));
    memcpy(out->points, row->points, sizeof(out->points));
    memcpy(out->totals, row->totals, sizeof(out->totals));
    out->part_count = row->part_count;
    memcpy(out->parts, row->parts, sizeof(out->parts));
    game->last_row = *row;
}

/* Plays the first `step` moves into *state; *before is the state one move earlier (unset at step
 * 0). */
static bool play_moves(struct replay_game *game, uint32_t step, struct game_state *state,
                       struct game_state *before)
{
    const struct history_source *source = &game->record.source;
    struct replay_run run = {.game = game};
    const struct game_log log = {
        .context = &run, .event = mark_step_of_event, .score = add_score_row};
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
    if (replay_game_is_over(game)) {
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

bool replay_game_is_over(const struct replay_game *game)
{
    return game->view.phase == PHASE_OVER;
}

void replay_game_set_viewpoint(struct replay_game *game, int8_t seat)
{
    game->seat = seat;
    replay_game_go_to(game, game->step);
}

bool replay_game_init(struct replay_game *game, json_t *record)
{
    struct game_state state;
    struct game_state before;
    if (record == NULL || !record_from_json(record, &game->record)) {
        return false;
    }
    game->is_open = true;
    game->marks = calloc((size_t)game->record.source.move_count + 1, 1);
    game->seat = SPECTATOR;
    if (game->marks == NULL || !play_moves(game, game->record.source.move_count, &state, &before)) {
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

uint32_t replay_game_find_marked_step(const struct replay_game *game, enum replay_mark mark,
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
