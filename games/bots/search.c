#include "games/bots/search.h"

#include "games/bits.h"
#include "games/bots/playout.h"
#include "games/table.h"

#include <math.h>
#include <string.h>

#define NODE_NONE 0
#define EXPLORATION 0.3F /* C of UCB1, for rewards of about 0 to 1 */
#define SIMULATIONS_A_WORLD 2.5F
#define PATH_MAX_NODES 128 /* more than the moves of a round */

/* One search. */
struct run {
    struct search *search;
    const struct game_view *view;
    const struct game_def *game;
    struct quick_random *random;
    size_t world_size; /* bytes from one imagined deal to the next */
};

/* The nodes that a simulation goes through, without the root. */
struct path {
    uint32_t nodes[PATH_MAX_NODES];
    uint32_t length;
};

/* ln(n + 1) = ln(n) + 2 (x + x³/3 + x⁵/5 + …) with x = 1 / (2n + 1). Only additions,
 * multiplications and divisions, whose results are the same on every machine. */
void search_init(struct search *search)
{
    double sum = 0;
    for (uint32_t n = 1; n < SEARCH_SIMULATIONS_MAX + 2; n++) {
        search->logarithm[n] = (float)sum;
        double x = 1.0 / (2.0 * n + 1.0);
        double square = x * x;
        double term = 1;
        double series = 0;
        for (int i = 1; i < 40; i += 2) {
            series += term / i;
            term *= square;
        }
        sum += 2 * x * series;
    }
}

/* Imagines deals that fit the view. Returns false if there is none. */
static bool imagine_worlds(const struct run *run, const struct game_config *config,
                           uint32_t simulations)
{
    struct search *search = run->search;
    uint32_t wanted = (uint32_t)((float)simulations / SIMULATIONS_A_WORLD) + 1;
    uint32_t most = (uint32_t)(SEARCH_WORLD_BYTES / run->world_size);
    most = most < SEARCH_WORLDS_MAX ? most : SEARCH_WORLDS_MAX;
    wanted = wanted < most ? wanted : most;
    for (search->world_count = 0; search->world_count < wanted; search->world_count++) {
        struct game_state state FILLED_LATER;
        if (game_sample_state(run->view, config, run->random, &state) != GAME_OK) {
            return false;
        }
        if (run->game->close != NULL) {
            run->game->close(state.bytes);
        }
        memcpy(search->worlds + search->world_count * run->world_size, state.bytes,
               run->game->state_size);
    }
    return true;
}

/* Fills `draws`: each world is in it about as often as its likelihood tells (systematic resampling,
 * Kitagawa, "Monte Carlo Filter and Smoother for Non-Gaussian Nonlinear State Space Models",
 * Journal of Computational and Graphical Statistics 5(1), 1996). */
static void fill_draws(const struct run *run)
{
    struct search *search = run->search;
    float sums[SEARCH_WORLDS_MAX]; /* of the likelihoods of the worlds up to each one */
    float sum = 0;
    for (uint32_t i = 0; i < search->world_count; i++) {
        const uint8_t *world = search->worlds + i * run->world_size;
        sum += run->game->likelihood == NULL
                   ? 1
                   : run->game->likelihood(world, (uint8_t)run->view->seat);
        sums[i] = sum;
    }
    uint32_t world = 0;
    for (uint32_t i = 0; i < search->world_count; i++) {
        float at = ((float)i + 0.5F) * sum / (float)search->world_count;
        while (world + 1 < search->world_count && sums[world] < at) {
            world++;
        }
        search->draws[i] = (uint16_t)world;
    }
}

static const struct table_state *table_of(const struct game_state *state)
{
    return (const void *)state->bytes; /* every game's state begins with it */
}

/* Returns the seat that moves next. The searching seat comes first, so that the tree has its moves
 * near the root. */
static uint8_t choose_seat(const struct run *run, uint8_t seats_to_act)
{
    uint8_t own = (uint8_t)run->view->seat;
    return (seats_to_act >> own & 1) != 0 ? own : bits_index_of_lowest(seats_to_act);
}

/* Makes a legal move. */
static void make_move(const struct run *run, struct game_state *state, uint8_t seat, uint8_t move)
{
    enum game_result result = run->game->apply(state->bytes, seat, move, NULL);
    (void)result; /* GAME_OK, because the move is legal */
}

/* Finds the child for that move; NODE_NONE if it has not been tried. */
static uint32_t find_child(const struct search *search, uint32_t parent, uint8_t seat, uint8_t move)
{
    uint32_t child = search->nodes[parent].first_child;
    while (child != NODE_NONE &&
           (search->nodes[child].seat != seat || search->nodes[child].move != move)) {
        child = search->nodes[child].next_sibling;
    }
    return child;
}

static uint32_t add_child(struct search *search, uint32_t parent, uint8_t seat, uint8_t move)
{
    uint32_t added = search->node_count++;
    search->nodes[added] = (struct search_node){.next_sibling = search->nodes[parent].first_child,
                                                .available = 1,
                                                .seat = seat,
                                                .move = move};
    search->nodes[parent].first_child = added;
    return added;
}

/* Notes that the moves are legal, and removes those from the set that have been tried. */
static void remove_tried_moves(struct search *search, uint32_t parent, uint8_t seat,
                               struct move_set *moves)
{
    for (uint32_t child = search->nodes[parent].first_child; child != NODE_NONE;
         child = search->nodes[child].next_sibling) {
        struct search_node *node = &search->nodes[child];
        if (node->seat == seat && move_set_has(moves, node->move)) {
            node->available++;
            moves->bits[node->move / 64] &= ~(UINT64_C(1) << (node->move % 64));
        }
    }
}

