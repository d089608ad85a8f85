/* HDF5 files that are hostile, unreadable, or not writable. */
#include "trace_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static char *folder, *path, *secret;
static const char secret_text[] = "the secret of another file";

static void file_put(const char *name, const char *bytes, size_t size) {
    FILE *file = fopen(name, "wb");
    cr_assert(file && fwrite(bytes, 1, size, file) == size && !fclose(file));
}

/* Write a correct trace, and another file, which must not be read through the trace. */
static void set_up(void) {
    failure_clear();
    folder = folder_new();
    path = text_format("%s/run.h5", folder);
    secret = text_format("%s/secret", folder);
    file_put(secret, secret_text, sizeof secret_text);
    struct trace_header header = fixture_header(2, 2, 4);
    fixture_write(path, &header, 2);
}

static void tear_down(void) {
    folder_remove(folder);
    free(path);
    free(secret);
    failure_clear();
}

TestSuite(store, .init = set_up, .fini = tear_down);

/* ---- Content that HDF5 allows and that traces do not have ---- */

/* Make a note as in a trace: a dataset with a scalar text. `list` has the creation properties of the dataset. */
static void note_make(hid_t run, hid_t list) {
    hid_t type = store_text_type(sizeof secret_text, H5T_CSET_UTF8), space = H5Screate(H5S_SCALAR);
    if (H5Pget_layout(list) == H5D_CHUNKED) { /* a scalar cannot have chunks */
        H5Sclose(space);
        space = H5Screate_simple(1, (const hsize_t[]){1}, NULL);
    }
    hid_t note = H5Dcreate2(run, "note", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    cr_assert_geq(note, 0);
    H5Dclose(note);
    H5Sclose(space);
    H5Tclose(type);
}

static void external_storage(hid_t run, hid_t list) {
    cr_assert_geq(H5Pset_external(list, secret, 0, sizeof secret_text), 0);
    note_make(run, list);
}

static void external_fifo(hid_t run, hid_t list) {
    unlink(secret);
    cr_assert_eq(mkfifo(secret, 0600), 0);
    external_storage(run, list);
}

static int traversals;

static hid_t traverse(const char *name, hid_t group, const void *data, size_t size, hid_t list, hid_t transfer) {
    (void)name, (void)group, (void)data, (void)size, (void)list, (void)transfer;
    traversals++;
    return -1;
}

/* Register a link class with the number `id`, and make a link of this class. The number H5L_TYPE_EXTERNAL (64) is free,
 * because base/store_driver.c removes the class of external links from HDF5. */
static void link_make(hid_t run, int id) {
    const H5L_class_t class = {
        .version = H5L_LINK_CLASS_T_VERS, .id = (H5L_type_t)id, .comment = "test", .trav_func = traverse};
    cr_assert_geq(H5Lregister(&class), 0);
    cr_assert_geq(H5Lcreate_ud(run, "note", (H5L_type_t)id, secret_text, sizeof secret_text, H5P_DEFAULT, H5P_DEFAULT),
                  0);
}

static void external_link(hid_t run, hid_t list) {
    (void)list;
    cr_assert_lt(H5Lcreate_external(secret, "/note", run, "note", H5P_DEFAULT, H5P_DEFAULT), 0);
    link_make(run, H5L_TYPE_EXTERNAL);
}

static void user_defined_link(hid_t run, hid_t list) {
    (void)list;
    link_make(run, 200);
}

static void soft_link(hid_t run, hid_t list) {
    (void)list;
    cr_assert_geq(H5Lcreate_soft("/experiment/text", run, "note", H5P_DEFAULT, H5P_DEFAULT), 0);
}

static void virtual_dataset(hid_t run, hid_t list) {
    hid_t space = H5Screate_simple(1, (const hsize_t[]){4}, NULL);
    cr_assert_geq(H5Pset_virtual(list, space, secret, "/note", space), 0);
    H5Dclose(H5Dcreate2(run, "note", H5T_STD_I8LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
    H5Sclose(space);
}

static void chunks(hid_t run, hid_t list) {
    H5Pset_chunk(list, 1, (const hsize_t[]){1});
    note_make(run, list);
}

static void filter(hid_t run, hid_t list) {
    H5Pset_chunk(list, 1, (const hsize_t[]){1});
    H5Pset_shuffle(list);
    note_make(run, list);
}

static void second_name(hid_t run, hid_t list) {
    (void)list;
    cr_assert_geq(H5Lcreate_hard(run, "/experiment/text", run, "note", H5P_DEFAULT, H5P_DEFAULT), 0);
}

static void cycle(hid_t run, hid_t list) {
    (void)list;
    cr_assert_geq(H5Lcreate_hard(run, "/", run, "note", H5P_DEFAULT, H5P_DEFAULT), 0);
}

static void named_type(hid_t run, hid_t list) {
    (void)list;
    hid_t type = H5Tcopy(H5T_STD_I8LE);
    cr_assert_geq(H5Tcommit2(run, "note", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
    H5Tclose(type);
}

static void deep_groups(hid_t run, hid_t list) {
    (void)list;
    hid_t group = H5Gcreate2(run, "note", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (int depth = 0; depth < 50; depth++) {
        hid_t child = H5Gcreate2(group, "in", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Gclose(group);
        group = child;
    }
    H5Gclose(group);
}

/* Make an object in the trace's group /run with plain HDF5, without base/store.h. */
static void spoil(void (*make)(hid_t run, hid_t list)) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, access), run = H5Gopen2(file, "/run", H5P_DEFAULT);
    cr_assert_geq(run, 0);
    make(run, list);
    H5Gclose(run);
    H5Pclose(list);
    H5Pclose(access);
    cr_assert_geq(H5Fclose(file), 0);
}

Test(store, what_leads_out_of_a_file_or_beyond_its_size_is_refused) {
    static const struct {
        void (*make)(hid_t run, hid_t list);
        const char *word;
    } cases[] = {
        {external_storage, "in another file"},
        {external_fifo, "in another file"},
        {external_link, "a link to another"},
        {user_defined_link, "a link to another"},
        {soft_link, "a soft link"},
        {virtual_dataset, "in one piece"},
        {chunks, "in chunks"},
        {filter, "a filtered dataset"},
        {second_name, "several names"},
        {cycle, "several names"},
        {named_type, "neither a group nor a dataset"},
        {deep_groups, "nested too deeply"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        tear_down();
        set_up();
        spoil(cases[c].make);
        struct trace_data data;
        cr_expect_eq(trace_open(path, &data), STATUS_BAD, "%s", cases[c].word);
        cr_expect_not_null(strstr(failure_text(), "refused: it contains"), "%s", failure_text());
        cr_expect_not_null(strstr(failure_text(), cases[c].word), "%s: %s", cases[c].word, failure_text());
        cr_expect_null(trace_peek(path, "note"));
        cr_expect_eq(trace_state(path), TRACE_OTHER);
        trace_close(&data);
    }
    cr_expect_eq(traversals, 0);
}

Test(store, a_fifo_is_no_file, .timeout = 10) {
    unlink(path);
    cr_assert_eq(mkfifo(path, 0600), 0);
    struct trace_data data;
    cr_expect_eq(trace_open(path, &data), STATUS_BAD);
    cr_expect_not_null(strstr(failure_text(), "not a file"), "%s", failure_text());
    cr_expect_eq(trace_state(path), TRACE_FOREIGN);
}

/* ---- Errors of the system when reading and writing ---- */

Test(store, a_trace_that_cannot_be_opened_is_not_damaged) {
    struct rlimit before, none = {0};
    struct trace_data data;
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    none.rlim_max = before.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    const int status = trace_open(path, &data), error = trace_error();
    const enum trace_state state = trace_state(path);
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    cr_expect_eq(status, STATUS_BAD);
    cr_expect_eq(error, EMFILE);
    cr_expect_eq(state, TRACE_UNREADABLE);
    cr_expect_not_null(strstr(failure_text(), strerror(EMFILE)), "%s", failure_text());
    cr_expect_eq(trace_open(path, &data), STATUS_OK);
    cr_expect_eq(trace_error(), 0);
    trace_close(&data);
}

static char *bytes_of(const char *name, size_t *size) {
    FILE *file = fopen(name, "rb");
    char *bytes = memory_new(1 << 20, 1);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

/* The limit of the file size is the size before the change. So a write succeeds inside the old size, and fails beyond
 * it. */
Test(store, a_write_that_fails_leaves_the_file_as_it_was) {
    size_t size, size_after;
    char *before = bytes_of(path, &size);
    signal(SIGXFSZ, SIG_IGN);
    hid_t file = store_open(path, H5F_ACC_RDWR), run = H5Gopen2(file, "/run", H5P_DEFAULT);
    char *text = memory_new(100001, 1);
    cr_assert(store_text_write(run, "status", "other") && store_text_write(run, "long", memset(text, 'a', 100000)));
    store_release(&run);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)size, RLIM_INFINITY});
    cr_expect_eq(store_close(file, path, "cannot be closed"), STATUS_BAD);
    cr_expect_not_null(strstr(failure_text(), strerror(EFBIG)), "%s", failure_text());
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    char *after = bytes_of(path, &size_after);
    cr_expect_eq(size_after, size);
    cr_expect_arr_eq(after, before, size);
    free(before);
    free(after);
    free(text);
}

Test(store, what_is_not_closed_by_store_close_is_not_written) {
    size_t size, size_after;
    char *before = bytes_of(path, &size);
    hid_t file = store_open(path, H5F_ACC_RDWR);
    cr_assert(store_number_write(file, "whole", 0));
    H5Fclose(file);
    char *after = bytes_of(path, &size_after);
    cr_expect(size_after == size && memcmp(after, before, size) == 0);
    free(before);
    free(after);
}
