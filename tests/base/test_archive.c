/* Archives: unpacking gives the files that were packed. An archive is refused if a file in it is damaged or missing, or
 * if one of its names leads outside the target folder. The claims about archived results can be judged again from the
 * archive alone. */
#include "base/checksum.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/store.h"
#include "base/tarball.h"
#include "run/provenance.h"
#include "shell.h"

#include <archive.h>
#include <archive_entry.h>
#include <jansson.h>
#include <sys/stat.h>
#include <sys/wait.h>

TestSuite(archive, .init = shell_begin, .fini = shell_end);

/* ---- Tarballs ---- */

#define LONG                                                                                                           \
    "a/very/long/path/of/which/each/part/is/short/but/all/of/them/together/are/longer/than/a/tar/of/1988/can/name/"    \
    "step=0.00025,sample.acceleration=0x200x0.h5"

static const struct {
    const char *name, *text;
} contents[] = {{"one.txt", "first\n"}, {LONG, "long\n"}, {"M\xc3\xb6rser/\xc3\xa4.txt", "umlaut\n"}, {"empty", ""}};

enum { CONTENTS = sizeof contents / sizeof *contents };

/* Write the file `noise`: 5,000 bytes that cannot be compressed. */
static void write_noise(void) {
    FILE *file = fopen("noise", "wb");
    unsigned state = 1;
    for (int i = 0; i < 5000; ++i) {
        state = state * 1103515245u + 12345u;
        fputc((int)(state >> 16 & 255), file);
    }
    fclose(file);
}

static int write_contents(const char *path) {
    struct tarball_list list = {.count = 0};
    for (int c = 0; c < CONTENTS; ++c)
        tarball_add_text(&list, contents[c].name, contents[c].text);
    tarball_add_file(&list, "data/noise", "noise");
    const int status = tarball_write(path, &list);
    tarball_list_free(&list);
    return status;
}

/* Whether a folder has exactly the files that write_contents wrote. */
static bool holds_contents(const char *folder) {
    bool all =
        shell("cmp '%s/data/noise' noise && test $(find '%s' -type f | wc -l) = %d", folder, folder, CONTENTS + 1) == 0;
    for (int c = 0; c < CONTENTS; ++c) {
        char *path = text_format("%s/%s", folder, contents[c].name), *text = NULL;
        all = all && !file_read(path, &text) && !strcmp(text, contents[c].text);
        free(text);
        free(path);
    }
    return all;
}

/* Unpack into a new folder `into`. */
static int unpack(const char *path) {
    cr_assert_eq(shell("rm -rf into && mkdir into"), 0);
    failure_clear();
    return tarball_unpack(path, "into", &archive_limits_default);
}

Test(archive, what_goes_in_comes_out_whatever_the_compression) {
    static const char *const names[] = {"a.tar", "a.tar.gz", "a.tar.xz", "a.tar.zst"};
    write_noise();
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
        cr_assert_eq(write_contents(names[n]), STATUS_OK, "%s", failure_text());
        cr_expect_eq(unpack(names[n]), STATUS_OK, "%s", failure_text());
        cr_expect(holds_contents("into"), "%s", names[n]);
        shell("cp %s before && sleep 0.01 && touch noise", names[n]);
        cr_assert_eq(write_contents(names[n]), STATUS_OK);
        cr_expect_eq(shell("cmp before %s", names[n]), 0, "the same files must give an archive with the same bytes");
        cr_expect_eq(shell("mkdir -p by_hand && tar -C by_hand -xf %s && cd by_hand && sha256sum --quiet -c SHA256SUMS",
                           names[n]),
                     0, "%s%s", said.out, said.err);
    }
    cr_expect_eq(matching("*.part"), 0);
}

/* Cut off a plain and a compressed archive at every 509th byte, or change this byte. The archive must be refused, or
 * all its files must be correct. */
Test(archive, what_is_cut_off_or_damaged_is_refused_with_a_reason) {
    static const char *const names[] = {"a.tar", "a.tar.zst"};
    write_noise();
    for (int n = 0; n < 2; ++n) {
        cr_assert_eq(write_contents(names[n]), STATUS_OK);
        FILE *file = fopen(names[n], "rb");
        static unsigned char bytes[1 << 16];
        const size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        cr_assert(size > 5000 && size < sizeof bytes);
        int refused[2] = {0}, tried = 0;
        for (size_t at = 0; at < size; at += 509, ++tried)
            for (int flip = 0; flip < 2; ++flip) {
                file = fopen("bad", "wb");
                bytes[at] ^= flip ? 0x24 : 0;
                fwrite(bytes, 1, flip ? size : at, file);
                bytes[at] ^= flip ? 0x24 : 0;
                fclose(file);
                if (unpack("bad")) {
                    cr_expect(strstr(failure_text(), "bad: "), "%s", failure_text());
                    refused[flip]++;
                } else {
                    cr_expect(holds_contents("into"), "%s: %s at byte %zu is not detected", names[n],
                              flip ? "a change" : "a cut", at);
                }
            }
        cr_expect(refused[0] > tried / 2, "%s: only %d of %d cuts are detected", names[n], refused[0], tried);
        cr_expect(refused[1] > tried / 4, "%s: only %d of %d changed bytes are detected", names[n], refused[1], tried);
    }
}

