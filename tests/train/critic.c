#include "tests/train/critic.h"

#include <string.h>

#define BATCH 256
#define RATE 0.002F

/* How many totals, leads over another seat, numbers of rounds left, and values of an option are
 * told apart. */
#define TOTALS 41
#define LEADS 61
#define ROUNDS 22
#define VALUES 8
#define LEADERS 3 /* so many of the best others are looked at */

#define INPUTS (1 + TOTALS + LEADERS * LEADS + ROUNDS + SEATS_MAX + 1 + GAME_OPTIONS_MAX * VALUES)

_Static_assert(1 + 1 + LEADERS + 1 + 1 + GAME_OPTIONS_MAX <= CRITIC_ACTIVE_MAX,
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

/* The leads of a seat over the others, the smallest first. Returns how many there are. */
static int list_leads(const struct table_state *table, uint8_t seat, int leads[SEATS_MAX])
{
    int count = 0;
    for (uint8_t other = 0; other < table->players; other++) {
        int lead = table->scores[seat] - table->scores[other];
        int place = count;
        if (other == seat) {
            continue;
        }
        for (; place > 0 && leads[place - 1] > lead; place--) {
            leads[place] = leads[place - 1];
        }
        leads[place] = lead;
        count++;
    }
    return count;
}

void critic_look(const struct game_state *state, const struct game_config *config, uint8_t seat,
                 struct standing *out)
{
    const struct table_state *table = (const void *)state->bytes; /* every state begins with it */
    int leads[SEATS_MAX];
    int count = list_leads(table, seat, leads);
    unsigned first = 0;
    out->count = 0;
    add_number(out, &first, 0, 0, 1);
    add_number(out, &first, table->scores[seat], -TOTALS / 2, TOTALS);
    for (int i = 0; i < LEADERS && i < count; i++) {
        add_number(out, &first, leads[i], -LEADS / 2, LEADS);
    }
    first = 1 + TOTALS + LEADERS * LEADS;
    add_number(out, &first, table->rounds == 0 ? ROUNDS : table->rounds - table->round, 0, ROUNDS);
    add_number(out, &first, table->players, 0, SEATS_MAX + 1);
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
