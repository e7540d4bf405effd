#include "lobby/protocol/protocol.h"

#include <assert.h>

/* A seat's time bank gets the increment after each move. */
static int64_t get_turn_limit_ms(const struct clock_rule *rule, int64_t bank_ms)
{
    (void)rule;
    return bank_ms;
}

static int64_t add_increment_ms(const struct clock_rule *rule, int64_t left_ms)
{
    return left_ms + 1000 * (int64_t)rule->increment_s;
}

static const struct clock_bank increment_bank = {get_turn_limit_ms, add_increment_ms};

static const struct clock_rule none_offers[] = {{CLOCK_NONE, 0, 0}};

static const struct clock_rule move_offers[] = {
    {CLOCK_MOVE, 15, 0},  {CLOCK_MOVE, 30, 0},  {CLOCK_MOVE, 60, 0},
    {CLOCK_MOVE, 120, 0}, {CLOCK_MOVE, 300, 0},
};

static const struct clock_rule bank_offers[] = {
    {CLOCK_BANK, 300, 3},
    {CLOCK_BANK, 600, 5},
    {CLOCK_BANK, 1200, 10},
};

static const struct clock_rule days_offers[] = {
    {CLOCK_DAYS, CLOCK_DAY_S, 0},     {CLOCK_DAYS, 2 * CLOCK_DAY_S, 0},
    {CLOCK_DAYS, 3 * CLOCK_DAY_S, 0}, {CLOCK_DAYS, 7 * CLOCK_DAY_S, 0},
    {CLOCK_DAYS, CLOCK_LONGEST_S, 0},
};

/* A text with only one number, such as "30s", stands for the first type of clock in this list that
 * allows the number. */
static const struct clock_type clock_types[] = {
    [CLOCK_NONE] =
        {
            .unit_s = 1,
            .is_live = true,
            .offers = none_offers,
            .offer_count = ARRAY_LEN(none_offers),
            .sentence = N_("none"),
        },
    [CLOCK_MOVE] =
        {
            .time_key = "move_s",
            .unit_s = 1,
            .time_min_s = CLOCK_TURN_LEAST_S,
            .time_max_s = CLOCK_DAY_S - 1,
            .is_live = true,
            .offers = move_offers,
            .offer_count = ARRAY_LEN(move_offers),
            .sentence = N_("%s a move"),
        },
    [CLOCK_BANK] =
        {
            .time_key = "bank_s",
            .unit_s = 1,
            .time_min_s = 30,
            .time_max_s = CLOCK_DAY_S,
            .increment_key = "increment_s",
            .increment_mark = '+',
            .increment_max_s = 600,
            .is_live = true,
            .bank = &increment_bank,
            .offers = bank_offers,
            .offer_count = ARRAY_LEN(bank_offers),
            .sentence = N_("%s in all, %s more after each move"),
        },
    [CLOCK_DAYS] =
        {
            .time_key = "days",
            .unit_s = CLOCK_DAY_S,
            .time_min_s = CLOCK_DAY_S,
            .time_max_s = CLOCK_LONGEST_S,
            .offers = days_offers,
            .offer_count = ARRAY_LEN(days_offers),
            .sentence = N_("turn by turn: %s a move"),
        },
};

static_assert(ARRAY_LEN(clock_types) == STORED_LAST(STORED_CLOCK_KINDS) + 1,
              "every kind of clock needs an entry in clock_types");

const struct clock_type *clock_type_of(enum clock_kind kind)
{
    assert(kind <= CLOCK_KIND_LAST);
    return &clock_types[kind];
}

const char *clock_types_invalid_clock_sentence(void)
{
    return N_("There is no such clock: choose none, a move's time (30s), a bank with an "
              "increment (10m+5s), or days for each move (2d).");
}