/* An archive that springback would not write: its list of files, then one entry, or two equal entries if `message` is
 * "occurs twice". */
struct entry {
    const char *listed, *name; /* the entry's name in the list SHA256SUMS, and its name in the archive */
    const char *link;          /* target of a symbolic link (type AE_IFLNK) or hard link (type 0); NULL: no link */
    int type;                  /* 0: a regular file */
    bool twice, wrong_sum;     /* `twice`: SHA256SUMS has the entry twice. `wrong_sum`: the checksum is wrong */
    const char *message;       /* part of the expected message */
};

static void put(struct archive *archive, const char *name, int type, const char *link, const char *text) {
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, type ? (unsigned)type : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    if (link && type)
        archive_entry_set_symlink(entry, link);
    else if (link)
        archive_entry_set_hardlink(entry, link);
    archive_entry_set_size(entry, link || type ? 0 : (la_int64_t)strlen(text));
    cr_assert_eq(archive_write_header(archive, entry), ARCHIVE_OK, "%s", archive_error_string(archive));
    if (!link && !type)
        archive_write_data(archive, text, strlen(text));
    archive_entry_free(entry);
}

static void write_entry(const char *path, const struct entry *entry) {
    char sum[CHECKSUM_SIZE];
    struct checksum *checksum = checksum_create();
    checksum_add(checksum, entry->wrong_sum ? "TEXT" : "text", 4);
    checksum_finish(checksum, sum);
    struct archive *archive = archive_write_new();
    archive_write_set_format_gnutar(archive);
    cr_assert_eq(archive_write_open_filename(archive, path), ARCHIVE_OK);
    char *sums = text_format(entry->twice ? "%s  %s\n%s  %s\n" : "%s  %s\n", sum, entry->listed, sum, entry->listed);
    put(archive, "SHA256SUMS", 0, NULL, sums);
    put(archive, entry->name, entry->type, entry->link, "text");
    if (!strcmp(entry->message, "occurs twice"))
        put(archive, entry->name, entry->type, entry->link, "text");
    archive_write_free(archive);
    free(sums);
}

Test(archive, what_would_leave_its_folder_is_refused) {
    static const struct entry entries[] = {
        {"../out", "../out", .message = "line 1: expected a relative name without .."},
        {"a/../../out", "a/../../out", .message = "line 1: expected a relative name without .."},
        {"/tmp/springback-escaped", "/tmp/springback-escaped",
         .message = "line 1: expected a relative name without .."},
        {"a//b", "a//b", .message = "line 1: expected a relative name without .."},
        {"./a", "./a", .message = "line 1: expected a relative name without .."},
        {"a\\b", "a\\b", .message = "line 1: expected a relative name without .."},
        {"SHA256SUMS", "SHA256SUMS", .message = "line 1: expected a relative name without .."},
        {"SHA256SUMS/a", "SHA256SUMS/a", .message = "line 1: expected a relative name without .."},
        {"a\x1b[2J", "a", .message = "line 1: expected a relative name without .."},
        {"a", "a", .twice = true, .message = "line 2: expected names in increasing order, each once"},
        {"a", "../out", .message = "which its list SHA256SUMS does not name"},
        {"a", "b", .message = "which its list SHA256SUMS does not name"},
        {"a", "a", "/etc/passwd", AE_IFLNK, .message = "a is not a regular file"},
        {"a", "a", "SHA256SUMS", 0, .message = "a is not a regular file"},
        {"a", "a", NULL, AE_IFDIR, .message = "which its list SHA256SUMS does not name"}, /* libarchive writes a
                                                                                             folder's name as a/ */
        {"a", "a", NULL, AE_IFIFO, .message = "a is not a regular file"},
        {"a", "a", .message = "occurs twice"},
        {"a", "a", .wrong_sum = true, .message = "a is damaged: its SHA-256 is 982d9e3eb996..., expected "},
    };
    for (size_t e = 0; e < sizeof entries / sizeof *entries; ++e) {
        write_entry("evil.tar", &entries[e]);
        cr_expect_eq(unpack("evil.tar"), STATUS_BAD, "%s", entries[e].message);
        cr_expect(strstr(failure_text(), entries[e].message), "%zu: %s", e, failure_text());
        cr_expect_eq(matching("out") + matching("/tmp/springback-escaped"), 0);
    }
    write_entry("good.tar", &(struct entry){"a", "a", .message = ""});
    cr_expect_eq(unpack("good.tar"), STATUS_OK, "%s", failure_text());
}

