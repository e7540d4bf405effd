#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"

#include <stdio.h>

static void run_finger_command(struct ui *ui, const char *args)
{
    char name[MODEL_NAME_MAX];
    (void)command_read_word(args, name, sizeof name);
    screen_open_about_person(ui, "profile", name);
}

const struct command finger_command = {
    .name = "finger",
    .args = N_("[player]"),
    .help = N_("Show a player's profile: ratings and last games. As in: /finger ada; /finger alone "
               "shows your own."),
    .completes = COMPLETE_NAMES,
    .run = run_finger_command,
};

/* Shows in one line how each possible place in the game would change the player's rating. */
static void show_rating_changes(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                const json_t *answer)
{
    char line[MODEL_TEXT_MAX], changes[MODEL_TEXT_MAX];
    struct text list = text_init(changes, sizeof changes), out = text_init(line, sizeof line);
    const json_t *places = json_object_get(answer, "places");
    double weight = json_number_value(json_object_get(answer, "weight"));
    if (!json_is_true(json_object_get(answer, "is_rated"))) {
        screen_add_chat_line(ui, "%s",
                             _("This game changes no rating: a rated game has a clock, the usual "
                               "options and at least two people with accounts."));
        return;
    }
    for (size_t i = 0; i < json_array_size(places); i++) {
        const json_t *place = json_array_get(places, i);
        text_put(&list, i > 0 ? " · " : "");
        text_format(&list, "%d. %+.1f", (int)model_read_number(json_object_get(place, "place"), 0),
                    json_number_value(json_object_get(place, "change")));
    }
    text_format(&out, _("How each place among the people would change your rating: %s"), changes);
    if (weight < 1.0) {
        text_put(&out, " ");
        text_format(&out, _("(with these people the game counts %.0f%% today)"), 100.0 * weight);
    }
    screen_add_chat_line(ui, "%s", line);
}

const struct command assess_command = {
    .name = "assess",
    .help = N_("Show how each place would change your rating."),
    .where = COMMAND_AT_TABLE,
    .request = "assess",
    .result = show_rating_changes,
};
