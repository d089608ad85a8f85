sources(PREPARE mesh meshes)
sources(SWEEP sensitivity)
