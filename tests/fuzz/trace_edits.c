#include "trace_edits.h"

#include "base/memory.h"
#include "trace/layout.h"

#include <stdlib.h>
#include <string.h>

struct edit edit_read(const uint8_t *bytes) {
    /* Numbers at limits. If bytes[4] is EDIT_TURN, bytes[5] chooses one of these numbers. Otherwise bytes 4 to 9 are
     * the number. */
    static const int64_t turns[] = {
        0,         1,        2,        3,        4,      -1,      INT32_MAX,     INT32_MIN,    INT64_MAX,
        INT64_MIN, 1L << 32, 1L << 40, 1L << 62, 0xffff, 0x10000, 0x7ff0L << 48, 0x7ff8L << 48};
    struct edit edit = {bytes[0] % EDIT_KINDS, bytes[1], bytes[2], bytes[3], 0};
    if (bytes[4] == EDIT_TURN)
        edit.number = turns[bytes[5] % (sizeof turns / sizeof *turns)];
    else
        for (int i = 0; i < 6; i++)
            edit.number |= (int64_t)bytes[4 + i] << 8 * i;
    return edit;
}

hid_t edit_open(const char *path) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    HANDLE list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(list, false, true);
    H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V110);
    return H5Fopen(path, H5F_ACC_RDWR, list);
}

static const char *const groups[] = {"/",       "/run",    "/provenance",   "/series",          "/experiment",
                                     "/frames", "/VTKHDF", "/VTKHDF/Steps", "/VTKHDF/CellData", "/timing"};
static const char *const loose[] = {"/series/kinetic_energy", "/series/ratio", "/parameters", "/experiment/text"};
enum { GROUPS = sizeof groups / sizeof *groups, LOOSE = sizeof loose / sizeof *loose };

/* The path of the k-th dataset: the series, the parameters, the experiment's text, and the datasets of the layout. k
 * wraps around. */
static const char *dataset_path(unsigned k) {
    k %= (unsigned)layout_dataset_count + LOOSE;
    return k < LOOSE ? loose[k] : layout_datasets[k - LOOSE].path;
}

/* The path of the k-th object: the groups, then the datasets. k wraps around. */
static const char *object_path(unsigned k) {
    k %= GROUPS + LOOSE + (unsigned)layout_dataset_count;
    return k < GROUPS ? groups[k] : dataset_path(k - GROUPS);
}

static const char *const names[] = {"springback_trace",
                                    "bit_exact",
                                    "whole",
                                    "frames",
                                    "check",
                                    "checkpoints",
                                    "NSteps",
                                    "unit",
                                    "doc",
                                    "key",
                                    "id",
                                    "status",
                                    "nodes",
                                    "Type",
                                    "new",
                                    "experiment"};

static const char *name_of(unsigned k) {
    return names[k % (sizeof names / sizeof *names)];
}

/* A type that an HDF5 file can have, chosen by `how`. Traces use some of these types. The caller releases the type. */
static hid_t type_of(unsigned how) {
    static const size_t lengths[] = {1, 8, 32, 33, 5000, 70000};
    HANDLE integer = H5Tcopy(H5T_STD_I64LE);
    hid_t type = -1;
    switch (how % 16) {
    case 0:
        return H5Tcopy(H5T_STD_I64LE);
    case 1:
        return H5Tcopy(H5T_IEEE_F64LE);
    case 2:
        return H5Tcopy(H5T_IEEE_F32LE);
    case 3:
        return H5Tcopy(H5T_STD_I64BE);
    case 4:
        return H5Tcopy(H5T_STD_U8LE);
    case 5:
        return H5Tcopy(H5T_STD_U64LE);
    case 6:
        return H5Tcopy(how & 16 ? H5T_STD_REF_DSETREG : H5T_STD_REF_OBJ);
    case 7:
        return store_text_type(H5T_VARIABLE, H5T_CSET_UTF8);
    case 8:
        return H5Tvlen_create(integer);
    case 9:
        return H5Tarray_create2(integer, 1, &(hsize_t){4});
    case 10:
        return H5Tcreate(H5T_OPAQUE, 16);
    case 11:
        type = H5Tcreate(H5T_COMPOUND, 8);
        H5Tinsert(type, "path", 0, integer);
        return type;
    case 12: /* the record of parameters, with widths that `how` chooses */
        return layout_parameter_type((const size_t[]){1, how, 1, 2, 3, 60, how + 1U});
    case 13:
        return H5Tenum_create(integer);
    default:
        return store_text_type(lengths[how / 16 % 6], how & 1 ? H5T_CSET_UTF8 : H5T_CSET_ASCII);
    }
}

