#include "daemon/screens/table/table.h"

#include "daemon/base/i18n.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#define SPAN_BYTES 60
#define LINE_BYTES 200
#define POLICY_BYTES 120
#define TITLE_BYTES 120

const char *option_write_value(const struct option_def *option, uint8_t index, struct text *out)
{
    const struct option_value *value = &option->values[index < option->value_count ? index : 0];
    if (value->title != NULL) {
        text_put(out, _(value->title));
    } else if (value->word != NULL) {
        text_put(out, value->word);
    } else {
        text_put_number(out, value->number);
    }
    return out->at;
}

/* Writes a duration in the largest unit that needs no fraction: "10 minutes". */
static const char *write_duration(uint32_t seconds, struct text *out)
{
    if (seconds >= CLOCK_DAY_S && seconds % CLOCK_DAY_S == 0) {
        seconds /= CLOCK_DAY_S;
        text_format(out, ngettext("%u day", "%u days", seconds), seconds);
    } else if (seconds >= 7200 && seconds % 3600 == 0) {
        seconds /= 3600;
        text_format(out, ngettext("%u hour", "%u hours", seconds), seconds);
    } else if (seconds >= 120 && seconds % 60 == 0) {
        seconds /= 60;
        text_format(out, ngettext("%u minute", "%u minutes", seconds), seconds);
    } else {
        text_format(out, ngettext("%u second", "%u seconds", seconds), seconds);
    }
    return out->at;
}

const char *option_write_clock(const struct clock_rule *clock, struct text *out)
{
    char line[LINE_BYTES];
    const struct clock_type *type = clock_type_of(clock->kind);
    json_t *sentence = json_pack("[s]", type->sentence);
    if (type->time_key != NULL) {
        const char *time = write_duration(clock->time_s, &TEXT_OF(SPAN_BYTES));
        (void)json_array_append_new(sentence, json_string(time));
    }
    if (type->increment_key != NULL) {
        const char *increment = write_duration(clock->increment_s, &TEXT_OF(SPAN_BYTES));
        (void)json_array_append_new(sentence, json_string(increment));
    }
    json_t *message = json_pack("{s:o}", "say", sentence);
    model_read_sentence(message, "text", line, sizeof(line));
    json_decref(message);
    text_put(out, line);
    return out->at;
}

static const char *write_watch_policy(const struct watch_rule *watch, struct text *out)
{
    static const char *const policies[] = {
        [WATCH_PUBLIC] = N_("everybody"),
        [WATCH_DELAY] = N_("everybody, a round behind"),
        [WATCH_FRIENDS] = N_("friends of the players"),
        [WATCH_NONE] = N_("nobody"),
    };
    static_assert(ARRAY_LEN(policies) == STORED_LAST(STORED_WATCH_POLICIES) + 1,
                  "every policy needs its words");
    if (watch->policy == WATCH_DELAY && watch->moves > 0) {
        text_format(
            out, ngettext("everybody, %u move behind", "everybody, %u moves behind", watch->moves),
            watch->moves);
    } else {
        text_put(out, _(policies[watch->policy]));
    }
    return out->at;
}

const char *option_write_watch_rule(const struct watch_rule *watch, struct text *out)
{
    const char *policy = write_watch_policy(watch, &TEXT_OF(POLICY_BYTES));
    text_format(out,
                watch->policy == WATCH_NONE || watch->talk == WATCH_TALK_ALL ? "%s"
                : watch->talk == WATCH_TALK_OFF ? _("%s; spectators do not talk")
                                                : _("%s; players do not hear spectators"),
                policy);
    return out->at;
}

const char *option_write_eligibility(const struct eligibility *eligibility, struct text *out)
{
    if (!eligibility_has_conditions(eligibility)) {
        text_put(out, _("all"));
    }
    if (eligibility->rating_min != 0 && eligibility->rating_max != 0) {
        text_format(out, _("rating %d-%d"), eligibility->rating_min, eligibility->rating_max);
    } else if (eligibility->rating_min != 0) {
        text_format(out, _("rating %d-"), eligibility->rating_min);
    } else if (eligibility->rating_max != 0) {
        text_format(out, _("rating -%d"), eligibility->rating_max);
    }
    if (eligibility->finished_min != 0) {
        text_put(out, out->len > 0 ? " " : "");
        text_format(out, _("finished %u%%"), eligibility->finished_min);
    }
    return out->at;
}

static const struct {
    const char *table, *own;
} paces[] = {
    [PACE_NORMAL] = {N_("normal: a stop of 10 s between rounds"),
                     N_("normal: a finished trick stays 1.2 s")},
    [PACE_QUICK] = {N_("quick: faster bots, stops of 5 s between rounds"),
                    N_("quick: a finished trick stays 0.6 s")},
    [PACE_SLOW] = {N_("slow: slower bots, stops of 20 s between rounds"),
                   N_("slow: a finished trick stays 2.5 s")},
};
static_assert(ARRAY_LEN(paces) == STORED_LAST(STORED_PACES) + 1, "every pace needs its words");

