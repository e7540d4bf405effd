#include "games/face.h"
#include "games/oh_hell/oh_hell.h"

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
       "up "
       "to five players, 8 with six and 7 with seven. A long game goes from the top down to one "
       "card and back up; the round of one card is played once. The inverted long game goes from "
       "one card up to the top and back down. The short games go from 6 down to one and back up, "
       "from one up to the top, or from the top down to one."),
    N_("The first dealer is drawn by lot and the deal passes to the left. After the deal the next "
       "card of the deck is turned face up: its suit is trump for this round. The rest of the deck "
       "stays out of play, so not every card you fear is in somebody's hand."),
    N_("# Bidding"),
    N_("The player to the dealer's left bids first, then clockwise to the dealer. A bid is a "
       "number "
       "from 0 to the number of cards each; nobody may pass, and all bids are open. The dealer "
       "may not bid the number with which all bids would add up to the number of tricks, so that "
       "not everybody can be right. If the other bids are more than the tricks already, the dealer "
       "may bid any number."),
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

static uint8_t hand_size(const struct game_view *view)
{
    return (uint8_t)fields_find_number(&view->info, "size", 0);
}

static uint8_t fill_headline(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX])
{
    uint8_t count = 0;
    uint8_t size = hand_size(view);
    out[count++] = view->phase == OH_HELL_BID ? (struct phrase){.format = N_("{0} {0:card|cards}"),
                                                                .args = {arg_of_number(size)}}
                                              : face_count_tricks(view, size);
    uint8_t turnup = oh_hell_turned_up_card(view);
    if (turnup != CARD_NONE) {
        out[count++] = (struct phrase){
            .format = N_("trump {0}"),
            .args = {arg_of_suit(card_suit(&standard_deck, turnup))},
        };
        out[count++] =
            (struct phrase){.format = N_("turned up {0}"), .args = {arg_of_card(turnup)}};
    }
    return count;
}

/* Says what the bids so far, which add up to `sum`, mean for the dealer, who bids last. */
static struct phrase describe_bids_so_far(const struct game_view *view, int bidders, int sum)
{
    int size = hand_size(view);
    uint8_t dealer = (uint8_t)fields_find_number(&view->info, "dealer", 0);
    struct phrase words = {
        .format = N_("must not add up to {1}: {2} bids last"),
        .own = N_("must not add up to {1}: you bid last"),
        .args = {arg_of_number(sum), arg_of_number(size), arg_of_seat(dealer),
                 arg_of_number(size - sum)},
    };
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
 * the number of tricks. */
static uint8_t fill_board_facts(const struct game_view *view, struct face_fact out[FACE_BOARD_MAX])
{
    int size = hand_size(view);
    int bids = 0;
    int bidders = 0;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        bids += view->bids[seat] != BID_NONE ? view->bids[seat] : 0;
        bidders += view->bids[seat] != BID_NONE;
    }
    out[0].label = N_("bids");
    out[0].value = (struct phrase){
        .format = bids > size ? N_("{0} for {1} {1:trick|tricks}: over-bid by {2}")
                              : N_("{0} for {1} {1:trick|tricks}: under-bid by {2}"),
        .args = {arg_of_number(bids), arg_of_number(size),
                 arg_of_number(bids > size ? bids - size : size - bids)},
    };
    if (bidders < view->seats) {
        out[0].value = describe_bids_so_far(view, bidders, bids);
    }
    return 1;
}

static uint8_t fill_terms(const struct game_config *config, struct face_fact out[FACE_TERMS_MAX])
{
    static const char *const scorings[] = {
        [OH_HELL_POSITIVE] = N_("each trick 1, exact bid +10"),
        [OH_HELL_NEUTRAL] = N_("exact bid 10 + 1 a trick, else 0"),
        [OH_HELL_NEGATIVE] = N_("exact bid 10, else -10 a trick off"),
    };
    out[0].label = N_("scoring");
    out[0].value = phrase_without_args(scorings[config->options[OH_HELL_SCORING]]);
    return 1;
}

