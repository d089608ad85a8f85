sources(PREPARE sample)
