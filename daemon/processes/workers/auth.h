#pragma once

/*
 * A password worker (PROTOCOL.md). It checks passwords by Argon2id through libsodium's
 * crypto_pwhash_str, with 3 passes over 64 MiB, about 110 ms each, and the codes of authenticators
 * (RFC 6238) through liboath. It knows no accounts and keeps nothing; memory that held a password
 * or secret is overwritten before it is freed. Serves until the other end of the socket is closed;
 * the exit status is worker_run's.
 */
int auth_run(int core_socket);
