sources(RESULTS)
sources(PREPARE catalogue gts_surface hole intersections origin preparation reduce shape step subdivide survey)
