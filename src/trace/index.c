#include "trace/index.h"

#include "base/file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char format[] = "springback index 1", file_name[] = "traces.index";

enum { IDENTITY_SIZE = 128 };

/* Numbers that trace_keep_numbers stored for a trace. */
struct kept {
    const char *name;
    double *numbers;
    int count;
};

struct trace_index_entry {
    struct trace_index *index;
    const char *name, *identity; /* name of the trace's file; text that identify() wrote for this file */
    char *packed;                /* the trace, as pass_trace has written it */
    int size;                    /* bytes of `packed` */
    struct kept *kept;
    int kept_count;
};

struct trace_index {
    char *folder;
    const char *binary;
    struct trace_index_entry **entries;
    int count;
    bool is_changed;
    struct pool pool; /* memory of the entries */
};

/* ---- Packing ---- */

/* A buffer that is written or read sequentially, in units of 8 bytes. The functions pass_... below write their argument
 * to the buffer, or read it from the buffer if is_writing is false, so that writing and reading agree. When reading,
 * the results point into the buffer. */
struct packing {
    char *data;
    size_t size, at;
    bool is_writing, is_wrong;
    struct pool *pool; /* for results that are not in the buffer */
};

static void pass_bytes(struct packing *packing, void **bytes, size_t count) {
    const size_t padded = (count + 7) / 8 * 8;
    if (packing->is_writing) {
        if (packing->at + padded > packing->size) {
            packing->size = 2 * packing->size + padded;
            packing->data = memory_grow(packing->data, packing->size, 1);
        }
        memset(packing->data + packing->at, 0, padded);
        if (count && *bytes)
            memcpy(packing->data + packing->at, *bytes, count);
    } else if (packing->is_wrong || padded < count || padded > packing->size - packing->at) {
        packing->is_wrong = true;
        *bytes = NULL;
        return;
    } else {
        *bytes = packing->data + packing->at;
    }
    packing->at += padded;
}

static void pass_number(struct packing *packing, int *number) {
    int64_t value = *number;
    void *at = &value;
    pass_bytes(packing, &at, sizeof value);
    if (!packing->is_writing && !packing->is_wrong) {
        memcpy(&value, at, sizeof value);
        packing->is_wrong = value < 0 || value > INT_MAX;
    }
    *number = packing->is_wrong ? 0 : (int)value;
}

static void pass_array(struct packing *packing, void **items, int count, size_t size) {
    pass_bytes(packing, items, (size_t)count * size); /* no overflow: `size` is that of a small type */
}

static void pass_text(struct packing *packing, const char **text) {
    int length = packing->is_writing ? (int)strlen(*text) : 0;
    void *at = packing->is_writing ? (void *)*text : NULL;
    pass_number(packing, &length);
    pass_bytes(packing, &at, (size_t)length + 1);
    packing->is_wrong = packing->is_wrong || ((char *)at)[length];
    *text = packing->is_wrong ? "" : at;
}

/* Pass an array of records. Each record is a struct of `texts` members of the type const char *. */
static void pass_records(struct packing *packing, void **records, int *count, int texts) {
    pass_number(packing, count);
    if (!packing->is_writing) {
        if ((size_t)*count > packing->size / sizeof(int64_t))
            packing->is_wrong = true;
        *count = packing->is_wrong ? 0 : *count;
        *records = pool_add(packing->pool, memory_new((size_t)*count * (size_t)texts + 1, sizeof(const char *)));
    }
    for (int t = 0; t < *count * texts && !packing->is_wrong; ++t)
        pass_text(packing, &((const char **)*records)[t]);
}

static void pass_flag(struct packing *packing, bool *flag) {
    int number = *flag;
    pass_number(packing, &number);
    *flag = number != 0;
}

static void pass_size(struct packing *packing, size_t *size) {
    int number = *size > INT_MAX ? INT_MAX : (int)*size;
    pass_number(packing, &number);
    *size = (size_t)number;
}

