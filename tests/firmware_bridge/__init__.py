"""Tests of the serial dice tray's room."""
