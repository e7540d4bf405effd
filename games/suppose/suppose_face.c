#include "games/suppose/suppose.h"

#include "games/face.h"
#include "games/history.h"

#include <stddef.h>

/* what the cards of an average hand count (estimate_tricks_of_neighbour) */
#define AVERAGE_HAND 38U
/* with so many players, one 3 and one 4 of each colour stay out */
#define SEATS_WITH_FEWER_CARDS 3

static const char *const suppose_brief[] = {
    N_("Foresee how many tricks your left neighbour takes with a hand they\n"
       "hardly see."),
    "",
    N_("Cards   Red, yellow, green and blue, 1 to 6, each card twice (with three\n"
       "        players 3 and 4 only once); 11 each. The hand dealt to you is not\n"
       "        yours: it goes to your left neighbour."),
    N_("First   Choose the order of its colours, left to right; each colour's\n"
       "        cards rise from left to right. Then predict, in secret, how many\n"
       "        tricks your neighbour will take with it: one number, or two."),
    N_("Pass    Of your own hand you see the first, middle and last card; the\n"
       "        others see the other eight, and whoever arranged it sees all."),
    N_("Play    Play any card, seen or not; you never have to follow. The highest\n"
       "        card of the colour led wins, of equals the earlier one. The\n"
       "        winner leads the next trick."),
    N_("Score   1 a trick. A right prediction: 5 if it was your only number, 2 if\n"
       "        it was one of two. As many rounds as players; highest total wins."),
    NULL,
};

static const char *const suppose_signs[] = {
    N_("?             a card you do not see: among your own cards the others see it,\n"
       "              among theirs its holder does"),
    N_("·             a card that is played already: the others keep their places"),
    N_("▲             while you put the colours in order: your left neighbour will\n"
       "              see this card"),
    N_("[red]         the colour that you are moving"),
    N_("[3] <3>       a number you may predict, and a number you have typed"),
    N_("starts        leads to the first trick of this round"),
    N_("ready         has predicted, and waits for the others"),
    NULL,
};

static const char *const suppose_rules[] = {
    N_("# What it is about"),
    N_("Three or four players. You get points for tricks, and more for knowing beforehand how many "
       "your left neighbour will take. They play with cards you gave them and of which they see "
       "only three."),
    N_("# The cards"),
    N_("Four colours, red, yellow, green and blue, with the values 1 to 6, and each card is there "
       "twice. With three players one 3 and one 4 of each colour stay out. Everyone gets 11 cards; "
       "the rest is put aside unseen."),
    N_("# Arranging and predicting"),
    N_("All do this at the same time, and nobody waits. The hand you are dealt is for your left "
       "neighbour. First choose in which order its colours shall lie, seen from the holder's left "
       "to right. The cards of a colour lie together and never fall from left to right; that is "
       "done for you."),
    N_("Then predict how many of the 11 tricks your left neighbour will take with this hand. Name "
       "one number, or two different ones: that is safer and pays less. Nobody sees predictions "
       "before the round is scored."),
    N_("# What one sees"),
    N_("When all have predicted, every hand moves one player to the left. Its holder sees the "
       "first, the sixth and the last of the eleven cards, and nothing else. The others see the "
       "other eight; only whoever arranged the hand knows all of it. That the colours lie together "
       "and rise from left to right is known to all, so seen cards tell much about the unseen "
       "ones. A played card leaves a gap: the other cards never move."),
    N_("# Playing"),
    N_("The start player leads to the first trick. Clockwise, everyone plays one card, whichever "
       "they like: seen or not, and of any colour. Only cards of the colour led can win: the "
       "highest of them takes the trick, and of two equal ones the one played earlier. Whoever "
       "takes a trick leads the next."),
    N_("# Scoring"),
    N_("Every trick is worth one point to whoever took it. If your left neighbour took exactly the "
       "number you predicted, you gain 5 points more if it was your only number, and 2 if it was "
       "one of two."),
    N_("The first start player is drawn by lot, and the office passes to the left with every "
       "round. There are as many rounds as players. The highest total wins; players with the same "
       "total share their rank."),
    NULL,
};

