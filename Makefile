# What a person types. The pipeline itself is in Makefile.experiments.
#
#   make reproduce [TIER=full] [BACKENDS=opencl:gpu]   run the experiments (on these backends alone), draw the figures,
#                                judge the claims, write the report; an experiment a core, but for what is timed,
#                                JOBS=1: one after the other, -j12: a dozen, where a GPU would wait for compilers
#   make which-method            the work-precision diagrams and claims of docs/which-method.md
#   make sensitivity             sweep what the papers leave unsaid, MEMBERS=64 points, and SEARCH=200 for each claim
#                                that holds at none; make reproduce then uses it
#   make archive                 all of that as one file, out/<machine>.tar.zst, to be judged again elsewhere
#   make check                   build, and run the tests
#   make docs                    write again docs/reference.md and the tables of README.md and docs/architecture.md
#   make method-page             put the method of docs/methods.md into a copy of the sources, build it and run it;
#   make backend-page            likewise the backend of docs/backends.md
#   make meshes [FROM=FOLDER]    fetch and prepare the bodies' meshes, with originals of your own in FOLDER
#   make build                   build/springback and its manual pages alone; build-all: the tests and benches too
#   make compare [WITH="A B"]    this machine's results beside other machines', or all that data/machines/ records
#   make bench [TIER=full]       what a step costs beside what copying memory and launching cost, as a table and JSON
#   make frontier [BACKENDS="threads opencl"] [TIER=full]   the largest cloth in real time by each method of va2022
#   make kill [KILLS=500]        kill so many runs at random moments, and see that they go on in the same bits
#   make faults [SAMPLE=40]      let each allocation, read, write, lock ... of the program fail, or so many of each
#   make sanitize [SKIP=REGEX]   the tests, but those of these names, with the address and undefined behaviour sanitizers
#   make fuzz [SECONDS=60]       the readers of all files (and what is done to meshes) on damaged ones, so long
#   make oclgrind                every kernel under oclgrind, looking for races and wrong accesses
#   make slurm-check             a sweep on a Slurm of its own, with preemptions and kills; needs root, installs slurm-wlm and munge
#   make tsan                    the threads backend under clang's thread sanitizer (gcc's warns of libgomp itself)
#   make nightly                 all tests, and the tools that watch, in full: hours
#   make report-check            a report as Chromium shows it: first screen, a phone, the dark, on paper
#   make player-check [MOST=3]   the first MOST scenes of these results' report (all), played in Chromium
#   make answer-check            how soon these results answer: lines, bytes, scenes, traces opened, seconds
#   make lint                    clang-format and clang-tidy
#   make style-check             words that are not used, long sentences, prefixes of functions, terms of the glossary
#   make clean                   remove build/; results in out/ stay

BUILD ?= build
JOBS ?= $(shell nproc)

# Folder of this machine's results; the program must have been built.
here = out/$(shell $(BUILD)/springback devices --machine)

# A text as one word of a shell's line.
quote = '$(subst ','\'',$(1))'
quote_all = $(foreach word,$(1),$(call quote,$(word)))

.PHONY: all build build-all check docs method-page backend-page meshes reproduce which-method archive sensitivity compare bench frontier kill faults sanitize fuzz oclgrind \
    tsan slurm-check nightly report-check player-check answer-check lint style-check clean packages
all: build-all

# Install what packages.txt and a target's MORE name and this machine lacks. SKIP_PACKAGES=1 where another system provides it.
packages:
ifndef SKIP_PACKAGES
	@command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || { \
	    echo "springback: this is no Debian: install what packages.txt names, then give SKIP_PACKAGES=1" >&2; exit 2; }
	@missing=; for p in $$(cat packages.txt) $(MORE); do \
	    dpkg-query -W -f '$${db:Status-Status}\n' $$p 2>/dev/null | grep -qx installed || missing="$$missing $$p"; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	if [ "$$(id -u)" = 0 ]; then root=; \
	elif command -v sudo >/dev/null && sudo -v; then root=sudo; \
	else echo "springback: these packages are missing, and only root may install them; ask for:" >&2; \
	    echo "    apt-get install$$missing" >&2; exit 2; fi; \
	echo "springback: installing the Debian packages that are missing:$$missing"; \
	mkdir -p $(BUILD); { $$root apt-get update -q && \
	$$root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing; } \
	    >$(BUILD)/install.log 2>&1 || { tail -n 20 $(BUILD)/install.log >&2; \
	    echo "springback: the packages could not be installed; $(BUILD)/install.log says more" >&2; exit 2; }
endif

