#include "games/card.h"
#include "games/face.h"
#include "games/game.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct phrase phrase_absent(void)
{
    return (struct phrase){.format = NULL};
}

struct phrase phrase_without_args(const char *format)
{
    return (struct phrase){.format = format};
}

struct phrase_arg arg_of_number(int32_t number)
{
    return (struct phrase_arg){.type = ARG_NUMBER, .number = number};
}

struct phrase_arg arg_of_points(int32_t points)
{
    return (struct phrase_arg){.type = ARG_POINTS, .number = points};
}

struct phrase_arg arg_of_card(uint8_t card)
{
    return (struct phrase_arg){.type = ARG_CARD, .number = card};
}

struct phrase_arg arg_of_suit(uint8_t suit)
{
    return (struct phrase_arg){.type = ARG_SUIT, .number = suit};
}

struct phrase_arg arg_of_seat(uint8_t seat)
{
    return (struct phrase_arg){.type = ARG_SEAT, .number = seat};
}

struct phrase_arg arg_of_words(const char *words)
{
    return (struct phrase_arg){.type = ARG_WORDS, .words = words};
}

struct phrase_arg arg_of_seats(uint8_t seats)
{
    return (struct phrase_arg){.type = ARG_SEATS, .number = seats};
}

struct phrase_arg arg_of_slots(uint16_t slots)
{
    return (struct phrase_arg){.type = ARG_SLOTS, .number = slots};
}

void phrase_put_inner(struct phrase *phrase, uint8_t index, const struct phrase *inner)
{
    uint8_t count = 0;
    while (count < PHRASE_ARGS_MAX - 1 - index && inner->args[count].type != ARG_NONE) {
        phrase->args[index + 1 + count] = inner->args[count];
        count++;
    }
    phrase->args[index] = (struct phrase_arg){
        .type = ARG_PHRASE, .number = count, .words = inner->format, .own = inner->own};
}

struct phrase phrase_get_inner(const struct phrase_arg *arg)
{
    struct phrase inner = {.format = NULL};
    if (arg->type == ARG_PHRASE) {
        inner.format = arg->words;
        inner.own = arg->own;
        memcpy(inner.args, arg + 1, (size_t)arg->number * sizeof(*arg));
    }
    return inner;
}

/* Whether the argument is a seat, or several seats, and the reader is among them. */
static bool names_reader(const struct phrase_arg *arg, int8_t reader)
{
    return reader >= 0 &&
           (arg->type == ARG_SEAT ? arg->number == reader : (arg->number >> reader & 1) != 0);
}

const char *phrase_choose_format(const struct phrase *phrase, int8_t reader)
{
    const char *own_formats[] = {phrase->own, phrase->own_other};
    size_t seats = 0;
    for (uint8_t i = 0; i < PHRASE_ARGS_MAX && seats < 2; i++) {
        const struct phrase_arg *arg = &phrase->args[i];
        if (arg->type != ARG_SEAT && arg->type != ARG_SEATS) {
            continue;
        }
        if (own_formats[seats] != NULL && names_reader(arg, reader)) {
            return own_formats[seats];
        }
        seats++;
    }
    return phrase->format;
}

/* If the text begins with a placeholder such as "{0}", returns the argument; otherwise NULL. */
static const struct phrase_arg *find_argument(const struct phrase *phrase, const char *text)
{
    if (text[0] != '{' || text[1] < '0' || text[1] >= '0' + PHRASE_ARGS_MAX || text[2] != '}') {
        return NULL;
    }
    return &phrase->args[text[1] - '0'];
}

/* If the text begins with a placeholder such as "{0:trick|tricks}", writes the word that goes with
 * the number and returns the text after the placeholder; otherwise returns NULL. */
static const char *write_word_for_number(const struct phrase *phrase, const char *text,
                                         struct text *out)
{
    if (text[0] != '{' || text[1] < '0' || text[1] >= '0' + PHRASE_ARGS_MAX || text[2] != ':') {
        return NULL;
    }
    int32_t number = phrase->args[text[1] - '0'].number;
    bool is_wanted = number == 1 || number == -1;
    for (text += 3; *text != '}'; text++) {
        if (*text == '\0') {
            return NULL;
        }
        if (*text == '|') {
            is_wanted = !is_wanted;
        } else if (is_wanted) {
            text_put_char(out, *text);
        }
    }
    return text + 1;
}

