#include "lobby/tables/tables.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/ratings/ratings.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/ratings/ratings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DOUBTFUL_WINS_TOLD 3 /* wins of an account in a day after which staff are told */

/* Sets each seat's rank to that of the player who held the seat when the game began. Players who
 * left for good rank below all others. */
static void fill_ranks_of_first_holders(const struct table *table,
                                        const struct game_outcome *outcome,
                                        uint8_t ranks[SEATS_MAX])
{
    struct rating_finish finishes[SEATS_MAX];
    for (int seat = 0; seat < table->config.players; seat++) {
        finishes[seat] = (struct rating_finish){
            .rank = outcome->ranks[seat],
            .left_for_good = table->plays[seat].has_left,
            .left_step = table->plays[seat].left_step,
        };
    }
    rating_rank_finishes(finishes, table->config.players, ranks);
}

/* The players' ratings before the game: the all-time ratings and those of the season. */
struct rated_rows {
    struct storage_rating all_time[SEATS_MAX];
    struct storage_rating season[SEATS_MAX];
};

static void read_ratings_before_game(struct house *house, const char *game, int32_t season,
                                     int64_t account, struct storage_rating *all_time,
                                     struct storage_rating *of_season)
{
    if (!stored(house, storage_rating_read(house->storage, account, game, 0, all_time))) {
        *all_time = rated_game_new_rating(account, game);
    }
    if (!stored(house, storage_rating_read(house->storage, account, game, season, of_season))) {
        *of_season = rated_game_new_season_rating(all_time, season);
    }
}

static double compute_share_of_win(const struct seat_play *play, const struct game_outcome *outcome,
                                   uint8_t seat)
{
    bool is_winner = !play->has_left && (outcome->winners >> seat & 1) != 0;
    return is_winner ? 1.0 / __builtin_popcount(outcome->winners) : 0.0;
}

/* Marks whether the opponent counts less for the player. */
static void mark_doubtful(struct storage_rating_change *player,
                          const struct storage_rating_change *opponent, bool is_doubtful)
{
    player->doubtful = (uint8_t)(player->doubtful | (unsigned)is_doubtful << opponent->seat);
}

/* Reads all known sources of an account. */
static void person_sources_read_of_account(struct house *house,
                                           const struct storage_account *account,
                                           struct sources *sources)
{
    struct order_target target = {
        .kind = TARGET_USER,
        .id = account->id,
        .person = person_find(house, account->name),
    };
    person_sources_read_of_target(house, &target, sources);
}

/* Marks the opponents who count less for each player, since both may be one person, or one may be
 * the other's helper: they share an address or a key, or only the opponent's account is new. */
static void mark_doubtful_opponents(struct house *house, struct rated_game *game)
{
    struct sources sources[SEATS_MAX];
    struct storage_account accounts[SEATS_MAX];
    int64_t new_since_ms = house->now_ms - RATING_NEW_ACCOUNT_MS;
    for (size_t i = 0; i < game->count; i++) {
        struct storage_rating_change *change = &game->changes[i];
        if (!stored(house, storage_account_by_id(house->storage, change->account, &accounts[i]))) {
            accounts[i] = (struct storage_account){.kind = STORAGE_PLAYER};
        }
        change->is_bot = accounts[i].kind == STORAGE_BOT;
        sources[i].count = 0;
        if (!change->is_bot) {
            person_sources_read_of_account(house, &accounts[i], &sources[i]);
        }
        for (size_t q = 0; q < i; q++) {
            struct storage_rating_change *other = &game->changes[q];
            bool is_new = accounts[i].created_ms > new_since_ms;
            bool is_other_new = accounts[q].created_ms > new_since_ms;
            bool is_one_person = person_sources_share_any(house, &sources[i], &sources[q]);
            mark_doubtful(change, other, is_one_person || (is_other_new && !is_new));
            mark_doubtful(other, change, is_one_person || (is_new && !is_other_new));
        }
    }
}

/* Reads the players' ratings before the game. Guests have no account: they are not rated, and
 * nobody is rated against them. No account has two seats. */
