footer = "springback 0.1.0, revision 4d4f2f706977+, on Intel(R) Xeon(R) Processor"