static uint8_t get_left_neighbour(const struct game_view *view, uint8_t seat)
{
    return (uint8_t)((seat + 1) % view->seats);
}

static bool viewer_has_arranged_hand(const struct game_view *view)
{
    return suppose_known(view)->arranged != SUPPOSE_NONE;
}

/* "3" or "3 or 4". */
static struct phrase make_prediction_label(uint8_t prediction)
{
    uint8_t tricks[2];
    uint8_t count = suppose_list_predicted_numbers(prediction, tricks);
    struct phrase phrase = PHRASE(count == 1 ? "{0}" : N_("{0} or {1}"), arg_of_number(tricks[0]));
    if (count == 2) {
        phrase.args[1] = arg_of_number(tricks[1]);
    }
    return phrase;
}

/* Whether the neighbour, with so many tricks now and `left` still to come, can take none of the
 * numbers predicted any more. */
static bool is_prediction_missed(const uint8_t predicted[2], uint8_t count, uint8_t now,
                                 uint8_t left)
{
    for (uint8_t i = 0; i < count; i++) {
        if (predicted[i] >= now && predicted[i] <= now + left) {
            return false;
        }
    }
    return true;
}

/* Says what the viewer predicted for the left neighbour and, while cards are played, whether it can
 * still come true and how many tricks the neighbour has. Says nothing before the viewer's
 * prediction. Returns the number of facts. */
static uint8_t describe_own_prediction(const struct game_view *view, struct phrase *out)
{
    uint8_t tricks[2] = {0};
    uint8_t prediction = suppose_known(view)->prediction;
    if (view->seat < 0 || prediction == SUPPOSE_NONE) {
        return 0;
    }
    uint8_t count = suppose_list_predicted_numbers(prediction, tricks);
    uint8_t neighbour = get_left_neighbour(view, (uint8_t)view->seat);
    out[0] = (struct phrase){
        .args = {arg_of_number(tricks[0]), arg_of_number(tricks[1]), arg_of_seat(neighbour)}};
    if (view->phase == SUPPOSE_PREPARE) {
        out[0].format =
            count == 1 ? N_("you predict {0} for {2}") : N_("you predict {0} or {1} for {2}");
        return 1;
    }
    uint8_t left = (uint8_t)(SUPPOSE_SLOTS - view->past_count);
    if (is_prediction_missed(tricks, count, view->tricks[neighbour], left)) {
        out[0].format = count == 1 ? N_("you said {0}: missed") : N_("you said {0} or {1}: missed");
    } else {
        out[0].format = count == 1 ? N_("you said {0}") : N_("you said {0} or {1}");
    }
    out[1] =
        PHRASE(N_("{0} has {1}"), arg_of_seat(neighbour), arg_of_number(view->tricks[neighbour]));
    return 2;
}

/* The prediction comes first, because it is written nowhere else: a narrow screen leaves out facts
 * that do not fit. */
static uint8_t fill_headline(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX])
{
    uint8_t count = describe_own_prediction(view, out);
    if (view->phase != SUPPOSE_PREPARE) {
        out[count++] = face_count_tricks(view, SUPPOSE_SLOTS);
    }
    if (view->phase == SUPPOSE_PREPARE) {
        out[count++] = phrase_without_args(N_("all choose at once"));
    }
    out[count++] = phrase_without_args(view->seats > SEATS_WITH_FEWER_CARDS
                                           ? N_("each card twice")
                                           : N_("each card twice, 3 and 4 once"));
    return count;
}

/* Says while cards are played what the places and the signs of hidden cards tell: the holder sees
 * three cards of a hand, the others the rest. */
static struct phrase explain_signs(const struct game_view *view)
{
    if (view->phase != SUPPOSE_PLAY || view->seat < 0) {
        return phrase_absent();
    }
    return phrase_without_args(N_("each colour rises rightward; all see their 1st, 6th, last; "
                                  "?\u00a0unknown; ·\u00a0played"));
}

