# The targets for users. The pipeline is in Makefile.experiments.
#
#   make reproduce [TIER=full] [BACKENDS=opencl:gpu]   run the experiments (on these backends only), draw the figures,
#                                judge the claims, write the report. Untimed experiments run in parallel, one on each
#                                core. JOBS=1: one at a time. -j12: twelve at a time, which is faster on a GPU,
#                                because a run spends much of its time on compiling and writing
#   make which-method            make the work-precision diagrams and judge the claims of docs/which-method.md
#   make sensitivity             sweep the values that the papers do not state: MEMBERS=64 likely and as many possible
#                                set-ups, then up to SEARCH=200 more for each claim that is true in none of them.
#                                make reproduce then uses the sweeps
#   make archive                 pack all results into one file, out/<machine>.tar.zst, which other machines can judge.
#                                PAPER=va2023: those of one paper. HEADLINE=1: only those that decide headline claims.
#                                CLAIM=va2023.pressing.vpc-bunny: those that decide one claim
#   make check                   build, and run the tests
#   make docs                    update the generated parts of README.md, docs/reference.md, docs/evaluation.md
#                                and docs/architecture.md
#   make method-page             add the method of docs/methods.md to a copy of the sources, build it and run it
#   make backend-page            add the backend of docs/backends.md to a copy of the sources, build it and run it
#   make meshes [FROM=FOLDER]    fetch the original meshes, and prepare the bodies. FROM: FOLDER has your own copies of
#                                the originals that cannot be fetched
#   make build                   build build/springback and its manual pages; make build-all: also tests and benchmarks
#   make compare [WITH="A B"]    compare this machine's results with those of other machines (default: the records in
#                                data/machines/, except gtx-* and i7-*, which have no runs)
#   make bench [TIER=full]       compare the cost of a step with the costs of copying memory and of launching a kernel;
#                                prints a table, and writes JSON
#   make bench TARGETS=1 [ROWS="check report"]   measure each row of tests/bench/targets.tsv (ROWS: only these rows).
#                                Compare the result with the row's target, and with its floor, the best result that the
#                                hardware allows. All rows take about 20 minutes
#   make frontier [BACKENDS="threads opencl"] [TIER=full]   find the largest cloth in real time for each method of va2022
#   make kill [KILLS=500]        kill this number of runs at random times, and check that they resume bit-identically
#   make faults [SAMPLE=40]      let reads, writes, locks, allocations ... of the program fail, one at a time; SAMPLE:
#                                only this many faults for each command, class of calls and kind of fault
#   make sanitize [SKIP=REGEX]   run the tests with the address and undefined behaviour sanitizers; SKIP: without the
#                                tests whose names match
#   make fuzz [SECONDS=60]       run the readers of all kinds of files, and the repair of meshes, on damaged files for
#                                SECONDS
#   make oclgrind [ONLY="frames launches bare"]   run every kernel under oclgrind, which finds races and invalid
#                                accesses. ONLY: how kernels are launched (default: all three, which
#                                tests/oclgrind.sh explains)
#   make slurm-check             run a sweep on a private Slurm, with preemptions and kills; needs root, installs slurm-wlm and munge
#   make tsan [RUNS="A B"]       run small experiments (RUNS: these files) on the threads backend under clang's thread
#                                sanitizer (gcc's sanitizer reports false races in libgomp)
#   make nightly                 run check, meshes, verify (a member of each table), which-method, method-page, backend-page, kill,
#                                faults, fuzz, tsan, oclgrind, slurm-check, cross-check, matrix and sanitize in full; takes
#                                hours
#   make cross-check [ARCHITECTURES="arm64 s390x"] [RUNS="A B"]   build for other processors, run small experiments (RUNS:
#                                these) under qemu, and compare all bits; needs root, installs cross compilers and qemu
#   make matrix [ONLY="gcc-O0-* control-*"]   build 48 times with gcc and clang, and compare all results. Also build with
#                                options that change results (control-*): such a program must name the fault and refuse
#                                to run. ONLY: only these builds
#   make report-check            check a report in Chromium: first screen, phone, dark mode, print; REPORT_OF=FOLDER:
#                                the report of the results in FOLDER (default: a report without runs)
#   make crate-check [PAPER=NAME] [CLAIM=ID]   check an archive of this machine's results with the validator of the npm
#                                package ro-crate. PAPER: also an archive of this paper's headline claims. CLAIM: also
#                                an archive of this claim. RESULTS: the folder of the results
#   make player-check [MOST=3]   play the first MOST player scenes (default: all) of this machine's report in Chromium
#   make answer-check            check that this machine's report and commands stay within bounds: lines, bytes, player
#                                scenes, opened traces, seconds
#   make paraview-check [TRACES="A B"]   read this machine's traces that have geometry (TRACES: these traces) with VTK
#                                9.3, which ParaView 5.12 uses. VTK is from Debian 13, and is unpacked into build/vtk/
#                                (900 MB)
#   make lint                    run clang-format and clang-tidy
#   make style-check             find words that this project avoids, long sentences, wrong prefixes, unknown terms
#   make dist                    pack the sources of the last commit as build/springback-VERSION.tar.xz
#   make dist-check [QUICK=quick]  check that the archive of make dist has reproducible bytes and builds without git;
#                                quick: no build
#   make deb                     build the Debian package in build/deb/
#   make deb-check               install the package in a fresh Debian and run experiments there; needs root
#   make clean                   remove build/, build-sanitize/, build-thread/ and build-fuzz/, not the results in out/

