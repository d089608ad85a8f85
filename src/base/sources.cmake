# RESULTS: hashed into the keys of traces. All others: not hashed (CMakeLists.txt).
sources(RESULTS)
sources(PLAIN amount lines progress terminal)
sources(PREPARE archive_limits checksum process tarball)
