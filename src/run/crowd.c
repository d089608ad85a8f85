#include "run/crowd.h"

#include "backend/opencl/ensemble.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"
#include "run/job.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A member that was begun. */
struct seat {
    int member, status;
    struct plan plan;
    struct runner_options options;
    struct runner runner;
    int next, running; /* the first run that nobody has taken yet; those that somebody is at */
    struct seat *behind;
};

struct hall {
    const struct crowd *crowd;
    struct company company;
    struct seat *seats;
    int next, status; /* the first member that was not begun */
    int computing;    /* runs whose memory is taken */
    pthread_cond_t less;
};

/* ---- Members ---- */

static void close_seat(struct hall *hall, struct seat *seat, int status) {
    hall->status = status ? STATUS_BAD : hall->status;
    plan_free(&seat->plan);
    if (hall->crowd->ended)
        hall->crowd->ended(hall->crowd->context, seat->member, status, hall->company.done);
    free(seat);
}

/* Begin the next member; NULL where there is none, or it cannot be. */
static struct seat *open_seat(struct hall *hall) {
    const struct crowd *crowd = hall->crowd;
    if (hall->next >= crowd->count || hall->status || interrupt_signal())
        return NULL;
    struct seat *seat = memory_new(1, sizeof *seat);
    seat->member = hall->next++;
    int status = crowd->take(crowd->context, seat->member, &seat->plan, &seat->options);
    if (!status && (status = runner_begin(&seat->runner, &seat->plan, &seat->options)))
        runner_close(&seat->runner);
    if (status) {
        close_seat(hall, seat, status);
        return NULL;
    }
    seat->runner.company = &hall->company;
    runner_lock_machine(&seat->runner, MACHINE_SHARED);
    struct seat **end = &hall->seats;
    while (*end)
        end = &(*end)->behind;
    *end = seat;
    return seat;
}

/* Whether a run is to be made. */
static bool is_due(const struct job *job) {
    return !job->current && !job->missing;
}

/* A member's end: its runs are settled in the plan's order, whichever came first. */
static void end_seat(struct hall *hall, struct seat *seat) {
    struct runner *runner = &seat->runner;
    struct seat **at = &hall->seats;
    while (*at != seat)
        at = &(*at)->behind;
    *at = seat->behind;
    int groups = 0;
    for (int r = 0; r < seat->plan.run_count; ++r)
        groups = seat->plan.runs[r].group >= groups ? seat->plan.runs[r].group + 1 : groups;
    for (int g = 0; g < groups; ++g)
        for (int r = 0; r < seat->plan.run_count; ++r)
            if (runner->jobs[r].run->group == g && runner->jobs[r].status)
                runner_settle(runner, &runner->jobs[r]);
    machine_lock_release(&runner->lock);
    close_seat(hall, seat, runner_end(runner, seat->status));
}

/* ---- On the CPU: a run a thread ---- */

/* The next run that is to be made; NULL where there is none. */
static struct job *take_job(struct hall *hall, struct seat **out) {
    for (;;) {
        if (interrupt_signal())
            return NULL;
        for (struct seat *seat = hall->seats; seat; seat = seat->behind)
            while (seat->next < seat->plan.run_count) {
                struct job *job = &seat->runner.jobs[seat->next++];
                *out = seat;
                if (is_due(job))
                    return job;
            }
        struct seat *seat = open_seat(hall);
        if (!seat)
            return NULL;
        bool some = false;
        for (int r = 0; r < seat->plan.run_count; ++r)
            some = some || is_due(&seat->runner.jobs[r]);
        if (!some)
            end_seat(hall, seat);
    }
}

/* Wait until there is memory for one more; where nobody else has any, it must do. */
static void await_memory(struct hall *hall, const struct model *model) {
    while (hall->computing > 0 && model_bytes(model) + program_bytes(&model->program) > memory_available())
        pthread_cond_wait(&hall->less, &hall->company.house);
    ++hall->computing;
}

