"""Ratings, ladders and events; one file of tests for each module of the app."""
