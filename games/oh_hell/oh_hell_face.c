#include "games/oh_hell/oh_hell.h"

#include "games/face.h"
#include "games/history.h"

#include <stddef.h>

static const char *const oh_hell_brief[] = {
    N_("Say how many tricks you will take, then take exactly that many."),
    "",
    N_("Deal    The number of cards changes with each round. After the deal, a card\n        is "
       "turned up: its suit is trump for the round."),
    N_("Bid     From the dealer's left, everyone names a number of tricks. The\n"
       "        dealer bids last and may not make the bids add up to the number of\n"
       "        tricks: somebody will always miss."),
    N_("Play    The player left of the dealer leads. Follow the suit led if you\n        can, else "
       "play anything. The highest trump wins, without trumps the\n        highest of the suit "
       "led, ace high. The winner leads the next trick."),
    N_("Score   positive   1 a trick, and 10 for an exact bid\n        neutral    10 and 1 a trick "
       "for an exact bid, otherwise nothing\n        negative   10 for an exact bid, else -10 per "
       "trick over or under"),
    N_("Winner  The highest total after the last round."),
    NULL,
};

static const char *const oh_hell_rules[] = {
    N_("# What it is about"),
    N_("Three to seven players, 52 cards, ace high. In every round you promise a number of tricks "
       "and try to take exactly that many: one too many loses the bonus just as one too few does."),
    N_("# The rounds"),
    N_("The number of cards changes from round to round. At the top there are 10 cards each with "
       "up to five players, 8 with six and 7 with seven. A long game goes from the top down to one "
       "card and back up; the round of one card is played once. The inverted long game goes from "
       "one card up to the top and back down. The short games go from 6 down to one and back up, "
       "from one up to the top, or from the top down to one."),
    N_("The first dealer is drawn by lot and the deal passes to the left. After the deal the next "
       "card of the deck is turned face up: its suit is trump for this round. The rest of the deck "
       "stays out of play, so not every card you fear is in somebody's hand."),
    N_("# Bidding"),
    N_("The player to the dealer's left bids first, then clockwise to the dealer. A bid is a "
       "number from 0 to the number of cards each; nobody may pass, and all bids are open. The "
       "dealer may not bid the number with which all bids would add up to the number of tricks, so "
       "that not everybody can be right. If the other bids are more than the tricks already, the "
       "dealer may bid any number."),
    N_("# Playing"),
    N_("The player to the dealer's left leads any card, trumps included. Clockwise, everyone plays "
       "one card: of the suit led if they have one, otherwise any. The highest trump takes the "
       "trick; if there is none in it, the highest card of the suit led does. Whoever takes a "
       "trick leads the next."),
    N_("# Scoring"),
    N_("Positive: one point for each trick taken, and 10 more for an exact bid. A failed bid still "
       "earns its tricks. Neutral: 10 points and one for each trick when the bid is exact, nothing "
       "otherwise. Negative: 10 points for an exact bid; otherwise 10 points lost for each trick "
       "over or under it."),
    N_("The highest total after the last round wins. Players with the same total share their "
       "rank."),
    NULL,
};

static const char *const oh_hell_signs[] = {
    N_("bid 2         the tricks this player promised to take; bid –: not yet"),
    N_("turned up     the card that was turned up after the deal: its suit is trump"),
    N_("bids 6        the sum of all bids, beside the number of tricks in the round"),
    N_("under-bid     fewer bids than tricks: somebody must take more than they bid"),
    N_("T             the ten of a suit"),
    N_("scoring       how this table counts a round, one of three ways"),
    N_("dealer        dealt the cards of this round"),
    NULL,
};

static uint8_t fill_headline(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX])
{
    uint8_t count = 0;
    uint8_t size = oh_hell_known(view)->size;
    out[count++] = view->phase == OH_HELL_BID
                       ? PHRASE(N_("{0} {0:card|cards}"), arg_of_number(size))
                       : face_count_tricks(view, size);
    uint8_t turnup = oh_hell_known(view)->turnup;
    out[count++] = PHRASE(N_("trump {0}"), arg_of_suit(card_suit(&standard_deck, turnup)));
    out[count++] = PHRASE(N_("turned up {0}"), arg_of_card(turnup));
    return count;
}

