"""What others measured, and how near the models are: `python -m diglot.hardware validate`."""
