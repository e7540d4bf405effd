#pragma once

/*
 * The time zones that are installed (Debian's package tzdata), such as Europe/Berlin. A process
 * that cannot open files any more still has them: it keeps the rule of each zone as POSIX writes it
 * (TZ=CET-1CEST,M3.5.0,M10.5.0/3; RFC 8536, 3.3). The rule is that of today and the future; times
 * of years in which another one was in force may be an hour wrong.
 */
#define ZONES_NAME_SIZE 40

/* Reads all zones. Call it while the process may open files; its forks inherit them. At a second
 * call it does nothing. */
void zones_load(void);

/* Makes a zone that of this process (localtime_r). The name may be that of its last part alone, in
 * any case: "berlin". Returns the whole name; NULL if there is no such zone. */
const char *zones_use(const char *name);

/* Returns the name of the zone that zones_use has chosen last; "": none, so times are those of the
 * house. */
const char *zones_used(void);
