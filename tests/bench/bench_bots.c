#include "daemon/cli/cli.h"
#include "tests/bench/bench.h"
#include "tests/bench/opponents/greedy.h"
#include "tests/bench/opponents/tree.h"

#include <stdio.h>

static uint8_t choose_by_tree(void *context, const struct bench_turn *turn)
{
    return tree_choose_move(context, turn->view, turn->config, turn->random, TREE_SIMULATIONS);
}

static uint8_t choose_greedily(UNUSED void *context, const struct bench_turn *turn)
{
    return greedy_choose_move(turn->view);
}

int bench_bots(char **argv)
{
    struct tree *tree = tree_new();
    if (tree == NULL) {
        fputs("bench bots: out of memory\n", stderr);
        return 1;
    }
    const struct bench_player opponents[] = {
        {.name = "tree", .context = tree, .choose = choose_by_tree},
        {.name = "greedy", .game_id = GREEDY_GAME, .choose = choose_greedily},
        {.name = NULL},
    };
    int status = bench_bots_run(argv, opponents);
    tree_free(tree);
    return status;
}
