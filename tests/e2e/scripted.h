#pragma once

/* Runs the tests of a client that is a Python script in this folder, LIBRARY_client.py PORT USER
 * [KEY_FILE], which uses that SSH library. Returns the exit status for main. */
int scripted_run_tests(const char *library);
