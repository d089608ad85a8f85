footer = "springback 0.1.0, revision 36c850fbdeed, on Intel(R) Xeon(R) Processor"