$(BUILD)/CMakeCache.txt: | packages
	@mkdir -p $(BUILD); cmake -S . -B $(BUILD) $(CMAKE_OPTIONS) $(build_log)

# What installing and building say goes to install.log and build.log; its end is shown if they fail. VERBOSE=1: all of it.
build_log = $(if $(VERBOSE),,>$(BUILD)/build.log 2>&1 || { code=$$?; tail -n 40 $(BUILD)/build.log >&2; \
    echo "springback: building failed; $(BUILD)/build.log says more" >&2; exit $$code; })
build_options = --no-print-directory -C $(BUILD) -j$(call quote,$(JOBS)) $(if $(VERBOSE),,-s)
GOALS ?= springback manual
build: packages $(BUILD)/CMakeCache.txt
	@[ -e $(BUILD)/springback ] || echo "springback: building takes some minutes; progress: $(BUILD)/build.log"
	@$(MAKE) $(build_options) $(GOALS) $(build_log)
build-all: build
	@$(MAKE) $(build_options) all $(build_log)

check: build-all
	ctest --test-dir $(BUILD) -j$(call quote,$(JOBS)) --output-on-failure

meshes: build
	@$(BUILD)/springback meshes $(if $(FROM),--from $(call quote,$(FROM)))

KILLS ?= 500
kill: build-all
	$(BUILD)/kill $(call quote,$(KILLS))

# Hours, where it is all of them. Each that is bad is in build/faults.log.
SAMPLE ?= 0
faults: build-all
	cd $(BUILD) && ./faults ./springback $(call quote,$(SAMPLE))

reproduce: build
	@$(MAKE) --no-print-directory -f Makefile.experiments reproduce JOBS=$(call quote,$(JOBS))

which-method: build
	@$(MAKE) --no-print-directory -f Makefile.experiments which-method

archive: build
	@$(MAKE) --no-print-directory -f Makefile.experiments archive

# The table of verdicts stands between two marks.
docs: build
	$(BUILD)/springback manual >docs/reference.md
	@$(BUILD)/springback check --recorded >$(BUILD)/recorded.md
	sed -i -e '/^<!-- springback check --recorded -->$$/,/^<!-- end -->$$/{/^|/d' -e '/^<!-- springback/r $(BUILD)/recorded.md' \
	    -e '}' README.md
	tests/style/layers.sh >$(BUILD)/layers.md
	sed -i -e '/^<!-- layers -->$$/,/^<!-- end -->$$/{/^|/d' -e '/^<!-- layers -->$$/r $(BUILD)/layers.md' -e '}' \
	    docs/architecture.md

method-page backend-page:
	tests/build_page.sh docs/$(@:-page=s).md

sensitivity: build
	@$(MAKE) --no-print-directory -k -f Makefile.experiments sensitivity

