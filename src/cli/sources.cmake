sources(PREPARE archive mesh meshes)
sources(SWEEP sensitivity)