Test(archive, what_is_no_archive_of_ours_is_refused) {
    static const struct {
        const char *command, *message;
    } files[] = {
        {"printf 'springback: 1\\n' >x", "x: not a springback archive"},
        {": >x", "x: not a springback archive"},
        {"rm -f x", "x: No such file or directory; name an archive that `springback archive` wrote"},
        {"rm -f x; mkdir x", "x: not a file; name an archive"},
        {"rm -rf x; mkfifo x", "x: not a file; name an archive"},
        {"rm -f x; echo 1 >y; tar cf x y", "x: not a springback archive: it does not begin with SHA256SUMS"},
        {"echo 1 >SHA256SUMS; tar cf x SHA256SUMS", "x: its list SHA256SUMS is malformed: line 1: expected a "},
        {"printf '\\0' >SHA256SUMS; tar cf x SHA256SUMS", "x: its list SHA256SUMS is not text"},
        {"printf '%064d  a' 0 >SHA256SUMS; tar cf x SHA256SUMS", "line 1: expected a SHA-256, two spaces and a name"},
        {"printf '%064d  a\\n' 0 >SHA256SUMS; tar cf x SHA256SUMS", "x: this archive is incomplete: a is missing"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
        shell("%s", files[f].command);
        cr_expect_eq(unpack("x"), STATUS_BAD, "%s", files[f].command);
        cr_expect(strstr(failure_text(), files[f].message), "%s: %s", files[f].command, failure_text());
    }
}

/* Unpack a.tar.zst with the limit set to `most`, and check that the message contains `message`; NULL: no error is
 * expected. */
static void expect_limit(enum archive_limit limit, double most, const char *message) {
    struct archive_limits limits = archive_limits_default;
    limits.most[limit] = most;
    cr_assert_eq(shell("rm -rf into && mkdir into"), 0);
    failure_clear();
    const int status = tarball_unpack("a.tar.zst", "into", &limits);
    if (!message) {
        cr_expect_eq(status, STATUS_OK, "%s", failure_text());
        return;
    }
    cr_expect_eq(status, STATUS_BAD, "%s", message);
    cr_expect(strstr(failure_text(), message), "%s: %s", message, failure_text());
}

Test(archive, what_takes_more_than_the_limits_is_refused) {
    struct tarball_list list = {.count = 0};
    char *text = memory_new(100001, 1);
    tarball_add_text(&list, "long", memset(text, 'a', 100000));
    tarball_add_text(&list, "in/two/folders", "b");
    tarball_add_text(&list, "short", "c");
    cr_assert_eq(tarball_write("a.tar.zst", &list), STATUS_OK);
    tarball_list_free(&list);
    free(text);
    expect_limit(LIMIT_FILES, 3, NULL);
    expect_limit(LIMIT_FILES, 2,
                 "it has 3 files, and the limit is 2; if you trust the archive, use --limit files=NUMBER");
    expect_limit(LIMIT_DEPTH, 2, NULL);
    expect_limit(LIMIT_DEPTH, 1, "its folders are nested 2 deep, and the limit is 1");
    expect_limit(LIMIT_FILE_SIZE, 100000, NULL);
    expect_limit(LIMIT_FILE_SIZE, 99999, "one of its files has 100000 bytes, and the limit is 99999");
    expect_limit(LIMIT_SIZE, 100002, NULL);
    expect_limit(LIMIT_SIZE, 100001, "its files have 100002 bytes, and the limit is 100001");
    cr_expect_eq(matching("into/short"), 0);
}

/* The archive has less than 100 kB, and would decompress to 300 MiB. */
Test(archive, a_bomb_is_refused_before_it_fills_the_disk) {
    cr_assert_eq(
        shell("truncate -s 300M zeros && printf '%%s  zeros\\n' $(sha256sum <zeros | cut -c1-64) >SHA256SUMS && "
              "tar --format=gnu -cf - SHA256SUMS zeros | zstd -q >a.tar.zst && test $(stat -c %%s a.tar.zst) -lt "
              "100000"),
        0, "%s", said.err);
    expect_limit(LIMIT_RATIO, 200, "times as large as the archive, and the limit is 200");
    cr_expect_eq(shell("test $(stat -c %%s into/zeros) -lt 100000000"), 0);
    expect_limit(LIMIT_RATIO, 100000, NULL);
}

Test(archive, limits_are_set_by_name) {
    struct archive_limits limits = archive_limits_default;
    cr_expect_eq(archive_limits_set(&limits, "files=12"), STATUS_OK);
    cr_expect_eq(limits.most[LIMIT_FILES], 12);
    static const struct {
        const char *setting, *message;
    } wrong[] = {{"files=0", "files=0: not a whole number above 0 (example: files=200000)"},
                 {"files=", "not a whole number"},
                 {"files=1e3", "not a whole number"},
                 {"file=3", "file=3: no such limit; the limits are files=200000, file-size="}};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; ++w) {
        failure_clear();
        cr_expect_eq(archive_limits_set(&limits, wrong[w].setting), STATUS_BAD);
        cr_expect(strstr(failure_text(), wrong[w].message), "%s", failure_text());
    }
}

Test(archive, what_cannot_be_written_leaves_the_archive_that_was_there) {
    static const struct {
        const char *name, *path, *message;
    } items[] = {
        {"a", "missing", "missing: No such file"},
        {"a", ".", ".: not a file"},
        {"../a", "noise", "\"../a\" cannot be a name in an archive"},
        {"same", "noise", "same: two files of the archive have this name"},
    };
    write_noise();
    cr_assert_eq(write_contents("a.tar.gz"), STATUS_OK);
    shell("cp a.tar.gz before");
    for (size_t i = 0; i < sizeof items / sizeof *items; ++i) {
        struct tarball_list list = {.count = 0};
        tarball_add_text(&list, "same", "text");
        tarball_add_file(&list, items[i].name, items[i].path);
        failure_clear();
        cr_expect_eq(tarball_write("a.tar.gz", &list), STATUS_BAD);
        cr_expect(strstr(failure_text(), items[i].message), "%s", failure_text());
        tarball_list_free(&list);
        cr_expect_eq(shell("cmp a.tar.gz before"), 0);
        cr_expect_eq(matching("*.part"), 0);
    }
    failure_clear();
    cr_expect_eq(write_contents("missing/a.tar"), STATUS_BAD);
    cr_expect(strstr(failure_text(), "missing/a.tar: cannot be written"), "%s", failure_text());
    failure_clear();
    cr_expect_eq(write_contents("a.zip"), STATUS_BAD);
    cr_expect(strstr(failure_text(), "a.zip: the name of an archive must end in .tar, .tar.gz, .tar.xz or .tar.zst"));
    cr_expect_eq(write_contents(".tar"), STATUS_BAD);
}

