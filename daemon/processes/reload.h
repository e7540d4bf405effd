#ifndef DAEMON_PROCESSES_RELOAD_H
#define DAEMON_PROCESSES_RELOAD_H

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>

struct crew;
struct data_dir;
struct supervisor_setup;

/*
 * The supervisor's exec of its program, or of a newer one in its place: `serve` with the same
 * arguments and `--resume N`, N the descriptor of its image. First the program is run with
 * `--check`, so that what could not open a house does not end one. Returns only when nothing has
 * changed, with the reason on the log.
 */
void reload_run(const struct supervisor_setup *setup, const struct data_dir *dir,
                const struct crew *crew);

/* After the exec: the image's lock and the crew's part (crew_image.h), a new reference. False when
 * it is none. */
bool reload_read(int image, int *lock, json_t **crew) MUST_CHECK;

#endif
