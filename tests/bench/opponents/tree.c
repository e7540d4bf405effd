#include "tests/bench/opponents/tree.h"

#include "games/card.h"
#include "tests/bench/opponents/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NODE_NONE 0
#define EXPLORATION 0.3F
#define WORLDS_MAX 400     /* 2.5 simulations for each imagined deal */
#define PATH_MAX_NODES 128 /* more than the moves of a round */

/* A move that has been tried. Its children are the moves tried after it. */
struct node {
    uint32_t first_child, next_sibling; /* NODE_NONE: there is none; the root is node 0 */
    uint32_t visits;
    uint32_t available; /* how often the move was legal when its parent's child was chosen */
    float total;        /* the sum of the rewards of the seat that makes the move */
    uint8_t seat, move;
};

struct tree {
    struct node nodes[TREE_SIMULATIONS + 1];
    uint32_t node_count;
    struct game_state worlds[WORLDS_MAX]; /* the imagined deals */
    uint32_t world_count;
};

/* One search. */
struct run {
    struct tree *tree;
    const struct tree_rules *rules;
    const struct game_view *view;
    struct quick_random *random;
};

struct path {
    uint32_t nodes[PATH_MAX_NODES];
    uint32_t length;
};

struct tree *tree_new(void)
{
    return calloc(1, sizeof(struct tree));
}

void tree_free(struct tree *tree)
{
    free(tree);
}

/* Imagines deals that fit the view. Returns false if there is none. */
static bool imagine_worlds(const struct run *run, const struct game_config *config,
                           uint32_t simulations)
{
    struct tree *tree = run->tree;
    uint32_t wanted = simulations * 2 / 5 + 1;
    wanted = wanted < run->rules->worlds_most ? wanted : run->rules->worlds_most;
    wanted = wanted < WORLDS_MAX ? wanted : WORLDS_MAX;
    for (tree->world_count = 0; tree->world_count < wanted; tree->world_count++) {
        struct game_state *world = &tree->worlds[tree->world_count];
        if (game_sample_state(run->view, config, run->random, world) != GAME_OK) {
            return false;
        }
    }
    return true;
}

/* Returns the seats that may move, none once the round is over. */
static uint8_t seats_to_act(const struct run *run, const struct game_state *state)
{
    const struct table_state *table = (const void *)state->bytes;
    return table_seats_to_act_in_round(table, run->view->round);
}

static bool phase_is_in(uint8_t phases, uint8_t phase)
{
    return phase < 8 && (phases >> phase & 1) != 0;
}

static void make_move(const struct run *run, struct game_state *state, uint8_t seat, uint8_t move)
{
    game_make_legal_move(run->view->game, (void *)state->bytes, seat, move, NULL);
}

static uint8_t choose_light_move(const struct run *run, const struct game_state *state,
                                 uint8_t seat)
{
    struct move_set legal = move_set_empty();
    run->view->game->legal(state->bytes, seat, &legal);
    return run->rules->light == NULL ? tree_rules_random_move(&legal, run->random)
                                     : run->rules->light(state->bytes, seat, &legal, run->random);
}

static uint32_t add_child(struct tree *tree, uint32_t parent, uint8_t seat, uint8_t move)
{
    uint32_t added = tree->node_count++;
    tree->nodes[added] = (struct node){.next_sibling = tree->nodes[parent].first_child,
                                       .available = 1,
                                       .seat = seat,
                                       .move = move};
    tree->nodes[parent].first_child = added;
    return added;
}

/* Returns UCB1's bound on the mean reward of the move. */
static float bound_of_node(const struct node *node)
{
    float visits = (float)node->visits;
    return node->total / visits + EXPLORATION * sqrtf(logf((float)node->available) / visits);
}

/* Chooses among the legal moves a random one that has not been tried, or else the one with the best
 * bound. Returns its node, which is new exactly if the node has no visits. */