/* ---- Reproductions ---- */

static const char cloth[] = "springback: 1\n"
                            "paper: paper\n"
                            "title: A small cloth\n"
                            "body: {cloth: {nodes: [6, 5], pins: corners}, node_mass: 1 kg}\n"
                            "method: {name: mass_spring, stiffness: [100 N/m, 200 N/m], damping: 0.1 N s/m}\n"
                            "time: {step: 1 ms, steps_per_frame: 10, frames: 4}\n"
                            "record: {every: 1}\n";

static const char claims[] =
    "springback: 1\n"
    "paper: paper\n"
    "claims:\n"
    "  - {id: paper.nodes, says: thirty, kind: count, from: {experiment: paper/cloth, quantity: nodes}, reported: 30,\n"
    "     recorded: matches}\n"
    "  - {id: paper.stiffer, says: stiffer is shorter, kind: order, from: {experiment: paper/cloth,\n"
    "     quantity: largest_strain, over_frames: max, along: method.stiffness}, expect: decreasing, recorded: "
    "matches}\n";

/* Make the results and a figure of a small experiment, claims about its paper, and a claim about another paper. The
 * program writes its temporary files to the folder `scratch`. */
static void reproduce(void) {
    cr_assert_eq(mkdir("scratch", 0777), 0);
    cr_assert_eq(setenv("TMPDIR", "scratch", 1), 0);
    shell("mkdir -p experiments/paper paper_checks figures/paper out/figures/paper");
    text_write("experiments/paper/cloth.yaml", cloth);
    text_write("paper_checks/paper.yaml", claims);
    text_write("paper_checks/other.yaml", "springback: 1\npaper: other\nclaims:\n  - {id: other.a, says: a, kind: "
                                          "consistency, finding: none, verdict: differs, recorded: differs}\n");
    text_write("figures/paper/plot.gp", "plot x\n");
    text_write("out/figures/paper/plot.svg", "<svg/>\n");
    shell("\"$S\" run -q --out out experiments/paper/cloth.yaml && "
          "\"$S\" export --format figure --out out/paper/cloth out/paper/cloth");
    expect_code(0);
}

static void expect_no_scratch(void) {
    cr_expect_eq(matching("scratch/*"), 0, "temporary files are left");
}

Test(archive, a_reproduction_is_judged_elsewhere_as_it_was) {
    reproduce();
    shell("\"$S\" archive --file all.tar.gz --out out");
    expect_code(0);
    expect_out("2 traces, 2 verdicts");
    shell("tar tf all.tar.gz");
    static const char *const names[] = {"SHA256SUMS\n",
                                        "README.txt\n",
                                        "provenance.json\n",
                                        "ro-crate-metadata.json\n",
                                        "codecheck.yml\n",
                                        "experiments/paper/cloth.yaml\n",
                                        "paper_checks/paper.yaml\n",
                                        "verdicts/paper.jsonl\n",
                                        "figures/paper/plot.gp\n",
                                        "results/paper/cloth/runs.tsv\n",
                                        "results/paper/cloth/summary.tsv\n",
                                        "results/paper/cloth/context.gp\n",
                                        "results/paper/cloth/stiffness=100.h5\n",
                                        "results/paper/cloth/stiffness=100.tsv\n",
                                        "results/figures/paper/plot.svg\n"};
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n)
        expect_out(names[n]);
    expect_no_out("other");
    cr_expect_eq(shell("mkdir hand && tar -C hand -xf all.tar.gz && cmp hand/experiments/paper/cloth.yaml "
                       "experiments/paper/cloth.yaml && grep -q '\"traces\": 2' hand/provenance.json"),
                 0, "%s", said.err);
    shell(
        "\"$S\" check --out out paper_checks/paper.yaml >direct; rm -rf experiments paper_checks figures out; "
        "\"$S\" check --all --archive all.tar.gz >again; code=$?; head -n -1 again | diff direct - && tail -n 1 again; "
        "exit $code");
    expect_code(0);
    cr_expect_str_eq(said.out, "all.tar.gz: complete; all 2 verdicts are as archived\n");
    shell("\"$S\" check --json --archive all.tar.gz");
    expect_code(0);
    expect_out("\"id\":\"paper.stiffer\"");
    cr_expect_str_eq(said.err, "");
    expect_no_scratch();
}

/* Replace a trace's note `host` by a dataset whose value is stored in the file `secret`, as HDF5 allows. */
static void plant_external_note(const char *trace, const char *secret) {
    hid_t file = H5Fopen(trace, H5F_ACC_RDWR, H5P_DEFAULT), group = H5Gopen2(file, "/provenance", H5P_DEFAULT);
    hid_t type = store_text_type(12, H5T_CSET_UTF8), space = H5Screate(H5S_SCALAR);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(list, secret, 0, 12);
    H5Adelete(group, "host");
    hid_t note = H5Dcreate2(group, "host", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    cr_assert_geq(note, 0);
    hid_t ids[] = {note, list, space, type, group, file};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; ++i)
        H5Idec_ref(ids[i]);
}

