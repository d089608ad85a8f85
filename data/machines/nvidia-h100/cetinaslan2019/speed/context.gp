footer = "springback 0.1.0, revision d097afc, on Intel(R) Xeon(R) Processor"