# What the machine can do at best is measured once; best while it does nothing else. Runs that differ are told, and no
# error of make's.
RESULTS ?= $(here)
compare: build
	@results=$(call quote,$(RESULTS)); set -- $(call quote_all,$(WITH)); \
	[ -d "$$results" ] || { echo "springback: there are no results in $$results; make reproduce makes some" >&2; exit 2; }; \
	[ -e "$$results/floors.json" ] || $(BUILD)/springback devices --measure "$$results/floors.json" || exit; \
	[ $$# != 0 ] || for file in data/machines/*/machine.json; do \
	    case $$file in (data/machines/gtx-*|data/machines/i7-*) ;; (*) set -- "$$@" "$${file%/*}" ;; esac; done; \
	for machine; do \
	    $(BUILD)/springback compare "$$results" "$$machine" || [ $$? = 1 ] || continue; \
	    table=$$results/compare-$$(basename "$$machine"); \
	    $(BUILD)/springback compare "$$results" "$$machine" --table >"$$table.tsv" || [ $$? = 1 ] || exit 2; \
	    if [ "$$(wc -l <"$$table.tsv")" -gt 1 ]; then \
	        LC_ALL=C.UTF-8 gnuplot -c figures/draw.gp svg '1350 1350' "$$table.svg" figures/compare.gp "$$table.tsv" && \
	            echo "  drew $$table.svg"; fi; \
	done

# A timing of today: whatever is up to date is run again.
BENCH = $(here)/bench
bench: build-all
	@$(BUILD)/springback run -q --force --tier $(call quote,$(or $(TIER),quick)) --out $(call quote,$(BENCH)) tests/bench/cloth.yaml
	@bench=$(call quote,$(BENCH)); $(BUILD)/bench "$$bench/bench/cloth" "$$bench/bench.json" && \
	    echo "every sample: $$bench/bench.json"
	@$(BUILD)/bench_groups && $(BUILD)/bench_order

# Each probe is a run of its own; `make reproduce` draws them all beside the paper's.
BACKENDS ?= threads opencl
FRONTIER = $(here)/va2022/frontier/found.tsv
frontier: build
	@tests/bench/frontier.sh $(BUILD)/springback $(call quote,$(here)/frontier) \
	    $(call quote,$(or $(TIER),quick)) $(call quote,$(FRONTIER)) $(call quote_all,$(BACKENDS))
	@echo "every probe: "$(call quote,$(FRONTIER))

# Leaks too are looked for; those of OpenCL implementations are named in tests/lsan.supp. The leak sanitizer's own tracer
# dies among their threads ("Tracer caught signal 11") where it follows their thread-local memory; what is ours fails
# again.
sanitize:
	$(MAKE) BUILD=build-sanitize CMAKE_OPTIONS="-DCMAKE_BUILD_TYPE=Debug -DSPRINGBACK_SANITIZE=address,undefined" build-all
	ASAN_OPTIONS=detect_leaks=1:intercept_tls_get_addr=0:exitcode=99 LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0 \
	    UBSAN_OPTIONS=halt_on_error=1 ctest --test-dir build-sanitize -j$(call quote,$(JOBS)) --output-on-failure --repeat until-pass:2 \
	    $(if $(SKIP),-E $(call quote,$(SKIP)))

oclgrind: build
	tests/oclgrind.sh $(BUILD)/springback

nightly:
	$(MAKE) check
	$(MAKE) which-method
	$(MAKE) method-page
	$(MAKE) backend-page
	$(MAKE) kill
	$(MAKE) faults
	$(MAKE) fuzz SECONDS=3600
	$(MAKE) tsan
	$(MAKE) oclgrind
	$(MAKE) slurm-check MEMBERS=500 FRAMES=200 SHARDS=1000 PREEMPTIONS=100
	$(MAKE) sanitize

slurm-check: MORE = slurm-wlm munge
slurm-check: build
	tests/slurm/check.sh $(BUILD)/springback

answer-check: MORE = strace
answer-check: build
	tests/answer.sh $(BUILD)/springback $(call quote,$(or $(REPORT_OF),$(here)))

report-check player-check: MORE = chromium chromium-driver curl
report-check: build
	tests/report.sh $(BUILD)/springback $(call quote_all,$(REPORT_OF))

player-check: build
	tests/player.sh $(call quote,$(or $(REPORT_OF),$(here))/report.html) $(call quote_all,$(MOST))

# A finding is left in build-fuzz/findings. SEED=1: the same inputs each time.
SECONDS ?= 60
fuzz:
	$(MAKE) BUILD=build-fuzz GOALS=fuzz CMAKE_OPTIONS="-DCMAKE_C_COMPILER=clang -DSPRINGBACK_FUZZ=ON" build
	tests/fuzz/run.sh build-fuzz $(call quote,$(SECONDS)) $(call quote_all,$(SEED))

tsan:
	$(MAKE) BUILD=build-thread CMAKE_OPTIONS="-DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
	    -DSPRINGBACK_SANITIZE=thread -DSPRINGBACK_TESTS=OFF" build
	SPRINGBACK_BODIES=build-thread/bodies build-thread/springback meshes torus_576 cube_386 cloth_16384
	SPRINGBACK_BODIES=build-thread/bodies \
	OMP_TOOL_LIBRARIES=$$(dirname $$(readlink -f $$(command -v clang)))/../lib/libarcher.so \
	TSAN_OPTIONS=ignore_noninstrumented_modules=1:exitcode=66 build-thread/springback run --force \
	    --out build-thread/out -b serial -b threads:3 \
	    tests/small.yaml tests/small_volume.yaml tests/small_host.yaml tests/small_pbd.yaml tests/small_xpbd.yaml \
	    tests/small_hyperelastic.yaml tests/small_vbd.yaml tests/small_constraints.yaml tests/small_lattice.yaml

SOURCES = $(wildcard src/*/*.[ch] src/*/*/*.[ch] kernels/*.h tests/*.[ch] tests/*/*.[ch])
lint: build
	clang-format --dry-run -Werror $(SOURCES)
	printf '%s\n' $(filter %.c,$(SOURCES)) | xargs -n1 -P$(call quote,$(JOBS)) clang-tidy --quiet -p $(BUILD)

# By the object files of the build. tests/style/check.sh says what is checked.
style-check: build
	@BUILD=$(call quote,$(BUILD)) tests/style/check.sh

clean:
	rm -rf build build-sanitize build-thread build-fuzz
