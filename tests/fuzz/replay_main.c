#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>

/*
 * Runs a fuzz target on every file of the given folders, so that builds without libFuzzer replay
 * the corpora as ordinary tests.
 */

#define INPUT_MAX (1 << 20)

static int replay_file(const char *folder, const char *name)
{
    char path[4096];
    static uint8_t input[INPUT_MAX];
    if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path)) {
        fprintf(stderr, "%s/%s: name too long\n", folder, name);
        return 1;
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    size_t len = fread(input, 1, sizeof(input), file);
    fclose(file);
    return LLVMFuzzerTestOneInput(input, len);
}

static int replay_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        perror(folder);
        return 1;
    }
    int replayed = 0;
    int failed = 0;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (entry->d_name[0] != '.') {
            failed |= replay_file(folder, entry->d_name);
            replayed++;
        }
    }
    closedir(dir);
    printf("%s: %d inputs\n", folder, replayed);
    return failed != 0 || replayed == 0;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    for (int i = 1; i < argc; i++) {
        failed |= replay_folder(argv[i]);
    }
    return failed;
}
