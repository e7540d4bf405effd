#include "lobby/people/people.h"

#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"
#include "lobby/ratings/ratings.h"
#include "storage/accounts/accounts.h"
#include "storage/ratings/ratings.h"

#include <math.h>
#include <string.h>

#define LEADERS_MAX 50
#define LEADERS_NEIGHBOURS 5 /* how many rows are shown above and below the requester's own row */
#define LEADERS_AROUND (2 * LEADERS_NEIGHBOURS + 1)
#define SEASON_FIRST 19701
#define SEASON_LAST 99994

struct leaders_request {
    struct storage_listing listing;
    bool friends_only; /* rank the requester only among their friends */
    int64_t offset;
    int64_t count;
};

static bool read_leaderboard_span(const struct house *house, const json_t *body, int32_t *span)
{
    int64_t season = rating_season_at(house->now_ms);
    static const char *const names[] = {"all", "month", "week", "season", NULL};
    const int32_t spans[] = {STORAGE_SPAN_ALL, STORAGE_SPAN_MONTH, STORAGE_SPAN_WEEK};
    int name = json_read_word(body, "span", names, 0);
    bool is_season = name == ARRAY_LEN(spans);
    if (name < 0 || (is_season && !json_read_optional_number(body, "season", SEASON_FIRST,
                                                             SEASON_LAST, &season))) {
        return false;
    }
    *span = is_season ? (int32_t)season : spans[name];
    return true;
}

static bool read_leaders_request(const struct house *house, const json_t *body,
                                 struct leaders_request *request)
{
    static const char *const among_words[] = {"all", "friends", NULL};
    const char *id = json_read_text(body, "game", STORAGE_WORD_SIZE - 1);
    const struct game_def *game = id == NULL ? NULL : game_find(id);
    int among = json_read_word(body, "among", among_words, 0);
    int64_t players = 0;
    *request = (struct leaders_request){.count = LEADERS_MAX, .friends_only = among == 1};
    request->listing.now_ms = house->now_ms;
    if (game == NULL || among < 0 ||
        !read_leaderboard_span(house, body, &request->listing.board.span) ||
        !json_read_optional_number(body, "players", 0, SEATS_MAX, &players) ||
        !json_read_optional_number(body, "offset", 0, UINT32_MAX, &request->offset) ||
        !json_read_optional_number(body, "count", 1, LEADERS_MAX, &request->count)) {
        return false;
    }
    request->listing.board.game = game->id;
    request->listing.board.is_bots = json_read_bool(body, "bots", false);
    request->listing.board.players = (uint8_t)players;
    return true;
}

/* True when nobody qualifies for the leaderboard yet. The leaderboard then lists everybody who has
 * played a rated game. */
static bool leaders_nobody_qualifies(struct house *house, const struct storage_listing *listing)
{
    struct storage_listing wanted = *listing;
    wanted.board.players = 0;
    return board_is_empty(house, &wanted);
}

/* Returns the time for which the listed ratings are computed: now, or the end of a past season. The
 * time matters because the uncertainty (sigma) of a rating grows with time. */
static int64_t time_of_listed_ratings_ms(const struct house *house, int32_t span)
{
    if (span < STORAGE_SPAN_SEASONS) {
        return house->now_ms;
    }
    int64_t end_ms = rating_season_start_ms(span % 10 == 4 ? span + 7 : span + 1);
    return house->now_ms < end_ms ? house->now_ms : end_ms;
}

static json_t *make_leader_rows_json(const struct house *house,
                                     const struct storage_listing *listing,
                                     const struct board_page *page)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < page->count; i++) {
        struct leader_row row =
            leader_row_make(&page->rows[i], time_of_listed_ratings_ms(house, listing->board.span));
        row.level = row.kind == PERSON_BOT ? (uint8_t)bot_level_of_name(row.name) : BOT_LEVEL_NONE;
        (void)json_array_append_new(rows, leader_row_write(&row));
    }
    return rows;
}

/* Adds the requester's own row (`me`) and its neighbours (`around`) to the answer. */
static void add_requester_rows_to_answer(struct house *house, const struct conn *conn,
                                         const struct leaders_request *request, json_t *answer)
{
    const struct storage_listing *listing = &request->listing;
    struct storage_leader me = {0};
    struct storage_leader rows[LEADERS_AROUND];
    struct board_page page = {.rows = rows, .capacity = LEADERS_AROUND};
    bool is_there = conn->person->account != 0 &&
                    board_read_account(house, listing, conn->person->account, &me);
    if (is_there && me.rank > 0 && request->offset == 0 && !request->friends_only) {
        uint32_t above = me.index < LEADERS_NEIGHBOURS ? me.index : LEADERS_NEIGHBOURS;
        page.capacity = above + 1 + LEADERS_NEIGHBOURS;
        board_read(house, listing, NULL, me.index - above, &page);
    }
    struct leader_row own =
        leader_row_make(&me, time_of_listed_ratings_ms(house, listing->board.span));
    (void)json_object_set_new(answer, "me", is_there ? leader_row_write(&own) : json_null());
    (void)json_object_set_new(answer, "around", make_leader_rows_json(house, listing, &page));
}

