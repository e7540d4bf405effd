#include "games/suppose/suppose.h"

#include "games/face.h"

static void tell_start(const struct game_view *now, struct story *story)
{
    int32_t start = fields_find_number(&now->info, "start", 0);
    story_add(story, (struct phrase){.format = N_("{0} will lead the first trick"),
                                     .own = N_("You will lead the first trick"),
                                     .args = {arg_of_seat((uint8_t)start)}});
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
    uint8_t order = suppose_read_colour_order(fields_find(&now->info, "arranged"));
    uint8_t prediction = suppose_read_prediction(fields_find(&now->info, "prediction"));
    struct phrase words = {.args = {arg_of_seat(seat), arg_of_seat(other)}};
    if (order != SUPPOSE_NONE &&
        suppose_read_colour_order(fields_find(&before->info, "arranged")) == SUPPOSE_NONE) {
        struct phrase colours = suppose_face.label(now, (uint8_t)(SUPPOSE_ARRANGE_FIRST + order));
        words.format = N_("{0} arranges the hand for {1}: {2}");
        words.own = N_("You arrange the hand for {1}: {2}");
        phrase_put_inner(&words, 2, &colours);
        story_add(story, words);
    }
    if (prediction != SUPPOSE_NONE &&
        suppose_read_prediction(fields_find(&before->info, "prediction")) == SUPPOSE_NONE) {
        struct phrase numbers =
            suppose_face.label(now, (uint8_t)(SUPPOSE_PREDICT_FIRST + prediction));
        words.format = N_("{0} predicts {2} for {1}");
        words.own = N_("You predict {2} for {1}");
        phrase_put_inner(&words, 2, &numbers);
        story_add(story, words);
    }
}

static void tell_preparing(const struct game_view *before, const struct game_view *now,
                           struct story *story)
{
    bool is_empty = before->info.count == 0;
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
    const struct field *list = fields_find(&now->info, "last_predictions");
    uint8_t seat = 0;
    if (list == NULL || list->type != FIELD_LIST) {
        return;
    }
    for (const struct field *at = field_first_member(list); at != NULL && seat < now->seats;
         at = field_next_member(list, at), seat++) {
        uint8_t prediction = suppose_read_prediction(at);
        uint8_t other = (uint8_t)((seat + 1) % now->seats);
        if (prediction == SUPPOSE_NONE) {
            continue;
        }
        uint8_t taken = story_count_tricks(last, other);
        uint8_t bonus = suppose_compute_bonus(prediction, taken);
        struct phrase numbers =
            suppose_face.label(now, (uint8_t)(SUPPOSE_PREDICT_FIRST + prediction));
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

const struct game_story suppose_story = {
    .begin = tell_start,
    .prepare = tell_preparing,
    .end = tell_predictions,
};
