footer = "springback 0.1.0, revision cfbf208, on Intel(R) Xeon(R) Processor"