/* Says what the bids so far, which add up to `sum`, mean for the dealer, who bids last. */
static struct phrase describe_bids_so_far(const struct game_view *view, int bidders, int sum)
{
    int size = oh_hell_known(view)->size;
    uint8_t dealer = oh_hell_known(view)->dealer;
    struct phrase words = PHRASE_OWN(
        N_("must not add up to {1}: {2} bids last"), N_("must not add up to {1}: you bid last"),
        arg_of_number(sum), arg_of_number(size), arg_of_seat(dealer), arg_of_number(size - sum));
    if (bidders > 0 && sum > size) {
        words.format = N_("{0} so far, more than {1}: {2} may bid any number");
        words.own = N_("{0} so far, more than {1}: you may bid any number");
    } else if (bidders == view->seats - 1) {
        words.format = N_("{0} so far for {1} {1:trick|tricks}: {2} may not bid {3}");
        words.own = N_("{0} so far for {1} {1:trick|tricks}: you may not bid {3}");
    } else if (bidders > 0) {
        words.format = N_("{0} so far; {2} bids last, and the sum may not be {1} then");
        words.own = N_("{0} so far; you bid last, and the sum may not be {1} then");
    }
    return words;
}

/* Fills in the sum of the bids: until all have bid, with what it means for the dealer, then beside
 * the number of tricks; and the way of scoring. */
static uint8_t fill_board_facts(const struct game_view *view, const struct game_config *config,
                                struct face_fact out[FACE_BOARD_MAX])
{
    static const char *const scorings[] = {
        [OH_HELL_POSITIVE] = N_("each trick 1, exact bid +10"),
        [OH_HELL_NEUTRAL] = N_("exact bid 10 + 1 a trick, else 0"),
        [OH_HELL_NEGATIVE] = N_("exact bid 10, else -10 a trick off"),
    };
    int size = oh_hell_known(view)->size;
    int bids = 0;
    int bidders = 0;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        bids += view->bids[seat] != BID_NONE ? view->bids[seat] : 0;
        bidders += view->bids[seat] != BID_NONE;
    }
    out[0].label = N_("bids");
    out[0].value = PHRASE(bids > size ? N_("{0} for {1} {1:trick|tricks}: over-bid by {2}")
                                      : N_("{0} for {1} {1:trick|tricks}: under-bid by {2}"),
                          arg_of_number(bids), arg_of_number(size),
                          arg_of_number(bids > size ? bids - size : size - bids));
    if (bidders < view->seats) {
        out[0].value = describe_bids_so_far(view, bidders, bids);
    }
    if (config == NULL) {
        return 1;
    }
    out[1].label = N_("scoring");
    out[1].value = phrase_without_args(scorings[config->options[OH_HELL_SCORING]]);
    return 2;
}

static uint8_t fill_badges(const struct game_view *view, uint8_t seat,
                           struct phrase out[FACE_BADGES_MAX])
{
    if (oh_hell_known(view)->dealer != seat) {
        return 0;
    }
    out[0] = phrase_without_args(N_("dealer"));
    return 1;
}

/* Says which bids are free. `forbidden` is BID_NONE when all are. */
static struct phrase describe_free_bids(uint8_t size, int8_t forbidden)
{
    int first = forbidden == 0 ? 1 : 0;
    int last = forbidden == (int)size ? size - 1 : size;
    struct phrase words =
        PHRASE(forbidden == BID_NONE ? N_("Bid {0}–{1}") : N_("Bid {0}–{1}, not {2}"),
               arg_of_number(first), arg_of_number(last), arg_of_number(forbidden));
    if (first == last) {
        words.format = N_("Bid {0}, not {2}");
    }
    return words;
}

static struct phrase prompt_for_viewer(const struct game_view *view)
{
    if (view->phase == OH_HELL_BID) {
        return describe_free_bids(oh_hell_known(view)->size, oh_hell_forbidden_bid(view));
    }
    return face_prompt_to_follow_suit(view, card_suit(&standard_deck, oh_hell_known(view)->turnup));
}

static struct phrase explain_bid_refusal(const struct game_view *view, uint8_t bid)
{
    uint8_t size = oh_hell_known(view)->size;
    if (bid > size) {
        return PHRASE(N_("{0} is too many: the most is {1}"), arg_of_number(bid),
                      arg_of_number(size));
    }
    return PHRASE(N_("not {0}: the bids may not add up to {1}"), arg_of_number(bid),
                  arg_of_number(size));
}

