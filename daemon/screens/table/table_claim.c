#include "daemon/screens/table/table_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/model/model.h"
#include "games/claim.h"

#include <string.h>

#define LINE_BYTES 400
#define NAMES_BYTES 200

static bool viewer_is_asked(const struct model_entered *entered)
{
    return entered->you >= 0 && entered->claim.tricks > 0 &&
           (entered->claim.asked >> entered->you & 1) != 0;
}

/* Shows why a claim was refused, until the game goes on. */
static void show_refusal(struct ui *ui, UNUSED void *opaque, UNUSED int64_t tag, bool is_ok,
                         const json_t *answer)
{
    if (!is_ok) {
        screen_warn_of_refusal(ui, answer);
        screen_drop_notice_when_table_changes(ui);
    }
}

void table_claim(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (!entered->has_view || !view_viewer_may_move(&entered->view)) {
        screen_warn(ui, "%s", _("It is not your turn: claim when you are to play a card."));
        screen_drop_notice_when_table_changes(ui);
        return;
    }
    screen_send_request(ui, "claim", json_pack("{s:i}", "step", (int)entered->view.step),
                        show_refusal, 0);
}

static void claim_if_confirmed(struct ui *ui, UNUSED void *opaque, const char *answer)
{
    if (answer != NULL) {
        table_claim(ui);
    }
}

static bool viewer_may_claim_now(const struct model_entered *entered)
{
    return model_viewer_is_asked_to_move(entered) && entered->row.phase == TABLE_PLAYING &&
           entered->row.halt == HALT_NONE;
}

/* Returns the number of remaining tricks if the viewer can prove now that all of them are theirs;
 * otherwise 0, and the reason, if there is one, in *objection. */
static unsigned count_certain_tricks(const struct model_entered *entered, const char **objection)
{
    struct claim_proof proof;
    *objection = NULL;
    if (!viewer_may_claim_now(entered)) {
        return 0;
    }
    *objection = claim_prove(&entered->view, &entered->config, &proof);
    return *objection == NULL ? proof.count : 0;
}

void table_claim_after_asking(struct ui *ui)
{
    const char *objection;
    unsigned tricks = count_certain_tricks(screen_model(ui)->entered, &objection);
    if (tricks == 0 && objection == NULL) {
        table_claim(ui); /* without a turn or in a halted game: it says why that is not possible */
        return;
    }
    if (tricks <= 1) {
        screen_warn(ui, "%s",
                    objection != NULL ? _(objection)
                                      : _("Only the last trick is left: play your card."));
        screen_drop_notice_when_table_changes(ui);
        return;
    }
    struct text question = TEXT_OF(NAMES_BYTES);
    text_format(&question, _("You can take all %u remaining tricks for certain. Claim them?"),
                tricks);
    screen_ask(ui, ASK_SURE, question.at, NULL, claim_if_confirmed);
}

void table_claim_answer(struct ui *ui, bool is_accepted)
{
    if (!viewer_is_asked(screen_model(ui)->entered)) {
        screen_warn(ui, "%s", _("Nobody asks you about a claim now."));
        return;
    }
    screen_send_and_show_notice(ui, "claim_answer", json_pack("{s:b}", "accept", (int)is_accepted),
                                NULL);
}

static void answer_by_key(struct ui *ui, UNUSED void *opaque, const char *key)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (key != NULL && entered != NULL && viewer_is_asked(entered)) {
        table_claim_answer(ui, key[0] == 'y');
    }
}

static const struct ask_key answer_keys[] = {
    {"y", N_("accept")},
    {"n", N_("play on")},
    {NULL, NULL},
};

/* Writes the claimant's cards in the order in which they take the tricks. */
static const char *write_claimed_cards(const struct model_entered *entered,
                                       const struct words *words, struct text *out)
{
    char names[ROW_CLAIM_SIZE];
    char *rest = NULL;
    memcpy(names, entered->claim.cards, sizeof(names));
    for (char *name = strtok_r(names, " ", &rest); name != NULL;
         name = strtok_r(NULL, " ", &rest)) {
        uint8_t card = card_parse(entered->row.game->deck, name);
        if (card != CARD_NONE) {
            text_put(out, out->len == 0 ? "" : " ");
            words_write_card(words, card, out);
        }
    }
    return out->at;
}

bool table_claim_write_wait(const struct model_entered *entered, const struct words *words,
                            struct text *out)
{
    const struct claim_row *claim = &entered->claim;
    if (claim->tricks == 0 || model_claim_is_played_out(entered)) {
        return false;
    }
    if (words_is_own_seat(words, claim->seat)) {
        text_format(out, _("You claim all remaining tricks (%u): waiting for %s."), claim->tricks,
                    words_write_seats(words, claim->asked, &TEXT_OF(NAMES_BYTES)));
    } else {
        text_format(out, _("%s claims all remaining tricks: %s."),
                    words_write_seat(words, claim->seat, &TEXT_OF(NAMES_BYTES)),
                    write_claimed_cards(entered, words, &TEXT_OF(LINE_BYTES)));
    }
    return true;
}

static void show_claim(struct ui *ui, const struct model_entered *entered)
{
    const struct claim_row *claim = &entered->claim;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    words.is_plain = true;
    const char *cards = write_claimed_cards(entered, &words, &TEXT_OF(LINE_BYTES));
    const char *asked = words_write_seats(&words, claim->asked, &TEXT_OF(NAMES_BYTES));
    const char *claimant = words_write_seat(&words, claim->seat, &TEXT_OF(NAMES_BYTES));
    if (words_is_own_seat(&words, claim->seat)) {
        screen_add_chat_line(ui, _("You claim all remaining tricks: %s. Asked: %s."), cards, asked);
    } else if (viewer_is_asked(entered)) {
        screen_add_chat_line(ui,
                             _("%s claims all remaining tricks, in this order: %s. They cannot be "
                               "lost. /claim y accepts, /claim n plays on."),
                             claimant, cards);
    }
}

static void ask_about_claim(struct ui *ui, const struct model_entered *entered)
{
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    struct text question = TEXT_OF(NAMES_BYTES);
    words.is_plain = true;
    text_format(&question, _("%s claims all remaining tricks (%u). Accept?"),
                words_write_seat(&words, entered->claim.seat, &TEXT_OF(NAMES_BYTES)),
                entered->claim.tricks);
    screen_ask_for_key(ui, question.at, answer_keys, answer_by_key);
}

void table_claim_note_change(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct claim_row *now = &entered->claim;
    struct claim_row *told = &state->told_claim;
    bool is_new = now->asked != 0 && (told->tricks != now->tricks || told->seat != now->seat ||
                                      strcmp(told->cards, now->cards) != 0);
    *told = *now;
    if (!viewer_is_asked(entered)) {
        screen_close_question(ui, answer_by_key);
    }
    if (!is_new) {
        return;
    }
    show_claim(ui, entered);
    if (viewer_is_asked(entered)) {
        screen_ring_bell(ui);
    }
    if (viewer_is_asked(entered) && screen_may_ask(ui)) {
        ask_about_claim(ui, entered);
    }
}

bool table_claim_is_worth_offering(const struct model_entered *entered)
{
    const char *objection;
    return count_certain_tricks(entered, &objection) > 1 &&
           !(entered->details.is_lesson && lesson_find_suggestion(&entered->view) != NULL);
}
