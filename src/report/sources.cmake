sources(PREPARE edge_groups obstacles picture playback reproduction scene snapshot)
