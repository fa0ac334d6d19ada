"""Tasks, traces, store, scheduler: knows nothing of Markdown, figures or pages."""