static hid_t space_of(unsigned how, int64_t number) {
    hsize_t dims[32] = {(hsize_t)number & 0xffffffffffff, how / 8, 1, 1}, most[] = {H5S_UNLIMITED, H5S_UNLIMITED};
    for (int d = 4; d < 32; d++)
        dims[d] = 1;
    switch (how % 8) {
    case 0:
        return H5Screate(H5S_SCALAR);
    case 1:
        return H5Screate(H5S_NULL);
    case 2:
        return H5Screate_simple(32, dims, NULL);
    case 3:
        return H5Screate_simple(2, dims, most);
    case 4:
        return H5Screate_simple(2, dims, NULL);
    default:
        return H5Screate_simple(1, dims, NULL);
    }
}

/* A newly allocated value of this type and space, filled with zeros. *size is the value's number of bytes. NULL if the
 * value is too large, or has lists or references. If the type is a text of variable length, each element is the address
 * of one static text. */
static void *zeros_for(hid_t type, hid_t space, size_t *size) {
    static char text[] = "0.5";
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const size_t one = H5Tget_size(type);
    const bool is_text = H5Tis_variable_str(type) > 0;
    const bool is_plain =
        is_text || (H5Tdetect_class(type, H5T_VLEN) == 0 && H5Tdetect_class(type, H5T_REFERENCE) == 0);
    if (!is_plain || count < 0 || count > 1 << 16 || one > 1 << 16 || (size_t)count * one > 1 << 18)
        return NULL;
    *size = (size_t)count * one;
    char *zeros = memory_new(*size + 8, 1);
    for (hssize_t i = 0; is_text && i < count; i++)
        memcpy(zeros + (size_t)i * one, &(char *){text}, sizeof(char *));
    return zeros;
}

/* Write a number to the k-th group of eight bytes of `bytes`. k wraps around. */
static void number_put(hid_t type, void *bytes, size_t size, unsigned k, int64_t number) {
    if (size == 0 || H5Tis_variable_str(type) != 0)
        return;
    const size_t at = 8 * (k % ((size - 1) / 8 + 1));
    memcpy((char *)bytes + at, &number, size - at < 8 ? size - at : 8);
}

static void attribute_set(hid_t file, const struct edit *edit) {
    HANDLE object = H5Oopen(file, object_path(edit->object), H5P_DEFAULT);
    HANDLE type = type_of(edit->how);
    /* The number of elements is small, because HDF5 allocates the whole attribute. */
    HANDLE space = space_of(edit->part / 16, edit->number & 0xfff);
    size_t size = 0;
    const char *name = name_of(edit->part);
    const hssize_t count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    /* Skip an attribute that HDF5 could not create: after such a failure HDF5 does not close the file. */
    if (object < 0 || type < 0 || count < 0 || (size_t)count * H5Tget_size(type) > 1 << 18)
        return;
    if (H5Aexists(object, name) > 0)
        H5Adelete(object, name);
    HANDLE attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    void *bytes = attribute < 0 ? NULL : zeros_for(type, space, &size);
    if (bytes) {
        number_put(type, bytes, size, 0, edit->number);
        H5Awrite(attribute, type, bytes);
    }
    free(bytes);
}

static void number_set(hid_t file, const struct edit *edit) {
    HANDLE object = H5Oopen(file, object_path(edit->object), H5P_DEFAULT);
    if (object >= 0)
        store_number_write(object, name_of(edit->part), edit->number);
}

static void element_set(hid_t file, const struct edit *edit) {
    HANDLE dataset = H5Dopen2(file, dataset_path(edit->object), H5P_DEFAULT);
    HANDLE type = dataset < 0 ? -1 : H5Dget_type(dataset);
    HANDLE space = dataset < 0 ? -1 : H5Dget_space(dataset);
    HANDLE list = dataset < 0 ? -1 : H5Dget_create_plist(dataset);
    const bool is_here = list >= 0 && H5Pget_external_count(list) == 0 && H5Pget_layout(list) != H5D_VIRTUAL;
    size_t size = 0;
    void *bytes = is_here && H5Tis_variable_str(type) == 0 ? zeros_for(type, space, &size) : NULL;
    if (bytes && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0) {
        number_put(type, bytes, size, edit->part, edit->number);
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
    }
    free(bytes);
}

