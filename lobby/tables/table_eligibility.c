#include "lobby/tables/tables.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/ratings/ratings.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/ratings/ratings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static struct person_eligibility *eligibility_state_of(const struct person *person)
{
    return PERSON_STATE(person, table_eligibility);
}

/* Forgets the results kept for the person, which are read again when needed. */
static void forget_game_records(struct person *person)
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
        stored(house, storage_rating_read(house->storage, person->account, game->id, &rating))) {
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
        return say("%s", blocks_refusal_text());
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

static void send_ineligible_tables(struct house *house, struct conn *conn,
                                   UNUSED int64_t last_chat_line)
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
            send_ineligible_tables(house, conn, 0);
        }
    }
}

void table_eligibility_send_changes(struct house *house)
{
    if (!tables_of(house)->fits_changed) {
        return;
    }
    tables_of(house)->fits_changed = false;
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

static void forget_eligibility_changes(struct house *house)
{
    tables_of(house)->fits_changed = false;
}

const struct part table_eligibility_part = {
    .name = "table-eligibility",
    .clear = forget_eligibility_changes,
    .hello = send_ineligible_tables,
};

static void recheck_eligibility_after_rating(struct house *house, struct person *person)
{
    forget_game_records(person);
    tables_mark_eligibility_changed(house);
}

static void recheck_eligibility_after_block(struct house *house, UNUSED struct person *person)
{
    tables_mark_eligibility_changed(house);
}

static void free_eligibility(struct person *person)
{
    free(eligibility_state_of(person)->unfit);
}

const struct person_listener table_eligibility_person_listener = {
    .person_size = sizeof(struct person_eligibility),
    .rated = recheck_eligibility_after_rating,
    .apart = recheck_eligibility_after_block,
    .end = free_eligibility,
};
