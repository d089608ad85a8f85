sources(PREPARE rigid)
