"""Under which names verbs are offered. Pure functions: a name and arguments in, a call out."""
