#ifndef TESTS_E2E_SCRIPTED_H
#define TESTS_E2E_SCRIPTED_H

/* The tests of a client that is a script of this folder, LIBRARY_client.py PORT USER [KEY_FILE], on
 * an SSH library for Python. Returns what main has to. */
int scripted_test(const char *library);

#endif