static void read_players(struct house *house, const struct table *table, struct rated_rows *rows,
                         struct rated_game *game)
{
    int32_t season = rating_season_at(house->now_ms);
    game->count = 0;
    for (uint8_t seat = 0; seat < table->row.players; seat++) {
        int64_t account = table_is_playing(table) ? table->plays[seat].starter.account
                                                  : table->row.seats[seat].account;
        if (account == 0) {
            continue;
        }
        struct storage_rating *all_time = &rows->all_time[game->count];
        struct storage_rating *of_season = &rows->season[game->count];
        read_ratings_before_game(house, table->game->id, season, account, all_time, of_season);
        struct rating before = rating_at(all_time, house->now_ms);
        struct rating season_before = rating_at(of_season, house->now_ms);
        struct storage_rating_change *change = &game->changes[game->count++];
        *change = (struct storage_rating_change){
            .game_id = table_is_playing(table) ? table->row.game_id : INT64_MAX,
            .seat = seat,
            .account = account,
            .mu_before = before.mu,
            .sigma_before = before.sigma,
            .season = season,
            .season_mu_before = season_before.mu,
            .season_sigma_before = season_before.sigma,
            .players = table->row.players,
            .played = 1.0,
            .at_ms = house->now_ms,
        };
        (void)snprintf(change->game, sizeof(change->game), "%s", table->game->id);
    }
    mark_doubtful_opponents(house, game);
}

void table_rating_read_players(struct house *house, const struct table *table,
                               struct rated_game *game)
{
    struct rated_rows rows;
    read_players(house, table, &rows, game);
    rated_game_read_weights(house, game);
}

static void add_outcome(const struct table *table, const struct game_outcome *outcome,
                        struct rated_game *game)
{
    uint8_t ranks[SEATS_MAX];
    fill_ranks_of_first_holders(table, outcome, ranks);
    for (size_t i = 0; i < game->count; i++) {
        struct storage_rating_change *change = &game->changes[i];
        const struct seat_play *play = &table->plays[change->seat];
        change->rank = ranks[change->seat];
        change->win = compute_share_of_win(play, outcome, change->seat);
        change->has_left = play->has_left;
        if (play->has_left) { /* a game without moves counts as not played at all */
            change->played =
                (double)play->left_step / (double)(table->move_count + (table->move_count == 0));
        } else {
            change->stat_hits = play->stat_hits;
            change->stat_chances = play->stat_chances;
        }
    }
}

static void store_rating_change(struct house *house, const struct storage_rating_change *change,
                                struct storage_rating *all_time, struct storage_rating *of_season)
{
    rated_game_apply_change(change, false, all_time);
    rated_game_apply_change(change, true, of_season);
    stored_or_fail(house, storage_rating_change_add(house->storage, change));
    stored_or_fail(house, storage_rating_save(house->storage, all_time));
    stored_or_fail(house, storage_rating_save(house->storage, of_season));
    stored_or_fail(house, storage_tallies_add_rating_change(house->storage, change, 1));
    boards_update_account(house, change->account, change->game);
}

/* Counts an account's doubtful wins. */
struct doubtful_wins {
    struct house *house;
    unsigned count;
};

static bool count_doubtful_win(void *context, const struct storage_rating_change *change)
{
    struct doubtful_wins *wins = context;
    struct rated_game game = {0};
    stored_or_fail(wins->house, storage_rating_changes_read(wins->house->storage, change->game_id,
                                                            game.changes, SEATS_MAX, &game.count));
    for (size_t i = 0; i < game.count; i++) {
        wins->count +=
            game.changes[i].account == change->account && rated_game_is_doubtful_win(&game, i);
    }
    return stored_can_commit(wins->house);
}

/* Tells staff that an account may be raising its rating with helpers. Exactly one of the account's
 * wins of a day (UTC) in a game is the third, so there is one notice at most. */
static void notify_staff_of_doubtful_wins(struct house *house, const struct table *table,
                                          const struct storage_rating_change *change)
{
    struct doubtful_wins wins = {.house = house};
    int64_t today_ms = change->at_ms - change->at_ms % DAY_MS;
    stored_or_fail(house, storage_rating_changes_each(house->storage, change->account, change->game,
                                                      today_ms, count_doubtful_win, &wins));
    if (wins.count == DOUBTFUL_WINS_TOLD) {
        staff_notify(house, STORAGE_ROLE_MOD,
                     say(_("%s has won %u rated games today only against people who left early, "
                           "are new or share an address: see /alts %s."),
                         table->plays[change->seat].starter.name, wins.count,
                         table->plays[change->seat].starter.name));
    }
}

void table_rate_game(struct house *house, struct table *table, const struct game_outcome *outcome)
{
    struct rated_rows rows;
    struct rated_game game = {0};
    for (int seat = 0; seat < table->config.players; seat++) {
        rerate_apply_computed_ratings(house, table->plays[seat].starter.account, table->game->id);
    }
    read_players(house, table, &rows, &game);
    add_outcome(table, outcome, &game);
    rated_game_read_weights(house, &game);
    rated_game_compute_rating_changes(&game);
    for (size_t i = 0; i < game.count; i++) {
        store_rating_change(house, &game.changes[i], &rows.all_time[i], &rows.season[i]);
    }
    for (size_t i = 0; i < game.count; i++) {
        if (rated_game_is_doubtful_win(&game, i)) {
            notify_staff_of_doubtful_wins(house, table, &game.changes[i]);
        }
    }
}