BUILD ?= build
JOBS ?= $(shell nproc)
version = $(shell sed -n 's/^project.springback VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

# Folder of this machine's results. Needs the built program.
here = out/$(shell $(BUILD)/springback devices --machine)

# Quote a text as one word of a shell command.
quote = '$(subst ','\'',$(1))'
quote_all = $(foreach word,$(1),$(call quote,$(word)))

.PHONY: all build build-all check docs method-page backend-page meshes reproduce which-method archive sensitivity compare bench frontier kill faults sanitize fuzz oclgrind \
    tsan slurm-check cross-check matrix nightly crate-check report-check player-check answer-check paraview-check lint style-check clean packages \
    dist dist-check deb deb-check
all: build-all

# Install missing packages: those of packages.txt, those that packages/ adds for this system, and those in the variable
# MORE, which some targets below set. The comments of the list in packages/ are printed; they say what the system lacks.
# SKIP_PACKAGES=1: all packages are already installed.
packages:
ifndef SKIP_PACKAGES
	@system=$$(. /etc/os-release 2>/dev/null && echo "$$ID-$$VERSION_ID"); list=packages/$$system.txt; \
	[ -e "$$list" ] || { echo "springback: there is no list of packages for '$$system', only for" \
	    "$(patsubst packages/%.txt,%,$(wildcard packages/*.txt)); install what packages.txt names, then give SKIP_PACKAGES=1" >&2; exit 2; }; \
	missing=; for p in $$(grep -hv '^#' packages.txt "$$list") $(MORE); do \
	    dpkg-query -W -f '$${db:Status-Status}\n' $$p 2>/dev/null | grep -qx installed || missing="$$missing $$p"; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	if [ "$$(id -u)" = 0 ]; then root=; \
	elif command -v sudo >/dev/null && sudo -v; then root=sudo; \
	else echo "springback: packages are missing, and only root can install them; run as root:" >&2; \
	    echo "    apt-get install$$missing" >&2; exit 2; fi; \
	sed -n 's/^#/springback:/p' "$$list"; \
	echo "springback: installing the missing Debian packages:$$missing"; \
	mkdir -p $(BUILD); { $$root apt-get update -q && \
	$$root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing; } \
	    >$(BUILD)/install.log 2>&1 || { tail -n 20 $(BUILD)/install.log >&2; \
	    echo "springback: the packages could not be installed; see $(BUILD)/install.log" >&2; exit 2; }
endif

$(BUILD)/CMakeCache.txt: | packages
	@mkdir -p $(BUILD); cmake -S . -B $(BUILD) $(CMAKE_OPTIONS) $(build_log)
	@[ ! -e $(BUILD)/build.log ] || sed -n '/^springback: /p' $(BUILD)/build.log