Test(archive, no_byte_of_another_file_reaches_an_output) {
    reproduce();
    text_write("secret", "TOP SECRET!!");
    plant_external_note("out/paper/cloth/stiffness=100.h5", "secret");
    shell("\"$S\" archive --file all.tar --out out");
    expect_code(2);
    expect_err("stiffness=100.h5: refused: it contains a dataset whose values are stored in another file");
    cr_expect_eq(matching("all.tar*"), 0);
    shell("\"$S\" export out/paper/cloth/stiffness=100.h5; \"$S\" check --json --out out paper_checks/paper.yaml; "
          "\"$S\" diff out/paper/cloth/*.h5; \"$S\" report --out out paper_checks/paper.yaml");
    expect_no_out("SECRET");
    cr_expect_null(strstr(said.err, "SECRET"));
    cr_expect_eq(shell("test \"$(grep -rl 'TOP SECRET' .)\" = ./secret"), 0, "%s", said.out);
    expect_no_scratch();
}

/* A manifest must not name a trace outside its folder. Otherwise an archive could make springback read other files of
 * the user. */
Test(archive, a_manifest_that_leads_out_is_refused) {
    reproduce();
    shell("cp out/paper/cloth/stiffness=100.h5 out/other.h5; "
          "sed -i 's,\tstiffness=100.h5,\t../../other.h5,' out/paper/cloth/runs.tsv; "
          "\"$S\" check --out out paper_checks/paper.yaml");
    expect_code(2);
    expect_err("runs.tsv:2:1: this row has an id or a trace with a character that is not");
}

Test(archive, a_deadline_ends_the_program_and_removes_temporary_folders, .timeout = 20) {
    cr_assert_eq(mkdir("scratch", 0777), 0);
    cr_assert_eq(setenv("TMPDIR", "scratch", 1), 0);
    const pid_t child = fork();
    if (!child) {
        char *path;
        if (!temporary_make(&path) && !chdir(path) && !mkdir("in", 0777) && mkfifo("in/pipe", 0600) == 0 &&
            !chdir("../.."))
            interrupt_after(1, "too slow");
        for (;;)
            pause();
    }
    int status = 0;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%x", (unsigned)status);
    expect_no_scratch();
}

/* Unpack all.tar, change the file `name` by the sed command `change`, and write changed.tar, whose checksums are
 * correct. */
static void repack(const char *name, const char *change) {
    cr_assert_eq(shell("rm -rf changed && mkdir changed && tar -C changed -xf all.tar && rm changed/SHA256SUMS && "
                       "sed -i '%s' changed/%s && cd changed && find * -type f >../names",
                       change, name),
                 0, "%s", said.err);
    struct tarball_list list = {.count = 0};
    char *text = text_read("names"), *rest = text, *line;
    while ((line = strsep(&rest, "\n")) && *line) {
        char *path = text_format("changed/%s", line);
        tarball_add_file(&list, line, path);
        free(path);
    }
    cr_assert_eq(tarball_write("changed.tar", &list), STATUS_OK, "%s", failure_text());
    tarball_list_free(&list);
    free(text);
}

Test(archive, what_is_not_as_archived_is_said) {
    reproduce();
    shell("\"$S\" archive --file all.tar --out out");
    expect_code(0);
    repack("verdicts/paper.jsonl", "s/\"verdict\":\"matches\"/\"verdict\":\"differs\"/");
    shell("\"$S\" check --archive changed.tar");
    expect_code(1);
    expect_out("NOT AS ARCHIVED: paper.nodes: matches, was: differs\n");
    expect_out("NOT AS ARCHIVED: paper.stiffer: matches, was: differs\n");
    shell("\"$S\" check --archive changed.tar --json");
    expect_code(1);
    expect_err("NOT AS ARCHIVED: paper.nodes");
    repack("paper_checks/paper.yaml", "s/reported: 30/reported: 31/");
    shell("\"$S\" check --archive changed.tar");
    expect_code(1);
    expect_out("NOT AS ARCHIVED: paper.nodes: differs, was: matches\n");
    expect_out("CHANGED: paper.nodes: differs, was: matches");
    repack("paper_checks/paper.yaml", "s/paper.nodes/paper.knots/");
    shell("\"$S\" check --archive changed.tar");
    expect_code(1);
    expect_out("NOT AS ARCHIVED: paper.knots: matches, was: not judged\n");
    expect_out("NOT AS ARCHIVED: paper.nodes: not judged, was: matches\n");
    repack("verdicts/paper.jsonl", "p");
    shell("\"$S\" check --archive changed.tar");
    expect_code(2);
    expect_err("changed.tar: verdicts/paper.jsonl is malformed");
    repack("verdicts/paper.jsonl", "s/{/{\"verdict\":\"matches\",/");
    shell("\"$S\" check --archive changed.tar");
    expect_code(2);
    expect_err("changed.tar: verdicts/paper.jsonl is malformed");
    repack("verdicts/paper.jsonl", "s/{//");
    shell("\"$S\" check --archive changed.tar");
    expect_code(2);
    expect_err("changed.tar: verdicts/paper.jsonl is malformed");
    repack("results/paper/cloth/stiffness=100.h5", "s/springback/springbok/");
    shell("\"$S\" check --archive changed.tar");
    expect_code(2);
    expect_out("NOT AS ARCHIVED: paper.");
    repack("paper_checks/paper.yaml", "s/kind: count/kind: cuont/");
    shell("\"$S\" check --archive changed.tar");
    expect_code(2);
    expect_err("paper_checks/paper.yaml:4:");
    /* Claims of the user are judged, but their verdicts are not compared with those that the archive stores. */
    text_write("mine.yaml", "springback: 1\npaper: paper\nclaims:\n  - {id: paper.mine, says: mine, kind: count, from: "
                            "{experiment: paper/cloth, quantity: springs}, reported: 71}\n");
    shell("\"$S\" check --archive all.tar mine.yaml");
    expect_out("paper.mine");
    expect_no_out("archived");
    shell("head -c 20000 all.tar >cut.tar; \"$S\" check --archive cut.tar");
    expect_code(2);
    expect_err("springback: cut.tar: this archive is truncated or damaged");
    cr_expect_str_eq(said.out, "");
    shell("\"$S\" check --archive all.tar --out out");
    expect_code(2);
    expect_err("--archive uses the results and experiments of the archive");
    expect_no_scratch();
}

