sources(PREPARE archive mesh meshes view)
sources(SWEEP sensitivity)
