sources(PREPARE)