Test(archive, what_is_not_whole_is_not_archived) {
    reproduce();
    static const struct {
        const char *command, *message;
    } mistakes[] = {
        {"\"$S\" archive --file a.zip --out out", "a.zip: the name of an archive must end in .tar,"},
        {"\"$S\" archive --file a.tar --out missing", "missing: "},
        {"\"$S\" archive --file a.tar --out experiments", "experiments: no manifest names a trace"},
        {"\"$S\" archive --file a.tar --claims missing.yaml --out out", "missing.yaml"},
        {"\"$S\" archive --file no/a.tar --out out", "no/a.tar: cannot be written"},
        {"mv paper_checks/paper.yaml .; \"$S\" archive --file a.tar --out out",
         "out: no claims about these results in paper_checks/"},
        {"\"$S\" archive --file a.tar --claims paper.yaml --claims ./paper.yaml --out out",
         "two files of the archive have this name"},
        {"mv out/paper/cloth/stiffness=100.h5 .; \"$S\" archive --file a.tar --claims paper.yaml --out out",
         "run experiments/paper/cloth.yaml again"},
        {"head -c 9000 stiffness=100.h5 >out/paper/cloth/stiffness=100.h5; "
         "\"$S\" archive --file a.tar --claims paper.yaml --out out",
         "run experiments/paper/cloth.yaml again"},
    };
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; ++m) {
        shell("%s", mistakes[m].command);
        expect_code(2);
        expect_err(mistakes[m].message);
        cr_expect_eq(matching("a.*") + matching("*.part"), 0, "%s", mistakes[m].command);
    }
    shell("mv stiffness=100.h5 out/paper/cloth && (trap '' XFSZ; ulimit -f 20; "
          "\"$S\" archive --file a.tar --claims paper.yaml --out out)");
    expect_code(2);
    expect_err("a.tar: ");
    cr_expect_eq(matching("a.*"), 0);
    shell("\"$S\" archive --file a.tar --claims paper.yaml --out out");
    expect_code(0);
}

/* README.md contains the table that `check --recorded` prints. */
Test(archive, recorded_verdicts_are_counted) {
    reproduce();
    text_write(
        "paper_checks/gpu.yaml",
        "springback: 1\npaper: gpu\nclaims:\n"
        "  - {id: gpu.a, says: a, kind: bound, fact: f, from: {experiment: gpu/a, quantity: nodes}, expect: '> 1',\n"
        "     recorded: {gpu: matches, no_gpu: not testable here}}\n"
        "  - {id: gpu.b, says: b, kind: bound, fact: f, from: {experiment: gpu/a, quantity: nodes}, expect: '> 2'}\n"
        "  - {id: gpu.c, says: c, kind: bound, fact: g, from: {experiment: gpu/a, quantity: nodes}, expect: '> 3',\n"
        "     recorded: differs}\n"
        "  - {id: gpu.d, says: d, kind: bound, fact: g, from: {experiment: gpu/a, quantity: nodes}, expect: '> 4',\n"
        "     recorded: matches}\n"
        "  - {id: gpu.e, says: e, kind: count, from: {experiment: gpu/a, quantity: nodes}, reported: 1,\n"
        "     recorded: matches}\n");
    shell("\"$S\" check --recorded");
    expect_code(0);
    cr_expect_str_eq(said.out,
                     "| paper | facts that runs decide | matches | differs | none recorded | other facts | hold | "
                     "differ | neither |\n"
                     "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
                     "| gpu | 2 | 0 | 1 | 1 | 1 | 1 | 0 | 0 |\n"
                     "| gpu, with a GPU | 2 | 1 | 1 | 0 | 1 | 1 | 0 | 0 |\n"
                     "| other | 0 | 0 | 0 | 0 | 1 | 0 | 1 | 0 |\n"
                     "| paper | 1 | 1 | 0 | 0 | 1 | 1 | 0 | 0 |\n",
                     "%s", said.out);
    shell("\"$S\" check --recorded missing.yaml");
    expect_code(2);
    cr_expect_str_eq(said.out, "");
}

