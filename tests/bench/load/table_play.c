#include "tests/bench/load/table_play.h"

#include "tests/bench/load/house_play.h"
#include "tests/times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMES_MAX 1000000
/* Nobody at the table got output for so long before a move. Longer than a finished trick is shown,
 * because the end of that is output too. */
#define QUIET_US 2000000
#define REDRAWN_US 60000   /* a redrawn screen is complete after this quiet time */
#define NO_TURN_US 3000000 /* after this time without anybody's turn, a round is over */
#define RETRY_US 500000    /* until a screen that offers no move is looked at again */
#define REFUSED_US 2000000 /* a key that changes nothing for so long was refused */

bool table_results_init(struct table_results *results, int timeout_s)
{
    *results = (struct table_results){.most = TIMES_MAX, .timeout_s = timeout_s};
    results->times_ms = calloc(TIMES_MAX, sizeof(*results->times_ms));
    return results->times_ms != NULL;
}

void table_results_clear(struct table_results *results)
{
    free(results->times_ms);
    results->times_ms = NULL;
}

void table_init(struct table *table, struct crowd *crowd, int first, struct table_results *results)
{
    *table = (struct table){.crowd = crowd, .first = first, .results = results};
    table->random = (uint64_t)first * 2654435761u + 88172645463325252u;
}

void table_hear(struct table *table, int index, const char *bytes, size_t len)
{
    struct person *person = &table->people[index];
    person->output_us = times_now_us();
    if (person->seen_us == 0) {
        person->seen_us = person->output_us;
    }
    screen_text_add(&person->screen, bytes, len);
}

static void type(struct table *table, int person, const char *keys)
{
    crowd_type(table->crowd, table->first + person, keys);
}

static void enter_state(struct table *table, enum table_state state, int64_t now_us)
{
    table->state = state;
    table->since_us = now_us;
}

static bool has_turn(const struct person *person)
{
    return strncmp(person->screen.title, house_play.turn, strlen(house_play.turn)) == 0;
}

/* Returns a person whose turn it is, or -1. */
static int find_mover(const struct table *table)
{
    for (int i = 0; i < TABLE_PEOPLE; i++) {
        if (has_turn(&table->people[i])) {
            return i;
        }
    }
    return -1;
}

static void seat_next(struct table *table, int64_t now_us)
{
    char keys[64];
    if (++table->seated == TABLE_PEOPLE) {
        type(table, 0, house_play.start);
        enter_state(table, TABLE_STARTING, now_us);
        return;
    }
    screen_text_forget(&table->people[table->seated].screen);
    snprintf(keys, sizeof(keys), "%s%d%s", house_play.before_table, table->number,
             house_play.after_table);
    type(table, table->seated, keys);
    enter_state(table, TABLE_SEATING, now_us);
}

static void set_up_step(struct table *table, int64_t now_us)
{
    const struct person *person = &table->people[table->seated];
    switch (table->state) {
    case TABLE_TO_OPEN:
        screen_text_forget(&table->people[0].screen);
        type(table, 0, house_play.open_table);
        enter_state(table, TABLE_OPENING, now_us);
        break;
    case TABLE_OPENING:
        table->number = house_play_find_table(person->screen.text);
        if (table->number > 0) {
            seat_next(table, now_us);
        }
        break;
    case TABLE_SEATING:
        if (house_play_find_table(person->screen.text) == table->number) {
            seat_next(table, now_us);
        }
        break;
    case TABLE_STARTING:
        if (find_mover(table) >= 0) {
            enter_state(table, TABLE_WAITING, now_us);
        }
        break;
    case TABLE_WAITING:
    case TABLE_REDRAWING:
    case TABLE_MOVED:
    case TABLE_FAILED:
        break;
    }
}

/* Counts a table that did not begin, with the step that failed. */
static void give_up(struct table *table)
{
    static const char *const steps[] = {
        [TABLE_OPENING] = "the table was not opened",
        [TABLE_SEATING] = "somebody could not sit down",
        [TABLE_STARTING] = "the game did not begin",
    };
    char words[WIRE_WHY_MAX];
    snprintf(words, sizeof(words), "%s within %d s", steps[table->state],
             table->results->timeout_s);
    reasons_add(&table->results->failed, words);
    table->state = TABLE_FAILED;
}

void table_set_up(struct table *table, int64_t now_us)
{
    bool is_late = now_us - table->since_us > (int64_t)table->results->timeout_s * 1000000;
    if (table_is_being_set_up(table) && is_late) {
        give_up(table);
    } else {
        set_up_step(table, now_us);
    }
}

bool table_is_being_set_up(const struct table *table)
{
    return table->state > TABLE_TO_OPEN && table->state < TABLE_WAITING;
}

