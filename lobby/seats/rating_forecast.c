#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/ratings/ratings.h"
#include "lobby/tables/tables.h"

#include <math.h>

/* The players for whom a game is rated: those who began the current game, or those seated now. */
struct forecast {
    struct rated_game game;
    struct rating_player players[SEATS_MAX];
    size_t own; /* the requester's index in `players` */
};

/* Returns false if the requester is not among the players. */
static bool read_forecast(struct house *house, const struct table *table, int64_t requester_account,
                          struct forecast *forecast)
{
    bool is_rated = false;
    table_rating_read_players(house, table, &forecast->game);
    for (size_t i = 0; i < forecast->game.count; i++) {
        const struct storage_rating_change *change = &forecast->game.changes[i];
        forecast->players[i] = (struct rating_player){
            .before = {change->mu_before, change->sigma_before}, .is_bot = change->is_bot};
        if (change->account == requester_account) {
            forecast->own = i;
            is_rated = true;
        }
    }
    return is_rated;
}

/* Returns how much the game counts for the requester: the mean over the opponents. */
static double compute_weight_of_game(const struct forecast *forecast)
{
    size_t opponents =
        rating_count_opponents(forecast->players, forecast->game.count, forecast->own);
    double sum = 0.0;
    for (size_t i = 0; i < forecast->game.count; i++) {
        bool is_opponent = i != forecast->own && (forecast->players[forecast->own].is_bot ||
                                                  !forecast->players[i].is_bot);
        sum += is_opponent ? forecast->game.weights.of[forecast->own][i] : 0.0;
    }
    return opponents == 0 ? 0.0 : sum / (double)opponents;
}

static json_t *make_rating_change_by_place_json(const struct forecast *forecast, bool is_rated)
{
    const struct rating_model model = rating_model_default();
    size_t opponents =
        rating_count_opponents(forecast->players, forecast->game.count, forecast->own);
    json_t *places = json_array();
    for (size_t place = 1; opponents > 0 && place <= opponents + 1; place++) {
        double change = is_rated ? rating_change_in_points(rating_predict_change(
                                       &model, forecast->players, forecast->game.count,
                                       forecast->own, place, &forecast->game.weights))
                                 : 0.0;
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
    if (conn->person->account == 0 ||
        !read_forecast(house, table, conn->person->account, &forecast)) {
        answer_no(request, "not_seated",
                  _("Ratings change for those with an account and a seat: take a seat first."));
        return;
    }
    bool is_rated = table_is_playing(table) ? table->is_rated : table_may_be_rated(house, table);
    double weight = is_rated ? compute_weight_of_game(&forecast) : 0.0;
    answer_ok(request, json_pack("{s:I,s:b,s:f,s:o}", "table", (json_int_t)table->row.id,
                                 "is_rated", is_rated, "weight", weight, "places",
                                 make_rating_change_by_place_json(&forecast, is_rated)));
}

const struct message_handler handler_assess = {message_assess};
