#include "daemon/screens/drawing/words.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"

#define SPAN_BYTES 32
#define AWAY_S 180

const char *person_write_location(int64_t table_id, bool is_seated, struct text *out)
{
    if (table_id == 0) {
        text_put(out, _("in the lobby"));
    } else {
        text_format(out, is_seated ? _("playing at #%lld") : _("watching #%lld"),
                    (long long)table_id);
    }
    return out->at;
}

const char *person_label(enum person_kind kind, enum bot_level level, enum person_role role)
{
    static const char *const bots[] = {
        [BOT_LEVEL_NONE] = N_("bot"),
        [BOT_LEVEL_EASY] = N_("easy bot"),
        [BOT_LEVEL_MEDIUM] = N_("medium bot"),
        [BOT_LEVEL_STRONG] = N_("strong bot"),
    };
    return kind == PERSON_BOT     ? _(bots[level])
           : kind == PERSON_GUEST ? _("guest")
           : role == ROLE_ADMIN   ? _("admin")
           : role == ROLE_MOD     ? _("moderator")
                                  : "";
}

const char *person_brief_bot_label(enum bot_level level)
{
    static const char *const words[] = {
        [BOT_LEVEL_NONE] = N_("bot"),
        [BOT_LEVEL_EASY] = N_("easy"),
        [BOT_LEVEL_MEDIUM] = N_("medium"),
        [BOT_LEVEL_STRONG] = N_("strong"),
    };
    return _(words[level]);
}

enum bot_level person_level_of_seat(const struct seat_row *seat)
{
    size_t level = row_value_of_word(&bot_level_words, seat->policy);
    return level < bot_level_words.count ? (enum bot_level)level : BOT_LEVEL_NONE;
}

void person_write_presence(enum person_presence presence, const char *presence_text, int64_t idle_s,
                           struct text *out)
{
    bool has_words = presence_text[0] != '\0';
    if (presence == PRESENCE_DND) {
        text_format_list_item(out,
                              has_words ? _("not to be disturbed: %s") : _("not to be disturbed"),
                              presence_text);
    } else if (presence == PRESENCE_AWAY) {
        text_format_list_item(out, has_words ? _("away: %s") : _("away"), presence_text);
    } else if (idle_s >= AWAY_S) {
        text_format_list_item(out, _("away for %s"),
                              words_write_duration(&theme_plain, idle_s, &TEXT_OF(SPAN_BYTES)));
    }
}
