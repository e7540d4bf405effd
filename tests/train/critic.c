#include "tests/train/critic.h"

#include <string.h>

#define BATCH 256
#define RATE 0.002F

/* How many totals, leads over another seat, numbers of rounds left, values of an option, and ranks
 * or numbers of players are told apart. */
#define TOTALS 41
#define LEADS 61
#define ROUNDS 22
#define VALUES 8
#define LEADERS 5 /* so many of the best others are looked at */
#define PLAYERS (SEATS_MAX + 1)

#define INPUTS (1 + TOTALS + LEADERS * LEADS + ROUNDS + 2 * PLAYERS + GAME_OPTIONS_MAX * VALUES)

_Static_assert(1 + 1 + LEADERS + 1 + 1 + 1 + GAME_OPTIONS_MAX <= CRITIC_ACTIVE_MAX,
               "a standing has room for each group of inputs");

bool critic_init(struct learner *critic, struct quick_random *random)
{
    const struct learner sizes = {.inputs = INPUTS, .hidden = 32, .middle = 16, .outputs = 1};
    return learner_init(critic, &sizes, random);
}

/* Adds `size` inputs for the whole numbers from `low` on. */
static void add_number(struct standing *out, unsigned *first, int number, int low, int size)
{
    int at = number < low ? 0 : number >= low + size ? size - 1 : number - low;
    out->active[out->count++] = (uint16_t)(*first + (unsigned)at);
    *first += (unsigned)size;
}

/* A rank tells more than the totals where something else decides between equal ones. */
void critic_look(const struct game_def *game, const struct game_state *state,
                 const struct game_config *config, uint8_t seat, struct standing *out)
{
    const struct table_state *table = (const void *)state->bytes; /* every state begins with it */
    struct game_outcome outcome = {.winners = 0};
    unsigned first = 0;
    game->score(state->bytes, &outcome);
    out->count = 0;
    add_number(out, &first, 0, 0, 1);
    add_number(out, &first, table->scores[seat], -TOTALS / 2, TOTALS);
    for (uint8_t i = 0, leads = 0; i < table->players * table->players && leads < LEADERS; i++) {
        uint8_t rank = i / table->players + 1, other = i % table->players;
        if (other != seat && outcome.ranks[other] == rank) {
            add_number(out, &first, table->scores[seat] - table->scores[other], -LEADS / 2, LEADS);
            leads++;
        }
    }
    first = 1 + TOTALS + LEADERS * LEADS;
    add_number(out, &first, outcome.ranks[seat], 0, PLAYERS);
    add_number(out, &first, table->rounds == 0 ? ROUNDS : table->rounds - table->round, 0, ROUNDS);
    add_number(out, &first, table->players, 0, PLAYERS);
    for (unsigned i = 0; i < GAME_OPTIONS_MAX; i++) {
        add_number(out, &first, config->options[i], 0, VALUES);
    }
}

float critic_rate(const struct learner *critic, const struct standing *standing)
{
    float middle[NET_MIDDLE_MAX + 1];
    learner_look(critic, standing->active, standing->count, middle);
    return learner_output(critic, middle, 0);
}

void critic_learn(struct learner *critic, const struct standing *standing, float share)
{
    struct sample sample = {.count = standing->count, .output_count = 1, .targets = {share}};
    memcpy(sample.active, standing->active, standing->count * sizeof(standing->active[0]));
    learner_learn(critic, &sample, BATCH, RATE);
}