void phrase_write(const struct phrase *phrase, const char *format, phrase_writer *write_argument,
                  void *context, struct text *out)
{
    for (const char *c = format; *c != '\0';) {
        const struct phrase_arg *arg = find_argument(phrase, c);
        const char *after_words = arg == NULL ? write_word_for_number(phrase, c, out) : NULL;
        if (after_words != NULL) {
            c = after_words;
            continue;
        }
        if (arg == NULL) {
            text_put_char(out, *c++);
            continue;
        }
        if (arg->type == ARG_NUMBER || arg->type == ARG_POINTS) {
            text_put(out, arg->type == ARG_POINTS && arg->number > 0 ? "+" : "");
            text_put_number(out, arg->number);
        } else if (arg->type != ARG_NONE) {
            write_argument(context, arg, out);
        }
        c += 3;
    }
}

uint8_t face_suit_led(const struct game_view *view)
{
    return view->trick.count == 0 ? SUIT_NONE
                                  : card_suit(view->game->deck, view->trick.plays[0].card);
}

uint8_t face_count_suit_cards(const struct game_view *view, uint8_t suit)
{
    uint8_t held = 0;
    for (uint8_t i = 0; view->seat >= 0 && i < view->slot_count[view->seat]; i++) {
        uint8_t card = view->hands[view->seat][i].card;
        held = (uint8_t)(held + (card != CARD_NONE && card_suit(view->game->deck, card) == suit));
    }
    return held;
}

bool face_viewer_holds(const struct game_view *view, uint8_t card)
{
    for (uint8_t i = 0; view->seat >= 0 && i < view->slot_count[view->seat]; i++) {
        if (view->hands[view->seat][i].card == card) {
            return true;
        }
    }
    return false;
}

uint8_t face_card_in_slot(const struct game_view *view, uint8_t slot)
{
    if (view->seat < 0 || slot >= view->slot_count[view->seat] ||
        view->hands[view->seat][slot].card == CARD_NONE) {
        return MOVE_NONE;
    }
    return view->hands[view->seat][slot].card;
}

/* The phase of the view; one without words when the game is over. */
static const struct phase_def *find_phase(const struct game_view *view)
{
    static const struct phase_def over = {.name = "over"};
    return view->phase < view->game->phase_count ? &view->game->phases[view->phase] : &over;
}

const char *face_lead_or_play_words(const struct game_view *view)
{
    return view->trick.count == 0 ? N_("to lead") : N_("to play");
}

const char *face_describe_turn(const struct game_view *view)
{
    const char *words = find_phase(view)->turn;
    return words != NULL ? words : face_lead_or_play_words(view);
}

const char *face_describe_pointing_at_card(const struct game_view *view)
{
    const char *words = find_phase(view)->pointing;
    return words != NULL ? words : N_("play");
}

struct phrase face_prompt(const struct game_view *view)
{
    return view_viewer_may_move(view) ? view->game->face->prompt(view) : phrase_absent();
}

struct phrase face_label(const struct game_view *view, uint8_t move)
{
    const struct move_def *kind = game_find_kind(view->game, move);
    uint8_t number = kind == NULL ? 0 : (uint8_t)(move - kind->first);
    uint8_t card = number;
    if (kind == NULL) {
        return phrase_absent();
    }
    switch ((enum move_form)kind->form) {
    case MOVE_SLOT:
        card = view->seat < 0 ? CARD_NONE : view->hands[view->seat][number].card;
        return card == CARD_NONE ? PHRASE(N_("card {0}"), arg_of_number(number + 1))
                                 : PHRASE("{0}", arg_of_card(card));
    case MOVE_SEAT:
        return PHRASE("{0}", arg_of_seat(number));
    case MOVE_SUIT:
        return PHRASE("{0}", arg_of_suit(number));
    case MOVE_BID:
        return PHRASE("{0}", arg_of_number(number));
    case MOVE_OWN:
        return view->game->face->label(view, move);
    case MOVE_CARD:
        break;
    }
    return PHRASE("{0}", arg_of_card(card));
}

struct phrase face_refusal(const struct game_view *view, uint8_t move)
{
    const char *ready = find_phase(view)->ready;
    if (move_set_has(&view->legal, move)) {
        return phrase_absent();
    }
    if (view_viewer_may_move(view)) {
        return view->game->face->refusal(view, move);
    }
    return phrase_without_args(view->phase == PHASE_OVER          ? N_("the game is over")
                               : view->seat >= 0 && ready != NULL ? ready
                                                                  : N_("it is not your turn"));
}

