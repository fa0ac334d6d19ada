"""What others claim of chips: records with sources, apart from what the models compute."""
