footer = "springback 0.1.0, revision 0faf948, on Intel(R) Xeon(R) Processor"
