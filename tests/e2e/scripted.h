#pragma once

/* The tests of a client that is a script in this folder: LIBRARY_client.py PORT USER [KEY_FILE],
 * based on an SSH library for Python. Returns the result for main. */
int scripted_test(const char *library);
