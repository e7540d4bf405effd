#include "lobby/tables/table_fit.h"

#include "lobby/house/conns.h"
#include "lobby/house/memory.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/persons/listeners.h"
#include "lobby/persons/persons.h"
#include "lobby/ratings/rating.h"
#include "lobby/sanctions/blocks.h"
#include "lobby/tables/invites.h"
#include "lobby/tables/tables.h"
#include "storage/ratings/ratings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fit_rule table_fit_rule(const struct table *table)
{
    return (struct fit_rule){table->row.rating_min, table->row.rating_max, table->row.finished_min};
}

#define STANDINGS_MAX 16 /* games; later ones in the registry are not kept */

/* A player's record in a game, as far as the requirements of tables need it. */
struct person_record {
    bool is_known; /* has been read; otherwise the other fields are meaningless */
    bool has_rating;
    int32_t rating;   /* points */
    uint8_t finished; /* percentage of rated games finished */
};

struct fit {
    struct person_record standings[STANDINGS_MAX]; /* by game */
    char *unfit; /* eligibility list as last sent; NULL: never sent */
};

static struct fit *fit_of(const struct person *person)
{
    return PERSON_STATE(person, table_fit);
}

/* Drops the cached ratings of the person; they are read again when needed. */
static void table_fit_forget(struct person *person)
{
    memset(fit_of(person)->standings, 0, sizeof(fit_of(person)->standings));
}

/* The game's index in the registry; STANDINGS_MAX when records are not kept for it. */
static size_t fit_game(const struct game_def *game)
{
    size_t at = 0;
    while (at < STANDINGS_MAX && game_at((uint8_t)at) != game) {
        at++;
    }
    return at;
}

static struct person_record fit_standing(struct house *house, struct person *person,
                                         const struct game_def *game)
{
    size_t at = fit_game(game);
    struct storage_rating rating;
    if (at < STANDINGS_MAX && fit_of(person)->standings[at].is_known) {
        return fit_of(person)->standings[at];
    }
    struct person_record standing = {.is_known = true, .finished = 100};
    if (person->account != 0 &&
        stored(house, storage_rating_read(house->storage, person->account, game->id, &rating))) {
        uint32_t games = rating.finished + rating.left;
        standing.has_rating = rating.games > 0;
        standing.rating = (int32_t)lround(rating_points(rating.mu));
        standing.finished =
            games == 0 ? 100 : (uint8_t)(100.0 * (double)rating.finished / (double)games);
    }
    if (at < STANDINGS_MAX) {
        fit_of(person)->standings[at] = standing;
    }
    return standing;
}

static json_t *fit_why_rating(const struct table *table, const struct fit_rule *rule,
                              const struct person_record *standing)
{
    const char *title = table->game->title;
    char range[FIT_RULE_SIZE];
    struct text text = text_init(range, sizeof(range));
    struct fit_rule rating = {rule->rating_min, rule->rating_max, 0};
    fit_rule_write(&rating, &text);
    if (standing->has_rating) {
        return say(_("That table is for %s in %p and you have %d: ask %s to invite you, or open "
                     "your own."),
                   range, say_word(title), (int)standing->rating, table->row.host_name);
    }
    return say(_("That table is for %s in %p and you have no rating there yet: a rated game "
                 "gives you one."),
               range, say_word(title));
}

/* NULL: the table takes the person. */
static json_t *fit_why(struct house *house, const struct table *table, struct person *person)
{
    struct fit_rule rule = table_fit_rule(table);
    if (blocks_exist_at_table(person, &table->row)) {
        return say("%s", blocks_refusal_text());
    }
    if (!fit_rule_asks(&rule) || strcmp(table->row.host_name, person->name) == 0 ||
        invites_has(house, person, table)) {
        return NULL;
    }
    struct person_record standing = fit_standing(house, person, table->game);
    bool is_low = rule.rating_min != 0 && standing.rating < rule.rating_min;
    bool is_high = rule.rating_max != 0 && standing.rating > rule.rating_max;
    bool wants_rating = rule.rating_min != 0 || rule.rating_max != 0;
    if (person->account == 0) {
        return say(_("That table asks for a record that guests have not: make an account."));
    }
    if (wants_rating && (!standing.has_rating || is_low || is_high)) {
        return fit_why_rating(table, &rule, &standing);
    }
    if (standing.finished < rule.finished_min) {
        return say(_("That table is for who finishes %d%% of their games and you have finished "
                     "%d%%: every game played to its end counts."),
                   rule.finished_min, standing.finished);
    }
    return NULL;
}