static uint8_t fill_badges(const struct game_view *view, uint8_t seat,
                           struct phrase out[FACE_BADGES_MAX])
{
    uint8_t count = 0;
    /* later, the word would seem to name the leader of the current trick */
    bool is_before_lead = view->phase == SUPPOSE_PREPARE || view->past_count == 0;
    if (is_before_lead && suppose_known(view)->start == seat) {
        out[count++] = phrase_without_args(N_("starts"));
    }
    if (view->phase == SUPPOSE_PREPARE && (view->to_act >> seat & 1) == 0) {
        out[count++] = phrase_without_args(N_("ready"));
    }
    return count;
}

/* Whether none of the viewer's cards can win the trick. False while there are cards that the viewer
 * does not see. */
static bool viewer_cannot_win(const struct game_view *view, uint8_t led, uint8_t best)
{
    for (uint8_t i = 0; i < view->slot_count[view->seat]; i++) {
        const struct view_slot *slot = &view->hands[view->seat][i];
        bool is_better = !slot->is_empty && slot->card != CARD_NONE &&
                         card_suit(&suppose_deck, slot->card) == led &&
                         card_value(&suppose_deck, slot->card) > best;
        if (is_better || (!slot->is_empty && slot->card == CARD_NONE)) {
            return false;
        }
    }
    return true;
}

/* Says what wins the trick, or which card wins so far while others still play after the viewer.
 * Where an equal card could still come, says that it loses. */
static struct phrase describe_what_wins(const struct game_view *view, uint8_t led)
{
    uint8_t best = 0;
    for (uint8_t i = 0; i < view->trick.count; i++) {
        uint8_t card = view->trick.plays[i].card;
        uint8_t value = card_suit(&suppose_deck, card) == led ? card_value(&suppose_deck, card) : 0;
        best = value > best ? value : best;
    }
    struct phrase words = PHRASE(N_("Play any card: {0} above {1} wins, equals lose"),
                                 arg_of_words(suppose_deck.suits[led].title), arg_of_number(best));
    if (best == SUPPOSE_VALUES) {
        words.format = N_("Play any card: nothing beats the {0} {1}");
    } else if (viewer_cannot_win(view, led, best)) {
        words.format = N_("Play any card: none of yours beats the {0} {1}");
    } else if (view->trick.count + 1 < view->seats) {
        words.format = N_("Play any card: {0} {1} wins so far, equals lose");
    }
    return words;
}

static struct phrase prompt_for_viewer(const struct game_view *view)
{
    struct phrase phrase = {.args = {arg_of_seat(get_left_neighbour(view, (uint8_t)view->seat))}};
    if (view->phase == SUPPOSE_PREPARE) {
        phrase.format = viewer_has_arranged_hand(view)
                            ? N_("Predict how many tricks {0} takes")
                            : N_("Order the colours: {0} gets this hand as shown");
        return phrase;
    }
    uint8_t led = face_suit_led(view);
    if (led == SUIT_NONE) {
        return phrase_without_args(N_("Lead any card, seen or not"));
    }
    return describe_what_wins(view, led);
}

