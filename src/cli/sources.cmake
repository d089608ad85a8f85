sources(PREPARE mesh meshes sensitivity)