bool table_is_set_up(const struct table *table)
{
    return table->state >= TABLE_WAITING;
}

bool table_has_begun(const struct table *table)
{
    return table->state >= TABLE_WAITING && table->state != TABLE_FAILED;
}

/* Returns a random number from 0 to 1 (xorshift64). */
static double draw(struct table *table)
{
    table->random ^= table->random << 13;
    table->random ^= table->random >> 7;
    table->random ^= table->random << 17;
    return (double)(table->random >> 11) / 9007199254740992.0;
}

static void schedule_move(struct table *table, int64_t now_us)
{
    enter_state(table, TABLE_WAITING, now_us);
    table->next_us = now_us + (int64_t)((0.5 + draw(table)) * (double)table->interval_us);
}

void table_begin_moves(struct table *table, int64_t now_us, int move_every_s)
{
    if (table_has_begun(table)) {
        /* Each move of a trick is made by another person. */
        table->interval_us = (int64_t)move_every_s * 1000000 / TABLE_PEOPLE;
        enter_state(table, TABLE_WAITING, now_us);
        table->next_us = now_us + (int64_t)(draw(table) * (double)table->interval_us);
    }
}

/* Whether none of the others has got output for a while. */
static bool others_are_quiet(const struct table *table, int mover, int64_t now_us)
{
    for (int i = 0; i < TABLE_PEOPLE; i++) {
        if (i != mover && now_us - table->people[i].output_us < QUIET_US) {
            return false;
        }
    }
    return true;
}

static void wait_for_turn(struct table *table, int64_t now_us)
{
    table->mover = find_mover(table);
    if (now_us < table->next_us || !others_are_quiet(table, -1, now_us)) {
        return;
    }
    if (table->mover >= 0) {
        screen_text_forget(&table->people[table->mover].screen);
        type(table, table->mover, house_play.redraw);
        enter_state(table, TABLE_REDRAWING, now_us);
    } else if (now_us - table->since_us > NO_TURN_US) {
        for (int i = 0; i < TABLE_PEOPLE; i++) {
            type(table, i, house_play.go_on);
        }
        table->since_us = now_us;
    }
}

static void move_when_redrawn(struct table *table, int64_t now_us)
{
    struct person *mover = &table->people[table->mover];
    bool is_redrawn = mover->output_us > table->since_us && now_us - mover->output_us > REDRAWN_US;
    if (!is_redrawn && now_us - table->since_us < (int64_t)table->results->timeout_s * 1000000) {
        return;
    }
    if (!others_are_quiet(table, table->mover, now_us) || !has_turn(mover)) {
        return;
    }
    const char key[2] = {house_play_find_move(mover->screen.text), '\0'};
    if (key[0] == '\0') {
        /* The screen still shows the last trick, or waits for Enter after a round. */
        type(table, table->mover, house_play.go_on);
        enter_state(table, TABLE_WAITING, now_us);
        table->next_us = now_us + RETRY_US;
        return;
    }
    for (int i = 0; i < TABLE_PEOPLE; i++) {
        table->people[i].seen_us = 0;
    }
    enter_state(table, TABLE_MOVED, times_now_us());
    type(table, table->mover, key);
}

static void finish_move(struct table *table, int64_t now_us)
{
    struct table_results *results = table->results;
    int seen = 0;
    for (int i = 0; i < TABLE_PEOPLE; i++) {
        seen += i != table->mover && table->people[i].seen_us != 0 ? 1 : 0;
    }
    int64_t waited_us = now_us - table->since_us;
    bool is_refused = seen == 0 && waited_us > REFUSED_US && has_turn(&table->people[table->mover]);
    if (seen == TABLE_PEOPLE - 1) {
        results->moves++;
        for (int i = 0; i < TABLE_PEOPLE; i++) {
            if (i != table->mover && results->count < results->most) {
                results->times_ms[results->count++] =
                    (double)(table->people[i].seen_us - table->since_us) / 1000.0;
            }
        }
        schedule_move(table, now_us);
    } else if (is_refused && table->people[table->mover].seen_us != 0) {
        results->refused++;
        schedule_move(table, now_us);
    } else if (waited_us > (int64_t)results->timeout_s * 1000000) {
        results->unseen++;
        schedule_move(table, now_us);
    }
}

void table_play(struct table *table, int64_t now_us)
{
    switch (table->state) {
    case TABLE_WAITING:
        wait_for_turn(table, now_us);
        break;
    case TABLE_REDRAWING:
        move_when_redrawn(table, now_us);
        break;
    case TABLE_MOVED:
        finish_move(table, now_us);
        break;
    case TABLE_TO_OPEN:
    case TABLE_OPENING:
    case TABLE_SEATING:
    case TABLE_STARTING:
    case TABLE_FAILED:
        break;
    }
}