/* What Enter does while a prediction is selected. */
static struct phrase describe_confirmation(UNUSED const struct game_view *view, uint8_t move,
                                           enum face_enter enter)
{
    static const char *const formats[][2] = {
        [FACE_ENTER_ONCE] = {N_("Enter predicts {0}: {2} points if right"),
                             N_("Enter predicts {0} or {1}: {2} points if either is right")},
        [FACE_ENTER_TWICE] = {N_("Enter twice predicts {0} (pays {2}); two, as 3,4, pay {3}"),
                              N_("Enter twice predicts {0} or {1}: {2} points if either is right")},
        [FACE_ENTER_AGAIN] = {N_("Enter again predicts {0}: {2} points if right"),
                              N_("Enter again predicts {0} or {1}: {2} points if either is right")},
    };
    uint8_t tricks[2] = {0};
    if (move == MOVE_NONE) {
        return PHRASE(N_("One number earns {0} if right; two, such as 3,4, earn {1}"),
                      arg_of_number(SUPPOSE_BONUS_ONE), arg_of_number(SUPPOSE_BONUS_TWO));
    }
    if (move < SUPPOSE_PREDICT_FIRST || move >= SUPPOSE_PREDICT_FIRST + SUPPOSE_PREDICTIONS) {
        return phrase_absent();
    }
    uint8_t count = suppose_list_predicted_numbers((uint8_t)(move - SUPPOSE_PREDICT_FIRST), tricks);
    return PHRASE(formats[enter][count - 1], arg_of_number(tricks[0]), arg_of_number(tricks[1]),
                  arg_of_number(count == 1 ? SUPPOSE_BONUS_ONE : SUPPOSE_BONUS_TWO),
                  arg_of_number(SUPPOSE_BONUS_TWO));
}

static struct phrase make_colour_order_label(uint8_t colour_order)
{
    static const char *const formats[] = {
        [1] = "{0}", [2] = "{0} {1}", [3] = "{0} {1} {2}", [4] = "{0} {1} {2} {3}"};
    uint8_t colours[SUPPOSE_COLOURS];
    uint8_t count = suppose_list_colours_of_order(colour_order, colours);
    struct phrase phrase = phrase_without_args(formats[count]);
    for (uint8_t i = 0; i < count; i++) {
        phrase.args[i] = arg_of_suit(colours[i]);
    }
    return phrase;
}

static struct phrase label_move(UNUSED const struct game_view *view, uint8_t move)
{
    return move >= SUPPOSE_ARRANGE_FIRST
               ? make_colour_order_label((uint8_t)(move - SUPPOSE_ARRANGE_FIRST))
               : make_prediction_label((uint8_t)(move - SUPPOSE_PREDICT_FIRST));
}

static struct phrase explain_refusal(const struct game_view *view, uint8_t move)
{
    if (view->phase == SUPPOSE_PLAY) {
        return phrase_without_args(move < SUPPOSE_SLOTS ? N_("that card is played already")
                                                        : N_("the arranging is over: play a card"));
    }
    if (move < SUPPOSE_SLOTS) {
        return phrase_without_args(N_("arrange and predict first"));
    }
    if (viewer_has_arranged_hand(view)) {
        return phrase_without_args(N_("the order is chosen: now predict"));
    }
    return phrase_without_args(move < SUPPOSE_ARRANGE_FIRST
                                   ? N_("choose the order first")
                                   : N_("name exactly the colours of the hand"));
}

static uint8_t move_for_slot(const struct game_view *view, uint8_t slot)
{
    bool is_play = view->phase == SUPPOSE_PLAY && view->seat >= 0;
    return is_play && slot < view->slot_count[view->seat] ? slot : MOVE_NONE;
}

/* Tells the points for tricks and those for the prediction, with what the left neighbour took. */
static struct phrase explain_points(const struct score_row *row, uint8_t seat)
{
    int first = row->parts[SUPPOSE_PART_FIRST][seat];
    int second = row->parts[SUPPOSE_PART_SECOND][seat];
    bool is_one = second < 0;
    struct phrase phrase =
        PHRASE(is_one ? N_("{0} for tricks, {2} for predicting {1}")
                      : N_("{0} for tricks, {2} for predicting {1} or {3}"),
               arg_of_number(row->tricks[seat]), arg_of_number(first),
               arg_of_number(row->parts[SUPPOSE_PART_BONUS][seat]), arg_of_number(second));
    if (row->seats == 0) {
        return phrase;
    }
    uint8_t other = (uint8_t)((seat + 1) % row->seats);
    phrase.args[4] = arg_of_seat(other);
    phrase.args[5] = arg_of_number(row->tricks[other]);
    phrase.format = is_one
                        ? N_("{0} for tricks, {2} for predicting {1} for {4}, who took {5}")
                        : N_("{0} for tricks, {2} for predicting {1} or {3} for {4}, who took {5}");
    phrase.own = is_one ? N_("{0} for tricks, {2} for predicting {1} for you, who took {5}")
                        : N_("{0} for tricks, {2} for predicting {1} or {3} for you, who took {5}");
    return phrase;
}

