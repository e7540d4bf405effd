#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define GAMES_MAX 1000000000U
#define NAME_BYTES 24

/* The views of a game count its steps in 16 bits. No game needs nearly as many steps. */
#define STEPS_MAX UINT16_MAX

static const char moves_label[] = "moves";

struct simulation {
    const char *id;
    const char *players;
    struct settings settings;
    const char *bots; /* the names of policies, separated by commas */
    uint32_t games;
    bool has_seed;
    uint8_t seed[SEED_BYTES];                 /* the seed given with --seed */
    const struct policy *policies[SEATS_MAX]; /* by seat */
    struct search search;                     /* memory for policies that search */
    struct history_source source;             /* history of the current game */
    struct history_seat seats[SEATS_MAX];
    char names[SEATS_MAX][NAME_BYTES];
    struct history_move moves[STEPS_MAX]; /* source.moves points here */
};

static void hash_seed_and_game_index(uint8_t out[32], const uint8_t seed[SEED_BYTES],
                                     uint32_t game_index)
{
    const uint8_t bytes[4] = {(uint8_t)game_index, (uint8_t)(game_index >> 8),
                              (uint8_t)(game_index >> 16), (uint8_t)(game_index >> 24)};
    crypto_hash_sha256_state hash;
    crypto_hash_sha256_init(&hash);
    crypto_hash_sha256_update(&hash, seed, SEED_BYTES);
    crypto_hash_sha256_update(&hash, bytes, sizeof(bytes));
    crypto_hash_sha256_final(&hash, out);
}

/* Computes the seed of the bots' choices: the first 8 bytes, little-endian, of SHA-256(game's seed,
 * "moves"). */
static uint64_t compute_seed_of_bots(const uint8_t seed[SEED_BYTES])
{
    uint8_t hash[crypto_hash_sha256_BYTES];
    uint8_t bytes[SEED_BYTES + sizeof(moves_label) - 1];
    memcpy(bytes, seed, SEED_BYTES);
    memcpy(bytes + SEED_BYTES, moves_label, sizeof(moves_label) - 1);
    crypto_hash_sha256(hash, bytes, sizeof(bytes));
    uint64_t number = 0;
    for (size_t i = 8; i > 0; i--) {
        number = number << 8 | hash[i - 1];
    }
    return number;
}

/* Chooses a seat that may act. Draws a random number only if several seats may act. */
static uint8_t choose_seat(uint8_t acting_seats, struct quick_random *random)
{
    struct move_set seats = {{acting_seats}};
    uint8_t count = move_set_count(&seats);
    return move_set_nth(&seats, count == 1 ? 0 : (uint8_t)quick_random_draw_below(random, count));
}

/* Plays the game to its end. Returns false if the game is not over after STEPS_MAX moves. */
static bool play_game(struct simulation *simulation)
{
    struct history_source *source = &simulation->source;
    struct quick_random random;
    quick_random_init(&random, compute_seed_of_bots(source->seed));
    struct game_state state;
    if (game_start(source->game, &source->config, source->seed, &state, NULL) != GAME_OK) {
        return false;
    }
    source->move_count = 0;
    struct game_view view; /* declared outside the loop, because a hardened build zeroes a variable
                              at every declaration */
    uint8_t turn;
    while ((turn = game_seats_to_act(&state)) != 0) {
        if (source->move_count == STEPS_MAX) {
            return false;
        }
        struct history_move *next = &simulation->moves[source->move_count++];
        next->seat = choose_seat(turn, &random);
        game_fill_view(source->game, &state, (int8_t)next->seat, &view);
        next->move = policy_choose_move(simulation->policies[next->seat], &simulation->search,
                                        &view, &source->config, &random, 0);
        if (game_apply(source->game, &state, next->seat, next->move, NULL) != GAME_OK) {
            return false;
        }
    }
    return true;
}

static void write_bytes(UNUSED void *context, const char *bytes, size_t len)
{
    fwrite(bytes, 1, len, stdout);
}

