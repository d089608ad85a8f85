# All files of this folder are hashed into the keys of traces, except those named below (CMakeLists.txt).
sources(RESULTS)
sources(PLAIN roofline_limits)