static struct phrase explain_trick_winner(UNUSED const struct game_view *view,
                                          const struct view_trick *trick)
{
    uint8_t led = card_suit(&suppose_deck, trick->plays[0].card);
    uint8_t best = 0;
    unsigned equal = 0;
    for (uint8_t i = 0; i < trick->count; i++) {
        uint8_t card = trick->plays[i].card;
        if (card_suit(&suppose_deck, card) == led) {
            uint8_t value = card_value(&suppose_deck, card);
            equal = value > best ? 1 : equal + (value == best);
            best = value > best ? value : best;
        }
    }
    return PHRASE(equal > 1 ? N_("highest {0}, played before its equal") : N_("highest {0}"),
                  arg_of_words(suppose_deck.suits[led].title));
}

/* How many tricks the viewer's left neighbour may take with the hand that the viewer arranges: each
 * card counts by its value, and an average hand takes its share of the tricks. */
static uint8_t estimate_tricks_of_neighbour(const struct game_view *view)
{
    static const uint8_t chances[SUPPOSE_VALUES + 1] = {0, 1, 1, 2, 3, 5, 8};
    unsigned sum = 0;
    for (uint8_t slot = 0; slot < SUPPOSE_SLOTS; slot++) {
        uint8_t card = view->hands[view->seat][slot].card;
        sum += card == CARD_NONE ? 0 : chances[card_value(&suppose_deck, card)];
    }
    unsigned of_all = AVERAGE_HAND * view->seats;
    uint8_t tricks = (uint8_t)((SUPPOSE_SLOTS * sum + of_all / 2) / of_all);
    return tricks < SUPPOSE_SLOTS ? tricks : SUPPOSE_SLOTS;
}

/* Suggests any order of the colours, since the order hardly matters, then a single number. */
static uint8_t suggest_move(const struct game_view *view)
{
    if (view->phase != SUPPOSE_PREPARE || !view_viewer_may_move(view)) {
        return MOVE_NONE;
    }
    if (!viewer_has_arranged_hand(view)) {
        return move_set_next(&view->legal, SUPPOSE_ARRANGE_FIRST);
    }
    return (uint8_t)(SUPPOSE_PREDICT_FIRST + estimate_tricks_of_neighbour(view));
}

/* Shows, before the first card is played, the predictions of the round before, which are public
 * once it is scored. */
static uint8_t fill_board_facts(const struct game_view *view,
                                UNUSED const struct game_config *config,
                                struct face_fact out[FACE_BOARD_MAX])
{
    static const char *const formats[] = {N_("{0} {2} for {1}"), N_("{0} {2} or {3} for {1}")};
    const uint8_t *predictions = suppose_known(view)->last_predictions;
    uint8_t seat = 0;
    for (; view->phase == SUPPOSE_PREPARE && predictions[seat] != SUPPOSE_NONE; seat++) {
        uint8_t tricks[2] = {0};
        uint8_t count = suppose_list_predicted_numbers(predictions[seat], tricks);
        out[seat].label = N_("last round predicted:");
        out[seat].value = PHRASE(formats[count - 1], arg_of_seat(seat),
                                 arg_of_seat(get_left_neighbour(view, seat)),
                                 arg_of_number(tricks[0]), arg_of_number(tricks[1]));
    }
    return seat;
}

/* Returns the place of a card in the hand as its holder will see it: cards with lower numbers lie
 * further left. */
