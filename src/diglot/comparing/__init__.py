"""What a change of a project's files does to its values, figures, sentences and slides: before and after."""
