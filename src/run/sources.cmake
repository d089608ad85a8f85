# RESULTS: hashed into the keys of traces. All others: not hashed (CMakeLists.txt).
sources(RESULTS)
sources(PLAIN forecast leftover provenance recipe results sweep)
