"""The daemon: what comes in is stored, judged and folded into games; what goes out waits in the outbox."""
