# CMakeLists.txt explains RESULTS and PLAIN. The named files are PLAIN, all other files of this folder are RESULTS.
sources(RESULTS)
sources(PLAIN forecast leftover provenance recipe results sweep)
