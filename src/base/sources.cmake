# CMakeLists.txt explains RESULTS, PLAIN and PREPARE. Files that are not named below are RESULTS: their object code is
# hashed into the keys of traces.
sources(RESULTS)
sources(PLAIN amount lines process progress project terminal)
sources(PREPARE archive_limits checksum tarball)
