sources(PREPARE edge_groups obstacles picture reproduction snapshot)