Test(archive, a_part_holds_only_what_is_about_it) {
    reproduce();
    shell("cp -r out/paper/cloth out/paper/second && \"$S\" archive paper/cloth --out out --file part.tar && tar tf "
          "part.tar");
    expect_code(0);
    expect_out("2 traces, 2 verdicts");
    expect_out("results/paper/cloth/stiffness=100.h5\n");
    expect_no_out("second");
    expect_no_out("plot.svg");
    shell("\"$S\" check --archive part.tar");
    expect_code(0);
    expect_out("complete; all 2 verdicts are as archived");
    shell("\"$S\" archive paper --out out --file whole.tar && tar tf whole.tar");
    expect_out("results/paper/second/stiffness=100.h5\n");
    expect_out("plot.svg");
    shell("\"$S\" archive --headline --out out");
    expect_code(2);
    expect_err("paper_checks/: no headline claim that runs decide; archive papers or experiments without --headline");
    shell("sed -i 's/id: paper.nodes,/& headline: true,/' paper_checks/paper.yaml && \"$S\" archive --headline paper "
          "--out out "
          "&& \"$S\" archive --headline paper --out out --file head.tar && tar tf head.tar");
    expect_code(0);
    expect_out("out-paper-headline.tar.zst: ");
    expect_out("2 traces, 2 verdicts");
    expect_no_out("second");
    shell("\"$S\" archive --headline other --out out --file no.tar");
    expect_code(2);
    expect_err("'other' is not a paper with headline claims; after --headline, each argument must be a paper");
    shell("\"$S\" archive paper/clot --out out --file no.tar");
    expect_code(2);
    expect_err("out: 'paper/clot' is not a paper or an experiment with results here, and not a claim; did you mean "
               "paper/cloth?");
    cr_expect_not(matching("no.tar"));
}

/* ---- RO-Crate and codecheck.yml ---- */

/* The entity of an RO-Crate with this id, borrowed from the crate; NULL if there is none. */
static json_t *entity_of(json_t *crate, const char *id) {
    json_t *found = NULL, *entity;
    size_t e;
    json_array_foreach(json_object_get(crate, "@graph"), e, entity) {
        if (!strcmp(json_string_value(json_object_get(entity, "@id")), id))
            found = entity;
    }
    return found;
}

static const char *text_at(json_t *entity, const char *key) {
    const char *text = json_string_value(json_object_get(entity, key));
    return text ? text : "";
}

/* Whether the property `key` of an entity is a link to this id, or a list with such a link. */
static bool links_to(json_t *entity, const char *key, const char *id) {
    json_t *value = json_object_get(entity, key), *link;
    bool has = !strcmp(text_at(value, "@id"), id);
    size_t l;
    json_array_foreach(value, l, link) {
        has = has || !strcmp(text_at(link, "@id"), id);
    }
    return has;
}