static struct phrase explain_refusal(const struct game_view *view, uint8_t move)
{
    bool is_bid = move >= OH_HELL_BID_FIRST;
    if (is_bid != (view->phase == OH_HELL_BID)) {
        return phrase_without_args(is_bid ? N_("the bids are made") : N_("bid first"));
    }
    return is_bid ? explain_bid_refusal(view, (uint8_t)(move - OH_HELL_BID_FIRST))
                  : face_explain_illegal_card(view, move);
}

static uint8_t move_for_slot(const struct game_view *view, uint8_t slot)
{
    return view->phase == OH_HELL_PLAY ? face_card_in_slot(view, slot) : MOVE_NONE;
}

/* A score row does not say which scoring option the game uses, but the row's parts show the
 * option. */
static struct phrase explain_points(const struct score_row *row, uint8_t seat)
{
    int bid = (uint8_t)row->bids[seat]; /* a scored round always has bids */
    int tricks = row->tricks[seat];
    int points = row->points[seat];
    int off = bid > tricks ? bid - tricks : tricks - bid;
    struct phrase phrase = PHRASE(bid > tricks ? N_("bid {0}, took {1}: {2} too few, no points")
                                               : N_("bid {0}, took {1}: {2} too many, no points"),
                                  arg_of_number(bid), arg_of_number(tricks), arg_of_number(off));
    if (off == 0) {
        phrase.format = points > 10 ? N_("bid {0}, took {1}: exact +10, {1} {1:trick|tricks} +{1}")
                                    : N_("bid {0}, took {1}: exact +10");
    } else if (points > 0) {
        phrase.format = bid > tricks
                            ? N_("bid {0}, took {1}: {2} too few, {1} {1:trick|tricks} +{1}")
                            : N_("bid {0}, took {1}: {2} too many, {1} {1:trick|tricks} +{1}");
    } else if (points < 0) {
        phrase.format = bid > tricks ? N_("bid {0}, took {1}: {2} too few, -10 × {2}")
                                     : N_("bid {0}, took {1}: {2} too many, -10 × {2}");
    }
    return phrase;
}

static struct phrase explain_trick_winner(const struct game_view *view,
                                          const struct view_trick *trick)
{
    uint8_t trump = card_suit(&standard_deck, oh_hell_known(view)->turnup);
    return face_explain_trick_winner(view, trick,
                                     face_trick_is_of_round(view, trick) ? trump : SUIT_NONE);
}

static void tell_deal(const struct game_view *now, struct story *story)
{
    uint8_t turnup = oh_hell_known(now)->turnup;
    uint8_t dealer = oh_hell_known(now)->dealer;
    story_add(story,
              PHRASE_OWN(N_("{0} deals {1} {1:card|cards} each and turns up {2}: trump is {3}"),
                         N_("You deal {1} {1:card|cards} each and turn up {2}: trump is {3}"),
                         arg_of_seat(dealer), arg_of_number(now->slot_count[0]),
                         arg_of_card(turnup), arg_of_suit(card_suit(&standard_deck, turnup))));
    story_add(story, PHRASE_OWN(N_("{0} bids last and may not make the bids add up to {1}"),
                                N_("You bid last and may not make the bids add up to {1}"),
                                arg_of_seat(dealer), arg_of_number(now->slot_count[0])));
}

/* Tells which bid the dealer, who bids last, was not free to make. */
static struct phrase tell_forbidden_bid(const struct game_view *now, uint8_t seat)
{
    int size = now->slot_count[0];
    int forbidden = size;
    for (uint8_t i = 0; i < now->seats; i++) {
        forbidden -= i != seat && now->bids[i] != BID_NONE ? now->bids[i] : 0;
    }
    if (forbidden < 0 || oh_hell_known(now)->dealer != seat) {
        return phrase_absent();
    }
    return PHRASE(N_("could bid any number but {0}"), arg_of_number(forbidden));
}

static const struct game_story oh_hell_story = {
    .begin = tell_deal,
    .bid_remark = tell_forbidden_bid,
};

/*
 * The lesson of Oh Hell: the player bids 2, takes a trick with a low trump and one with the ace
 * of trumps, and then loses the rest.
 */