static uint8_t compute_place(const struct face_order *order, uint8_t card)
{
    uint8_t suit = card_suit(&suppose_deck, card);
    uint8_t at = 0;
    while (at < order->suit_count && order->suits[at] != suit) {
        at++;
    }
    return (uint8_t)(at * (SUPPOSE_VALUES + 1) + card_value(&suppose_deck, card));
}

static void sort_slots(const struct game_view *view, struct face_order *order)
{
    const struct view_slot *hand = view->hands[view->seat];
    for (uint8_t slot = 0; slot < view->slot_count[view->seat]; slot++) {
        uint8_t place = compute_place(order, hand[slot].card);
        uint8_t at = slot;
        while (at > 0 && compute_place(order, hand[order->slots[at - 1]].card) > place) {
            order->slots[at] = order->slots[at - 1];
            at--;
        }
        order->slots[at] = slot;
    }
}

static bool fill_order(const struct game_view *view, uint8_t move, struct face_order *out)
{
    uint8_t colour_order =
        move == MOVE_NONE ? suppose_known(view)->arranged : (uint8_t)(move - SUPPOSE_ARRANGE_FIRST);
    if (view->seat < 0 || view->phase != SUPPOSE_PREPARE || colour_order >= SUPPOSE_ARRANGEMENTS) {
        return false;
    }
    *out = (struct face_order){.holder = (uint8_t)((view->seat + 1) % view->seats)};
    out->suit_count = suppose_list_colours_of_order(colour_order, out->suits);
    for (uint8_t slot = 0; slot < view->slot_count[view->seat]; slot++) {
        out->seen = (uint16_t)(out->seen | suppose_holder_sees_slot(slot) << slot);
    }
    sort_slots(view, out);
    return true;
}

static void tell_start(const struct game_view *now, struct story *story)
{
    story_add(story,
              PHRASE_OWN(N_("{0} will lead the first trick"), N_("You will lead the first trick"),
                         arg_of_seat(suppose_known(now)->start)));
}

/* Tells the viewer's own choices, which only the viewer sees. */
static void tell_own_choices(const struct game_view *before, const struct game_view *now,
                             struct story *story)
{
    if (now->seat < 0) {
        return;
    }
    uint8_t seat = (uint8_t)now->seat;
    uint8_t other = (uint8_t)((seat + 1) % now->seats);
    uint8_t order = suppose_known(now)->arranged;
    uint8_t prediction = suppose_known(now)->prediction;
    struct phrase words = {.args = {arg_of_seat(seat), arg_of_seat(other)}};
    if (order != SUPPOSE_NONE && suppose_known(before)->arranged == SUPPOSE_NONE) {
        struct phrase colours = label_move(now, (uint8_t)(SUPPOSE_ARRANGE_FIRST + order));
        words.format = N_("{0} arranges the hand for {1}: {2}");
        words.own = N_("You arrange the hand for {1}: {2}");
        phrase_put_inner(&words, 2, &colours);
        story_add(story, words);
    }
    if (prediction != SUPPOSE_NONE && suppose_known(before)->prediction == SUPPOSE_NONE) {
        struct phrase numbers = label_move(now, (uint8_t)(SUPPOSE_PREDICT_FIRST + prediction));
        words.format = N_("{0} predicts {2} for {1}");
        words.own = N_("You predict {2} for {1}");
        phrase_put_inner(&words, 2, &numbers);
        story_add(story, words);
    }
}

static void tell_preparing(const struct game_view *before, const struct game_view *now,
                           struct story *story)
{
    bool is_empty = suppose_known(before)->start == INFO_NONE;
    tell_own_choices(before, now, story);
    for (uint8_t seat = 0; seat < now->seats && before->phase == SUPPOSE_PREPARE; seat++) {
        bool was_preparing = is_empty || (before->to_act >> seat & 1) != 0;
        bool is_preparing = now->phase == SUPPOSE_PREPARE && (now->to_act >> seat & 1) != 0;
        if ((int)seat != now->seat && was_preparing && !is_preparing) {
            uint8_t other = (uint8_t)((seat + 1) % now->seats);
            story_add(story,
                      (struct phrase){.format = N_("{0} has predicted {1}'s tricks in secret"),
                                      .own_other = N_("{0} has predicted your tricks in secret"),
                                      .args = {arg_of_seat(seat), arg_of_seat(other)}});
        }
    }
    if (before->phase == SUPPOSE_PREPARE && now->phase != SUPPOSE_PREPARE) {
        story_add(story, phrase_without_args(N_("All have predicted: each hand goes to the left")));
    }
}

