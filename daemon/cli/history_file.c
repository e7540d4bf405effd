#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static enum history_file_result report_failure(const struct history_file *file, const char *what)
{
    (void)subcommand_fail(file->self, file->path, what);
    return HISTORY_FILE_FAILED;
}

static enum history_file_result report_failure_at_line(const struct history_file *file,
                                                       const char *what)
{
    fprintf(stderr, _("trickhouse %s: %s: line %" PRIu64 ": %s\n"), file->self->name, file->path,
            file->stream.line, what);
    return HISTORY_FILE_FAILED;
}

enum history_file_result history_file_open(struct history_file *file, const struct subcommand *self,
                                           const char *path)
{
    *file = (struct history_file){.self = self, .path = path};
    if (!json_stream_open(&file->stream, path)) {
        return report_failure(file, strerror(errno));
    }
    return HISTORY_FILE_OK;
}

void history_file_close(struct history_file *file)
{
    json_stream_close(&file->stream);
}

static enum history_file_result read_next_json_object(struct history_file *file, const char **text,
                                                      size_t *len)
{
    switch (json_stream_read_next(&file->stream, text, len)) {
    case JSON_STREAM_OK:
        file->count++;
        return HISTORY_FILE_OK;
    case JSON_STREAM_END:
        return file->count > 0 ? HISTORY_FILE_END
                               : report_failure(file, _("the file contains no history"));
    case JSON_STREAM_NO_OBJECT:
        return report_failure_at_line(file, _("a history begins with \"{\""));
    case JSON_STREAM_CUT:
        return report_failure_at_line(file, _("the history that begins here has no end"));
    case JSON_STREAM_TOO_LONG:
        return report_failure_at_line(file,
                                      _("the history that begins here is longer than 16 MiB"));
    case JSON_STREAM_FAILED:
        break;
    }
    return report_failure(file, strerror(errno));
}

enum history_file_result history_file_read_next(struct history_file *file,
                                                struct history_record *record)
{
    const char *bytes;
    size_t len;
    enum history_file_result found = read_next_json_object(file, &bytes, &len);
    if (found != HISTORY_FILE_OK) {
        return found;
    }
    struct text why = text_init(file->why, sizeof(file->why));
    return history_read(bytes, len, record, &why) == HISTORY_READ_OK ? HISTORY_FILE_OK
                                                                     : HISTORY_FILE_BAD;
}

enum history_file_result history_file_skip_next(struct history_file *file)
{
    const char *bytes;
    size_t len;
    return read_next_json_object(file, &bytes, &len);
}