bool table_fit_takes(struct house *house, const struct table *table, struct person *person,
                     json_t **why)
{
    json_t *sentence = fit_why(house, table, person);
    bool is_taken = sentence == NULL;
    if (why == NULL) {
        json_decref(sentence);
    } else {
        *why = sentence;
    }
    return is_taken;
}

/* The list fits one message; a table beyond it refuses the person itself. */
#define UNFIT_MAX 4000

static json_t *fit_list(struct house *house, struct person *person)
{
    json_t *tables = json_array();
    const struct table *table = NULL;
    struct index_at next;
    INDEX_EACH(&tables_of(house)->by_id, table, next)
    {
        if (json_array_size(tables) < UNFIT_MAX && table->row.state == STORAGE_TABLE_OPEN &&
            table_seat_of(table, person) < 0 && !table_fit_takes(house, table, person, NULL)) {
            (void)json_array_append_new(tables, json_integer(table->row.id));
        }
    }
    return json_pack("{s:s,s:o}", "t", "unfit", "tables", tables);
}

static void table_fit_tell(struct house *house, const struct conn *conn)
{
    conn_push(house, conn, fit_list(house, conn->person));
}

static void fit_flush_person(struct house *house, struct person *person)
{
    json_t *list = fit_list(house, person);
    char *text = memory_check(json_dumps(list, JSON_COMPACT));
    json_decref(list);
    if (fit_of(person)->unfit != NULL && strcmp(fit_of(person)->unfit, text) == 0) {
        free(text);
        return;
    }
    free(fit_of(person)->unfit);
    fit_of(person)->unfit = text;
    const struct conn *conn = NULL;
    CONN_LINKS_EACH(conn, &person->conns)
    {
        if (!conn->awaits_hello) {
            table_fit_tell(house, conn);
        }
    }
}

void table_fits_flush(struct house *house)
{
    struct person *person = NULL;
    struct index_at next;
    if (!tables_of(house)->fits_changed) {
        return;
    }
    tables_of(house)->fits_changed = false;
    INDEX_EACH(&persons_of(house)->by_name, person, next)
    {
        fit_flush_person(house, person);
    }
}

void table_fit_offer(struct house *house, const struct table *table, json_t *sentence)
{
    struct person *person = NULL;
    struct index_at next;
    INDEX_EACH(&persons_of(house)->by_name, person, next)
    {
        if (person->presence == PRESENCE_DND || person_table(person) != NULL ||
            !table_fit_takes(house, table, person, NULL) ||
            !blocks_allow_hearing(person, table->row.host)) {
            continue;
        }
        person_notice(house, person, "info", json_incref(sentence));
    }
    json_decref(sentence);
}

static void fits_hello(struct house *house, struct conn *conn, UNUSED int64_t heard)
{
    table_fit_tell(house, conn);
}

static void fits_clear(struct house *house)
{
    tables_of(house)->fits_changed = false;
}

const struct part table_fit_part = {
    .name = "table-fit",
    .clear = fits_clear,
    .hello = fits_hello,
};

static void fits_rated(struct house *house, struct person *person)
{
    table_fit_forget(person);
    table_fits_changed(house);
}

static void fits_apart(struct house *house, UNUSED struct person *person)
{
    table_fits_changed(house);
}

static void fits_end(struct person *person)
{
    free(fit_of(person)->unfit);
}

const struct person_listener table_fit_person_listener = {
    .person_size = sizeof(struct fit),
    .rated = fits_rated,
    .apart = fits_apart,
    .end = fits_end,
};
