sources(RESULTS)
sources(PREPARE catalogue hole intersections origin preparation reduce shape step subdivide survey)