uint8_t face_next_seat(const struct game_view *view, uint8_t seat)
{
    const struct game_face *face = view->game->face;
    if (face->next != NULL) {
        return face->next(view, seat);
    }
    return (uint8_t)((seat + 1) % view->seats);
}

uint8_t face_find_winning_card(const struct game_view *view, uint8_t trump)
{
    const struct deck_def *deck = view->game->deck;
    if (face_suit_led(view) == SUIT_NONE) {
        return CARD_NONE;
    }
    uint8_t best = view->trick.plays[0].card;
    for (uint8_t i = 1; i < view->trick.count; i++) {
        uint8_t card = view->trick.plays[i].card;
        uint8_t suit = card_suit(deck, card);
        bool is_trump = suit != SUIT_NONE && suit == trump;
        bool beats = suit == card_suit(deck, best) ? card > best : is_trump;
        best = beats ? card : best;
    }
    return best;
}

struct phrase face_count_tricks(const struct game_view *view, uint8_t tricks)
{
    uint8_t current = (uint8_t)(view->past_count + 1);
    return PHRASE(N_("trick {0} of {1}"), arg_of_number(current < tricks ? current : tricks),
                  arg_of_number(tricks));
}

struct phrase face_prompt_to_follow_suit(const struct game_view *view, uint8_t trump)
{
    uint8_t led = face_suit_led(view);
    if (led == SUIT_NONE) {
        return phrase_without_args(view->trick.count == 0 ? N_("Lead any card")
                                                          : N_("Play any card"));
    }
    return PHRASE(face_count_suit_cards(view, led) > 0
                      ? N_("Follow {0}: {1} wins so far")
                      : N_("No {0}, play any card: {1} wins so far"),
                  arg_of_suit(led), arg_of_card(face_find_winning_card(view, trump)));
}

struct phrase face_explain_illegal_card(const struct game_view *view, uint8_t card)
{
    uint8_t led = face_suit_led(view);
    if (!face_viewer_holds(view, card)) {
        return PHRASE(N_("you do not hold {0}"), arg_of_card(card));
    }
    return PHRASE(N_("must follow {0}: you have {1} of them"), arg_of_suit(led),
                  arg_of_number(face_count_suit_cards(view, led)));
}

bool face_trick_is_of_round(const struct game_view *view, const struct view_trick *trick)
{
    return view->past_count > 0 || view->phase == PHASE_OVER || !view->has_last_trick ||
           memcmp(trick->plays, view->last_trick.plays, trick->count * sizeof(trick->plays[0])) !=
               0;
}

struct phrase face_explain_trick_winner(const struct game_view *view,
                                        const struct view_trick *trick, uint8_t trump)
{
    const struct deck_def *deck = view->game->deck;
    uint8_t led = card_suit(deck, trick->plays[0].card);
    for (uint8_t i = 0; i < trick->count; i++) {
        uint8_t suit = card_suit(deck, trick->plays[i].card);
        if (trick->plays[i].seat == trick->winner && (suit != led || suit == trump)) {
            return phrase_without_args(N_("highest trump"));
        }
    }
    return PHRASE(N_("highest {0}"), arg_of_suit(led));
}

bool face_is_before_bids(const struct game_view *view)
{
    const struct move_def *bids = game_find_bids(view->game);
    return bids != NULL && view->phase < bids->phase;
}

/* An announcement names all players only if there are not more. */

struct story_line *story_add(struct story *story, struct phrase words)
{
    if (story->count == STORY_LINES_MAX) {
        story->is_cut = true;
    } else {
        story->count++;
    }
    struct story_line *line = &story->lines[story->count - 1];
    line->words = words;
    line->great = phrase_absent();
    return line;
}

int8_t story_find_mover(const struct game_view *before, const struct game_view *now)
{
    bool is_one_move = now->round == before->round && now->step == before->step + 1;
    return (int8_t)(is_one_move && bits_count(before->to_act) == 1
                        ? bits_index_of_lowest(before->to_act)
                        : SPECTATOR);
}

uint8_t story_count_tricks(const struct story_trick *trick, uint8_t seat)
{
    uint8_t count = trick->trick->winner == seat;
    for (uint8_t i = 0; i < trick->number; i++) {
        count = (uint8_t)(count + (trick->view->past[i].winner == seat));
    }
    return count;
}

static bool is_last_trick(const struct story_trick *trick)
{
    return trick->number + 1 == trick->view->slot_count[0];
}