static void run_alone(struct hall *hall, struct seat *seat, struct job *job) {
    struct model model;
    const size_t before = strlen(failure_text());
    int status = model_describe(job->run, &model);
    await_memory(hall, &model);
    if (!status)
        status = model_build(&model);
    if (status) {
        job->status = "failed";
        job_keep_reason(job, status, before);
    } else {
        status = runner_run_together(&seat->runner, &model, &job, 1);
        runner_show(&seat->runner, job, 0, 1, 1);
    }
    seat->status = status ? STATUS_BAD : seat->status;
    model_free(&model);
    --hall->computing;
    pthread_cond_broadcast(&hall->less);
}

static void work(struct hall *hall) {
    struct seat *seat;
    struct job *job;
    pthread_mutex_lock(&hall->company.house);
    while ((job = take_job(hall, &seat))) {
        ++seat->running;
        run_alone(hall, seat, job);
        --seat->running;
        bool more = seat->running > 0;
        for (int r = seat->next; r < seat->plan.run_count && !interrupt_signal(); ++r)
            more = more || is_due(&seat->runner.jobs[r]);
        if (!more)
            end_seat(hall, seat);
    }
    pthread_mutex_unlock(&hall->company.house);
}

/* ---- On a device: all that are alike together ---- */

/* A run that steps with others. */
struct guest {
    struct seat *seat;
    struct job *job;
    struct model model;
    int status, frames; /* that are planned */
    bool diverged, wanted, kept;
};

enum { WORTH_THREADS = 16384 }; /* nodes to be looked at */

struct party {
    struct ensemble *ensemble;
    struct guest *guests;
    int count;
    bool *live, *going; /* [guests]: neither ended nor failed; and those that step */
};

/* Those that a frame is still to be run of. */
static int choose_live(struct party *party) {
    int count = 0;
    for (int g = 0; g < party->count; ++g) {
        const struct guest *guest = &party->guests[g];
        party->live[g] = !guest->status && !guest->diverged && guest->job->frames < guest->frames;
        count += party->live[g];
    }
    return count;
}

/* Note who has stepped, and what is to be done with it. Returns whether there is anything. */
static bool count_frame(struct party *party, double seconds, int count) {
    const bool cut = interrupt_signal() != 0;
    bool any = false;
    for (int g = 0; g < party->count; ++g) {
        struct guest *guest = &party->guests[g];
        struct job *job = guest->job;
        guest->wanted = guest->kept = false;
        if (!party->going[g] || !party->live[g])
            continue;
        job->samples[job->frames] = seconds / count;
        job->seconds += seconds / count;
        ++job->frames;
        guest->wanted = recorder_wants(job->recorder, job->frames);
        guest->kept = cut || recorder_is_due(job->recorder, count);
        any = any || guest->wanted || guest->kept;
    }
    return any;
}

/* Take the states over from what was fetched of all, and measure them: what the host does with one is nothing to the
 * others. Threads that come for little work spin for longer than it takes. */
static void look(struct party *party) {
    const long nodes = (long)party->count * party->guests[0].model.body.nodes;
#pragma omp parallel for schedule(dynamic, 1) if (nodes >= WORTH_THREADS)
    for (int g = 0; g < party->count; ++g) {
        struct guest *guest = &party->guests[g];
        if (!guest->wanted && !guest->kept)
            continue;
        const struct state *state;
        guest->status = simulation_fetch(guest->job->simulation); /* out of memory: it cannot fail */
        if (!guest->status && guest->wanted)
            guest->status = simulation_state(guest->job->simulation, true, &state);
    }
}

static void record(struct party *party, double fetched) {
    for (int g = 0; g < party->count; ++g) {
        struct guest *guest = &party->guests[g];
        const size_t before = strlen(failure_text());
        if (!guest->status && (guest->wanted || guest->kept))
            guest->status = job_record(guest->job, guest->job->frames, guest->wanted, guest->kept,
                                       fetched / party->count, &guest->diverged);
        if (guest->diverged)
            guest->job->diverged_frame = guest->job->frames;
        job_keep_reason(guest->job, guest->status, before);
        if (party->going[g])
            runner_show(&guest->seat->runner, guest->job, 0, guest->job->frames, guest->frames);
    }
}

/* The state before the first frame, of those that begin. */
static void record_start(struct party *party) {
    for (int g = 0; g < party->count; ++g)
        party->guests[g].wanted = !party->guests[g].status && party->guests[g].job->frames == 0;
    look(party);
    record(party, 0);
}

