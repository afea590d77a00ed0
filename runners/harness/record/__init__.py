"""The result file: its types and its bytes. Nothing else defines it."""
