sources(RESULTS)
sources(PLAIN forecast leftover provenance recipe results sweep)