static const struct lesson_move moves[] = {
    {2, "bid:1", NULL},
    {3, "bid:2",
     N_("the ace of diamonds is the highest trump; your other trump may win when hearts are led, "
        "since who has no heart may play a trump")},
    {0, "bid:1", NULL},
    {1, "bid:1", NULL},
    {2, "play:AS", NULL},
    {3, "play:TS",
     N_("the ace will most likely win, and later this ten might win a trick that you do not want")},
    {0, "play:7S", NULL},
    {1, "play:2S", NULL},
    {2, "play:9C", NULL},
    {3, "play:JC", N_("it is your only club, so you have no choice")},
    {0, "play:AC", NULL},
    {1, "play:8H", NULL},
    {0, "play:2H", NULL},
    {1, "play:3H", NULL},
    {2, "play:6H", NULL},
    {3, "play:2D", N_("a trump beats the three hearts, so this is your first trick")},
    {3, "play:AD", N_("nobody can beat the ace of trumps, so this is your second trick")},
    {0, "play:8C", NULL},
    {1, "play:3D", NULL},
    {2, "play:9S", NULL},
    {3, "play:3S", N_("your lowest card is the most likely to lose")},
    {0, "play:4S", NULL},
    {1, "play:5D", NULL},
    {2, "play:3C", NULL},
    {1, "play:4H", NULL},
    {2, "play:4C", NULL},
    {3, "play:8S", N_("it is your last card, and a spade cannot win a heart trick")},
    {0, "play:TC", NULL},
};

static bool hears_of_trump(const struct game_view *view)
{
    return view->phase == OH_HELL_BID && !view_viewer_may_move(view) && view->round == 1;
}

/* Whether all bids are made, and nobody has led yet. */
static bool sees_all_bids(const struct game_view *view)
{
    return view->phase == OH_HELL_PLAY && view->past_count == 0 && view->trick.count == 0;
}

static bool is_dealer(const struct game_view *view)
{
    return view->seat == (int8_t)oh_hell_known(view)->dealer;
}

/* Whether the viewer cannot follow suit but holds a trump. */
static bool may_trump(const struct game_view *view)
{
    uint8_t trump = card_suit(view->game->deck, oh_hell_known(view)->turnup);
    return lesson_viewer_cannot_follow(view) && face_count_suit_cards(view, trump) > 0;
}

static const struct lesson_note notes[] = {
    {N_("One card is turned up, and its suit is trump: any trump beats every card of the other "
        "suits."),
     .matters = hears_of_trump},
    {N_("You deal, so you bid last, and the bids of all may not add up to the number of tricks."),
     .matters = is_dealer, .phases = 1U << OH_HELL_BID},
    {N_("First all say how many tricks they will take. Exactly right pays 10 points; each trick "
        "taken is 1 more point."),
     .phases = 1U << OH_HELL_BID},
    {N_("The dealer bids last and may not make the bids add up to the number of tricks: so "
        "somebody always misses."),
     .matters = sees_all_bids},
    {N_("You hold the suit that was led, so you must follow it; the highest card of it wins, "
        "unless somebody plays a trump."),
     .matters = lesson_viewer_follows_suit},
    {N_("You have no card of the suit led, so you may play any card, also a trump."),
     .matters = may_trump},
    {N_("You have as many tricks as you bid: one more would cost you the 10 points."),
     .matters = lesson_viewer_has_bid_tricks},
    {N_("You took the trick, so you lead: you may lead any card."),
     .matters = lesson_viewer_leads_after_trick},
    {N_("Whoever took exactly the tricks of the bid got 10 points; every trick taken is 1 point, "
        "also after a wrong bid."),
     .matters = lesson_round_is_over, .is_about_scores = true},
    {N_("The hands now shrink to 1 card, then grow again, and the most points win; q leaves."),
     .matters = lesson_round_is_over},
};

static const struct game_lesson oh_hell_lesson = {
    .players = 4,
    .options = {[OH_HELL_LENGTH] = 2}, /* short-up-down: six cards first */
    .seat = 3,
    .seed = {34},
    .moves = moves,
    .move_count = ARRAY_LEN(moves),
    .notes = notes,
    .note_count = ARRAY_LEN(notes),
};

const struct game_face oh_hell_face = {
    .lesson = &oh_hell_lesson,
    .pitch = N_("Say how many tricks you will take, then take just as many."),
    .pages = {oh_hell_brief, oh_hell_rules, oh_hell_signs},
    .headline = fill_headline,
    .badges = fill_badges,
    .prompt = prompt_for_viewer,
    .refusal = explain_refusal,
    .point = move_for_slot,
    .explain = explain_points,
    .why_won = explain_trick_winner,
    .explain_result = story_add_highest_total,
    .story = &oh_hell_story,
    .board = fill_board_facts,
};