bool story_views_follow(const struct game_view *before, const struct game_view *now)
{
    if (before->game != now->game || now->step < before->step || before->phase == PHASE_OVER) {
        return before->game == now->game && now->step == before->step;
    }
    bool is_next_round = now->round == before->round + 1 && now->has_last_trick &&
                         before->past_count + 1 == before->slot_count[0];
    return is_next_round || now->round == before->round;
}

static void tell_beginning(const struct game_view *now, struct story *story)
{
    story_add(story,
              PHRASE(now->rounds > 0 ? N_("Round {0} of {1} begins") : N_("Round {0} begins"),
                     arg_of_number(now->round), arg_of_number(now->rounds)));
    const struct game_story *own = now->game->face->story;
    if (own != NULL && own->begin != NULL) {
        own->begin(now, story);
    }
}

/* The seat that bids first: the one that leads the first trick. */
static uint8_t find_first_bidder(const struct game_view *view)
{
    if (view->past_count > 0) {
        return view->past[0].plays[0].seat;
    }
    if (view->trick.count > 0) {
        return view->trick.plays[0].seat;
    }
    uint8_t seat = view->to_act != 0 ? bits_index_of_lowest(view->to_act) : 0;
    for (uint8_t i = 0; i < view->seats && view->bids[seat] == BID_NONE; i++) {
        seat = face_next_seat(view, seat);
    }
    return seat;
}

static void tell_bid(const struct game_view *now, uint8_t seat, struct story *story)
{
    const struct game_story *own = now->game->face->story;
    struct phrase remark =
        own != NULL && own->bid_remark != NULL ? own->bid_remark(now, seat) : phrase_absent();
    struct phrase words = PHRASE_OWN(N_("{0} bids {1}"), N_("You bid {1}"), arg_of_seat(seat),
                                     arg_of_number(now->bids[seat]));
    if (remark.format != NULL) {
        words.format = N_("{0} bids {1} ({2})");
        words.own = N_("You bid {1} ({2})");
        phrase_put_inner(&words, 2, &remark);
    }
    story_add(story, words);
}

static void tell_bids(const struct game_view *before, const struct game_view *now,
                      struct story *story)
{
    uint8_t seat = now->has_bids ? find_first_bidder(now) : 0;
    int sum = 0;
    uint8_t bidders = 0;
    uint8_t earlier = 0;
    for (uint8_t i = 0; now->has_bids && i < now->seats; i++) {
        if (now->bids[seat] != BID_NONE) {
            bidders++;
            sum += now->bids[seat];
            earlier = (uint8_t)(earlier + (before->bids[seat] != BID_NONE));
        }
        if (now->bids[seat] != BID_NONE && before->bids[seat] == BID_NONE) {
            tell_bid(now, seat, story);
        }
        seat = face_next_seat(now, seat);
    }
    if (bidders == now->seats && earlier < bidders) {
        story_add(story, PHRASE(N_("All have bid: {0} in all, for {1} {1:trick|tricks}"),
                                arg_of_number(sum), arg_of_number(now->slot_count[0])));
    }
}

static void tell_plays(const struct story_trick *trick, uint8_t first_play, struct story *story)
{
    const struct game_story *own = trick->view->game->face->story;
    for (uint8_t i = first_play; i < trick->trick->count; i++) {
        const struct view_play *play = &trick->trick->plays[i];
        struct phrase remark =
            own != NULL && own->remark != NULL ? own->remark(trick, i) : phrase_absent();
        bool is_lead = i == 0;
        struct phrase words = PHRASE_OWN(is_lead ? N_("{0} leads {1}") : N_("{0} plays {1}"),
                                         is_lead ? N_("You lead {1}") : N_("You play {1}"),
                                         arg_of_seat(play->seat), arg_of_card(play->card));
        if (remark.format != NULL) {
            words.format = is_lead ? N_("{0} leads {1}: {2}") : N_("{0} plays {1}: {2}");
            words.own = is_lead ? N_("You lead {1}: {2}") : N_("You play {1}: {2}");
            phrase_put_inner(&words, 2, &remark);
        }
        story_add(story, words)->great = remark;
    }
}

/* Tells what the last trick of a round does to the bids of those who could still make them by it.
 */
