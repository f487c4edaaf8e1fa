"""What goes over the network in a conversation: the log, its export, and standing in its way."""
