#include "daemon/screens/model/model.h"

#include "lobby/protocol/protocol.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the highest remaining time that is accepted, in milliseconds; no clock allows that much */
#define TIME_MAX_MS (INT64_C(4000) * 86400000)

bool model_clocks_run(const struct model_entered *entered)
{
    return !entered->is_clock_stopped && entered->away_since_ms == 0;
}

int64_t model_clock_ms(const struct model_entered *entered, int64_t now_ms)
{
    return entered->is_clock_stopped     ? entered->view_ms
           : entered->away_since_ms != 0 ? entered->away_since_ms
                                         : now_ms;
}

int64_t model_time_left(const struct model_entered *entered, int64_t left_at_view_ms,
                        int64_t now_ms)
{
    if (left_at_view_ms < 0) {
        return left_at_view_ms;
    }
    int64_t left_ms = left_at_view_ms - (model_clock_ms(entered, now_ms) - entered->view_ms);
    return left_ms < 0 ? 0 : left_ms;
}

static void clear_score_sheet(struct model_entered *entered)
{
    for (int i = 0; i < entered->sheet_count; i++) {
        json_decref(entered->sheet[i].json);
    }
    entered->sheet_count = 0;
}

void model_leave_table(struct model *model)
{
    if (model->entered != NULL) {
        clear_score_sheet(model->entered);
        model_log_clear(&model->entered->log);
        json_decref(model->entered->details.watcher_names);
        free(model->entered);
        model->entered = NULL;
    }
    model_chat_clear(&model->chat[CHAT_TABLE]);
}

bool model_claim_is_played_out(const struct model_entered *entered)
{
    return entered->claim.tricks > 0 && entered->claim.asked == 0;
}

bool model_viewer_is_asked_to_move(const struct model_entered *entered)
{
    return entered != NULL && entered->has_view && view_viewer_may_move(&entered->view) &&
           !model_claim_is_played_out(entered);
}

static void read_table_details(struct model_entered *entered, const json_t *message)
{
    struct place_row place;
    json_decref(entered->details.watcher_names);
    (void)entered_row_read(message, &entered->details);
    (void)place_row_read(message, &place);
    json_incref(entered->details.watcher_names);
    entered->you = place.you;
    entered->is_host = place.is_host;
    entered->claim = place.claim;
    const struct game_def *game = entered->row.game;
    entered->config = game_config_default(game, entered->row.players);
    if (!config_from_json(game, entered->details.options, &entered->config)) {
        entered->config = game_config_default(game, entered->row.players);
    }
    entered->details.options = NULL;
}

void model_apply_table_message(struct model *model, const json_t *message)
{
    struct table_row row;
    if (!table_row_read(message, &row)) {
        return;
    }
    if (model->entered != NULL && model->entered->row.id != row.id) {
        model_leave_table(model);
    }
    if (model->entered == NULL) {
        model->entered = calloc(1, sizeof *model->entered);
        if (model->entered == NULL) {
            return;
        }
        model->entered->you = SPECTATOR;
    }
    struct model_entered *entered = model->entered;
    int64_t last_game = entered->details.game_id;
    entered->row = row;
    read_table_details(entered, message);
    int64_t stop_ms = row.halt == HALT_ROUND ? entered->details.resume_in_ms : 0;
    entered->stop_end_ms = stop_ms == 0 ? 0 : model->now_ms + stop_ms;
    /* A new game begins at this table, so the previous game is forgotten. */
    if (row.phase == TABLE_OPEN || entered->details.game_id != last_game) {
        entered->has_result = false;
        entered->has_clock = false;
        if (row.phase == TABLE_OPEN) {
            entered->has_view = false;
            clear_score_sheet(entered);
            model_log_clear(&entered->log);
        }
    }
}

/* Returns the entered table if the message concerns it; otherwise NULL. */
static struct model_entered *find_entered_table_of_message(const struct model *model,
                                                           const json_t *message)
{
    int64_t table = model_get_number(message, "table", 0, INT64_MAX);
    return model->entered != NULL && model->entered->row.id == table ? model->entered : NULL;
}

void model_apply_view_message(struct model *model, const json_t *message)
{
    struct model_entered *entered = find_entered_table_of_message(model, message);
    if (entered == NULL) {
        return;
    }
    entered->has_view = view_read(json_object_get(message, "view"), &entered->view) &&
                        entered->view.game == entered->row.game;
    entered->view_ms = model->now_ms;
    entered->away_since_ms = 0;
    const json_t *clock = json_object_get(message, "clock");
    entered->has_clock = json_is_object(clock);
    if (entered->has_clock) {
        entered->clock_end_ms = model->now_ms + model_get_number(clock, "left_ms", 0, TIME_MAX_MS);
        entered->clock_of_ms = (int32_t)model_get_number(clock, "of_ms", 0, INT32_MAX);
    }
    entered->is_clock_stopped = model_get_flag(clock, "is_stopped");
    const json_t *times = json_object_get(message, "times");
    for (size_t seat = 0; seat < SEATS_MAX; seat++) {
        const json_t *time = json_array_get(times, seat);
        entered->times[seat] = (struct model_time){
            .left_ms = model_get_number(time, "left_ms", -1, TIME_MAX_MS),
            .bank_ms = model_get_number(time, "bank_ms", -1, TIME_MAX_MS),
            .bot_ms = model_get_number(time, "bot_ms", -1, TIME_MAX_MS),
        };
    }
    model_log_add_view(model);
}

static int64_t read_number_in_list(const json_t *object, const char *key, size_t index, int64_t min,
                                   int64_t max)
{
    int64_t number = model_read_number(json_array_get(json_object_get(object, key), index), min);
    return number < min ? min : number > max ? max : number;
}

