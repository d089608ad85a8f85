sources(PREPARE mesh meshes view)
sources(SWEEP sensitivity)
