/* The index of a folder's traces has the content of these traces. If a trace or the index was changed, the trace itself
 * is read. */
#include "trace/index.h"
#include "trace_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

static char *folder, *path, *kept;

static void set_up(void) {
    failure_clear();
    folder = folder_new();
    path = text_format("%s/run.h5", folder);
    kept = text_format("%s/traces.index", folder);
    const struct trace_header header = fixture_header(3, 3, 4);
    fixture_write(path, &header, 3);
    usleep(100000); /* so that a later change has another time stamp */
}

static void tear_down(void) {
    folder_remove(folder);
    free(path);
    free(kept);
    failure_clear();
}

TestSuite(index, .init = set_up, .fini = tear_down);

/* Read the trace through the index of `program`. Returns whether the index has the number that an earlier call stored.
 * If the index lacks the number, this function stores the number. */
static bool is_known(const char *program) {
    static const double number = 42;
    struct trace_index *index = trace_index_open(folder, program);
    struct trace_data data;
    cr_assert_eq(trace_index_read(index, folder, "run.h5", &data), STATUS_OK, "%s", failure_text());
    fixture_check(&data, true, 4);
    cr_expect_eq(data.frames, 3);
    cr_expect_eq(data.repeats * data.timed_frames, 12);
    cr_expect_str_eq(trace_run_text(&data, "key"), "0123");
    cr_expect_str_eq(trace_parameter_text(&data, "body.node_mass"), "1 kg");
    cr_expect_str_eq(data.experiment_text, "springback: 1\n");
    cr_expect_eq(data.triangle_count, TRIANGLES);
    const double *found = trace_kept_numbers(&data, "answer", 1);
    const bool was_known = found && *found == number;
    if (!was_known)
        trace_keep_numbers(&data, "answer", &number, 1);
    trace_close(&data);
    trace_index_close(index, true);
    cr_expect_eq(failure_count(), 0, "%s", failure_text());
    return was_known;
}

Test(index, a_trace_that_is_as_it_was_is_not_opened_again) {
    cr_expect_not(is_known("program"));
    cr_expect(is_known("program"));
    struct trace_index *index = trace_index_open(folder, "program");
    cr_expect(trace_index_has(index, "run.h5"));
    cr_expect_not(trace_index_has(index, "other.h5"));
    trace_index_close(index, false);
}

Test(index, another_program_begins_anew) {
    cr_expect_not(is_known("program"));
    cr_expect_not(is_known("another"));
}

Test(index, a_damaged_or_missing_index_counts_as_empty) {
    cr_expect_not(is_known("program"));
    size_t size;
    char *whole = file_read(kept, &size);
    for (size_t at = 0; at < size; at += 97) {
        whole[at] ^= 1;
        file_write(kept, whole, size);
        cr_expect_not(is_known("program"), "an index with the changed byte %zu was used", at);
        whole[at] ^= 1;
    }
    for (size_t cut = 0; cut < size; cut += 997) {
        file_write(kept, whole, cut);
        cr_expect_not(is_known("program"), "an index that was cut to %zu bytes was used", cut);
    }
    cr_assert_eq(unlink(kept), 0);
    cr_expect_not(is_known("program"));
    cr_expect(is_known("program"));
    free(whole);
}

Test(index, a_trace_that_changed_is_opened) {
    cr_expect_not(is_known("program"));
    struct stat about;
    cr_assert_eq(stat(path, &about), 0);
    size_t size;
    char *whole = file_read(path, &size);
    whole[size / 2] ^= 1;
    file_write(path, whole, size);
    /* The old time of modification is restored. The size is the same, so only the inode's ctime shows the change. */
    const struct timespec times[2] = {about.st_atim, about.st_mtim};
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    struct trace_index *index = trace_index_open(folder, "program");
    cr_expect_not(trace_index_has(index, "run.h5"));
    trace_index_close(index, false);
    whole[size / 2] ^= 1;
    file_write(path, whole, size);
    free(whole);
}

Test(index, a_trace_that_has_just_changed_gets_no_entry) {
    cr_assert_eq(chmod(path, 0600), 0);
    cr_expect_not(is_known("program"));
    usleep(100000);
    cr_expect_not(is_known("program"));
    cr_expect(is_known("program"));
}