/* Pass everything in a trace except its path and its triangles. */
static void pass_trace(struct packing *packing, struct trace_data *data) {
    enum { PARAMETER_TEXTS = sizeof *data->parameters / sizeof(const char *) };
    pass_text(packing, (const char **)&data->experiment_text);
    pass_records(packing, (void **)&data->run, &data->run_count, 2);
    pass_records(packing, (void **)&data->provenance, &data->provenance_count, 2);
    pass_records(packing, (void **)&data->parameters, &data->parameter_count, PARAMETER_TEXTS);
    pass_records(packing, (void **)&data->series, &data->series_count, 3);
    pass_number(packing, &data->frames);
    pass_array(packing, (void **)&data->frame_index, data->frames, sizeof *data->frame_index);
    pass_array(packing, (void **)&data->frame_time, data->frames, sizeof *data->frame_time);
    pass_array(packing, (void **)&data->frame_hash, data->frames, sizeof *data->frame_hash);
    if (!packing->is_writing)
        data->values = pool_add(packing->pool, memory_new((size_t)data->series_count + 1, sizeof *data->values));
    for (int s = 0; s < data->series_count; ++s)
        pass_array(packing, (void **)&data->values[s], data->frames, sizeof **data->values);
    bool is_timed = data->frame_seconds != NULL;
    pass_flag(packing, &is_timed);
    pass_number(packing, &data->repeats);
    pass_number(packing, &data->timed_frames);
    for (int r = 0; r < data->repeats && is_timed && !packing->is_wrong;
         ++r) { /* the samples of all repeats are in one array */
        double *samples = packing->is_writing ? &data->frame_seconds[(size_t)r * (size_t)data->timed_frames] : NULL;
        pass_array(packing, (void **)&samples, data->timed_frames, sizeof *samples);
        data->frame_seconds = r || packing->is_writing ? data->frame_seconds : samples;
    }
    pass_size(packing, &data->nodes);
    pass_size(packing, &data->mesh_points);
    pass_size(packing, &data->triangle_count);
    pass_number(packing, &data->mesh_frames);
    pass_array(packing, (void **)&data->mesh_time, data->mesh_frames, sizeof *data->mesh_time);
    pass_array(packing, (void **)&data->mesh_frame, data->mesh_frames, sizeof *data->mesh_frame);
    pass_number(packing, &data->real_size);
    pass_flag(packing, &data->bit_exact);
    for (int k = 0; k < data->mesh_frames && !packing->is_wrong; ++k)
        packing->is_wrong = data->mesh_frame[k] < 0 || data->mesh_frame[k] >= data->frames;
}

static void pass_entry(struct packing *packing, struct trace_index_entry *entry) {
    pass_text(packing, &entry->name);
    pass_text(packing, &entry->identity);
    pass_number(packing, &entry->size);
    pass_array(packing, (void **)&entry->packed, entry->size, 1);
    int count = entry->kept_count;
    pass_number(packing, &count);
    for (int k = 0; k < count && !packing->is_wrong; ++k) {
        struct kept *kept = packing->is_writing ? &entry->kept[k] : ARRAY_ADD(entry->kept, entry->kept_count);
        *kept = packing->is_writing ? *kept : (struct kept){.name = ""};
        pass_text(packing, &kept->name);
        pass_number(packing, &kept->count);
        pass_array(packing, (void **)&kept->numbers, kept->count, sizeof *kept->numbers);
    }
}

/* ---- Files ---- */

/* Write a text to `out` that identifies a file and changes when the file changes; "" if there is no such file. Returns
 * whether the next change of the file will certainly have another time. This is certain if the file is older than one
 * tick of the file system's clock. A tick is 10 ms or less, or 2 s if the file system stores whole seconds. */