/* ---- Datasets in the storage layouts of HDF5 ---- */

enum storage {
    STORAGE_CONTIGUOUS,
    STORAGE_COMPACT,
    STORAGE_EXTERNAL, /* the data are in another file */
    STORAGE_EARLY,
    STORAGE_CHUNKED,
    STORAGE_DEFLATED,
    STORAGE_CHUNKED_HUGE,
    STORAGE_VIRTUAL,  /* a virtual dataset, with the data of a dataset in another file */
    STORAGE_CHECKED,  /* with the filters shuffle and Fletcher32 */
    STORAGE_FILTERED, /* with an unknown filter, for which HDF5 would search the disk */
    STORAGE_SHARED_TYPE,
    STORAGE_FILLED,
    STORAGE_EXTERNALS,    /* the data are in two other files */
    STORAGE_VIRTUAL_SAME, /* a virtual dataset, with the data of another dataset in this file */
    STORAGE_KINDS
};

static const char secret[] = "/etc/hostname"; /* a file that exists and is not a trace */

static void filters_set(hid_t list, enum storage storage) {
    if (storage == STORAGE_DEFLATED)
        H5Pset_deflate(list, 6);
    if (storage == STORAGE_CHECKED) {
        H5Pset_shuffle(list);
        H5Pset_fletcher32(list);
    }
    if (storage == STORAGE_FILTERED) /* optional: HDF5 writes data without the filter, which is not registered */
        H5Pset_filter(list, 32001, H5Z_FLAG_OPTIONAL, 1, &(unsigned){1});
}

/* A property list with this storage for a new dataset. The caller releases the list. */
static hid_t storage_list(enum storage storage, hid_t type, hid_t space, size_t size) {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    const int rank = H5Sget_simple_extent_ndims(space);
    const bool is_chunked = storage == STORAGE_CHUNKED || storage == STORAGE_DEFLATED ||
                            storage == STORAGE_CHUNKED_HUGE || storage == STORAGE_CHECKED ||
                            storage == STORAGE_FILTERED;
    H5Pset_layout(list, storage == STORAGE_COMPACT ? H5D_COMPACT : H5D_CONTIGUOUS);
    if (is_chunked && rank > 0 && rank <= 2) {
        const hsize_t one = storage == STORAGE_CHUNKED_HUGE ? UINT32_MAX / 8 : 2;
        H5Pset_chunk(list, rank, (const hsize_t[]){one, 2});
        filters_set(list, storage);
    } else if (storage == STORAGE_EXTERNAL) {
        H5Pset_external(list, secret, 0, size ? size : 8);
    } else if (storage == STORAGE_EXTERNALS) {
        H5Pset_external(list, "other.h5", 8, 8);
        H5Pset_external(list, secret, 0, H5F_UNLIMITED);
    } else if (storage == STORAGE_VIRTUAL || storage == STORAGE_VIRTUAL_SAME) {
        H5Pset_virtual(list, space, storage == STORAGE_VIRTUAL ? "other.h5" : ".", "/series/ratio", space);
    } else if (storage == STORAGE_EARLY && size) {
        H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    } else if (storage == STORAGE_FILLED && size) {
        char *value = memory_new(H5Tget_size(type), 1);
        H5Pset_fill_value(list, type, value);
        free(value);
    }
    return list;
}

/* Make a dataset. Write `number` to its first element, except if its data are in another file or dataset, or in too
 * many or too large chunks. */
