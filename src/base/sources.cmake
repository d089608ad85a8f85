sources(RESULTS)
sources(PLAIN amount lines progress terminal)
sources(PREPARE archive_limits checksum process tarball)
