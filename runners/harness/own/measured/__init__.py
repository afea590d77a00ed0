"""What runs in the user's interpreter: standard library only, written for Python 3.10."""
