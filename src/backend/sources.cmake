sources(RESULTS)
sources(PLAIN floors)
