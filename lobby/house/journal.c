#include "lobby/house/parts.h"

void journal_write(const struct house *house, const struct conn *conn, const char *event,
                   const char *const *pairs)
{
    if (house->config.log != NULL) {
        house->config.log(house->config.log_context, conn->id, event, pairs);
    }
}

void journal_write_house_event(const struct house *house, const char *event,
                               const char *const *pairs)
{
    const struct conn nobody = {0};
    journal_write(house, &nobody, event, pairs);
}

void journal_write_denied_sign_in(const struct house *house, const struct conn *conn,
                                  const char *method, const char *account, const char *why)
{
    metrics_count(house, HOUSE_METRIC_sign_ins_refused, method, why, 1);
    journal_write(
        house, conn, "denied",
        JOURNAL_PAIRS("method", method, "account", account, "why", why, "address", conn->address));
}
