sources(RESULTS)
sources(PREPARE filling library links tetgen)
