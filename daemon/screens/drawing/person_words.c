#include "daemon/screens/drawing/person_words.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/words.h"

#include <stdio.h>

#define LINE_BYTES 64
#define AWAY_S 180

void person_write_where(int64_t table, bool is_seated, struct text *out)
{
    char line[LINE_BYTES];
    if (table == 0) {
        text_put(out, _("in the lobby"));
        return;
    }
    snprintf(line, sizeof line, is_seated ? _("playing at #%lld") : _("watching #%lld"),
             (long long)table);
    text_put(out, line);
}

const char *person_mark(enum person_kind kind, enum person_role role)
{
    return kind == PERSON_BOT     ? _("bot")
           : kind == PERSON_GUEST ? _("guest")
           : role == ROLE_ADMIN   ? _("admin")
           : role == ROLE_MOD     ? _("moderator")
                                  : "";
}

void person_write_presence(enum person_presence presence, const char *presence_text, int64_t idle_s,
                           struct text *out)
{
    static const struct theme told = {.is_ascii = true, .is_told = true};
    if (presence != PRESENCE_HERE) {
        text_put(out, presence == PRESENCE_DND ? _(", not to be disturbed") : _(", away"));
        text_put(out, presence_text[0] != '\0' ? ": " : "");
        text_put(out, presence_text);
    } else if (idle_s >= AWAY_S) {
        text_put(out, _(", away for "));
        words_span(&told, idle_s, out);
    }
}