# The output of installing and building is in install.log and build.log. After an error the end of this output is shown.
# VERBOSE=1 shows the whole output of building.
build_log = $(if $(VERBOSE),,>$(BUILD)/build.log 2>&1 || { code=$$?; tail -n 40 $(BUILD)/build.log >&2; \
    echo "springback: building failed; see $(BUILD)/build.log" >&2; exit $$code; })
build_options = --no-print-directory -C $(BUILD) -j$(call quote,$(JOBS)) $(if $(VERBOSE),,-s)
GOALS ?= springback manual
build: packages $(BUILD)/CMakeCache.txt
	@[ -e $(BUILD)/springback ] || echo "springback: building takes some minutes; progress: $(BUILD)/build.log"
	@$(MAKE) $(build_options) $(GOALS) $(build_log)
build-all: build
	@$(MAKE) $(build_options) all $(build_log)

check: build-all
	ctest --test-dir $(BUILD) -j$(call quote,$(JOBS)) --output-on-failure --no-tests=error

meshes: build
	@$(BUILD)/springback meshes $(if $(FROM),--from $(call quote,$(FROM)))

KILLS ?= 500
kill: build-all
	$(BUILD)/kill $(call quote,$(KILLS))

# Without SAMPLE, all faults are tried, which takes hours. Failures of the program are in build/faults.log.
SAMPLE ?= 0
faults: build-all
	cd $(BUILD) && ./faults ./springback $(call quote,$(SAMPLE))

reproduce: build
	@$(MAKE) --no-print-directory -f Makefile.experiments reproduce JOBS=$(call quote,$(JOBS))

which-method: build
	@$(MAKE) --no-print-directory -f Makefile.experiments which-method

archive: build
	@$(MAKE) --no-print-directory -f Makefile.experiments archive

# In README.md, docs/evaluation.md and docs/architecture.md, the generated table is between two marks.
docs: build
	$(BUILD)/springback manual >docs/reference.md
	@$(BUILD)/springback check --recorded >$(BUILD)/recorded.md
	sed -i -e '/^<!-- springback check --recorded -->$$/,/^<!-- end -->$$/{/^|/d' -e '/^<!-- springback/r $(BUILD)/recorded.md' \
	    -e '}' README.md
	@$(BUILD)/springback check --evaluation data/machines/intel-xeon-2-cores --evaluation data/machines/nvidia-h200 >$(BUILD)/evaluation.md
	sed -i -e '/^<!-- springback check --evaluation /,/^<!-- end -->$$/{/^|/d' -e '/^<!-- springback/r $(BUILD)/evaluation.md' \
	    -e '}' docs/evaluation.md
	tests/style/layers.sh >$(BUILD)/layers.md
	sed -i -e '/^<!-- layers -->$$/,/^<!-- end -->$$/{/^|/d' -e '/^<!-- layers -->$$/r $(BUILD)/layers.md' -e '}' \
	    docs/architecture.md

method-page backend-page:
	tests/build_page.sh docs/$(@:-page=s).md

sensitivity: build
	@$(MAKE) --no-print-directory -k -f Makefile.experiments sensitivity

# The first call measures the hardware limits; the machine should be idle then. make does not fail if runs differ,
# because the comparison reports the differences.
RESULTS ?= $(here)
compare: build
	@results=$(call quote,$(RESULTS)); set -- $(call quote_all,$(WITH)); \
	[ -d "$$results" ] || { echo "springback: there are no results in $$results; run make reproduce" >&2; exit 2; }; \
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

# The runs are timed again, even if they are up to date.
BENCH = $(here)/bench
ifneq ($(TARGETS),)
bench: build
	@tests/bench/targets.sh $(BUILD)/springback $(call quote,$(BENCH)/targets) $(call quote,$(RESULTS)) $(ROWS)
else
bench: build-all
	@$(BUILD)/springback run -q --force --tier $(call quote,$(or $(TIER),quick)) --out $(call quote,$(BENCH)) tests/bench/cloth.yaml
	@bench=$(call quote,$(BENCH)); $(BUILD)/bench "$$bench/bench/cloth" "$$bench/bench.json" && \
	    echo "every sample: $$bench/bench.json"
	@$(BUILD)/bench_groups && $(BUILD)/bench_order
