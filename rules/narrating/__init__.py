"""How each thing that happened is told, subject by subject: events in, `Narration` in three lengths out."""