static uint32_t choose_child(const struct run *run, uint32_t parent, uint8_t seat,
                             const struct move_set *legal)
{
    struct tree *tree = run->tree;
    struct move_set untried = *legal;
    uint32_t best = NODE_NONE;
    float best_bound = 0;
    for (uint32_t child = tree->nodes[parent].first_child; child != NODE_NONE;
         child = tree->nodes[child].next_sibling) {
        struct node *node = &tree->nodes[child];
        if (node->seat != seat || !move_set_has(legal, node->move)) {
            continue;
        }
        node->available++;
        untried.bits[node->move / 64] &= ~(UINT64_C(1) << (node->move % 64));
        float bound = bound_of_node(node);
        if (best == NODE_NONE || bound > best_bound) {
            best = child;
            best_bound = bound;
        }
    }
    return move_set_count(&untried) == 0
               ? best
               : add_child(tree, parent, seat, tree_rules_random_move(&untried, run->random));
}

/* Makes one move by the tree; a secret move of another seat is light and no node. Returns whether
 * the next move is in the tree too. */
static bool go_down(const struct run *run, struct game_state *state, uint8_t seats,
                    struct path *path)
{
    uint8_t own = (uint8_t)run->view->seat;
    uint8_t seat = (seats >> own & 1) != 0 ? own : bits_index_of_lowest(seats);
    const struct table_state *table = (const void *)state->bytes;
    if (seat != own && phase_is_in(run->rules->secret_phases, table->phase)) {
        make_move(run, state, seat, choose_light_move(run, state, seat));
        return true;
    }
    struct move_set legal = move_set_empty();
    run->view->game->legal(state->bytes, seat, &legal);
    uint32_t parent = path->length == 0 ? 0 : path->nodes[path->length - 1];
    uint32_t child = choose_child(run, parent, seat, &legal);
    path->nodes[path->length++] = child;
    make_move(run, state, seat, run->tree->nodes[child].move);
    return run->tree->nodes[child].visits > 0 && path->length < PATH_MAX_NODES;
}

static void simulate(const struct run *run)
{
    struct tree *tree = run->tree;
    struct game_state state FILLED_LATER;
    struct path path = {.length = 0};
    memcpy(state.bytes, tree->worlds[quick_random_draw_below(run->random, tree->world_count)].bytes,
           run->view->game->state_size);
    bool is_in_tree = true;
    uint8_t seats;
    while ((seats = seats_to_act(run, &state)) != 0) {
        if (is_in_tree) {
            is_in_tree = go_down(run, &state, seats, &path);
        } else {
            uint8_t seat = bits_index_of_lowest(seats);
            make_move(run, &state, seat, choose_light_move(run, &state, seat));
        }
    }
    float rewards[SEATS_MAX] = {0};
    run->rules->reward(run->view->scores, state.bytes, rewards);
    for (uint32_t i = 0; i < path.length; i++) {
        struct node *node = &tree->nodes[path.nodes[i]];
        node->visits++;
        node->total += rewards[node->seat];
    }
}

static uint8_t most_visited_move(const struct tree *tree)
{
    uint32_t best = tree->nodes[0].first_child;
    for (uint32_t child = best; child != NODE_NONE; child = tree->nodes[child].next_sibling) {
        best = tree->nodes[child].visits > tree->nodes[best].visits ? child : best;
    }
    return tree->nodes[best].move;
}

uint8_t tree_choose_move(struct tree *tree, const struct game_view *view,
                         const struct game_config *config, struct quick_random *random,
                         uint32_t simulations)
{
    const struct run run = {
        .tree = tree, .rules = tree_rules_find(view->game), .view = view, .random = random};
    if (move_set_count(&view->legal) == 1) {
        return move_set_next(&view->legal, 0);
    }
    if (phase_is_in(run.rules->choosing_phases, view->phase)) {
        return run.rules->choose(view, config, random);
    }
    if (!imagine_worlds(&run, config, simulations)) {
        return tree_rules_random_move(&view->legal, random);
    }
    tree->nodes[0] = (struct node){.first_child = NODE_NONE};
    tree->node_count = 1;
    for (uint32_t i = 0; i < simulations && i < TREE_SIMULATIONS; i++) {
        simulate(&run);
    }
    return most_visited_move(tree);
}