static int step_together(struct party *party) {
    int status = STATUS_OK, count;
    bool is_on_its_way = false;
    double begin = clock_now();
    record_start(party);
    while (!status && (count = choose_live(party)) > 0) {
        if (interrupt_signal() && !is_on_its_way)
            break;
        if (!is_on_its_way) {
            memcpy(party->going, party->live, (size_t)party->count * sizeof *party->live);
            begin = clock_now();
            status = ensemble_start(party->ensemble, party->going);
        }
        if (!status)
            status = ensemble_wait(party->ensemble);
        is_on_its_way = false;
        const double end = clock_now();
        if (status || !count_frame(party, end - begin, count)) {
            begin = end;
            continue;
        }
        begin = end;
        status = ensemble_fetch(party->ensemble);
        const double fetched = clock_now() - end;
        if (!status && !interrupt_signal() && choose_live(party) > 0) {
            memcpy(party->going, party->live, (size_t)party->count * sizeof *party->live);
            status = ensemble_start(party->ensemble, party->going);
            is_on_its_way = !status;
        }
        if (!status) {
            look(party);
            record(party, fetched);
        }
    }
    if (is_on_its_way && !status) /* all that was to be done of it have blown up */
        status = ensemble_wait(party->ensemble);
    return status;
}

/* Run those that are alike, whose models are described. */
static void run_party(struct hall *hall, struct party *party) {
    const struct backend_choice *choice = &party->guests[0].job->choice;
    const struct program **programs = memory_new((size_t)party->count, sizeof *programs);
    const size_t before = strlen(failure_text());
    int status = STATUS_OK;
    for (int g = 0; g < party->count && !status; ++g)
        status = model_build(&party->guests[g].model);
    for (int g = 0; g < party->count; ++g)
        programs[g] = &party->guests[g].model.program;
    if (!status)
        status = ensemble_open(choice, programs, party->count, &party->ensemble);
    for (int g = 0; g < party->count && !status; ++g) {
        struct guest *guest = &party->guests[g];
        const size_t said = strlen(failure_text());
        guest->status =
            job_open(&guest->seat->runner, guest->job, &guest->model, choice, ensemble_engine(party->ensemble, g));
        if (!guest->status)
            guest->status = job_begin(&guest->seat->runner, guest->job);
        guest->seat->runner.ran = true;
        job_keep_reason(guest->job, guest->status, said);
    }
    if (!status)
        status = step_together(party);
    progress_hide();
    for (int g = 0; g < party->count; ++g) {
        struct guest *guest = &party->guests[g];
        struct job *job = guest->job;
        const size_t said = strlen(failure_text());
        guest->status = status ? status : guest->status;
        job_keep_reason(job, status, before);
        if (job->samples) /* it was opened */
            job_close(&guest->seat->runner, job, guest->status, !guest->status && job_is_cut(job));
        else
            job->status = "failed";
        const bool failed = !strcmp(job->status, "failed");
        job_keep_reason(job, failed, said);
        guest->seat->status = failed || job_is_cut(job) ? STATUS_BAD : guest->seat->status;
        runner_show(&guest->seat->runner, job, 0, 1, 1);
        hall->status = failed ? STATUS_BAD : hall->status;
    }
    ensemble_close(party->ensemble);
    free(programs);
}

/* Those of the guests from `first` on, which are not at a party yet, that can be at one with it: their indices. At most
 * so many as memory has room for. */
static int gather(const struct guest *guests, int first, int count, const bool *gone, int *chosen) {
    const struct guest *host = &guests[first];
    const struct backend_choice *choice = &host->job->choice;
    const size_t each = model_bytes(&host->model) + 2 * program_bytes(&host->model.program);
    const size_t room = memory_available() / 2 / (each ? each : 1);
    int most = ensemble_takes(choice, &host->model.program) ? ensemble_most(choice, &host->model.program) : 1,
        found = 0;
    most = (size_t)most > room ? (int)room : most;
    for (int g = first; g < count && (found < most || found == 0); ++g)
        if (!gone[g] && (g == first || ensemble_joins(choice, &guests[g].model.program, &host->model.program)))
            chosen[found++] = g;
    return found;
}

