# All files of this folder are hashed into the keys of traces (CMakeLists.txt).
sources(RESULTS)
