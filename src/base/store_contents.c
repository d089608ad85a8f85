#include "base/store_contents.h"

#include "base/store.h"

#include <stdbool.h>

enum {
    MAX_DEPTH = 8,       /* groups within groups; a trace has 3 */
    MAX_OBJECTS = 20000, /* of a file; a trace has some 40, and one for each note of more than 60,000 bytes */
};

/* Messages of an object's header, by their number in the HDF5 file format specification (version 3.0, section
 * IV.A.2): bits of H5O_hdr_info_t. */
#define MESSAGE(number) ((uint64_t)1 << (number))
enum { DATASPACE = 0x01, LINK_INFO, DATATYPE, OLD_FILL, FILL, LINK, EXTERNAL_FILES, LAYOUT };
enum { GROUP_INFO = 0x0a, FILTERS, ATTRIBUTE, COMMENT, OLD_TIME, CONTINUATION = 0x10, TIME = 0x12 };
enum { ATTRIBUTE_INFO = 0x15 };

static const uint64_t any_object =
    MESSAGE(0) | MESSAGE(ATTRIBUTE) | MESSAGE(CONTINUATION) | MESSAGE(TIME) | MESSAGE(ATTRIBUTE_INFO);
static const uint64_t of_group = MESSAGE(LINK_INFO) | MESSAGE(GROUP_INFO) | MESSAGE(LINK);
static const uint64_t of_dataset =
    MESSAGE(DATASPACE) | MESSAGE(DATATYPE) | MESSAGE(OLD_FILL) | MESSAGE(FILL) | MESSAGE(LAYOUT);

/* A walk through a file. It ends at the first object that is forbidden, or that HDF5 cannot open. */
struct walk {
    const char *forbidden;
    hid_t reasons; /* HDF5's errors if it could not open an object; else negative */
    int depth, objects;
    hsize_t bytes, file_bytes; /* that the objects so far say they take, and that there are */
};

static bool add_bytes(struct walk *walk, hsize_t bytes) {
    if (bytes > walk->file_bytes - walk->bytes)
        return false;
    walk->bytes += bytes;
    return true;
}

static const char *header_forbidden(struct walk *walk, const H5O_info_t *info) {
    const uint64_t present = info->hdr.mesg.present;
    if (info->type != H5O_TYPE_GROUP && info->type != H5O_TYPE_DATASET)
        return "an object that is neither group nor dataset";
    if (present & MESSAGE(EXTERNAL_FILES))
        return "a dataset whose values stand in another file";
    if (present & MESSAGE(FILTERS))
        return "a filtered dataset";
    if (info->rc != 1)
        return "an object with several names";
    if (present & ~(any_object | (info->type == H5O_TYPE_GROUP ? of_group : of_dataset)))
        return "an object header with unknown messages";
    if (info->hdr.mesg.shared)
        return "shared messages";
    return add_bytes(walk, info->hdr.space.total) ? NULL : "objects that overlap";
}

/* Take note of HDF5's errors, which its next call would clear. */
static void note_damage(struct walk *walk) {
    walk->reasons = H5Eget_current_stack();
}

static const char *dataset_forbidden(struct walk *walk, hid_t group, const char *name) {
    HANDLE dataset = H5Dopen2(group, name, H5P_DEFAULT);
    HANDLE list = dataset < 0 ? -1 : H5Dget_create_plist(dataset);
    if (list < 0)
        return note_damage(walk), NULL;
    if (H5Pget_external_count(list) != 0)
        return "a dataset whose values stand in another file";
    const H5D_layout_t layout = H5Pget_layout(list);
    if (layout != H5D_CONTIGUOUS && layout != H5D_COMPACT)
        return layout == H5D_CHUNKED ? "a dataset in chunks" : "a dataset that is not stored in one piece";
    return layout == H5D_COMPACT || add_bytes(walk, H5Dget_storage_size(dataset)) ? NULL : "datasets that overlap";
}

static const char *group_forbidden(struct walk *walk, hid_t group);

static const char *object_forbidden(struct walk *walk, hid_t group, const char *name, const H5L_info_t *link) {
    H5O_info_t info;
    if (link->type != H5L_TYPE_HARD)
        return link->type == H5L_TYPE_SOFT ? "a soft link" : "a link to another file";
    if (++walk->objects > MAX_OBJECTS)
        return "too many objects";
    if (H5Oget_info_by_name2(group, name, &info, H5O_INFO_BASIC | H5O_INFO_HDR, H5P_DEFAULT) < 0)
        return note_damage(walk), NULL;
    const char *forbidden = header_forbidden(walk, &info);
    if (forbidden || info.type == H5O_TYPE_DATASET)
        return forbidden ? forbidden : dataset_forbidden(walk, group, name);
    if (walk->depth == MAX_DEPTH)
        return "groups nested too deeply";
    HANDLE child = H5Gopen2(group, name, H5P_DEFAULT);
    return child < 0 ? (note_damage(walk), NULL) : group_forbidden(walk, child);
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *link, void *context) {
    struct walk *walk = context;
    walk->forbidden = object_forbidden(walk, group, name, link);
    return walk->forbidden || walk->reasons >= 0;
}

static const char *group_forbidden(struct walk *walk, hid_t group) {
    ++walk->depth;
    const herr_t visited = H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit, walk);
    --walk->depth;
    if (visited < 0)
        note_damage(walk);
    return walk->forbidden;
}

int store_inspect(hid_t file, const char **forbidden) {
    struct walk walk = {.reasons = -1};
    H5O_info_t info;
    if (H5Fget_filesize(file, &walk.file_bytes) < 0 || H5Oget_info2(file, &info, H5O_INFO_BASIC | H5O_INFO_HDR) < 0)
        return -1;
    *forbidden = header_forbidden(&walk, &info);
    if (!*forbidden)
        *forbidden = group_forbidden(&walk, file);
    if (walk.reasons >= 0)
        H5Eset_current_stack(walk.reasons);
    return *forbidden ? 1 : walk.reasons >= 0 ? -1 : 0;
}
