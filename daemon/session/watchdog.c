#include "daemon/session/session.h"

#include <stddef.h>
#include <sys/time.h>
#include <time.h>

void watchdog_arm(void)
{
    const struct itimerval one_second = {.it_value = {.tv_sec = 1}};
    setitimer(ITIMER_PROF, &one_second, NULL);
}

int64_t watchdog_read_cpu_ms(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

void watchdog_init(struct watchdog *watchdog, int64_t window_ms, int share_percent)
{
    *watchdog = (struct watchdog){.window_ms = window_ms, .share_percent = share_percent};
}

void watchdog_start_window(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms)
{
    watchdog->since_ms = now_ms;
    watchdog->cpu_since_ms = cpu_ms;
    watchdog->has_typed = false;
}

void watchdog_note_typing(struct watchdog *watchdog)
{
    watchdog->has_typed = true;
}

static int compute_allowed_cpu_percent(const struct watchdog *watchdog)
{
    bool is_more = watchdog->has_typed && watchdog->share_percent < WATCHDOG_TYPED_PERCENT;
    return is_more ? WATCHDOG_TYPED_PERCENT : watchdog->share_percent;
}

bool watchdog_is_limit_exceeded(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms)
{
    int64_t passed = now_ms - watchdog->since_ms;
    bool is_over = passed >= watchdog->window_ms;
    /* count an unfinished window as if the session used no more CPU time in the rest of it */
    int64_t span = is_over ? passed : watchdog->window_ms;
    bool is_greedy =
        (cpu_ms - watchdog->cpu_since_ms) * 100 > span * compute_allowed_cpu_percent(watchdog);
    if (is_over) {
        watchdog_start_window(watchdog, now_ms, cpu_ms);
    }
    return is_greedy;
}