const char *option_describe_table_pace(enum pace pace)
{
    return _(paces[pace].table);
}

const char *option_describe_own_pace(enum pace pace)
{
    return _(paces[pace].own);
}

enum pace option_next_pace(enum pace pace, int direction)
{
    static const enum pace by_speed[] = {PACE_QUICK, PACE_NORMAL, PACE_SLOW};
    size_t count = ARRAY_LEN(by_speed);
    size_t index = 0;
    while (index < count - 1 && by_speed[index] != pace) {
        index++;
    }
    return by_speed[(index + (direction > 0 ? 1 : count - 1)) % count];
}

static bool begins_with(const char *name, const char *text)
{
    return name != NULL && text[0] != '\0' && strncasecmp(name, text, strlen(text)) == 0;
}

int option_find_game(const char *typed_name)
{
    int found = -1;
    for (uint8_t i = game_count(); i-- > 0;) {
        if (begins_with(game_at(i)->id, typed_name) ||
            begins_with(_(game_at(i)->title), typed_name)) {
            found = i;
        }
    }
    return found;
}

const struct game_def *option_find_only_game(const char *typed_name)
{
    const struct game_def *found = NULL;
    int count = 0;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        if (strcasecmp(game->id, typed_name) == 0 || strcasecmp(_(game->title), typed_name) == 0) {
            return game;
        }
        if (begins_with(game->id, typed_name) || begins_with(_(game->title), typed_name)) {
            found = game;
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

int option_find_value(const struct option_def *option, const char *typed_name)
{
    int found = -1;
    for (uint8_t i = option->value_count; i-- > 0;) {
        const char *title = option_write_value(option, i, &TEXT_OF(TITLE_BYTES));
        const char *word = option->values[i].word;
        if (strcasecmp(title, typed_name) == 0 ||
            (word != NULL && strcasecmp(word, typed_name) == 0)) {
            return i;
        }
        if (begins_with(title, typed_name) || begins_with(word, typed_name)) {
            found = i;
        }
    }
    return found;
}

uint8_t option_find_game_index(const struct game_def *game)
{
    uint8_t index = 0;
    while (index + 1 < game_count() && game_at(index) != game) {
        index++;
    }
    return index;
}

struct game_config option_make_default_config(const struct game_def *game, uint8_t player_count)
{
    player_count = player_count < game->seats_min ? game->seats_min : player_count;
    player_count = player_count > game->seats_max ? game->seats_max : player_count;
    return game_config_default(game, player_count);
}

/* Adds a setting without its value. Returns the text to which the caller appends the value. */
static struct text *add_setting(struct option_settings *out, const char *label)
{
    struct option_setting *setting = &out->at[out->count++];
    setting->label = label;
    setting->value = text_init(setting->bytes, sizeof(setting->bytes));
    return &setting->value;
}

/* Says whether the game is rated, and why not, as far as the table shows it: somebody may also be
 * banned from rated games. */
static const char *describe_rated(const struct model_entered *entered)
{
    const struct table_row *row = &entered->row;
    const struct game_config usual = game_config_default(row->game, row->players);
    int people = 0;
    for (size_t i = 0; i < entered->details.seats.count; i++) {
        const struct seat_row *seat = &entered->details.seats.at[i];
        people += seat->name[0] != '\0' && seat->kind == PERSON_PLAYER && !seat->is_program;
    }
    if (entered->details.is_rated) {
        return _("yes");
    }
    if (row->clock.kind == CLOCK_NONE) {
        return _("no, since it has no clock");
    }
    if (memcmp(usual.options, entered->config.options, sizeof(usual.options)) != 0) {
        return _("no, since its options are not the usual ones");
    }
    return people < 2 ? _("no, since that needs two people with accounts") : _("no");
}

void option_list_settings(const struct model_entered *entered, struct option_settings *out)
{
    const struct table_row *row = &entered->row;
    out->count = 0;
    for (uint8_t i = 0; i < row->game->option_count; i++) {
        const struct option_def *option = &row->game->options[i];
        if (game_option_applies(row->game, &entered->config, option)) {
            option_write_value(option, entered->config.options[i],
                               add_setting(out, _(option->title)));
        }
    }
    option_write_clock(&row->clock, add_setting(out, _("Clock")));
    if (entered->details.pace != PACE_NORMAL) {
        text_put(add_setting(out, _("Pace")),
                 option_describe_table_pace((enum pace)entered->details.pace));
    }
    if (eligibility_has_conditions(&row->fit)) {
        option_write_eligibility(&row->fit, add_setting(out, _("Open to")));
    }
    option_write_watch_rule(&row->watch, add_setting(out, _("Watched by")));
    text_put(add_setting(out, _("Rated")), describe_rated(entered));
    if (row->is_locked) {
        text_put(add_setting(out, _("Locked")), _("with a password"));
    }
}
