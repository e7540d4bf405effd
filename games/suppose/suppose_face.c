#include "games/face.h"
#include "games/suppose/suppose.h"

#include <stddef.h>

static const char *const suppose_brief[] = {
    N_("Foresee how many tricks your left neighbour takes with a hand they\n"
       "hardly see."),
    "",
    N_("Cards   Red, yellow, green and blue, 1 to 6, each card twice; 11 each. The\n"
       "        hand dealt to you is not yours: it goes to your left neighbour."),
    N_("First   Choose the order of its colours, left to right; each colour's\n"
       "        cards rise from left to right. Then predict, in secret, how many\n"
       "        tricks your neighbour will take with it: one number, or two."),
    N_("Pass    Of your own hand you see the first, middle and last card; the\n"
       "        others see the other eight, and whoever arranged it sees all."),
    N_("Play    Play any slot, seen or not; you never have to follow. The highest\n"
       "        card of the colour led wins, of equals the earlier one. The\n"
       "        winner leads the next trick."),
    N_("Score   1 a trick. A right prediction: 5 if it was your only number, 2 if\n"
       "        it was one of two. As many rounds as players; highest total wins."),
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
       "first, the sixth and the last of the eleven slots, and nothing else. The others see the "
       "other eight; only whoever arranged the hand knows all of it. That the colours lie together "
       "and rise from left to right is known to all, so seen cards tell much about the unseen "
       "ones. A played card leaves a gap: slots never move."),
    N_("# Playing"),
    N_("The start player leads to the first trick. Clockwise, everyone plays one slot, whichever "
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
    return suppose_read_colour_order(fields_find(&view->info, "arranged")) != SUPPOSE_NONE;
}

/* "3" or "3 or 4". */
static struct phrase make_prediction_label(uint8_t prediction)
{
    uint8_t tricks[2];
    uint8_t count = suppose_list_predicted_numbers(prediction, tricks);
    struct phrase phrase = {
        .format = count == 1 ? "{0}" : N_("{0} or {1}"),
        .args = {arg_of_number(tricks[0])},
    };
    if (count == 2) {
        phrase.args[1] = arg_of_number(tricks[1]);
    }
    return phrase;
}

/* Shows the viewer's own prediction and the player it is about. */
static uint8_t fill_headline(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX])
{
    uint8_t count = 0;
    uint8_t tricks[2] = {0};
    uint8_t prediction = suppose_read_prediction(fields_find(&view->info, "prediction"));
    if (view->seat >= 0 && prediction != SUPPOSE_NONE) {
        uint8_t numbers = suppose_list_predicted_numbers(prediction, tricks);
        out[count++] = (struct phrase){
            .format = numbers == 1 ? N_("you predict {0}: {1}") : N_("you predict {0}: {1} or {2}"),
            .args = {arg_of_seat(get_left_neighbour(view, (uint8_t)view->seat)),
                     arg_of_number(tricks[0]), arg_of_number(tricks[1])},
        };
    }
    if (!suppose_values_rise(view->format)) {
        out[count++] = phrase_without_args(N_("begun under the old rules: values fall"));
    }
    if (view->phase != SUPPOSE_PREPARE) {
        uint8_t trick = (uint8_t)(view->past_count + 1);
        out[count++] = (struct phrase){
            .format = N_("trick {0} of {1}"),
            .args = {arg_of_number(trick < SUPPOSE_SLOTS ? trick : SUPPOSE_SLOTS),
                     arg_of_number(SUPPOSE_SLOTS)},
        };
    }
    return count;
}

static uint8_t fill_badges(const struct game_view *view, uint8_t seat,
                           struct phrase out[FACE_BADGES_MAX])
{
    uint8_t count = 0;
    if (fields_find_number(&view->info, "start", -1) == seat) {
        out[count++] = phrase_without_args(N_("start"));
    }
    if (view->phase == SUPPOSE_PREPARE && (view->to_act >> seat & 1) == 0) {
        out[count++] = phrase_without_args(N_("ready"));
    }
    return count;
}

static struct phrase prompt_for_viewer(const struct game_view *view)
{
    if (!view_viewer_may_move(view)) {
        return phrase_absent();
    }
    struct phrase phrase = {.args = {arg_of_seat(get_left_neighbour(view, (uint8_t)view->seat))}};
    if (view->phase == SUPPOSE_PREPARE) {
        phrase.format = viewer_has_arranged_hand(view)
                            ? N_("How many tricks will {0} take? One number: 5 points; two: 2")
                            : N_("This hand goes to {0}: choose the order of its colours");
        return phrase;
    }
    uint8_t led = face_suit_led(view);
    if (led == SUIT_NONE) {
        return phrase_without_args(N_("Lead any slot"));
    }
    return (struct phrase){
        .format = N_("Play any slot; the highest {0} wins"),
        .args = {arg_of_suit(led)},
    };
}