/* Returns the legal child with the best bound on its mean reward. */
static uint32_t choose_child(const struct search *search, uint32_t parent, uint8_t seat,
                             const struct move_set *legal)
{
    uint32_t best = NODE_NONE;
    float best_bound = 0;
    for (uint32_t child = search->nodes[parent].first_child; child != NODE_NONE;
         child = search->nodes[child].next_sibling) {
        const struct search_node *node = &search->nodes[child];
        if (node->seat != seat || !move_set_has(legal, node->move)) {
            continue;
        }
        float visits = (float)node->visits;
        float bound =
            node->total / visits + EXPLORATION * sqrtf(search->logarithm[node->available] / visits);
        if (best == NODE_NONE || bound > best_bound) {
            best = child;
            best_bound = bound;
        }
    }
    return best;
}

/* True if the tree has no nodes for the seat's move now: the others never see it. */
static bool is_secret(const struct run *run, const struct game_state *state, uint8_t seat)
{
    return seat != (uint8_t)run->view->seat &&
           game_phase_is_in(run->game->secret_phases, table_of(state)->phase);
}

/* Makes the next move in the tree. Returns false once it has left the tree. */
static bool go_down(const struct run *run, struct game_state *state, uint8_t seats_to_act,
                    struct path *path)
{
    struct search *search = run->search;
    uint8_t seat = choose_seat(run, seats_to_act);
    uint32_t parent = path->length == 0 ? 0 : path->nodes[path->length - 1];
    struct move_set legal = move_set_empty();
    run->game->legal(state->bytes, seat, &legal);
    if (is_secret(run, state, seat)) {
        make_move(run, state, seat,
                  playout_pick_light_move(run->game, state, seat, &legal, run->random));
        return true;
    }
    struct move_set untried = legal;
    remove_tried_moves(search, parent, seat, &untried);
    bool is_new = move_set_count(&untried) > 0;
    uint32_t child =
        is_new ? add_child(search, parent, seat, playout_pick_random_move(&untried, run->random))
               : choose_child(search, parent, seat, &legal);
    path->nodes[path->length++] = child;
    make_move(run, state, seat, search->nodes[child].move);
    return !is_new && !run->game->is_searched_flat && path->length < PATH_MAX_NODES;
}

static void simulate(const struct run *run)
{
    struct search *search = run->search;
    struct game_state state FILLED_LATER;
    struct path path = {.length = 0};
    uint32_t world = search->draws[quick_random_draw_below(run->random, search->world_count)];
    memcpy(state.bytes, search->worlds + world * run->world_size, run->game->state_size);
    uint8_t seats_to_act;
    bool is_in_tree = true;
    while (is_in_tree &&
           (seats_to_act = playout_find_seats_in_round(run->game, &state, run->view->round)) != 0) {
        is_in_tree = go_down(run, &state, seats_to_act, &path);
    }
    playout_finish_round(run->game, &state, run->view->round, run->random, NULL);
    float rewards[SEATS_MAX] = {0};
    run->game->reward(run->view->scores, state.bytes, rewards);
    for (uint32_t i = 0; i < path.length; i++) {
        struct search_node *node = &search->nodes[path.nodes[i]];
        node->visits++;
        node->total += rewards[node->seat];
    }
    uint8_t own = (uint8_t)run->view->seat;
    search->points[search->nodes[path.nodes[0]].move] +=
        table_of(&state)->scores[own] - run->view->scores[own];
}

/* True if the first of two moves is listed before the second. */
static bool is_listed_first(const struct search *search, const struct search_choice *first,
                            const struct search_choice *second)
{
    bool is_sensible = move_set_has(&search->sensible, first->move);
    return is_sensible == move_set_has(&search->sensible, second->move)
               ? first->visits > second->visits
               : is_sensible;
}

uint8_t search_list_choices(const struct search *search, const struct game_view *view,
                            struct search_choice choices[MOVES_MAX])
{
    uint8_t count = 0;
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        uint32_t child =
            search->node_count == 0 ? NODE_NONE : find_child(search, 0, (uint8_t)view->seat, move);
        if (child == NODE_NONE) {
            continue;
        }
        uint32_t visits = search->nodes[child].visits;
        const struct search_choice choice = {move, visits,
                                             (float)search->points[move] / (float)visits};
        uint8_t place = count++;
        for (; place > 0 && is_listed_first(search, &choice, &choices[place - 1]); place--) {
            choices[place] = choices[place - 1];
        }
        choices[place] = choice;
    }
    return count;
}

uint8_t search_choose_move(struct search *search, const struct game_view *view,
                           const struct game_config *config, struct quick_random *random,
                           uint32_t simulations)
{
    const struct run run = {.search = search,
                            .view = view,
                            .game = view->game,
                            .random = random,
                            .world_size = (view->game->state_size + 15) / 16 * 16};
    search->node_count = 0;
    if (move_set_count(&view->legal) == 1) {
        return move_set_next(&view->legal, 0);
    }
    bool is_searched =
        view->game->reward != NULL && !game_phase_is_in(view->game->unsearched_phases, view->phase);
    if (!is_searched || !imagine_worlds(&run, config, simulations)) {
        return MOVE_NONE;
    }
    fill_draws(&run);
    search->sensible = view->legal;
    if (view->game->narrow != NULL) {
        view->game->narrow(view, config, &search->sensible);
    }
    search->nodes[0] = (struct search_node){.first_child = NODE_NONE};
    search->node_count = 1;
    memset(search->points, 0, sizeof(search->points));
    for (uint32_t i = 0; i < simulations && i < SEARCH_SIMULATIONS_MAX; i++) {
        simulate(&run);
    }
    struct search_choice choices[MOVES_MAX];
    return search_list_choices(search, view, choices) == 0 ? MOVE_NONE : choices[0].move;
}
