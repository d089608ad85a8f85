# RESULTS: hashed into the keys of traces. All others: not hashed (CMakeLists.txt).
sources(RESULTS)
sources(PREPARE catalogue hole intersections origin preparation reduce shape step subdivide survey)