static bool simulate_game(struct simulation *simulation, uint32_t game_index)
{
    struct history_source *source = &simulation->source;
    source->id = (int64_t)game_index + 1;
    if (simulation->has_seed) {
        hash_seed_and_game_index(source->seed, simulation->seed, game_index);
    } else {
        randombytes_buf(source->seed, SEED_BYTES);
    }
    crypto_hash_sha256(source->commitment, source->seed, SEED_BYTES);
    if (!play_game(simulation) || history_write(source, write_bytes, NULL) != HISTORY_OK) {
        fprintf(stderr, _("trickhouse %s: game %u cannot be played to its end\n"), "simulate",
                game_index + 1);
        return false;
    }
    putchar('\n');
    return ferror(stdout) == 0;
}

static int simulate_games(struct simulation *simulation)
{
    struct history_source *source = &simulation->source;
    if (sodium_init() < 0) {
        fprintf(stderr, _("trickhouse %s: out of memory or of randomness\n"), "simulate");
        return 1;
    }
    for (uint8_t s = 0; s < source->config.players; s++) {
        struct text name = text_init(simulation->names[s], NAME_BYTES);
        text_put(&name, policy_name(simulation->policies[s]));
        text_put_char(&name, '-');
        text_put_number(&name, s + 1);
        simulation->seats[s] = (struct history_seat){.name = simulation->names[s],
                                                     .bot = policy_name(simulation->policies[s])};
    }
    source->seats = simulation->seats;
    source->moves = simulation->moves;
    output_begin();
    uint32_t done = 0;
    while (done < simulation->games && simulate_game(simulation, done)) {
        done++;
    }
    return done == simulation->games || ferror(stdout) != 0 ? 0 : 1;
}

/* Reads a seed of 64 hex digits, upper or lower case. Returns false after printing why not. */
static bool read_seed(const char *text, uint8_t seed[SEED_BYTES])
{
    size_t bytes = 0;
    size_t digits = strlen(text);
    if (digits != (size_t)SEED_BYTES * 2) {
        return subcommand_report_wrong_usage(_("--seed must be %d hex digits, not %zu characters"),
                                             SEED_BYTES * 2, digits) == 0;
    }
    if (sodium_hex2bin(seed, SEED_BYTES, text, digits, NULL, &bytes, NULL) != 0 ||
        bytes != SEED_BYTES) {
        return subcommand_report_wrong_usage(_("--seed must be %d hex digits, not \"%s\""),
                                             SEED_BYTES * 2, text) == 0;
    }
    return true;
}

int subcommand_run_simulate(char **argv)
{
    struct simulation simulation = {.bots = "random", .games = 1};
    const char *seed = NULL;
    const struct argument options[] = {
        {.name = "players", .text = &simulation.players},
        {.name = "games", .number = &simulation.games, .min = 1, .max = GAMES_MAX},
        {.name = "seed", .text = &seed},
        {.name = "option", .settings = &simulation.settings},
        {.name = "bots", .text = &simulation.bots},
        {.name = "legal", .flag = &simulation.source.with_legal},
        {.text = &simulation.id, .called = "GAME", .is_needed = true},
    };
    if (!arguments_read(options, argv)) {
        return 2;
    }
    simulation.has_seed = seed != NULL;
    if (seed != NULL && !read_seed(seed, simulation.seed)) {
        return 2;
    }
    struct history_source *source = &simulation.source;
    if (!arguments_find_game(simulation.id, &source->game) ||
        !arguments_make_game_config(source->game, simulation.players, &simulation.settings,
                                    &source->config)) {
        return 2;
    }
    if (!policy_read_list(simulation.bots, source->config.players, simulation.policies)) {
        struct text names = TEXT_OF(POLICY_NAMES_BYTES);
        policy_write_names(&names);
        return subcommand_report_wrong_usage(
            _("--bots must be one of %s, or a list of them, one a seat, not \"%s\""), names.at,
            simulation.bots);
    }
    return simulate_games(&simulation);
}
