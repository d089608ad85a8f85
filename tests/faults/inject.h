/* Shared by the preloaded library (inject.c) and its driver (faults.c): the classes of calls, and the content of a file
 * that both map into memory. */
#ifndef SPRINGBACK_TESTS_FAULTS_INJECT_H
#define SPRINGBACK_TESTS_FAULTS_INJECT_H

#include <stdatomic.h>
#include <stdint.h>

/* The classes of calls, and the error with which a call fails. */
enum call_class {
    CALL_ALLOC, /* malloc and related functions: ENOMEM */
    CALL_OPEN,  /* opening or creating a file: EMFILE */
    CALL_READ,  /* reading files and folders: EIO */
    CALL_WRITE, /* writing, except to standard error, which gets the messages: ENOSPC */
    CALL_SYNC,  /* fsync, fdatasync: EIO */
    CALL_SPACE, /* ftruncate, fallocate: ENOSPC */
    CALL_NAME,  /* rename, link, mkdir: EIO */
    CALL_LOCK,  /* flock, and locks by fcntl: ENOLCK */
    CALL_CLOSE, /* close: EIO, although the file is closed */
    CALL_CLOCK, /* reading the clock; no call fails, but the clock jumps */
    CALL_CLASSES
};

enum fault_kind {
    FAULT_NONE,
    FAULT_LIST,   /* no fault; the stack of each allocation is recorded */
    FAULT_ONCE,   /* only the Nth call fails */
    FAULT_ALWAYS, /* the Nth call and all later calls fail */
    FAULT_HALF,   /* the Nth call reads or writes half of the requested bytes, as POSIX permits */
    FAULT_KILL,   /* SIGKILL before the Nth call */
    FAULT_AHEAD,  /* the clocks jump forward by 5 h at the Nth call */
    FAULT_BACK,   /* the wall clock jumps back by 5 h at the Nth call */
    FAULT_KINDS
};

enum { STACK_DEPTH = 48, LISTED_MOST = 1 << 20 };

struct fault_stack {
    atomic_int depth;
    struct {
        char module[32], symbol[32]; /* the symbol is "" if the module does not export it */
        unsigned long offset;
    } frames[STACK_DEPTH];
};

struct fault_state {
    enum call_class call;
    enum fault_kind kind;
    long which;                         /* N: the fault affects the Nth call of the class `call`, counted from 1 */
    atomic_long calls[CALL_CLASSES];    /* the number of calls of each class since the start of main */
    struct fault_stack failed, crashed; /* the stacks of the first failed call and of a fatal signal */
    uint64_t listed[LISTED_MOST];       /* a hash of each allocation's stack */
};

#endif