static struct phrase make_colour_order_label(uint8_t colour_order)
{
    static const char *const formats[] = {
        [1] = "{0}", [2] = "{0} {1}", [3] = "{0} {1} {2}", [4] = "{0} {1} {2} {3}"};
    uint8_t colours[SUPPOSE_COLOURS];
    uint8_t count = suppose_list_colours_of_order(colour_order, colours);
    struct phrase phrase = {.format = formats[count]};
    for (uint8_t i = 0; i < count; i++) {
        phrase.args[i] = arg_of_suit(colours[i]);
    }
    return phrase;
}

static struct phrase slot_label(const struct game_view *view, uint8_t slot)
{
    uint8_t card = view->seat < 0 ? CARD_NONE : view->hands[view->seat][slot].card;
    if (card != CARD_NONE) {
        return (struct phrase){.format = "{0}", .args = {arg_of_card(card)}};
    }
    return (struct phrase){.format = N_("slot {0}"), .args = {arg_of_number(slot + 1)}};
}

static struct phrase label_move(const struct game_view *view, uint8_t move)
{
    if (move < SUPPOSE_SLOTS) {
        return slot_label(view, move);
    }
    if (move >= SUPPOSE_ARRANGE_FIRST && move < SUPPOSE_ARRANGE_FIRST + SUPPOSE_ARRANGEMENTS) {
        return make_colour_order_label((uint8_t)(move - SUPPOSE_ARRANGE_FIRST));
    }
    if (move >= SUPPOSE_PREDICT_FIRST && move < SUPPOSE_PREDICT_FIRST + SUPPOSE_PREDICTIONS) {
        return make_prediction_label((uint8_t)(move - SUPPOSE_PREDICT_FIRST));
    }
    return phrase_absent();
}

static struct phrase explain_refusal(const struct game_view *view, uint8_t move)
{
    if (move_set_has(&view->legal, move)) {
        return phrase_absent();
    }
    if (!view_viewer_may_move(view)) {
        bool is_waiting = view->phase == SUPPOSE_PREPARE && view->seat >= 0;
        return is_waiting ? phrase_without_args(N_("you are ready; the others are not yet"))
                          : face_explain_wrong_turn(view);
    }
    if (view->phase == SUPPOSE_PLAY) {
        return phrase_without_args(move < SUPPOSE_SLOTS ? N_("that slot is empty")
                                                        : N_("the arranging is over: play a slot"));
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

static struct phrase explain_points(const struct score_row *row, uint8_t seat)
{
    int first = row->parts[SUPPOSE_PART_FIRST][seat];
    int second = row->parts[SUPPOSE_PART_SECOND][seat];
    bool is_one = second < 0;
    struct phrase phrase = {
        .format = is_one ? N_("{0} {0:trick|tricks}, predicted {1}: +{2}")
                         : N_("{0} {0:trick|tricks}, predicted {1} or {3}: +{2}"),
        .args = {arg_of_number(row->tricks[seat]), arg_of_number(first),
                 arg_of_number(row->parts[SUPPOSE_PART_BONUS][seat]), arg_of_number(second)},
    };
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
    return (struct phrase){
        .format = equal > 1 ? N_("highest {0}, played before its equal") : N_("highest {0}"),
        .args = {arg_of_suit(led)},
    };
}

static const char *words_for_turn(const struct game_view *view, UNUSED uint8_t seat)
{
    return view->phase == SUPPOSE_PREPARE ? N_("to prepare") : face_lead_or_play_words(view);
}

/* Shows the predictions of the last scored round, which are public once the round is scored. */
static uint8_t fill_board_facts(const struct game_view *view, struct face_fact out[FACE_BOARD_MAX])
{
    static const char *const formats[] = {N_("{0}: {1}"), N_("{0}: {1} or {2}")};
    uint8_t seat = 0;
    const struct field *list = fields_find(&view->info, "last_predictions");
    if (list == NULL || list->type != FIELD_LIST) {
        return 0;
    }
    for (const struct field *at = field_first_member(list); at != NULL && seat < view->seats;
         at = field_next_member(list, at)) {
        uint8_t tricks[2] = {0};
        uint8_t prediction = suppose_read_prediction(at);
        if (prediction == SUPPOSE_NONE) {
            return 0;
        }
        uint8_t count = suppose_list_predicted_numbers(prediction, tricks);
        out[seat].label = N_("last predicted");
        out[seat].value = (struct phrase){
            .format = formats[count - 1],
            .args = {arg_of_seat(seat), arg_of_number(tricks[0]), arg_of_number(tricks[1])},
        };
        seat++;
    }
    return seat;
}

const struct game_face suppose_face = {
    .pitch = N_("Foresee how many tricks your neighbour takes with a hand they hardly see."),
    .brief = suppose_brief,
    .rules = suppose_rules,
    .headline = fill_headline,
    .badges = fill_badges,
    .prompt = prompt_for_viewer,
    .label = label_move,
    .refusal = explain_refusal,
    .point = move_for_slot,
    .explain = explain_points,
    .why_won = explain_trick_winner,
    .turn = words_for_turn,
    .board = fill_board_facts,
    .keeps_slots = true,
    .sorted_phases = 1U << SUPPOSE_PREPARE,
};
