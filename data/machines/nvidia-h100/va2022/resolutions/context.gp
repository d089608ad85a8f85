footer = "springback 0.1.0, revision da516ed30ebd, on Intel(R) Xeon(R) Processor"
