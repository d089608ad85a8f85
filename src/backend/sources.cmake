sources(RESULTS)
sources(PLAIN roofline_limits)
