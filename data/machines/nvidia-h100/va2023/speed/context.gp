footer = "springback 0.1.0, revision 5db5f5b, on Intel(R) Xeon(R) Processor"
