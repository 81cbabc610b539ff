"""Turns the shop's events into features, and features into a risk score."""
