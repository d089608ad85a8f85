/* Checkpoints of a trace: writing them, and finding them after an interruption. Only a run with the same key reads a
 * checkpoint. The key includes the compiled code, so the machine that wrote the checkpoint has the same byte order. */
#include "base/file.h"
#include "base/memory.h"
#include "trace/writer.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int trace_add_checkpoint(struct trace *trace, const struct trace_checkpoint *checkpoint) {
    if (!trace->slots)
        return fail("%s: this trace has no space for checkpoints", trace->part);
    struct writer_slot slot = {checkpoint->frame, checkpoint->step, trace->frames, checkpoint->seconds, "", ""};
    char check[DIGEST_SIZE];
    memcpy(slot.hash, checkpoint->hash, sizeof slot.hash);
    digest_bytes(&slot, offsetof(struct writer_slot, check), check);
    memcpy(slot.check, check, sizeof slot.check);
    const size_t bytes = 3 * trace->layout.size[SIZE_NODES] * trace->layout.real_size;
    const uint64_t place = trace->slots + (uint64_t)(trace->checkpoints % 2) * writer_slot_size(trace);
    /* The other slot must be on the disk before this one is overwritten. */
    int error = trace->checkpoints > 0 && fdatasync(trace->fd) != 0 ? errno : 0;
    if (error || (error = file_write_at(trace->fd, checkpoint->positions, bytes, place + sizeof slot)) ||
        (error = file_write_at(trace->fd, checkpoint->velocities, bytes, place + sizeof slot + bytes)) ||
        (error = file_write_at(trace->fd, &slot, sizeof slot, place)))
        return fail("%s: the checkpoint of frame %d cannot be written: %s", trace->part, checkpoint->frame,
                    strerror(error));
    trace->checkpoints++;
    return STATUS_OK;
}

/* Read slot `s` into *out, and its positions and velocities into `state`. Returns true if the slot is valid and all
 * frames that it counts as recorded are valid in `data`. */
static bool slot_read(const struct trace *trace, int s, const struct trace_data *data, struct trace_checkpoint *out,
                      char *state) {
    const size_t bytes = 3 * trace->layout.size[SIZE_NODES] * trace->layout.real_size;
    const uint64_t place = trace->slots + (uint64_t)s * writer_slot_size(trace);
    struct writer_slot slot;
    char found[DIGEST_SIZE];
    int error = writer_read(trace, &slot, sizeof slot, place);
    if (!error)
        error = writer_read(trace, state, 2 * bytes, place + sizeof slot);
    if (error) {
        /* ENODATA: the file is too short. It is damaged, but no system call has failed. */
        layout_note_error(error == ENODATA ? 0 : error);
        return false;
    }
    digest_bytes(&slot, offsetof(struct writer_slot, check), found);
    if (memcmp(found, slot.check, sizeof slot.check) != 0 || slot.frame < 0 || slot.frame > INT32_MAX ||
        slot.frames < 1 || slot.frames > data->frames || data->frame_index[slot.frames - 1] > slot.frame)
        return false;
    *out = (struct trace_checkpoint){.frame = (int)slot.frame,
                                     .step = slot.step,
                                     .frames = (int)slot.frames,
                                     .seconds = slot.seconds,
                                     .positions = state,
                                     .velocities = state + bytes};
    memcpy(out->hash, slot.hash, sizeof slot.hash);
    layout_state_hash(state, state + bytes, trace->layout.real_size, 3 * trace->layout.size[SIZE_NODES], found);
    return strcmp(found, out->hash) == 0;
}

/* Find the valid slot with the later frame, and read it into *out. */
static int checkpoint_find(struct trace *trace, const struct trace_data *data, struct trace_checkpoint *out) {
    const size_t bytes = 6 * trace->layout.size[SIZE_NODES] * trace->layout.real_size;
    struct trace_checkpoint found;
    for (int slot = 0; slot < 2; slot++) {
        char *state = memory_large(bytes);
        if (!state)
            layout_note_error(ENOMEM);
        const bool is_right = state && slot_read(trace, slot, data, &found, state);
        if (is_right && (!trace->state || found.frame > out->frame)) {
            *out = found;
            trace->checkpoints = slot + 1; /* the next checkpoint is written to the other slot */
            free(trace->state);
            trace->state = state;
        } else {
            free(state);
        }
    }
    if (trace_error())
        return fail("%s: cannot be read: %s", trace->part, strerror(trace_error()));
    return trace->state ? STATUS_OK : fail("%s: it has no checkpoint to resume from", trace->part);
}

