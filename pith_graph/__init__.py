"""Pith Graph: a citation graph served with its evidence."""

__version__ = "0.1.0"