static bool identify(const struct trace_index *index, const char *name, char out[IDENTITY_SIZE]) {
    AUTO_FREE char *path = text_format("%s/%s", index->folder, name);
    struct stat about;
    struct timespec now;
    *out = 0;
    if (stat(path, &about) || clock_gettime(CLOCK_REALTIME, &now))
        return false;
    snprintf(out, IDENTITY_SIZE, "%jx %jx %jx.%lx %jx.%lx", (uintmax_t)about.st_ino, (uintmax_t)about.st_size,
             (uintmax_t)about.st_mtim.tv_sec, about.st_mtim.tv_nsec, (uintmax_t)about.st_ctim.tv_sec,
             about.st_ctim.tv_nsec);
    const double age =
        difftime(now.tv_sec, about.st_ctim.tv_sec) + 1e-9 * (double)(now.tv_nsec - about.st_ctim.tv_nsec);
    return age > (about.st_ctim.tv_nsec ? 0.05 : 2.5);
}

static struct trace_index_entry *find(const struct trace_index *index, const char *name) {
    for (int e = 0; e < index->count; ++e)
        if (!strcmp(index->entries[e]->name, name))
            return index->entries[e];
    return NULL;
}

/* The entry of a trace; NULL if there is no entry, or if the file has changed since the entry was made. */
static struct trace_index_entry *find_current(const struct trace_index *index, const char *name) {
    struct trace_index_entry *entry = find(index, name);
    char identity[IDENTITY_SIZE] = "";
    if (entry)
        identify(index, name, identity);
    return *identity && !strcmp(identity, entry->identity) ? entry : NULL;
}

static struct trace_index_entry *add_entry(struct trace_index *index) {
    struct trace_index_entry *entry = pool_add(&index->pool, memory_new(1, sizeof *entry));
    entry->index = index;
    return *ARRAY_ADD(index->entries, index->count) = entry;
}

static void read_file(struct trace_index *index) {
    AUTO_FREE char *path = text_format("%s/%s", index->folder, file_name);
    const struct failure_mark mark = failure_mark();
    struct stat about;
    const int descriptor = file_exists(path) ? file_open(path) : -1;
    struct packing packing = {.pool = &index->pool};
    if (descriptor >= 0 && !fstat(descriptor, &about) && about.st_size > DIGEST_SIZE &&
        (packing.data = memory_large((size_t)about.st_size))) {
        pool_add(&index->pool, packing.data);
        packing.size = (size_t)about.st_size - DIGEST_SIZE;
        packing.is_wrong = file_read_at(descriptor, packing.data, (size_t)about.st_size, 0) != about.st_size;
    }
    if (descriptor >= 0)
        close(descriptor);
    failure_rewind(mark);
    char sum[DIGEST_SIZE];
    const char *found[2] = {"", ""};
    digest_bytes(packing.data, packing.is_wrong ? 0 : packing.size, sum);
    if (packing.is_wrong || !packing.data || memcmp(sum, packing.data + packing.size, DIGEST_SIZE) != 0)
        return;
    pass_text(&packing, &found[0]);
    pass_text(&packing, &found[1]);
    if (strcmp(found[0], format) != 0 || strcmp(found[1], index->binary) != 0)
        return;
    while (packing.at < packing.size && !packing.is_wrong)
        pass_entry(&packing, add_entry(index));
    if (packing.is_wrong && index->count)
        free(index->entries[--index->count]->kept);
}

/* Write the index, without entries of files that are missing or have changed. Errors are ignored. */
static void write_file(const struct trace_index *index) {
    AUTO_FREE char *path = text_format("%s/%s", index->folder, file_name);
    const struct failure_mark mark = failure_mark();
    struct packing packing = {.is_writing = true};
    const char *head[2] = {format, index->binary};
    char sum[DIGEST_SIZE];
    struct file_draft draft;
    pass_text(&packing, &head[0]);
    pass_text(&packing, &head[1]);
    for (int e = 0; e < index->count; ++e)
        if (find_current(index, index->entries[e]->name) == index->entries[e])
            pass_entry(&packing, index->entries[e]);
    digest_bytes(packing.data, packing.at, sum);
    if (!file_draft_begin(path, &draft)) {
        fwrite(packing.data, 1, packing.at, draft.file);
        fwrite(sum, 1, sizeof sum, draft.file);
        file_draft_end(&draft, STATUS_OK);
    }
    failure_rewind(mark);
    free(packing.data);
}

