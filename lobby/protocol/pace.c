#include "lobby/protocol/protocol.h"

#include "games/macros.h"

#include <assert.h>

static const struct {
    int64_t round_stop_ms;
    int64_t trick_ms;
    int bot_delay_percent;
} paces[] = {
    [PACE_NORMAL] = {.round_stop_ms = 10000, .trick_ms = 1200, .bot_delay_percent = 100},
    [PACE_QUICK] = {.round_stop_ms = 5000, .trick_ms = 600, .bot_delay_percent = 50},
    [PACE_SLOW] = {.round_stop_ms = 20000, .trick_ms = 2500, .bot_delay_percent = 200},
};
static_assert(ARRAY_LEN(paces) == STORED_LAST(STORED_PACES) + 1,
              "every pace needs an entry in paces");

bool pace_from_word(const char *word, enum pace *pace)
{
    size_t value = row_value_of_word(&pace_words, word);
    if (value == pace_words.count) {
        return false;
    }
    *pace = (enum pace)value;
    return true;
}

int64_t pace_round_stop_ms(enum pace pace)
{
    return paces[pace].round_stop_ms;
}

int64_t pace_bot_delay_ms(enum pace pace, int64_t delay_ms)
{
    return delay_ms * paces[pace].bot_delay_percent / 100;
}

int64_t pace_trick_ms(enum pace pace)
{
    return paces[pace].trick_ms;
}
