"""Contract suites: one behaviour, run over every implementation, fake and real."""
