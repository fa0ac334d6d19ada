"""Networks of chips, and the times of messages and collectives over them."""