static uint8_t fill_badges(const struct game_view *view, uint8_t seat,
                           struct phrase out[FACE_BADGES_MAX])
{
    if (fields_find_number(&view->info, "dealer", -1) != seat) {
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
    struct phrase words = {
        .format = forbidden == BID_NONE ? N_("Bid {0}–{1}") : N_("Bid {0}–{1}, not {2}"),
        .args = {arg_of_number(first), arg_of_number(last), arg_of_number(forbidden)},
    };
    if (first == last) {
        words.format = N_("Bid {0}, not {2}");
    }
    return words;
}

static struct phrase prompt_for_viewer(const struct game_view *view)
{
    if (!view_viewer_may_move(view)) {
        return phrase_absent();
    }
    if (view->phase == OH_HELL_BID) {
        return describe_free_bids(hand_size(view), oh_hell_forbidden_bid(view));
    }
    uint8_t turnup = oh_hell_turned_up_card(view);
    return face_prompt_to_follow_suit(view, turnup != CARD_NONE ? card_suit(&standard_deck, turnup)
                                                                : SUIT_NONE);
}

static const char *words_for_turn(const struct game_view *view, UNUSED uint8_t seat)
{
    return view->phase == OH_HELL_BID ? N_("to bid") : face_lead_or_play_words(view);
}

static struct phrase label_move(UNUSED const struct game_view *view, uint8_t move)
{
    struct phrase phrase = {.format = "{0}"};
    phrase.args[0] =
        move >= OH_HELL_BID_FIRST ? arg_of_number(move - OH_HELL_BID_FIRST) : arg_of_card(move);
    return phrase;
}

static struct phrase explain_bid_refusal(const struct game_view *view, uint8_t bid)
{
    uint8_t size = hand_size(view);
    if (bid > size) {
        return (struct phrase){
            .format = N_("{0} is too many: the most is {1}"),
            .args = {arg_of_number(bid), arg_of_number(size)},
        };
    }
    return (struct phrase){
        .format = N_("not {0}: the bids may not add up to {1}"),
        .args = {arg_of_number(bid), arg_of_number(size)},
    };
}

static struct phrase explain_refusal(const struct game_view *view, uint8_t move)
{
    bool is_bid = move >= OH_HELL_BID_FIRST;
    if (move_set_has(&view->legal, move)) {
        return phrase_absent();
    }
    if (!view_viewer_may_move(view)) {
        return face_explain_wrong_turn(view);
    }
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
    struct phrase phrase = {
        .format = bid > tricks ? N_("bid {0}, took {1}: {2} too few, no points")
                               : N_("bid {0}, took {1}: {2} too many, no points"),
        .args = {arg_of_number(bid), arg_of_number(tricks), arg_of_number(off)},
    };
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
    uint8_t turnup = oh_hell_turned_up_card(view);
    bool is_known = turnup != CARD_NONE && face_trick_is_of_round(view, trick);
    return face_explain_trick_winner(view, trick,
                                     is_known ? card_suit(&standard_deck, turnup) : SUIT_NONE);
}

const struct game_face oh_hell_face = {
    .lesson = &oh_hell_lesson,
    .pitch = N_("Say how many tricks you will take, then take just as many."),
    .brief = oh_hell_brief,
    .rules = oh_hell_rules,
    .headline = fill_headline,
    .badges = fill_badges,
    .prompt = prompt_for_viewer,
    .label = label_move,
    .refusal = explain_refusal,
    .point = move_for_slot,
    .explain = explain_points,
    .why_won = explain_trick_winner,
    .explain_result = story_add_highest_total,
    .story = &oh_hell_story,
    .board = fill_board_facts,
    .terms = fill_terms,
    .signs = oh_hell_signs,
    .turn = words_for_turn,
};