/* Run number r of all members that were begun. */
static void run_alike(struct hall *hall, int r, int seats) {
    struct guest *guests = memory_new((size_t)seats, sizeof *guests), *some = memory_new((size_t)seats, sizeof *some);
    bool *gone = memory_new((size_t)seats, sizeof *gone), *live = memory_new((size_t)seats, sizeof *live),
         *going = memory_new((size_t)seats, sizeof *going);
    int *chosen = memory_new((size_t)seats, sizeof *chosen), count = 0;
    for (struct seat *seat = hall->seats; seat; seat = seat->behind) {
        if (r >= seat->plan.run_count || !is_due(&seat->runner.jobs[r]))
            continue;
        struct guest *guest = &guests[count++];
        const size_t before = strlen(failure_text());
        *guest = (struct guest){.seat = seat, .job = &seat->runner.jobs[r]};
        guest->frames = (int)run_number(guest->job->run, "time.frames", 0);
        guest->status = model_describe(guest->job->run, &guest->model);
        job_keep_reason(guest->job, guest->status, before);
        gone[count - 1] = guest->status != 0;
        if (guest->status) {
            guest->job->status = "failed";
            seat->status = STATUS_BAD;
        }
    }
    for (int g = 0; g < count && !interrupt_signal(); ++g) {
        if (gone[g])
            continue;
        struct party party = {.guests = some, .live = live, .going = going};
        party.count = gather(guests, g, count, gone, chosen);
        for (int k = 0; k < party.count; ++k) {
            gone[chosen[k]] = true;
            some[k] = guests[chosen[k]];
        }
        if (party.count == 1)
            run_alone(hall, guests[g].seat, guests[g].job);
        else
            run_party(hall, &party);
        for (int k = 0; k < party.count; ++k) {
            model_free(&some[k].model);
            guests[chosen[k]].model = (struct model){.run = NULL};
        }
    }
    for (int g = 0; g < count; ++g)
        model_free(&guests[g].model);
    free(guests);
    free(some);
    free(gone);
    free(live);
    free(going);
    free(chosen);
}

/* How many members may be begun at a time: each has a lock of its folder, a lock of the machine, and a trace. */
static int members_at_a_time(void) {
    enum { FILES_EACH = 3, FILES_ELSE = 100 };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files))
        return 1;
    files.rlim_cur = files.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &files) || getrlimit(RLIMIT_NOFILE, &files) ||
        files.rlim_cur < FILES_ELSE + FILES_EACH)
        return 1;
    const rlim_t room = (files.rlim_cur - FILES_ELSE) / FILES_EACH;
    return room < 4096 ? (int)room : 4096;
}

static void step_all(struct hall *hall) {
    const int most = members_at_a_time();
    while (hall->next < hall->crowd->count && !hall->status && !interrupt_signal()) {
        int seats = 0, runs = 0;
        struct seat *seat;
        while (seats < most && (seat = open_seat(hall))) {
            runs = seat->plan.run_count > runs ? seat->plan.run_count : runs;
            ++seats;
        }
        for (int r = 0; r < runs && !interrupt_signal(); ++r)
            run_alike(hall, r, seats);
        while (hall->seats)
            end_seat(hall, hall->seats);
    }
}

/* ---- All ---- */

int crowd_run(const struct crowd *crowd) {
    struct hall hall = {.crowd = crowd};
    struct backend_choice choice;
    int status = backend_choose(crowd->backend, &choice);
    if (status)
        return status;
    pthread_mutex_init(&hall.company.house, NULL);
    pthread_cond_init(&hall.less, NULL);
    if (choice.backend->has_ensembles) {
        pthread_mutex_lock(&hall.company.house);
        step_all(&hall);
        pthread_mutex_unlock(&hall.company.house);
    } else {
#pragma omp parallel num_threads(choice.threads)
        work(&hall);
        while (hall.seats) /* after an interruption */
            end_seat(&hall, hall.seats);
    }
    pthread_cond_destroy(&hall.less);
    pthread_mutex_destroy(&hall.company.house);
    return hall.status || interrupt_signal() ? STATUS_BAD : STATUS_OK;
}
