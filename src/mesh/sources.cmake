# CMakeLists.txt explains RESULTS and PREPARE. The named files are PREPARE, all other files of this folder are RESULTS.
sources(RESULTS)
sources(PREPARE catalogue hole intersections origin preparation reduce shape step subdivide survey)
