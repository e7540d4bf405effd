#include "games/hund/hund.h"

#include "games/face.h"

/* The first player of the round; HUND_SEAT_NONE while nobody is chosen. */
static uint8_t read_first_player(const struct game_view *view)
{
    int32_t first = fields_find_number(&view->info, "first", HUND_SEAT_NONE);
    return first >= 0 && first < view->seats ? (uint8_t)first : HUND_SEAT_NONE;
}

static void tell_deal(const struct game_view *now, struct story *story)
{
    int32_t number = fields_find_number(&now->info, "designator", 0);
    int32_t dealer = fields_find_number(&now->info, "dealer", 0);
    story_add(story,
              (struct phrase){
                  .format = number == 0 ? N_("{0} deals")
                                        : N_("{0} deals; the cards with a {1} give the roles"),
                  .own = number == 0 ? N_("You deal")
                                     : N_("You deal; the cards with a {1} give the roles"),
                  .args = {arg_of_seat((uint8_t)dealer), arg_of_number(number)},
              });
    for (uint8_t seat = 0; now->phase == HUND_START && seat < now->seats; seat++) {
        if ((now->to_act >> seat & 1) != 0) {
            story_add(
                story,
                (struct phrase){
                    .format = N_("{0} wins lead and chooses who leads: most lead cards, if tied "
                                 "the highest"),
                    .own = N_(
                        "You win lead and choose who leads: most lead cards, if tied the highest"),
                    .args = {arg_of_seat(seat)},
                });
        }
    }
}

static void tell_choice_of_first_player(uint8_t first, int8_t chooser, struct story *story)
{
    struct phrase words = {
        .format = N_("{0} leads this round"),
        .own = N_("You lead this round"),
        .args = {arg_of_seat(first)},
    };
    if (chooser == (int8_t)first) {
        words.format = N_("{0} chooses to lead this round");
        words.own = N_("You choose to lead this round");
    } else if (chooser >= 0) {
        words.format = N_("{0} chooses {1}, who leads this round");
        words.own = N_("You choose {1}, who leads this round");
        words.own_other = N_("{0} chooses you: you lead this round");
        words.args[0] = arg_of_seat((uint8_t)chooser);
        words.args[1] = arg_of_seat(first);
    }
    story_add(story, words);
}

static void tell_choices(const struct game_view *before, const struct game_view *now,
                         struct story *story)
{
    uint8_t first = read_first_player(now);
    int8_t mover = story_find_mover(before, now);
    if (first != HUND_SEAT_NONE && read_first_player(before) == HUND_SEAT_NONE) {
        tell_choice_of_first_player(first, mover, story);
    }
    for (uint8_t i = 0; i < HUND_SUITS && hund_selected_card(now, i) != CARD_NONE; i++) {
        struct phrase words = {
            .format = N_("{0} is one of the cards that give roles"),
            .args = {arg_of_card(hund_selected_card(now, i))},
        };
        if (hund_selected_card(before, i) != CARD_NONE) {
            continue;
        }
        if (mover >= 0) {
            words.format = N_("{0} names {1}: it will give a role");
            words.own = N_("You name {1}: it will give a role");
            words.args[0] = arg_of_seat((uint8_t)mover);
            words.args[1] = arg_of_card(hund_selected_card(now, i));
        }
        story_add(story, words);
    }
}

/* The board just after a play of the trick. */
static void make_board_after_play(const struct story_trick *trick, uint8_t play,
                                  struct hund_board *board, uint8_t *given)
{
    struct game_view start = *trick->view;
    start.past_count = 0;
    start.trick.count = 0;
    hund_board_read_view(&start, board);
    for (uint8_t i = 0; i < trick->number; i++) {
        for (uint8_t j = 0; j < trick->view->past[i].count; j++) {
            (void)hund_board_give_roles(board, trick->view->past[i].plays[j].card);
        }
    }
    for (uint8_t j = 0; j <= play; j++) {
        *given = hund_board_give_roles(board, trick->trick->plays[j].card);
    }
}

