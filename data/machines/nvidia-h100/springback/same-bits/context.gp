footer = "springback 0.1.0, revision e55b42b, on Intel(R) Xeon(R) Processor"
