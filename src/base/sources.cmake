sources(RESULTS)
sources(PLAIN amount progress terminal)
sources(PREPARE archive_limits checksum deadline process scratch tarball)
