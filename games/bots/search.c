#include "games/bots/bots.h"

#include "games/card.h"

#include <string.h>

#define PRIOR_WEIGHT 16.0F /* of what the net says of a move, in play-outs */

/* Of so many deals one is taken, the more likely the better the others' bids fit it. A bid that is
 * worth BID_HEAT less to its bidder than the best one is half as likely, and one that the net would
 * never make is not impossible. */
#define DEALS_DRAWN 4
#define BID_HEAT (NET_WORTH_ONE / 10)
#define BID_LEAST (NET_OFTEN / 64)

/* One search. */
struct run {
    struct search *search;
    const struct game_view *view;
    const struct game_def *game;
    struct quick_random *random;
    struct net net;
    uint32_t playouts, playouts_max;
    uint32_t decisions; /* that the net has made in play-outs, and bids that it has judged */
};

static const struct table_state *table_of(const struct game_state *state)
{
    return (const void *)state->bytes; /* every game's state begins with it */
}

/* The move that the net prefers for a seat in an imagined deal. */
static uint8_t choose_for_seat(struct run *run, const struct game_state *state, uint8_t seat)
{
    struct move_set legal = move_set_empty();
    int32_t worths[MOVES_MAX] FILLED_LATER;
    run->game->legal(state->bytes, seat, &legal);
    uint8_t first = move_set_next(&legal, 0);
    if (move_set_next(&legal, first + 1U) == MOVE_NONE ||
        !net_rate_moves(&run->net, run->game, state->bytes, seat, &legal, worths)) {
        return first;
    }
    run->decisions++;
    return net_find_best(&legal, worths);
}

/* Makes a legal move. */
static void make_move(const struct run *run, struct game_state *state, uint8_t seat, uint8_t move)
{
    game_make_legal_move(run->game, (void *)state->bytes, seat, move, NULL);
}

/* Plays the round to its end after the move, and adds what it was worth. */
static void play_out(struct run *run, const struct game_state *world, struct search_move *tried)
{
    const struct game_view *view = run->view;
    uint8_t own = (uint8_t)view->seat;
    struct game_state state FILLED_LATER;
    uint8_t to_act;
    memcpy(state.bytes, world->bytes, run->game->state_size);
    make_move(run, &state, own, tried->move);
    while ((to_act = table_seats_to_act_in_round(table_of(&state), view->round)) != 0) {
        uint8_t seat = bits_index_of_lowest(to_act);
        make_move(run, &state, seat, choose_for_seat(run, &state, seat));
    }
    tried->total += worth_of_round(run->game, view->scores, table_of(&state), own);
    if (table_of(&state)->to_act == 0) {
        tried->total += worth_of_end(run->game, &state, own);
    }
    tried->points += table_of(&state)->scores[own] - view->scores[own];
    tried->visits++;
    run->playouts++;
}

/* What a move seems to be worth. What the net says of it counts too, so that chance does not decide
 * after a few play-outs. */
static float rate(const struct search_move *tried)
{
    return (tried->total + PRIOR_WEIGHT * tried->prior) / ((float)tried->visits + PRIOR_WEIGHT);
}

/* Sorts the first moves, the best first; equally good ones stay in their order. */
static void sort(struct search_move *moves, uint8_t count)
{
    for (uint8_t i = 1; i < count; i++) {
        struct search_move moved = moves[i];
        uint8_t place = i;
        for (; place > 0 && rate(&moved) > rate(&moves[place - 1]); place--) {
            moves[place] = moves[place - 1];
        }
        moves[place] = moved;
    }
}

/* How often the worse half of so many moves is dropped until one is left. */
static uint8_t count_phases(uint8_t moves)
{
    uint8_t phases = 0;
    for (; moves > 1; moves = (uint8_t)((moves + 1) / 2)) {
        phases++;
    }
    return phases;
}

/* Fills in the legal moves that are tried: those that the net likes best, and no more than the
 * play-outs suffice for. */
static void list_moves(struct run *run, const int32_t worths[MOVES_MAX])
{
    struct search *search = run->search;
    const struct move_set *legal = &run->view->legal;
    for (uint8_t move = move_set_next(legal, 0); move != MOVE_NONE;
         move = move_set_next(legal, move + 1U)) {
        search->moves[search->count++] =
            (struct search_move){.move = move, .prior = (float)worths[move] / NET_WORTH_ONE};
    }
    sort(search->moves, search->count);
    uint8_t most = search->count < SEARCH_MOVES_MAX ? search->count : SEARCH_MOVES_MAX;
    while (most > 2 && most * count_phases(most) > run->playouts_max) {
        most--;
    }
    search->count = most;
}

/* How likely the net makes this bid. */
static float find_chance_of_bid(struct run *run, const struct game_state *state, uint8_t seat,
                                const struct move_set *legal, uint8_t bid)
{
    int32_t worths[MOVES_MAX] FILLED_LATER;
    uint32_t sum = 0;
    if (!net_rate_moves(&run->net, run->game, state->bytes, seat, legal, worths)) {
        return 1;
    }
    run->decisions++;
    int32_t most = worths[net_find_best(legal, worths)];
    for (uint8_t move = move_set_next(legal, 0); move != MOVE_NONE;
         move = move_set_next(legal, move + 1U)) {
        sum += net_soften(most - worths[move], BID_HEAT) + BID_LEAST;
    }
    uint32_t often = net_soften(most - worths[bid], BID_HEAT) + BID_LEAST;
    return (float)often / (float)sum;
}

