# RESULTS: hashed into the keys of traces. All others: not hashed (CMakeLists.txt).
sources(RESULTS)
