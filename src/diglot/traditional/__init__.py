"""Files in traditional Chinese characters, converted from those of the Chinese half."""
