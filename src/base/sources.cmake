# All files of this folder are hashed into the keys of traces, except those named below (CMakeLists.txt).
sources(RESULTS)
sources(PLAIN amount lines process progress project terminal)
sources(PREPARE archive_limits checksum tarball)
