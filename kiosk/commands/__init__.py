"""The commands of the terminal, a module for each subject; `kiosk.cli` gathers them."""
