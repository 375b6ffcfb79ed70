"""The lights controller: its program in C, and the emulator that runs the very same binary."""
