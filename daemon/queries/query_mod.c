#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/queries/queries.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* The query that carries out moderation commands, written as in the lobby (PROTOCOL.md). */

/* True if the text is not empty, not too long, and contains no control character. */
static bool is_one_line(const char *line)
{
    for (const char *at = line; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7F) {
            return false;
        }
    }
    return line[0] != '\0' && strlen(line) <= QUERY_LINE_MAX;
}

static const char *get_moderation_command(const struct query_run *run)
{
    const char *line = query_line_skip_first_word(run->setup->line);
    return line[0] == '/' ? line + 1 : line;
}

static void send_moderation_request(struct query_run *run)
{
    const char *line = get_moderation_command(run);
    if (strcmp(line, "help") == 0) {
        return;
    }
    /* json_string refuses text that is not UTF-8 */
    json_t *text = is_one_line(line) ? json_string(line) : NULL;
    if (text == NULL) {
        query_fail_with_usage(run);
    } else {
        query_send_request(run, "mod", json_pack("{s:o, s:s}", "line", text, "via", "exec"));
    }
}

/* If the command must be confirmed and there is a terminal, runs the command on a screen that asks
 * for the confirmation. */
static bool handle_confirmation_required(struct query_run *run, const char *refusal_code)
{
    if (strcmp(refusal_code, "step_up") != 0) {
        return false;
    }
    if (run->setup->has_terminal) {
        snprintf(run->typed, sizeof run->typed, "/mod %s\n", get_moderation_command(run));
    } else {
        query_fail(run, QUERY_REFUSED,
                   _("This command must be confirmed by password or code, which needs a terminal: "
                     "ssh -t HOST mod ... With the same key, the next commands then need none for "
                     "a while."));
    }
    return true;
}

static enum rank get_rank_of_role(enum person_role role)
{
    static const enum rank ranks[] = {
        [ROLE_PLAYER] = RANK_PLAYER, [ROLE_MOD] = RANK_MOD, [ROLE_ADMIN] = RANK_ADMIN};
    static_assert(ARRAY_LEN(ranks) == STORED_LAST(STORED_ROLES) + 1, "every role needs a rank");
    return ranks[role];
}

static void write_moderation_answer(struct query_run *run)
{
    if (run->asked == 0) {
        usage_put_mod_commands(get_rank_of_role(run->role), &run->out);
        return;
    }
    json_t *lines = core_text_translate_lines(run->answers[0]);
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *line = json_array_get(lines, i);
        lines_put(&run->out, json_string_value(line));
    }
    json_decref(lines);
}

const struct query mod_query = {
    .name = "mod",
    .args = N_("COMMAND..."),
    .help = N_("Use a moderation command (mod help lists them); ssh -t to confirm."),
    .who = QUERY_FOR_PEOPLE,
    .takes_line = true,
    .ask = send_moderation_request,
    .refused = handle_confirmation_required,
    .write = write_moderation_answer,
};