/* Says that a game that begins now is rated, or gives the first reason why it is not. */
enum unrated {
    UNRATED_NOT = 0, /* it is rated */
    UNRATED_BAN,
    UNRATED_NO_CLOCK,
    UNRATED_OPTIONS,
    UNRATED_TOO_FEW, /* fewer than two people with accounts */
};

static enum unrated find_unrated_reason(struct house *house, const struct table *table)
{
    struct game_config standard = game_config_default(table->game, table->config.players);
    int people = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        /* Different accounts have different keys, since a key belongs to only one account. */
        const struct storage_seat *holder = &table->row.seats[seat];
        bool is_person =
            holder->holder == STORAGE_SEAT_PLAYER && !account_is_bot(house, holder->account);
        people += is_person;
        if (is_person && sanctions_forbid_rating(house, holder->account,
                                                 table_connected_holder(house, table, seat))) {
            return UNRATED_BAN;
        }
    }
    if (table->row.clock_kind == CLOCK_NONE) {
        return UNRATED_NO_CLOCK;
    }
    if (memcmp(standard.options, table->config.options, sizeof(standard.options)) != 0) {
        return UNRATED_OPTIONS;
    }
    return people < 2 ? UNRATED_TOO_FEW : UNRATED_NOT;
}

bool table_may_be_rated(struct house *house, const struct table *table)
{
    return find_unrated_reason(house, table) == UNRATED_NOT;
}

const char *table_rating_game_start_sentence(struct house *house, const struct table *table)
{
    static const char *const sentences[] = {
        [UNRATED_NOT] = N_("The game begins. It is rated."),
        [UNRATED_BAN] =
            N_("The game begins. It is not rated: somebody is banned from rated games."),
        [UNRATED_NO_CLOCK] = N_("The game begins. It is not rated: it has no clock."),
        [UNRATED_OPTIONS] =
            N_("The game begins. It is not rated: its options are not the usual ones."),
        [UNRATED_TOO_FEW] =
            N_("The game begins. It is not rated: a rated game needs two people with accounts."),
    };
    return _(sentences[find_unrated_reason(house, table)]);
}

struct eligibility table_eligibility_rule(const struct table *table)
{
    return (struct eligibility){table->row.rating_min, table->row.rating_max,
                                table->row.finished_min};
}

/* Each person's records are kept in memory for this many games: the first in the list of games. */
#define RECORDS_MAX 16

/* A player's results in one game, which are compared with a table's requirements. */
struct game_record {
    bool is_known; /* whether the fields below have been read */
    bool has_rating;
    int32_t rating;   /* the rating in points */
    uint8_t finished; /* percentage of rated games finished */
};

struct person_eligibility {
    struct game_record records[RECORDS_MAX]; /* one record for each game, in registry order */
    char *unfit; /* the numbers of tables that do not admit the person, as last sent; NULL: never
                    sent */
};

PERSON_STATE(eligibility_state_of, struct person_eligibility, table_eligibility);

/* Forgets the results kept for the person, which are read again when needed. */
static void forget_game_records(UNUSED struct house *house, struct person *person)
{
    memset(eligibility_state_of(person)->records, 0, sizeof(eligibility_state_of(person)->records));
}

/* Returns the game's index in the registry; RECORDS_MAX for a game whose records are not kept. */
static size_t find_index_of_game(const struct game_def *game)
{
    size_t at = 0;
    while (at < RECORDS_MAX && game_at((uint8_t)at) != game) {
        at++;
    }
    return at;
}

static struct game_record get_player_record(struct house *house, struct person *person,
                                            const struct game_def *game)
{
    size_t at = find_index_of_game(game);
    struct storage_rating rating;
    if (at < RECORDS_MAX && eligibility_state_of(person)->records[at].is_known) {
        return eligibility_state_of(person)->records[at];
    }
    struct game_record record = {.is_known = true, .finished = 100};
    if (person->account != 0 &&
        stored(house, storage_rating_read(house->storage, person->account, game->id, 0, &rating))) {
        uint32_t games = rating.finished + rating.left;
        record.has_rating = rating.games > 0;
        record.rating = (int32_t)lround(rating_points(rating.mu));
        record.finished =
            games == 0 ? 100 : (uint8_t)(100.0 * (double)rating.finished / (double)games);
    }
    if (at < RECORDS_MAX) {
        eligibility_state_of(person)->records[at] = record;
    }
    return record;
}

