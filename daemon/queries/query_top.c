#include "daemon/queries/queries.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table.h"
#include "games/game.h"
#include "lobby/protocol/protocol.h"

#include <stdio.h>
#include <string.h>

/* The query that shows a leaderboard. */

#define COUNT_MAX 50
#define COUNT_USUAL 20
#define CELL_BYTES 48

static void fail_for_unknown_game(struct query_run *run)
{
    struct text out = TEXT_OF(sizeof run->why);
    text_put(&out, _("These games have a leaderboard:"));
    for (uint8_t i = 0; game_at(i) != NULL; i++) {
        text_put(&out, i == 0 ? " " : ", ");
        text_put(&out, game_at(i)->id);
    }
    text_put_char(&out, '.');
    query_fail(run, QUERY_USAGE, out.at);
}

/* Reads --week, --month or --season. If several are given, the shortest span is used. */
static const char *read_time_span(struct query_run *run)
{
    static const char *const spans[] = {"season", "month", "week"};
    const char *span = "all";
    for (size_t i = 0; i < ARRAY_LEN(spans); i++) {
        span = query_has_flag(run, spans[i]) ? spans[i] : span;
    }
    return span;
}

static void send_leaders_request(struct query_run *run)
{
    bool is_bots = query_has_flag(run, "bots");
    int64_t count = query_read_option(run, "count", COUNT_MAX, COUNT_USUAL);
    int64_t from = query_read_option(run, "from", UINT32_MAX, 1);
    int64_t players = query_read_option(run, "players", SEATS_MAX, 0);
    const char *span = read_time_span(run);
    const char *word = query_take_next_word(run);
    int game = word == NULL ? -1 : option_find_game(word);
    if (game < 0) {
        fail_for_unknown_game(run);
    } else if (query_expect_no_more_words(run)) {
        run->number = game;
        query_send_request(run, "leaders",
                           json_pack("{s:s, s:I, s:I, s:b, s:I, s:s}", "game",
                                     game_at((uint8_t)game)->id, "offset",
                                     (json_int_t)(from < 1 ? 0 : from - 1), "count",
                                     (json_int_t)(count < 1 ? 1 : count), "bots", is_bots,
                                     "players", (json_int_t)players, "span", span));
    }
}

static const enum leader_column shown[] = {
    LEADER_RANK,  LEADER_NAME, LEADER_RATING,   LEADER_GAMES, LEADER_WINS,
    LEADER_PLACE, LEADER_STAT, LEADER_FINISHED, LEADER_BEST,  LEADER_SEEN};

static struct query_table make_leaders_table(const char *first_heading)
{
    static struct query_column columns[ARRAY_LEN(shown)];
    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        columns[i] = (struct query_column){
            .title =
                shown[i] == LEADER_NAME ? first_heading : leader_column_heading(shown[i], true),
            .is_right = shown[i] != LEADER_NAME && shown[i] != LEADER_RATING,
        };
    }
    return query_table_new(columns, ARRAY_LEN(columns));
}

static void add_leader_row(const struct leader_row *row, int64_t now_ms, struct query_table *table)
{
    char cells[ARRAY_LEN(shown)][CELL_BYTES];
    const char *texts[ARRAY_LEN(shown)];
    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        struct text text = text_init(cells[i], CELL_BYTES);
        texts[i] = leader_write_cell(&theme_plain, row, shown[i], now_ms, &text);
    }
    query_table_add_row(table, texts);
}

void query_top_write_standings(const json_t *games, int64_t now_ms, struct lines *lines)
{
    struct query_table table = make_leaders_table(N_("Game"));
    for (size_t i = 0; i < json_array_size(games); i++) {
        struct leader_row row;
        struct standing_row standing;
        if (leader_read_standing(json_array_get(games, i), &row, &standing)) {
            add_leader_row(&row, now_ms, &table);
        }
    }
    query_table_write(&table, lines);
}

/* Writes the number of players on the leaderboard, or how to get on it. */
static void write_number_of_leaders(const struct game_def *game, const json_t *answer,
                                    struct lines *out)
{
    int64_t total = query_get_int(answer, "total");
    if (total == 0) {
        lines_format(out,
                     _("%s: nobody is listed yet. A game between accounts, with a clock and the "
                       "usual rules, is rated."),
                     _(game->title));
        return;
    }
    lines_format(out,
                 ngettext("%s: %lld player is listed.", "%s: %lld players are listed.",
                          (unsigned long)total),
                 _(game->title), (long long)total);
    if (json_is_true(json_object_get(answer, "is_young"))) {
        lines_put(out,
                  _("Nobody has played enough games yet: everybody with a rated game is listed."));
    }
}

static void write_leaders(struct query_run *run)
{
    const json_t *answer = run->answers[0];
    const struct game_def *game = game_at((uint8_t)run->number);
    write_number_of_leaders(game, answer, &run->out);
    struct query_table table = make_leaders_table(N_("Player"));
    const json_t *own = json_object_get(answer, "me");
    struct leader_row row, me;
    bool has_me = json_is_object(own) && leader_row_read(own, &me);
    size_t i;
    json_t *object;
    json_array_foreach(json_object_get(answer, "rows"), i, object)
    {
        if (leader_row_read(object, &row)) {
            add_leader_row(&row, run->now_ms, &table);
            has_me = has_me && strcmp(row.name, me.name) != 0;
        }
    }
    if (has_me) { /* the asker is on the list, but not among the rows received */
        add_leader_row(&me, run->now_ms, &table);
    }
    query_table_write(&table, &run->out);
    if (query_get_int(answer, "total") > 0) {
        lines_format(&run->out,
                     _("Stat: %s. Ends: games played to the end. ?: the rating is provisional."),
                     _(game->stat.title));
    }
}

static json_t *leaders_to_json(struct query_run *run)
{
    const json_t *answer = run->answers[0];
    return json_pack("{s:s, s:O, s:O, s:O, s:O}", "game", game_at((uint8_t)run->number)->id,
                     "total", json_object_get(answer, "total"), "is_young",
                     json_object_get(answer, "is_young"), "rows", json_object_get(answer, "rows"),
                     "me", json_object_get(answer, "me"));
}

const struct query top_query = {
    .name = "top",
    .args = N_("GAME [--players N] [--week|--month|--season] [--bots] [--count N --from N]"),
    .help = N_("The leaderboard of a game."),
    .who = QUERY_FOR_ALL,
    .ask = send_leaders_request,
    .write = write_leaders,
    .to_json = leaders_to_json,
};