/* Tells the predictions of the finished round, which are now public. */
static void tell_predictions(const struct story_trick *last, const struct game_view *now,
                             struct story *story)
{
    const uint8_t *predictions = suppose_known(now)->last_predictions;
    for (uint8_t seat = 0; predictions[seat] != SUPPOSE_NONE; seat++) {
        uint8_t prediction = predictions[seat];
        uint8_t other = (uint8_t)((seat + 1) % now->seats);
        uint8_t taken = story_count_tricks(last, other);
        uint8_t bonus = suppose_compute_bonus(prediction, taken);
        struct phrase numbers = label_move(now, (uint8_t)(SUPPOSE_PREDICT_FIRST + prediction));
        struct phrase words = {
            .format = bonus > 0 ? N_("{0} predicted {3} for {1}: {2}, yes")
                                : N_("{0} predicted {3} for {1}: {2}, no"),
            .own = bonus > 0 ? N_("You predicted {3} for {1}: {2}, yes")
                             : N_("You predicted {3} for {1}: {2}, no"),
            .own_other = bonus > 0 ? N_("{0} predicted {3} for you: {2}, yes")
                                   : N_("{0} predicted {3} for you: {2}, no"),
            .args = {arg_of_seat(seat), arg_of_seat(other), arg_of_number(taken)},
        };
        phrase_put_inner(&words, 3, &numbers);
        struct story_line *line = story_add(story, words);
        if (bonus == SUPPOSE_BONUS_ONE) {
            line->great = (struct phrase){
                .format = N_("{1} took {2}, as {0} predicted!"),
                .own = N_("{1} took {2}, as you predicted!"),
                .own_other = N_("You took {2}, as {0} predicted!"),
                .args = {arg_of_seat(seat), arg_of_seat(other), arg_of_number(taken)},
            };
        }
    }
}

static const struct game_story suppose_story = {
    .begin = tell_start,
    .prepare = tell_preparing,
    .end = tell_predictions,
};

/*
 * The lesson of Suppose: the player takes six tricks and sees the left neighbour take none, as
 * predicted.
 */

static const struct lesson_move moves[] = {
    {0, "arrange:yellow,red,green,blue",
     N_("the cards lie so already, and your neighbour will see only a 1 and two 3s, so they can "
        "hardly play a high card on purpose")},
    {0, "predict:0",
     N_("11 tricks for 3 players are almost 4 each, but this hand has only two cards above 4 "
        "(usual are four or five), and your neighbour sees neither")},
    {1, "arrange:blue,green,red,yellow", NULL},
    {1, "predict:11", NULL},
    {2, "arrange:yellow,blue,red,green", NULL},
    {2, "predict:0", NULL},
    {2, "play:8", NULL},
    {0, "play:7",
     N_("the reds rise to the right of your red 2, so card 8, if it is red too, is at least as "
        "high as card 7")},
    {1, "play:5", NULL},
    {0, "play:10", N_("no green card above 4 is in sight, so your 5 should win")},
    {1, "play:7", NULL},
    {2, "play:6", NULL},
    {0, "play:9", N_("it lay left of your green 5, so it may be another high green")},
    {1, "play:8", NULL},
    {2, "play:7", NULL},
    {0, "play:2", N_("right of your yellow 2 there may be a high yellow")},
    {1, "play:0", NULL},
    {2, "play:9", NULL},
    {0, "play:0", N_("a 2 hardly ever wins, so lose it, and keep the cards that may win")},
    {1, "play:3", NULL},
    {2, "play:10", NULL},
    {2, "play:2", NULL},
    {0, "play:5", N_("a red card cannot win a blue trick, and a 2 is no loss")},
    {1, "play:4", NULL},
    {2, "play:3", NULL},
    {0, "play:6",
     N_("nothing beats a blue 6 that is led, and this card lay between two reds, so it is red")},
    {1, "play:9", NULL},
    {2, "play:4", NULL},
    {0, "play:4",
     N_("nothing beats a blue 6 that is led, and if this card is red, it is no higher than 2")},
    {1, "play:10", NULL},
    {2, "play:1", NULL},
    {0, "play:3", N_("none of your cards so far was blue, so this one may be")},
    {1, "play:1", NULL},
    {2, "play:5", NULL},
    {0, "play:8", N_("it lay beside your green cards, so it may be green and beat the 1")},
    {1, "play:2", NULL},
    {0, "play:1", N_("it is your last card")},
    {1, "play:6", NULL},
    {2, "play:0", NULL},
};