static void tell_bids_decided_by_last_trick(const struct story_trick *trick, struct story *story)
{
    for (uint8_t seat = 0; seat < trick->view->seats; seat++) {
        bool is_winner = trick->trick->winner == seat;
        int bid = (uint8_t)trick->view->bids[seat]; /* everybody has bid by the last trick */
        int tricks = story_count_tricks(trick, seat);
        struct phrase words = {
            .args = {arg_of_seat(seat), arg_of_number(tricks), arg_of_number(bid)}};
        if (is_winner && tricks == bid) {
            words.format = N_("{0} makes the bid with the last trick");
            words.own = N_("You make your bid with the last trick");
        } else if (is_winner && tricks == bid + 1) {
            words.format = N_("{0} takes the last trick, one too many: {1}, bid {2}");
            words.own = N_("You take the last trick, one too many: {1}, bid {2}");
        } else if (!is_winner && tricks + 1 == bid) {
            words.format = N_("{0} needed the last trick and missed it: {1}, bid {2}");
            words.own = N_("You needed the last trick and missed it: {1}, bid {2}");
        } else {
            continue;
        }
        struct story_line *line = story_add(story, words);
        line->great = is_winner ? words : phrase_absent();
    }
}

/* Tells at the end of a round who made their bids and who did not. That nobody or everybody did is
 * a great moment. */
static void tell_bids_made(const struct story_trick *trick, struct story *story)
{
    unsigned made = 0;
    unsigned missed = 0;
    for (uint8_t seat = 0; seat < trick->view->seats; seat++) {
        bool is_made = story_count_tricks(trick, seat) == (uint8_t)trick->view->bids[seat];
        made |= (unsigned)is_made << seat;
        missed |= (unsigned)!is_made << seat;
    }
    struct phrase words = PHRASE(N_("Bids made: {0}; missed: {1}"), arg_of_seats((uint8_t)made),
                                 arg_of_seats((uint8_t)missed));
    if (made == 0) {
        words = phrase_without_args(N_("Nobody made their bid"));
    } else if (missed == 0) {
        words = phrase_without_args(N_("Everybody made their bid"));
    }
    story_add(story, words)->great = made == 0 || missed == 0 ? words : phrase_absent();
}

static void tell_taking(const struct story_trick *trick, struct story *story)
{
    const struct game_view *view = trick->view;
    const struct game_story *own = view->game->face->story;
    uint8_t winner = trick->trick->winner;
    struct phrase why = view->game->face->why_won(view, trick->trick);
    struct phrase words =
        PHRASE_OWN(view->has_bids ? N_("{0} takes the trick: {3} (bid {2}, won {1})")
                                  : N_("{0} takes the trick: {3} ({1} {1:trick|tricks} so far)"),
                   view->has_bids ? N_("You take the trick: {3} (bid {2}, won {1})")
                                  : N_("You take the trick: {3} ({1} {1:trick|tricks} so far)"),
                   arg_of_seat(winner), arg_of_number(story_count_tricks(trick, winner)),
                   arg_of_number(view->bids[winner]));
    struct phrase count = own != NULL && own->count != NULL ? own->count(trick) : phrase_absent();
    if (count.format != NULL) {
        words.format = N_("{0} takes the trick: {6} ({1})");
        words.own = N_("You take the trick: {6} ({1})");
        phrase_put_inner(&words, 1, &count);
        phrase_put_inner(&words, 6, &why);
    } else {
        phrase_put_inner(&words, 3, &why);
    }
    story_add(story, words);
    story->decided = story->count;
    if (own != NULL && own->take != NULL) {
        own->take(trick, story);
    }
    if (view->has_bids && is_last_trick(trick)) {
        tell_bids_decided_by_last_trick(trick, story);
        tell_bids_made(trick, story);
    }
}

static void tell_end(const struct story_trick *last, const struct game_view *now,
                     struct story *story)
{
    const struct game_story *own = now->game->face->story;
    if (own != NULL && own->end != NULL && is_last_trick(last)) {
        own->end(last, now, story);
    }
}

/* Tells the cards and tricks since an earlier view of the same round. */
static void tell_tricks(const struct game_view *before, const struct game_view *now,
                        struct story *story)
{
    uint8_t first_play = before->trick.count;
    for (uint8_t i = before->past_count; i < now->past_count; i++) {
        const struct story_trick trick = {now, i, &now->past[i]};
        tell_plays(&trick, first_play, story);
        tell_taking(&trick, story);
        first_play = 0;
        if (now->phase == PHASE_OVER && before->phase != PHASE_OVER) {
            tell_end(&trick, now, story);
        }
    }
    const struct story_trick trick = {now, now->past_count, &now->trick};
    tell_plays(&trick, first_play, story);
}

static void tell_round(const struct game_view *before, const struct game_view *now,
                       struct story *story)
{
    const struct game_story *own = now->game->face->story;
    if (own != NULL && own->prepare != NULL) {
        own->prepare(before, now, story);
    }
    tell_bids(before, now, story);
    tell_tricks(before, now, story);
}