Test(archive, a_crate_names_each_file_and_each_run) {
    reproduce();
    AUTO_FREE char *titled = text_format("springback: 1\npaper: paper\ntitle: A \"soft\" cloth\n"
                                         "authors: [Ada A, Bo B]\ndoi: 10.1/a\n%s",
                                         strstr(claims, "claims:"));
    text_write("paper_checks/paper.yaml", titled);
    shell("\"$S\" archive --file all.tar --out out && \"$S\" archive --file again.tar --out out && cmp all.tar "
          "again.tar");
    expect_code(0);
    cr_assert_eq(shell("mkdir into && tar -C into -xf all.tar"), 0, "%s", said.err);
    json_auto_t *crate = json_load_file("into/ro-crate-metadata.json", JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(crate);
    /* The crate names each file of the archive, with the checksum that SHA256SUMS has. */
    cr_assert_eq(shell("cat into/SHA256SUMS"), 0);
    AUTO_FREE char *sums = text_copy(said.out);
    char *rest = sums;
    int files = 0;
    for (char *line; (line = strsep(&rest, "\n")) && *line; ++files) {
        json_t *file = entity_of(crate, line + 66);
        line[64] = 0;
        if (strcmp(line + 66, "ro-crate-metadata.json") != 0)
            cr_expect_str_eq(text_at(file, "sha256"), line, "%s", line + 66);
    }
    cr_expect_gt(files, 10);
    json_t *root = entity_of(crate, "./"), *run = entity_of(crate, "#run/paper/cloth/stiffness=100");
    cr_expect(links_to(root, "conformsTo", "https://w3id.org/ro/wfrun/process/0.5"));
    cr_expect(links_to(root, "citation", "https://doi.org/10.1/a"));
    cr_expect(links_to(root, "mentions", "#run/paper/cloth/stiffness=100"));
    cr_expect(links_to(root, "mentions", "#run/paper/cloth/stiffness=200"));
    cr_assert_not_null(run);
    cr_expect_str_eq(text_at(run, "description"), "springback run -q --out out experiments/paper/cloth.yaml");
    cr_expect(links_to(run, "object", "experiments/paper/cloth.yaml"));
    cr_expect(links_to(run, "result", "results/paper/cloth/stiffness=100.h5"));
    cr_expect(links_to(run, "instrument", "#springback-1") && links_to(run, "agent", "#springback-1"));
    cr_expect(links_to(run, "agent", "#machine-1"));
    cr_expect_eq(strlen(text_at(run, "startTime")), strlen("2026-01-31T12:00:00Z"));
    cr_expect(strcmp(text_at(run, "startTime"), text_at(run, "endTime")) <= 0);
    json_t *usage = entity_of(crate, "#run/paper/cloth/stiffness=100/peak-memory");
    cr_expect_gt(strtod(text_at(usage, "value"), NULL), 1e6);
    /* If the program was built from a commit without uncommitted changes, the crate names its sources by SWHIDs. */
    const char *commit = provenance_commit(), *sources = provenance_sources();
    json_t *code = entity_of(crate, sources);
    cr_expect_eq(*sources != 0, code != NULL);
    if (code) {
        cr_expect(links_to(entity_of(crate, "#springback-1"), "isBasedOn", sources));
        cr_expect_str_eq(json_string_value(json_array_get(json_object_get(code, "identifier"), 1)), commit);
        cr_expect_eq(shell("test \"$(git -C '" SOURCE_DIR "' rev-parse '%s^{tree}')\" = %s", commit + 10, sources + 10),
                     0);
    }
    cr_assert_eq(shell("cat into/codecheck.yml"), 0);
    expect_out("---\n");
    expect_out("title: \"A \\\"soft\\\" cloth\"\n");
    expect_out("    - name: \"Ada A\"\n    - name: \"Bo B\"\n  reference: https://doi.org/10.1/a\n");
    cr_expect_eq(
        shell("cd into && sed -n 's/^  - file: \"\\(.*\\)\"$/\\1/p' codecheck.yml | tee /dev/stderr | xargs ls"), 0);
    cr_expect_str_eq(said.err,
                     "results/figures/paper/plot.svg\nresults/paper/cloth/summary.tsv\nverdicts/paper.jsonl\n");
}

Test(archive, the_results_that_decide_a_claim) {
    reproduce();
    shell("cp -r out/paper/cloth out/paper/second && \"$S\" archive paper.stiffer --out out");
    expect_code(0);
    expect_out("out-paper.stiffer.tar.zst: ");
    shell("tar tf out-paper.stiffer.tar.zst");
    expect_out("ro-crate-metadata.json\n");
    expect_out("results/paper/cloth/stiffness=100.h5\n");
    expect_no_out("second");
    shell("\"$S\" check --archive out-paper.stiffer.tar.zst");
    expect_code(0);
    static const struct {
        const char *command, *message;
    } mistakes[] = {
        {"\"$S\" archive paper.stifer --out out", "'paper.stifer' is not a paper or an experiment with results here, "
                                                  "and not a claim; did you mean paper.stiffer?"},
        {"\"$S\" archive other.a --out out",
         "paper_checks/other.yaml: no run decides the claim other.a, so there is nothing to archive"},
        {"mv out/paper/cloth .; \"$S\" archive paper.nodes --out out",
         "out: no results of paper/cloth, which decides the claim paper.nodes; run experiments/paper/cloth.yaml"},
    };
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; ++m) {
        shell("%s", mistakes[m].command);
        expect_code(2);
        expect_err(mistakes[m].message);
    }
    cr_expect_eq(matching("out-*"), 1);
}

/* Run `check --json`, delete verdicts.json, and run `check --json` again. Returns the output, newly allocated. If the
 * two outputs differ, returns the message of cmp. */
static char *verdicts_of_check(void) {
    shell("\"$S\" check --json --out out >a.txt 2>&1; rm -f out/verdicts.json; \"$S\" check --json --out out 2>&1 | "
          "cmp - a.txt "
          "&& cat a.txt");
    return text_copy(said.out);
}

Test(archive, an_index_changes_no_verdict) {
    static const char *const harms[] = {
        "true", "rm out/paper/cloth/traces.index", "printf rest >out/paper/cloth/traces.index",
        "printf X | dd of=out/paper/cloth/traces.index bs=1 seek=200 conv=notrunc status=none",
        "cp -r out/paper/cloth copy && rm -r out/paper/cloth && mv copy out/paper/cloth"};
    reproduce();
    shell("sleep 0.1");
    char *whole = verdicts_of_check();
    cr_expect(*whole);
    for (size_t h = 0; h < sizeof harms / sizeof *harms; ++h) {
        cr_assert_eq(shell("%s", harms[h]), 0, "%s: %s", harms[h], said.err);
        char *again = verdicts_of_check();
        cr_expect_str_eq(again, whole, "%s", harms[h]);
        free(again);
    }
    cr_expect_eq(matching("out/paper/cloth/traces.index"), 1);
    cr_assert_eq(shell("cd out/paper/cloth && touch -r 'stiffness=200.h5' time && "
                       "cp 'stiffness=100.h5' 'stiffness=200.h5' && touch -r time 'stiffness=200.h5' && rm time"),
                 0);
    char *replaced = verdicts_of_check();
    cr_expect_str_neq(replaced, whole,
                      "the check does not notice a trace that was replaced by one of the same size and time");
    cr_assert_eq(shell("rm out/paper/cloth/traces.index"), 0);
    char *plain = verdicts_of_check();
    cr_expect_str_eq(plain, replaced);
    free(whole);
    free(replaced);
    free(plain);
}
