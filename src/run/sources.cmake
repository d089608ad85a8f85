# All files of this folder are hashed into the keys of traces, except those named below (CMakeLists.txt).
sources(RESULTS)
sources(PLAIN forecast leftover provenance recipe results sweep)