struct trace_index *trace_index_open(const char *folder, const char *binary) {
    struct trace_index *index = memory_new(1, sizeof *index);
    index->folder = text_copy(folder);
    index->binary = binary;
    read_file(index);
    return index;
}

void trace_index_close(struct trace_index *index, bool saves) {
    if (!index)
        return;
    if (saves && index->is_changed)
        write_file(index);
    for (int e = 0; e < index->count; ++e)
        free(index->entries[e]->kept);
    free(index->entries);
    free(index->folder);
    pool_free(&index->pool);
    free(index);
}

/* ---- Traces ---- */

bool trace_index_has(struct trace_index *index, const char *name) {
    return index && find_current(index, name);
}

static bool unpack(struct trace_index_entry *entry, const char *folder, struct trace_data *out) {
    struct packing packing = {.data = entry->packed, .size = (size_t)entry->size, .pool = &out->pool};
    *out = (struct trace_data){.whole = true, .entry = entry};
    out->path = pool_add(&out->pool, text_format("%s/%s", folder, entry->name));
    pass_trace(&packing, out);
    if (packing.is_wrong)
        trace_close(out);
    return !packing.is_wrong;
}

static void add(struct trace_index *index, const char *name, const char *identity, struct trace_data *data) {
    struct trace_index_entry *entry = find(index, name);
    struct packing packing = {.is_writing = true};
    pass_trace(&packing, data);
    if (packing.at > INT_MAX) {
        free(packing.data);
        return;
    }
    entry = entry ? entry : add_entry(index);
    entry->name = pool_add(&index->pool, text_copy(name));
    entry->identity = pool_add(&index->pool, text_copy(identity));
    entry->packed = pool_add(&index->pool, packing.data);
    entry->size = (int)packing.at;
    entry->kept_count = 0;
    data->entry = entry;
    index->is_changed = true;
}

int trace_index_read(struct trace_index *index, const char *folder, const char *name, struct trace_data *out) {
    AUTO_FREE char *path = text_format("%s/%s", folder, name);
    struct trace_index_entry *entry = index ? find_current(index, name) : NULL;
    char identity[IDENTITY_SIZE];
    if (entry && unpack(entry, folder, out))
        return STATUS_OK;
    const bool is_settled = index && identify(index, name, identity);
    const int status = trace_open(path, out);
    if (!status && is_settled && out->whole)
        add(index, name, identity, out);
    return status;
}

/* ---- Numbers from geometry ---- */

static struct kept *find_kept(const struct trace_index_entry *entry, const char *name) {
    for (int k = 0; entry && k < entry->kept_count; ++k)
        if (!strcmp(entry->kept[k].name, name))
            return &entry->kept[k];
    return NULL;
}

const double *trace_kept_numbers(const struct trace_data *data, const char *name, size_t count) {
    const struct kept *kept = find_kept(data->entry, name);
    return kept && (size_t)kept->count == count ? kept->numbers : NULL;
}

void trace_keep_numbers(const struct trace_data *data, const char *name, const double *numbers, size_t count) {
    struct trace_index_entry *entry = data->entry;
    if (!entry || count > INT_MAX / sizeof *numbers)
        return;
    struct pool *pool = &entry->index->pool;
    struct kept *kept = find_kept(entry, name);
    kept = kept ? kept : ARRAY_ADD(entry->kept, entry->kept_count);
    kept->name = pool_add(pool, text_copy(name));
    kept->numbers = memcpy(pool_add(pool, memory_new(count, sizeof *numbers)), numbers, count * sizeof *numbers);
    kept->count = (int)count;
    entry->index->is_changed = true;
}

const char *trace_identity(const struct trace_data *data) {
    return data->entry ? data->entry->identity : "";
}