/* How likely the others bid as they did, if the cards lie so. */
static float weigh_deal(struct run *run, const struct game_state *deal)
{
    struct game_state state FILLED_LATER;
    float weight = 1;
    memcpy(state.bytes, deal->bytes, run->game->state_size);
    run->game->encode->reopen_bidding(state.bytes);
    for (uint8_t i = 0; i < run->view->seats; i++) {
        uint8_t seat = bits_index_of_lowest(table_of(&state)->to_act);
        struct move_set legal = move_set_empty();
        run->game->legal(state.bytes, seat, &legal);
        uint8_t bid = (uint8_t)(game_find_bids(run->game)->first + run->view->bids[seat]);
        if (run->view->bids[seat] == BID_NONE || !move_set_has(&legal, bid)) {
            break; /* this seat and those after it have not bid yet */
        }
        if (seat != (uint8_t)run->view->seat) {
            weight *= find_chance_of_bid(run, &state, seat, &legal, bid);
        }
        make_move(run, &state, seat, bid);
    }
    return weight;
}

/* Whether public bids of others tell something of their cards. */
static bool has_told_bids(const struct run *run)
{
    bool is_told = false;
    for (uint8_t seat = 0; seat < run->view->seats; seat++) {
        is_told = is_told || (run->view->bids[seat] != BID_NONE && (int8_t)seat != run->view->seat);
    }
    return is_told && run->game->encode->reopen_bidding != NULL;
}

/* Lets the others make the secret bids that the net would make if the cards lie so. Those who may
 * move have not bid yet, or are the seat itself. */
static void imagine_bids(struct run *run, struct game_state *deal)
{
    struct game_state state FILLED_LATER;
    memcpy(state.bytes, deal->bytes, run->game->state_size);
    run->game->encode->reopen_bidding(state.bytes);
    unsigned seats = table_of(&state)->to_act & ~(unsigned)table_of(deal)->to_act;
    for (; seats != 0; seats &= seats - 1) {
        uint8_t seat = bits_index_of_lowest(seats);
        run->game->encode->set_bid(deal->bytes, seat, choose_for_seat(run, &state, seat));
    }
}

/* Draws a deal that fits the view and the others' bids. False if there is none. */
static bool draw_likely_deal(struct run *run, const struct game_config *config,
                             struct game_state *deal)
{
    float sum = 0;
    for (int i = 0; i < DEALS_DRAWN; i++) {
        struct game_state drawn FILLED_LATER;
        if (game_sample_state(run->view, config, run->random, &drawn) != GAME_OK) {
            return false;
        }
        float weight = weigh_deal(run, &drawn);
        float part = (float)(quick_random_next(run->random) >> 40) / (float)(1U << 24);
        sum += weight;
        if (i == 0 || part * sum < weight) {
            memcpy(deal->bytes, drawn.bytes, run->game->state_size);
        }
    }
    return true;
}

/* Imagines a deal that fits the view. False if there is none. */
static bool imagine_deal(struct run *run, const struct game_config *config, struct game_state *deal)
{
    bool is_possible = has_told_bids(run)
                           ? draw_likely_deal(run, config, deal)
                           : game_sample_state(run->view, config, run->random, deal) == GAME_OK;
    if (is_possible && run->game->encode->set_bid != NULL) {
        imagine_bids(run, deal);
    }
    return is_possible;
}

/* Tries the first `count` moves in one imagined deal. False if there is none. */
static bool try_in_one_deal(struct run *run, const struct game_config *config, uint8_t count)
{
    struct game_state world FILLED_LATER;
    if (!imagine_deal(run, config, &world)) {
        return false;
    }
    for (uint8_t i = 0; i < count; i++) {
        play_out(run, &world, &run->search->moves[i]);
    }
    return true;
}

/* Tries the first `count` moves, at least in one deal, until `done` of `phases` equal parts of all
 * play-outs and decisions are used up. False if no deal fits. */
static bool run_phase(struct run *run, const struct game_config *config, uint8_t count,
                      uint8_t done, uint8_t phases)
{
    uint32_t playouts = run->playouts_max * done / phases;
    uint32_t decisions = (uint32_t)SEARCH_DECISIONS * done / phases;
    bool is_possible = true;
    do {
        is_possible = try_in_one_deal(run, config, count);
    } while (is_possible && run->playouts + count <= playouts && run->decisions < decisions);
    return is_possible;
}

uint8_t search_choose_move(struct search *search, const struct game_view *view,
                           const struct game_config *config, struct quick_random *random,
                           uint32_t playouts)
{
    int32_t worths[MOVES_MAX] FILLED_LATER;
    struct run run = {.search = search,
                      .view = view,
                      .game = view->game,
                      .random = random,
                      .playouts_max = playouts};
    search->count = 0;
    if (move_set_count(&view->legal) == 1) {
        return move_set_next(&view->legal, 0);
    }
    if (!net_rate_view(view, config, random, &run.net, worths)) {
        return MOVE_NONE;
    }
    list_moves(&run, worths);
    uint8_t phases = count_phases(search->count);
    uint8_t left = search->count;
    for (uint8_t done = 1; done <= phases && run.playouts + left <= playouts; done++) {
        if (!run_phase(&run, config, left, done, phases)) {
            break;
        }
        sort(search->moves, left);
        left = (uint8_t)((left + 1) / 2);
    }
    return search->moves[0].move;
}

uint8_t search_list_choices(const struct search *search, const struct game_view *view,
                            struct search_choice choices[MOVES_MAX])
{
    uint8_t count = 0;
    for (uint8_t i = 0; i < search->count; i++) {
        const struct search_move *tried = &search->moves[i];
        if (tried->visits > 0 && move_set_has(&view->legal, tried->move)) {
            choices[count++] =
                (struct search_choice){.move = tried->move,
                                       .visits = tried->visits,
                                       .points = (float)tried->points / (float)tried->visits};
        }
    }
    return count;
}