/* Makes the view of a round in which nothing has happened yet. */
static void make_empty_view(const struct game_view *now, struct game_view *empty)
{
    view_clear(empty);
    empty->game = now->game;
    empty->seat = now->seat;
    empty->seats = now->seats;
    empty->round = now->round;
    empty->phase = 0;
    memset(empty->bids, BID_NONE, sizeof(empty->bids));
}

void story_tell(const struct game_view *before, const struct game_view *now, struct story *story)
{
    struct game_view empty;
    story->count = 0;
    story->old_count = 0;
    story->decided = 0;
    story->is_cut = false;
    if (before != NULL && before->round == now->round) {
        tell_round(before, now, story);
        if (now->game->face->story != NULL && now->game->face->story->after != NULL) {
            now->game->face->story->after(before, now, story);
        }
        story->old_count = now->phase == PHASE_OVER ? story->count : 0;
        return;
    }
    if (before != NULL) {
        const struct story_trick last = {before, before->past_count, &now->last_trick};
        tell_plays(&last, before->trick.count, story);
        tell_taking(&last, story);
        tell_end(&last, now, story);
        story->old_count = story->count;
    }
    make_empty_view(now, &empty);
    tell_beginning(now, story);
    tell_round(&empty, now, story);
    story->old_count = now->phase == PHASE_OVER ? story->count : story->old_count;
}

void story_tell_points(const struct game_def *game, const struct score_row *row, uint8_t seats,
                       struct story *story)
{
    story->count = 0;
    story->old_count = 0;
    story->decided = 0;
    story->is_cut = false;
    story_add(story, PHRASE(N_("Round {0} is over"), arg_of_number(row->round)));
    for (uint8_t seat = 0; seat < seats; seat++) {
        struct phrase why = game->face->explain(row, seat);
        struct phrase words = PHRASE_OWN(
            N_("{0}: {1}, total {2} ({3})"), N_("You: {1}, total {2} ({3})"), arg_of_seat(seat),
            arg_of_points(row->points[seat]), arg_of_number(row->totals[seat]));
        phrase_put_inner(&words, 3, &why);
        story_add(story, words);
    }
}

static void add_winners(uint8_t winners, struct story *story)
{
    struct phrase words = {.args = {arg_of_seats(winners)}};
    if (winners == 0) {
        words.format = N_("Nobody wins this game");
    } else if (bits_count(winners) == 1) {
        words.format = N_("{0} wins");
        words.own = N_("You win");
    } else {
        words.format = N_("{0} share the win");
        words.own = N_("You share the win: {0}");
    }
    story_add(story, words);
}

void story_tell_result(const struct game_view *view, const struct game_config *config,
                       uint8_t winners, struct story *story)
{
    story->count = 0;
    story->old_count = 0;
    story->decided = 0;
    story->is_cut = false;
    /* A game that was ended before its last move has no result that its rules explain. */
    if (view->phase == PHASE_OVER) {
        view->game->face->explain_result(view, config, winners, story);
    } else {
        add_winners(winners, story);
    }
}

void story_add_highest_total(const struct game_view *view, const struct game_config *config,
                             uint8_t winners, struct story *story)
{
    unsigned next = 0;
    int16_t best = INT16_MIN;
    for (uint8_t seat = 0; seat < config->players && seat < view->seats; seat++) {
        if ((winners >> seat & 1) != 0) {
            continue;
        }
        if (view->scores[seat] > best) {
            best = view->scores[seat];
            next = 0;
        }
        next |= (unsigned)(view->scores[seat] == best) << seat;
    }
    if (winners == 0) {
        add_winners(winners, story);
        return;
    }
    struct phrase words = {
        .args = {arg_of_seats(winners), arg_of_number(view->scores[bits_index_of_lowest(winners)]),
                 arg_of_seats((uint8_t)next), arg_of_number(best)},
    };
    if (bits_count(winners) > 1) {
        words.format = N_("{0} share the win: they have the same highest total, {1}");
        words.own = N_("You share the win: {0} have the same highest total, {1}");
        words.args[2] = (struct phrase_arg){0};
    } else if (next == 0) {
        add_winners(winners, story);
        return;
    } else {
        words.format = N_("{0} wins: highest total, {1} (next: {2} {3})");
        words.own = N_("You win: highest total, {1} (next: {2} {3})");
    }
    story_add(story, words);
}
