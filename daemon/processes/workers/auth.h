#pragma once

#include "daemon/metrics/metrics.h"

/*
 * A password worker (PROTOCOL.md). It checks passwords with Argon2id, through crypto_pwhash_str of
 * libsodium, with 3 passes over 64 MiB, which take about 110 ms. It checks the codes of
 * authenticators (RFC 6238) through liboath. It knows no accounts and keeps nothing; memory that
 * held a password or secret is overwritten before it is freed. Serves until the other end of the
 * socket is closed; the exit status is that of worker_run.
 */
int auth_run(int core_socket, const struct metrics *metrics);