static hid_t dataset_make(hid_t file, const char *path, hid_t type, hid_t space, unsigned how, int64_t number) {
    const enum storage storage = how % STORAGE_KINDS;
    size_t size = 0;
    void *bytes = zeros_for(type, space, &size);
    HANDLE list = storage_list(storage, type, space, size);
    if (storage == STORAGE_SHARED_TYPE)
        H5Tcommit2(file, "/type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    /* Larger data would need too many chunks of two elements. */
    const bool is_small = H5Pget_layout(list) != H5D_CHUNKED || size < 1024;
    const bool is_here = is_small && storage != STORAGE_EXTERNAL && storage != STORAGE_EXTERNALS &&
                         storage != STORAGE_VIRTUAL && storage != STORAGE_VIRTUAL_SAME &&
                         storage != STORAGE_CHUNKED_HUGE;
    if (dataset >= 0 && bytes && size && is_here) {
        number_put(type, bytes, size, 0, number);
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
    }
    free(bytes);
    return dataset;
}

static void dataset_set(hid_t file, const struct edit *edit) {
    const char *path = dataset_path(edit->object);
    HANDLE type = type_of(edit->how);
    HANDLE space = space_of(edit->part, edit->number);
    H5Ldelete(file, path, H5P_DEFAULT);
    store_release(&(hid_t){dataset_make(file, path, type, space, edit->part / 8, edit->number)});
}

static void attribute_drop(hid_t file, const struct edit *edit) {
    HANDLE object = H5Oopen(file, object_path(edit->object), H5P_DEFAULT);
    if (object >= 0 && H5Aexists(object, name_of(edit->part)) > 0)
        H5Adelete(object, name_of(edit->part));
}

/* ---- Links ---- */

static void link_drop(hid_t file, const struct edit *edit) {
    H5Ldelete(file, object_path(edit->object), H5P_DEFAULT);
}

/* Make a link of a user-defined class that readers do not know. */
static void link_own(hid_t file, const char *from) {
    const H5L_class_t own = {.version = H5L_LINK_CLASS_T_VERS, .id = H5L_TYPE_UD_MIN + 100, .comment = "own"};
    H5Lregister(&own);
    H5Lcreate_ud(file, from, own.id, secret, sizeof secret, H5P_DEFAULT, H5P_DEFAULT);
    H5Lunregister(own.id);
}

/* Make nested groups. The innermost group has the outermost group as a member. */
static void groups_nest(hid_t file, const char *from, int64_t depth) {
    hid_t group = H5Gcreate2(file, from, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (int64_t d = 0; d < depth && group >= 0; d++) {
        const hid_t inner = H5Gcreate2(group, "in", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        store_release(&group);
        group = inner;
    }
    if (group >= 0)
        H5Lcreate_hard(file, from, group, "in", H5P_DEFAULT, H5P_DEFAULT);
    store_release(&group);
}

/* Replace an object by a link to another object, or by new groups. */
static void link_set(hid_t file, const struct edit *edit) {
    const char *from = object_path(edit->object), *to = object_path(edit->part);
    if (strcmp(from, "/") == 0 || strcmp(from, to) == 0)
        return;
    H5Ldelete(file, from, H5P_DEFAULT);
    switch (edit->how % 6) {
    case 0:
        H5Lcreate_soft(to, file, from, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 1:
        H5Lcreate_external("other.h5", to, file, from, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 2:
        H5Lcreate_hard(file, to, file, from, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 3:
        groups_nest(file, from, 0);
        break;
    case 4:
        link_own(file, from);
        break;
    default:
        groups_nest(file, from, edit->number & 31);
    }
}

/* Add a dataset to a group, for example a further series. */
static void member_add(hid_t file, const struct edit *edit) {
    char *name = text_format("%s/more%u", groups[edit->part % GROUPS], edit->object);
    HANDLE type = type_of(edit->how);
    HANDLE space = edit->how & 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &(hsize_t){EDIT_FRAMES}, NULL);
    HANDLE dataset = dataset_make(file, name, type, space, (unsigned)edit->number & 0xff, edit->number);
    if (dataset >= 0) {
        store_attribute_write(dataset, "unit", "J");
        store_attribute_write(dataset, "doc", "");
    }
    free(name);
}

void edit_make(hid_t file, const struct edit *edit) {
    static void (*const edits[])(hid_t file, const struct edit *edit) = {[EDIT_NUMBER] = number_set,
                                                                         [EDIT_ELEMENT] = element_set,
                                                                         [EDIT_ATTRIBUTE] = attribute_set,
                                                                         [EDIT_DATASET] = dataset_set,
                                                                         [EDIT_ATTRIBUTE_DROP] = attribute_drop,
                                                                         [EDIT_LINK_DROP] = link_drop,
                                                                         [EDIT_LINK] = link_set,
                                                                         [EDIT_MEMBER] = member_add};
    edits[edit->kind](file, edit);
}
