"""Tests of the camera's room."""