/* Fail unless the interrupted trace has the same key as `header`. */
static int same_run(const struct trace *trace, const struct trace_data *data, const struct trace_header *header) {
    const char *key = trace_run_note(data, "key"), *wanted = NULL;
    for (int n = 0; n < header->run_count; n++)
        if (strcmp(header->run[n].name, "key") == 0)
            wanted = header->run[n].value;
    return key && wanted && strcmp(key, wanted) == 0
               ? STATUS_OK
               : fail("%s: belongs to another run: its key is %.12s, but this run's key is %.12s", trace->part,
                      key ? key : "missing", wanted ? wanted : "missing");
}

/* Find the offset of the checkpoints. Returns false if the file has none; a whole trace has none. */
static bool slots_find(struct trace *trace) {
    int64_t place = 0;
    HANDLE file = store_open(trace->part, H5F_ACC_RDONLY);
    const bool found = file >= 0 && store_number_read(file, "checkpoints", &place) && place > 0;
    layout_note_error(store_error());
    trace->slots = found ? (uint64_t)place : 0;
    return found;
}

static int part_resume(struct trace *trace, const struct trace_header *header, struct trace_checkpoint *checkpoint) {
    AUTO(trace_close) struct trace_data data = {.path = NULL};
    if (writer_open(trace, false) != STATUS_OK || trace_open(trace->part, &data) != STATUS_OK)
        return STATUS_BAD;
    if (same_run(trace, &data, header) != STATUS_OK)
        return STATUS_BAD;
    if (!header->checkpoints || !slots_find(trace))
        return fail("%s: it has no checkpoint to resume from", trace->part);
    if (layout_places(trace->part, &trace->layout, header, trace->place, trace->series_place) != STATUS_OK ||
        checkpoint_find(trace, &data, checkpoint) != STATUS_OK)
        return STATUS_BAD;
    if (writer_reserve_slots(trace) != STATUS_OK)
        return layout_note_error(ENOSPC), STATUS_BAD;
    const int64_t count = trace->frames = checkpoint->frames;
    trace->last_frame = (int)data.frame_index[trace->frames - 1];
    while (trace->meshes < data.mesh_frames && data.mesh_frame[trace->meshes] < trace->frames)
        trace->meshes++;
    const int error = writer_put(trace, LAYOUT_COUNT, 0, 1, &count);
    layout_note_error(error);
    return error ? fail("%s: cannot be written: %s", trace->part, strerror(error)) : STATUS_OK;
}

int trace_resume(const char *path, const struct trace_header *header, struct trace_checkpoint *checkpoint,
                 struct trace **out) {
    *out = writer_new(path, header);
    layout_clear_error();
    const int status = *out ? part_resume(*out, header, checkpoint) : STATUS_BAD;
    if (*out && status != STATUS_OK) {
        writer_free(*out);
        *out = NULL;
    }
    return status;
}

bool trace_is_begun(const char *path) {
    AUTO_FREE char *part = text_format("%s.part", path);
    return access(part, F_OK) == 0;
}

int trace_adopt(const char *path, const char *key) {
    const struct failure_mark mark = failure_mark();
    AUTO_FREE char *whole = text_copy(path), *part = text_format("%s.part", path);
    struct trace trace = {.path = whole, .part = part, .fd = -1};
    AUTO_FREE char *found = trace_peek(trace.part, "key");
    const int unread = trace_error();
    AUTO(trace_close) struct trace_data data = {0};
    int status = unread                             ? fail("%s: cannot be read: %s", trace.part, strerror(unread))
                 : found && strcmp(found, key) == 0 ? writer_open(&trace, false)
                                                    : STATUS_BAD;
    if (status == STATUS_OK)
        status = trace_open(trace.part, &data);
    if (status == STATUS_OK)
        status = data.whole ? writer_name(&trace) : STATUS_BAD;
    if (trace.fd >= 0)
        close(trace.fd);
    if (status != STATUS_OK && !trace_error())
        failure_rewind(mark);
    return status;
}

void trace_drop_part(const char *path) {
    AUTO_FREE char *part = text_format("%s.part", path);
    struct trace trace = {.part = part, .fd = -1};
    const struct failure_mark mark = failure_mark();
    if (writer_open(&trace, false) == STATUS_OK) {
        unlink(trace.part);
        close(trace.fd);
    }
    failure_rewind(mark);
}

bool trace_keep(struct trace *trace) {
    if (trace->checkpoints == 0) {
        trace_discard(trace);
        return false;
    }
    fdatasync(trace->fd); /* if this fails, an older checkpoint may be the last valid one */
    writer_free(trace);
    return true;
}