endif

# Each tried size of cloth is one run. `make reproduce` draws all tried sizes, and the values that the paper prints.
BACKENDS ?= threads opencl
FRONTIER = $(here)/va2022/frontier/found.tsv
frontier: build
	@tests/bench/frontier.sh $(BUILD)/springback $(call quote,$(here)/frontier) \
	    $(call quote,$(or $(TIER),quick)) $(call quote,$(FRONTIER)) $(call quote_all,$(BACKENDS))
	@echo "all sizes that were tried: "$(call quote,$(FRONTIER))

# Leaks are checked, too; tests/lsan.supp suppresses those of OpenCL implementations. If the leak sanitizer follows the
# thread-local memory of OpenCL's threads, its tracer can crash ("Tracer caught signal 11"). Therefore
# intercept_tls_get_addr=0 is set, and a test that fails is repeated once; an error of this project fails again.
sanitize:
	$(MAKE) BUILD=build-sanitize CMAKE_OPTIONS="-DCMAKE_BUILD_TYPE=Debug -DSPRINGBACK_SANITIZE=address,undefined" build-all
	ASAN_OPTIONS=detect_leaks=1:intercept_tls_get_addr=0:exitcode=99 LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0 \
	    UBSAN_OPTIONS=halt_on_error=1 ctest --test-dir build-sanitize -j$(call quote,$(JOBS)) --output-on-failure --repeat until-pass:2 \
	    $(if $(SKIP),-E $(call quote,$(SKIP)))

oclgrind: build
	tests/oclgrind.sh $(BUILD)/springback $(call quote_all,$(ONLY))

nightly:
	$(MAKE) check
	$(MAKE) meshes
	$(MAKE) -f Makefile.experiments verify VERIFY=100000
	$(MAKE) which-method
	$(MAKE) method-page
	$(MAKE) backend-page
	$(MAKE) kill
	$(MAKE) faults
	$(MAKE) fuzz SECONDS=3600
	$(MAKE) tsan
	$(MAKE) oclgrind
	$(MAKE) slurm-check MEMBERS=500 FRAMES=200 SHARDS=1000 PREEMPTIONS=100
	$(MAKE) cross-check
	$(MAKE) matrix
	$(MAKE) sanitize

slurm-check: MORE = slurm-wlm munge
slurm-check: build
	tests/slurm/check.sh $(BUILD)/springback

ARCHITECTURES ?= arm64 s390x
cross-check: MORE = qemu-user $(patsubst %,gcc-%-linux-gnu,$(ARCHITECTURES:arm64=aarch64))
cross-check: build
	RUNS=$(call quote,$(RUNS)) tests/cross/check.sh $(BUILD)/springback $(BUILD)/cross $(ARCHITECTURES)

matrix: build
	tests/matrix.sh $(BUILD)/springback $(BUILD)/matrix $(call quote_all,$(ONLY))

answer-check: MORE = strace
answer-check: build
	tests/answer.sh $(BUILD)/springback $(call quote,$(or $(REPORT_OF),$(here)))

# npm is installed only if it is missing, because other packages than Debian's may have installed it.
crate-check: MORE = $(if $(shell command -v npm),,nodejs npm)
crate-check: build
	$(BUILD)/springback archive --out $(call quote,$(RESULTS)) --file $(BUILD)/crate.tar
	$(if $(PAPER),$(BUILD)/springback archive --out $(call quote,$(RESULTS)) --file $(BUILD)/crate-headline.tar.gz --headline $(call quote,$(PAPER)))
	$(if $(CLAIM),$(BUILD)/springback archive --out $(call quote,$(RESULTS)) --file $(BUILD)/crate-claim.tar.gz $(call quote,$(CLAIM)))
	tests/crate.sh $(BUILD)/npm $(BUILD)/crate.tar $(if $(PAPER),$(BUILD)/crate-headline.tar.gz:60) $(if $(CLAIM),$(BUILD)/crate-claim.tar.gz:20)
	rm -f $(BUILD)/crate.tar $(BUILD)/crate-headline.tar.gz $(BUILD)/crate-claim.tar.gz

