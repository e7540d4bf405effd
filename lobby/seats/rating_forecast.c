#include "lobby/house/answers.h"
#include "lobby/house/messages.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/ratings/rating.h"
#include "lobby/tables/bot_seats.h"
#include "lobby/tables/table_rating.h"
#include "lobby/tables/tables.h"
#include "storage/ratings/ratings.h"

#include <math.h>

/* The players for whom a game is rated: those who began the current game, or those seated now. */
struct forecast {
    struct rating_player players[SEATS_MAX];
    size_t count;
    size_t own; /* the requester's index in `players`; SEATS_MAX: the requester is not rated */
};

static const struct storage_seat *rated_holder_of_seat(const struct table *table, int seat)
{
    return table_is_playing(table) ? &table->plays[seat].starter : &table->row.seats[seat];
}

static void collect_rated_players(struct house *house, const struct table *table,
                                  int64_t requester_account, struct forecast *forecast)
{
    *forecast = (struct forecast){.own = SEATS_MAX};
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = rated_holder_of_seat(table, seat);
        struct storage_rating row;
        struct rating before = rating_new();
        if (holder->account == 0) {
            continue;
        }
        if (stored(house,
                   storage_rating_read(house->storage, holder->account, table->game->id, &row))) {
            before =
                rating_after_idle((struct rating){row.mu, row.sigma}, house->now_ms - row.rated_ms);
        }
        forecast->own = holder->account == requester_account ? forecast->count : forecast->own;
        forecast->players[forecast->count++] = (struct rating_player){
            .before = before, .is_bot = account_is_bot(house, holder->account)};
    }
}

static json_t *make_rating_change_by_place_json(const struct forecast *forecast, double game_weight)
{
    const struct rating_model model = rating_model_default();
    size_t opponents = rating_count_opponents(forecast->players, forecast->count, forecast->own);
    json_t *places = json_array();
    for (size_t place = 1; opponents > 0 && place <= opponents + 1; place++) {
        double change =
            game_weight * rating_change_in_points(rating_predict_change(
                              &model, forecast->players, forecast->count, forecast->own, place));
        (void)json_array_append_new(places, json_pack("{s:i,s:f}", "place", (int)place, "change",
                                                      round(10.0 * change) / 10.0));
    }
    return places;
}

static void message_assess(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct forecast forecast;
    struct table *table = request->table;
    if (conn->person->account != 0) {
        collect_rated_players(house, table, conn->person->account, &forecast);
    }
    if (conn->person->account == 0 || forecast.own == SEATS_MAX) {
        answer_no(request, "not_seated",
                  _("Ratings change for those with an account and a seat: take a seat first."));
        return;
    }
    bool is_rated = table_is_playing(table) ? table->is_rated : table_may_be_rated(house, table);
    double weight = is_rated ? table_rating_weight_of_game(house, table) : 0.0;
    answer_ok(request, json_pack("{s:I,s:b,s:f,s:o}", "table", (json_int_t)table->row.id,
                                 "is_rated", is_rated, "weight", weight, "places",
                                 make_rating_change_by_place_json(&forecast, weight)));
}

const struct message_handler handler_assess = {message_assess};
