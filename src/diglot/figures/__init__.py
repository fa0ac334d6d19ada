"""The figure contract, the workers that run scripts, the styles, and the files a figure becomes."""
