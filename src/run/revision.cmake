# Write OUT, a C header with the version, the git revision and the compiler flags. OUT is not touched if its text stays
# the same. The revision is REVISION, if this is given, otherwise the last commit that changed the program's sources. A
# new experiment or an edited manual does not change the program, and must not cause all tables and figures to be made
# again. SPRINGBACK_COMMIT and SPRINGBACK_SOURCES are the SWHIDs (ISO/IEC 18670) of this commit and of its files. Both
# are empty if the sources differ from the commit, or if the commit is not known.
#
# A source archive has no repository, but a file REVISION, which `make dist` adds.
if(NOT REVISION AND EXISTS ${SOURCE}/REVISION)
    file(STRINGS ${SOURCE}/REVISION REVISION)
endif()
set(program src kernels CMakeLists.txt)
execute_process(COMMAND git -C ${SOURCE} rev-parse --is-shallow-repository OUTPUT_VARIABLE shallow
    ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(shallow STREQUAL "true") # a shallow clone may lack the last commit that changed the sources: use the last commit
    set(program)
endif()
execute_process(COMMAND git -C ${SOURCE} log -1 --format=%h --abbrev=12 -- ${program} OUTPUT_VARIABLE revision
    ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT revision AND NOT REVISION)
    set(revision "unknown")
    set(tree "unknown")
elseif(REVISION)
    set(revision "${REVISION}")
    set(tree "unknown")
else()
    execute_process(COMMAND git -C ${SOURCE} status --porcelain -- ${program} OUTPUT_VARIABLE changes
        ERROR_QUIET)
    if(changes STREQUAL "")
        set(tree "clean")
    else()
        set(tree "changed")
    endif()
endif()
set(commit "")
set(sources "")
if(tree STREQUAL "clean")
    execute_process(COMMAND git -C ${SOURCE} rev-parse --verify ${revision}^{commit} OUTPUT_VARIABLE commit
        ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND git -C ${SOURCE} rev-parse --verify ${revision}^{tree} OUTPUT_VARIABLE sources
        ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(PREPEND commit "swh:1:rev:")
    string(PREPEND sources "swh:1:dir:")
endif()
string(REPLACE ";" " " FLAGS "${FLAGS}")
set(text "#define SPRINGBACK_VERSION \"${VERSION}\"\n#define SPRINGBACK_REVISION \"${revision}\"\n")
string(APPEND text "#define SPRINGBACK_TREE \"${tree}\"\n#define SPRINGBACK_FLAGS \"${FLAGS}\"\n")
string(APPEND text "#define SPRINGBACK_COMMIT \"${commit}\"\n#define SPRINGBACK_SOURCES \"${sources}\"\n")
if(EXISTS ${OUT})
    file(READ ${OUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
    file(WRITE ${OUT} "${text}")
endif()
