sources(RESULTS)
