sources(SWEEP)
