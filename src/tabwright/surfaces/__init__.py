"""Under which names verbs are offered as tools."""