TRACES ?=
paraview-check: build
	@set -- $(call quote_all,$(TRACES)); \
	if [ $$# = 0 ]; then \
	    mapfile -t found < <(find "$(here)" -name '*.vtkhdf' 2>/dev/null | sort); set -- "$${found[@]}"; \
	    [ $$# != 0 ] || { echo "springback: there are no traces with geometry in $(here); run make reproduce" >&2; exit 2; }; \
	fi; \
	tests/trace/paraview_check.sh $(BUILD)/vtk "$$@"
paraview-check: SHELL = /bin/bash

report-check player-check: MORE = chromium chromium-driver curl
report-check: build
	tests/report.sh $(BUILD)/springback $(call quote_all,$(REPORT_OF))

player-check: build
	tests/player.sh $(call quote,$(or $(REPORT_OF),$(here))/report.html) $(call quote_all,$(MOST))

# Inputs that fail are stored in build-fuzz/findings. SEED=1 gives the same inputs each time.
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
	    --out build-thread/out -b serial -b threads:3 $(if $(RUNS),$(call quote_all,$(RUNS)),$(filter-out %_paper.yaml,$(wildcard tests/small*.yaml)))

SOURCES = $(wildcard src/*/*.[ch] src/*/*/*.[ch] kernels/*.h tests/*.[ch] tests/*/*.[ch])
lint: MORE = clang-format clang-tidy
lint: build
	clang-format --dry-run -Werror $(SOURCES)
	printf '%s\n' $(filter %.c,$(SOURCES)) | xargs -n1 -P$(call quote,$(JOBS)) clang-tidy --quiet -p $(BUILD)

# The check of prefixes needs the object files of the build. tests/style/check.sh says what is checked.
style-check: build
	@BUILD=$(call quote,$(BUILD)) tests/style/check.sh

# The source archive has the files of the last commit, and REVISION, so that it builds without git. The archive's bytes
# depend only on the commit and the versions of git and xz.
archive_name = springback-$(version)
dist:
	@case $$(git rev-parse --is-shallow-repository 2>&1) in (false) ;; (*) echo "springback: make dist needs the repository" \
	    "with its whole history, because the archive names the program's revision; use a clone without --depth" >&2; exit 2 ;; esac; \
	changes=$$(git status --porcelain); [ -z "$$changes" ] || { echo "springback: make dist packs the last commit;" \
	    "commit or remove these changes:" >&2; echo "$$changes" >&2; exit 2; }; \
	mkdir -p $(BUILD) && cmake -DOUT=$(BUILD)/dist.h -DSOURCE=$(CURDIR) -DRECORD=$(BUILD)/dist.revision -P src/run/revision.cmake && \
	git -c tar.umask=0022 archive --prefix=$(archive_name)/ \
	    --add-virtual-file="$(archive_name)/REVISION:$$(cat $(BUILD)/dist.revision)" -o $(BUILD)/$(archive_name).tar HEAD && \
	env -u XZ_OPT -u XZ_DEFAULTS xz -6 -T1 -f $(BUILD)/$(archive_name).tar && echo "$(BUILD)/$(archive_name).tar.xz"

dist-check: MORE = reprotest diffoscope-minimal faketime
dist-check: packages
	tests/dist.sh $(call quote_all,$(QUICK))

# The package is built from the source archive, because dpkg-buildpackage writes next to the folder of the sources.
deb: MORE = debhelper
deb: packages dist
	@rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb && tar -xf $(BUILD)/$(archive_name).tar.xz -C $(BUILD)/deb
	@cd $(BUILD)/deb/$(archive_name) && dpkg-buildpackage -b -uc -us -j$(call quote,$(JOBS)) >../../deb.log 2>&1 || { \
	    tail -n 40 ../../deb.log >&2; echo "springback: the package cannot be built; see $(BUILD)/deb.log" >&2; exit 2; }
	@echo $(BUILD)/deb/springback_$(version)-*.deb

deb-check: MORE = debhelper lintian debootstrap
deb-check: packages deb
	tests/deb.sh $(BUILD)/deb/springback_$(version)-*.deb

clean:
	rm -rf build build-sanitize build-thread build-fuzz