static bool viewer_has_to_arrange_hand(const struct game_view *view)
{
    return !viewer_has_arranged_hand(view);
}

static bool gets_own_hand(const struct game_view *view)
{
    return view->phase == SUPPOSE_PLAY && view->past_count == 0 && view->trick.count == 0;
}

static bool knows_three_tricks(const struct game_view *view)
{
    return lesson_viewer_leads_after_trick(view) && view->past_count >= 3;
}

static const struct lesson_note notes[] = {
    {N_("These cards are for your left neighbour, who will see three of them. Choose the order of "
        "the colours."),
     .matters = viewer_has_to_arrange_hand, .phases = 1U << SUPPOSE_PREPARE},
    {N_("Now guess your neighbour's tricks of the 11: one number pays 5 points if it is right. "
        "Name two if you waver: they pay 2."),
     .matters = viewer_has_arranged_hand, .phases = 1U << SUPPOSE_PREPARE},
    {N_("This is your own hand, arranged by your right neighbour: you see three of its cards, the "
        "others see the rest."),
     .matters = gets_own_hand},
    {N_("Play any card: the highest of the colour led wins. Each colour lies together and rises "
        "from left to right."),
     .matters = lesson_viewer_follows},
    {N_("You took the trick, so you lead: only cards of the colour that you lead can win."),
     .matters = lesson_viewer_leads_after_trick},
    {N_("Each trick is 1 point. Your right neighbour hopes that you take exactly as many as they "
        "guessed."),
     .matters = knows_three_tricks},
    {N_("Each trick was 1 point; a right guess about the left neighbour's tricks was 5 more, one "
        "of two guesses 2 more."),
     .matters = lesson_round_is_over, .is_about_scores = true},
    {N_("In each of the 3 rounds you arrange a new hand, and the most points win; q leaves."),
     .matters = lesson_round_is_over},
};

static const struct game_lesson suppose_lesson = {
    .players = 3,
    .seat = 0,
    .seed = {3},
    .moves = moves,
    .move_count = ARRAY_LEN(moves),
    .notes = notes,
    .note_count = ARRAY_LEN(notes),
};

const struct game_face suppose_face = {
    .lesson = &suppose_lesson,
    .pitch = N_("Guess your neighbour's tricks: they see 3 of their 11 cards."),
    .pages = {suppose_brief, suppose_rules, suppose_signs},
    .headline = fill_headline,
    .card_signs = explain_signs,
    .badges = fill_badges,
    .prompt = prompt_for_viewer,
    .label = label_move,
    .refusal = explain_refusal,
    .point = move_for_slot,
    .explain = explain_points,
    .why_won = explain_trick_winner,
    .explain_result = story_add_highest_total,
    .story = &suppose_story,
    .suggest = suggest_move,
    .board = fill_board_facts,
    .order = fill_order,
    .confirm = describe_confirmation,
};