/* Reads the board of only this person and their friends. */
static void read_board_of_friends(struct house *house, const struct person *person,
                                  const struct leaders_request *request, struct board_page *page)
{
    int64_t accounts[LIMIT_FRIENDS + 1] = {person->account};
    struct board_accounts among = {.accounts = accounts, .count = 1};
    for (size_t i = 0; i < friends_of(person)->count && i < LIMIT_FRIENDS; i++) {
        accounts[among.count++] = friends_of(person)->accounts[i];
    }
    board_read(house, &request->listing, &among, (uint32_t)request->offset, page);
}

void message_leaders(const struct request *request)
{
    struct house *house = request->house;
    struct leaders_request asked;
    if (!read_leaders_request(house, request->body, &asked)) {
        answer_no(
            request, "bad",
            _("There is no such leaderboard: name one of the games and ask for up to 50 rows."));
        return;
    }
    struct storage_leader leaders[LEADERS_MAX];
    struct board_page page = {.rows = leaders, .capacity = (size_t)asked.count};
    asked.listing.is_young = leaders_nobody_qualifies(house, &asked.listing);
    if (asked.friends_only) {
        read_board_of_friends(house, request->conn->person, &asked, &page);
    } else {
        board_read(house, &asked.listing, NULL, (uint32_t)asked.offset, &page);
    }
    int32_t span = asked.listing.board.span;
    json_t *answer =
        json_pack("{s:i,s:b,s:o,s:o}", "total", (int)page.total, "is_young", asked.listing.is_young,
                  "season", span < STORAGE_SPAN_SEASONS ? json_null() : json_integer(span), "rows",
                  make_leader_rows_json(house, &asked.listing, &page));
    add_requester_rows_to_answer(house, request->conn, &asked, answer);
    answer_ok(request, answer);
}

#define PROFILE_GAMES_CHARTED 1000 /* number of past games that the rating chart covers */

struct profile {
    struct house *house;
    const struct storage_account *account;
    json_t *games;
};

/* Fills the chart with the ratings before evenly spaced past games, oldest first, then the present
 * rating. */
static void fill_rating_chart(struct house *house, const struct storage_rating *rating,
                              struct row_chart *chart)
{
    struct storage_mu mus[PROFILE_GAMES_CHARTED];
    size_t count = 0;
    stored_or_fail(house,
                   storage_rating_read_last_mus(house->storage, rating->account, rating->game, mus,
                                                PROFILE_GAMES_CHARTED, &count));
    size_t points = count < ROW_CHART_MAX - 1 ? count : ROW_CHART_MAX - 1;
    for (size_t i = 0; i < points; i++) {
        size_t ago = points == 1 ? 0 : (count - 1) * (points - 1 - i) / (points - 1);
        chart->values[i] = (int32_t)lround(rating_points(mus[ago].mu));
    }
    chart->values[points] = (int32_t)lround(rating_points(rating->mu));
    chart->count = (uint8_t)(points + 1);
}

static bool add_standing_in_game(void *context, const struct storage_rating *rating)
{
    struct profile *profile = context;
    struct house *house = profile->house;
    struct storage_leader leader;
    struct storage_listing listing = {
        .board = {.game = rating->game, .is_bots = profile->account->kind == STORAGE_BOT},
        .now_ms = house->now_ms,
    };
    /* the rank is the person's place in the list of /top */
    listing.is_young = leaders_nobody_qualifies(house, &listing);
    if (!board_read_account(house, &listing, rating->account, &leader)) {
        /* the rank is unknown while ratings are recomputed (ratings/ratings.h) */
        return stored_can_commit(house);
    }
    struct leader_row row = leader_row_make(&leader, house->now_ms);
    struct standing_row standing = {.game = game_find(rating->game)};
    if (standing.game == NULL) {
        return true; /* this program no longer knows that game */
    }
    fill_rating_chart(house, rating, &standing.chart);
    json_t *game = leader_row_write(&row);
    standing_row_put(&standing, game);
    (void)json_array_append_new(profile->games, game);
    return true;
}

void message_profile(const struct request *request)
{
    struct house *house = request->house;
    const char *name = json_read_key_is_absent(request->body, "name")
                           ? request->conn->person->name
                           : json_read_name(request->body, "name");
    struct storage_account account;
    if (name == NULL || !stored(house, storage_account_by_name(house->storage, name, &account))) {
        answer_no(request, "unknown",
                  _("Nobody with an account has that name: check its spelling."));
        return;
    }
    struct profile profile = {house, &account, json_array()};
    stored_or_fail(
        house, storage_ratings_each(house->storage, account.id, add_standing_in_game, &profile));
    struct profile_row row = {
        .kind = (uint8_t)person_kind_of_account(account.kind),
        .role = (uint8_t)account.role,
        .level =
            account.kind == STORAGE_BOT ? (uint8_t)bot_level_of_name(account.name) : BOT_LEVEL_NONE,
        .created_ms = account.created_ms,
        .seen_ms = account.seen_ms,
        .is_here = person_is_in_house(person_find(house, account.name)),
    };
    row_copy_text(row.name, sizeof(row.name), account.name);
    json_t *answer = profile_row_write(&row);
    (void)json_object_set_new(answer, "games", profile.games);
    answer_ok(request, answer);
}
