"""Setting Tabwright up by a form; only `form` imports Textual."""