static struct phrase tell_designation(const struct story_trick *trick, uint8_t play)
{
    static const char *const formats[] = {
        [HUND_TRUMP] = N_("{0} is TRUMP now"),
        [HUND_PLUS] = N_("{0} is PLUS now"),
        [HUND_HUND] = N_("{0} is HUND now"),
        [HUND_MINUS] = N_("{0} is MINUS now, {1} LEAD"),
    };
    struct hund_board board;
    uint8_t given = 0;
    make_board_after_play(trick, play, &board, &given);
    if (given == 0) {
        return phrase_absent();
    }
    uint8_t role = (uint8_t)(board.count - given);
    struct phrase words = {.format = formats[role], .args = {arg_of_suit(board.roles[role])}};
    if (given == 2) {
        words.args[1] = arg_of_suit(board.roles[HUND_LEAD]);
    }
    return words;
}

static int count_cards_of_suit(const struct view_trick *trick, uint8_t seat, uint8_t suit)
{
    int count = 0;
    for (uint8_t i = 0; trick->winner == seat && i < trick->count; i++) {
        count += hund_suit(trick->plays[i].card) == suit;
    }
    return count;
}

/* Counts the cards of the suits that score which the winner of the trick has taken in this round.
 */
static struct phrase count_cards_taken(const struct story_trick *trick)
{
    /* by the number of roles given; the fourth role also gives the fifth */
    static const char *const formats[HUND_ROLES + 1] = {
        [HUND_PLUS + 1] = N_("plus {0} so far"),
        [HUND_HUND + 1] = N_("plus {0}, hund {1} so far"),
        [HUND_LEAD + 1] = N_("plus {0}, hund {1}, minus {2}, lead {3} so far"),
    };
    struct hund_board board;
    uint8_t given = 0;
    uint8_t winner = trick->trick->winner;
    make_board_after_play(trick, (uint8_t)(trick->trick->count - 1), &board, &given);
    struct phrase words = {.format = formats[board.count]};
    for (uint8_t role = HUND_PLUS; role < board.count; role++) {
        int count = count_cards_of_suit(trick->trick, winner, board.roles[role]);
        for (uint8_t i = 0; i < trick->number; i++) {
            count += count_cards_of_suit(&trick->view->past[i], winner, board.roles[role]);
        }
        words.args[role - HUND_PLUS] = arg_of_number(count);
    }
    return words;
}

/* Tells the cards that the virtual player has turned up. No other card of somebody else is shown
 * before it is played. */
static void tell_cards_turned_up(const struct game_view *before, const struct game_view *now,
                                 struct story *story)
{
    for (int i = 0; i < now->seats * SLOTS_MAX; i++) {
        uint8_t seat = (uint8_t)(i / SLOTS_MAX);
        uint8_t place = (uint8_t)(i % SLOTS_MAX);
        const struct view_slot *slot = &now->hands[seat][place];
        bool is_known = place < now->slot_count[seat] && !slot->is_empty && slot->card != CARD_NONE;
        if (is_known && before->hands[seat][place].card == CARD_NONE) {
            story_add(story, (struct phrase){
                                 .format = N_("{0} turns up {1}"),
                                 .args = {arg_of_seat(seat), arg_of_card(slot->card)},
                             });
        }
    }
}

const struct game_story hund_story = {
    .begin = tell_deal,
    .prepare = tell_choices,
    .remark = tell_designation,
    .after = tell_cards_turned_up,
    .count = count_cards_taken,
};

/* With selected cards, a game ends early when somebody's total reaches a limit. */
void hund_explain_result(const struct game_view *view, const struct game_config *config,
                         uint8_t winners, struct story *story)
{
    story_add_highest_total(view, config, winners, story);
    for (uint8_t seat = 0; config->options[HUND_SELECTING] != 0 && seat < view->seats; seat++) {
        bool is_high = view->scores[seat] >= HUND_TOTAL_HIGH;
        if (is_high || view->scores[seat] <= HUND_TOTAL_LOW) {
            story_add(story,
                      (struct phrase){
                          .format = is_high ? N_("The game ends: {0} has {1}, and {2} is enough")
                                            : N_("The game ends: {0} has {1}, and {2} is too few"),
                          .own = is_high ? N_("The game ends: you have {1}, and {2} is enough")
                                         : N_("The game ends: you have {1}, and {2} is too few"),
                          .args = {arg_of_seat(seat), arg_of_number(view->scores[seat]),
                                   arg_of_number(is_high ? HUND_TOTAL_HIGH : HUND_TOTAL_LOW)},
                      });
        }
    }
}
