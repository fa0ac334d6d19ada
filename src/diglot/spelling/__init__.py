"""Chinese texts in traditional characters, by OpenCC."""
