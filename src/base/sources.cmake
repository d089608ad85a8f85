sources(RESULTS)
sources(PLAIN amount progress terminal)
sources(PREPARE archive_limits checksum process tarball)
