"""Put the shards of a run together."""