static json_t *make_rating_refusal_sentence(const struct table *table,
                                            const struct eligibility *rule,
                                            const struct game_record *record)
{
    const char *title = table->game->title;
    char range[ELIGIBILITY_SIZE];
    struct text text = text_init(range, sizeof(range));
    struct eligibility rating = {rule->rating_min, rule->rating_max, 0};
    eligibility_write(&rating, &text);
    if (record->has_rating) {
        return say(_("That table is for %s in %p and you have %d: ask %s to invite you, or open "
                     "your own."),
                   range, say_word_argument(title), (int)record->rating, table->row.host_name);
    }
    return say(_("That table is for %s in %p and you have no rating there yet: a rated game "
                 "gives you one."),
               range, say_word_argument(title));
}

/* Returns why the table does not admit the person; NULL when it does. */
static json_t *ineligibility_reason(struct house *house, const struct table *table,
                                    struct person *person)
{
    struct eligibility rule = table_eligibility_rule(table);
    if (blocks_exist_with_someone_at_table(person, &table->row)) {
        return say("%s", BLOCKS_REFUSAL);
    }
    if (!eligibility_has_conditions(&rule) || strcmp(table->row.host_name, person->name) == 0 ||
        invites_person_is_invited(house, person, table)) {
        return NULL;
    }
    struct game_record record = get_player_record(house, person, table->game);
    bool is_low = rule.rating_min != 0 && record.rating < rule.rating_min;
    bool is_high = rule.rating_max != 0 && record.rating > rule.rating_max;
    bool wants_rating = rule.rating_min != 0 || rule.rating_max != 0;
    if (person->account == 0) {
        return say(_("That table asks for a rating or for finished games, which guests do not "
                     "have: make an account."));
    }
    if (wants_rating && (!record.has_rating || is_low || is_high)) {
        return make_rating_refusal_sentence(table, &rule, &record);
    }
    if (record.finished < rule.finished_min) {
        return say(_("That table is for players who finish %d%% of their games and you have "
                     "finished %d%%: every game played to its end counts."),
                   rule.finished_min, record.finished);
    }
    return NULL;
}

bool table_eligibility_admits(struct house *house, const struct table *table, struct person *person,
                              json_t **why)
{
    json_t *sentence = ineligibility_reason(house, table, person);
    bool is_taken = sentence == NULL;
    if (why == NULL) {
        json_decref(sentence);
    } else {
        *why = sentence;
    }
    return is_taken;
}

/* The maximum number of tables in the list `unfit`, which must fit into one message. Tables left
 * out of the list still refuse the person when they try to sit down. */
#define INELIGIBLE_TABLES_MAX 4000

static json_t *make_ineligible_tables_message(struct house *house, struct person *person)
{
    json_t *tables = json_array();
    TABLES_EACH(table, house) {
        if (json_array_size(tables) < INELIGIBLE_TABLES_MAX &&
            table->row.state == STORAGE_TABLE_OPEN && table_seat_of(table, person) < 0 &&
            !table_eligibility_admits(house, table, person, NULL)) {
            (void)json_array_append_new(tables, json_integer(table->row.id));
        }
    }
    return json_pack("{s:s,s:o}", "t", "unfit", "tables", tables);
}

void table_eligibility_send(struct house *house, struct conn *conn)
{
    if (conn->follows_lobby) {
        conn_send(house, conn, make_ineligible_tables_message(house, conn->person));
    }
}

static bool person_follows_lobby(const struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (conn->follows_lobby) {
            return true;
        }
    }
    return false;
}

static void resend_ineligible_tables(struct house *house, struct person *person)
{
    if (!person_follows_lobby(person) ||
        !last_sent_replace_if_changed(&eligibility_state_of(person)->unfit,
                                      make_ineligible_tables_message(house, person))) {
        return;
    }
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (!conn->awaits_hello) {
            table_eligibility_send(house, conn);
        }
    }
}

void table_eligibility_send_changes(struct house *house)
{
    PERSONS_EACH(person, house) {
        resend_ineligible_tables(house, person);
    }
}

void table_eligibility_announce_to_admitted(struct house *house, const struct table *table,
                                            json_t *sentence)
{
    PERSONS_EACH(person, house) {
        if (person->presence == PRESENCE_DND || person_find_entered_table(person) != NULL ||
            !table_eligibility_admits(house, table, person, NULL) ||
            !blocks_allow_messages_from(person, table->row.host)) {
            continue;
        }
        person_send_notice(house, person, "info", json_incref(sentence));
    }
    json_decref(sentence);
}

static void free_eligibility(struct person *person)
{
    free(eligibility_state_of(person)->unfit);
}

const struct person_listener table_eligibility_person_listener = {
    .person_size = sizeof(struct person_eligibility),
    .rated = forget_game_records,
    .end = free_eligibility,
};