static void read_score_row(const json_t *object, struct model_sheet_row *row)
{
    *row = (struct model_sheet_row){
        .json = json_deep_copy(object),
        .round = (uint16_t)model_get_number(object, "n", 0, UINT16_MAX),
        .has_bids = json_array_size(json_object_get(object, "bids")) > 0,
    };
    for (size_t i = 0; i < SEATS_MAX; i++) {
        row->bids[i] = (int8_t)read_number_in_list(object, "bids", i, BID_NONE, INT8_MAX);
        row->tricks[i] = (uint8_t)read_number_in_list(object, "tricks", i, 0, UINT8_MAX);
        const json_t *points = json_array_get(json_object_get(object, "round"), i);
        const json_t *total = json_array_get(json_object_get(object, "total"), i);
        row->points[i] = (int16_t)model_read_number(points, 0);
        row->totals[i] = (int16_t)model_read_number(total, 0);
    }
    const json_t *parts = json_object_get(object, "parts");
    for (size_t part = 0; part < json_array_size(parts) && part < SCORE_PARTS_MAX; part++) {
        for (size_t i = 0; i < SEATS_MAX; i++) {
            const json_t *points = json_array_get(json_array_get(parts, part), i);
            row->parts[part][i] = (int16_t)model_read_number(points, 0);
        }
        row->part_count++;
    }
}

void model_apply_score_sheet(struct model *model, const json_t *message)
{
    struct model_entered *entered = find_entered_table_of_message(model, message);
    if (entered == NULL) {
        return;
    }
    if (model_get_flag(message, "reset")) {
        clear_score_sheet(entered);
    }
    for (size_t i = 0; i < json_array_size(json_object_get(message, "rows")); i++) {
        const json_t *row = json_array_get(json_object_get(message, "rows"), i);
        if (json_is_object(row) && entered->sheet_count < GAME_ROUNDS_MAX) {
            read_score_row(row, &entered->sheet[entered->sheet_count++]);
        }
    }
}

static void read_result_of_seat(const json_t *message, size_t index, struct model_result_seat *seat)
{
    *seat = (struct model_result_seat){
        .score = (int32_t)model_read_number(
            json_array_get(json_object_get(message, "scores"), index), 0),
        .rank = (uint8_t)read_number_in_list(message, "ranks", index, 0, SEATS_MAX),
    };
    const json_t *rating = json_array_get(json_object_get(message, "ratings"), index);
    seat->is_rated = json_is_object(rating);
    if (!seat->is_rated) {
        return;
    }
    seat->before = (int32_t)model_get_number(rating, "before", -99999, 99999);
    seat->after = (int32_t)model_get_number(rating, "after", -99999, 99999);
    seat->deviation = (int32_t)model_get_number(rating, "deviation", 0, 99999);
    seat->is_provisional = model_get_flag(rating, "is_provisional");
    for (size_t i = 0; i < json_array_size(json_object_get(rating, "by")); i++) {
        const json_t *by = json_array_get(json_object_get(rating, "by"), i);
        int64_t opponent = model_get_number(by, "seat", 0, SEATS_MAX - 1);
        double change = json_number_value(json_object_get(by, "change"));
        if (fabs(change) < 1e6) {
            seat->by[opponent] = (int32_t)lround(change * 10);
        }
    }
}

static void read_players_who_left(const json_t *message, struct model_result_left left[SEATS_MAX])
{
    memset(left, 0, SEATS_MAX * sizeof(*left));
    for (size_t i = 0; i < json_array_size(json_object_get(message, "left")); i++) {
        const json_t *row = json_array_get(json_object_get(message, "left"), i);
        int64_t seat = model_get_number(row, "seat", 0, SEATS_MAX - 1);
        model_get_text(row, "name", left[seat].name, sizeof left[seat].name);
        left[seat].rank = (uint8_t)model_get_number(row, "rank", 0, INT64_C(2) * SEATS_MAX);
    }
}

void model_apply_result_message(struct model *model, const json_t *message)
{
    struct model_entered *entered = find_entered_table_of_message(model, message);
    if (entered == NULL) {
        return;
    }
    for (size_t i = 0; i < SEATS_MAX && !entered->has_result; i++) {
        (void)snprintf(entered->result.names[i], sizeof entered->result.names[i], "%s",
                       entered->details.seats.at[i].name);
    }
    for (size_t i = 0; i < SEATS_MAX; i++) {
        const json_t *name = json_array_get(json_object_get(message, "names"), i);
        if (name != NULL) {
            model_read_text(name, entered->result.names[i], sizeof entered->result.names[i]);
        }
    }
    entered->has_result = true;
    entered->has_clock = false;
    entered->result.game_id = model_get_number(message, "game_id", 0, INT64_MAX);
    entered->result.winners = 0;
    row_part_seats.read(json_object_get(message, "winners"), &entered->result.winners);
    model_get_text(message, "seed", entered->result.seed, sizeof entered->result.seed);
    read_players_who_left(message, entered->result.left);
    for (size_t i = 0; i < SEATS_MAX; i++) {
        read_result_of_seat(message, i, &entered->result.seats[i]);
    }
    model_log_add_result(model);
}

void model_convert_score_row(const struct model_sheet_row *row, struct score_row *out)
{
    out->round = (uint8_t)row->round;
    out->has_bids = row->has_bids;
    memcpy(out->bids, row->bids, sizeof out->bids);
    memcpy(out->tricks, row->tricks, sizeof out->tricks);
    memcpy(out->points, row->points, sizeof out->points);
    memcpy(out->totals, row->totals, sizeof out->totals);
    out->part_count = row->part_count;
    memcpy(out->parts, row->parts, sizeof out->parts);
    if (!fields_read(row->json, &out->event)) {
        fields_clear(&out->event);
    }
}
