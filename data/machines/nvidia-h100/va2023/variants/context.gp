footer = "springback 0.1.0, revision a375e942cbc4+, on Intel(R) Xeon(R) Processor"
