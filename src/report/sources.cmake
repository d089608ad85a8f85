sources(PREPARE crate edge_groups obstacles picture playback reproduction scene snapshot)
