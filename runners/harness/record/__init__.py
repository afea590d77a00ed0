"""The result file: its types, its bytes, its JSON Schema. Nothing else defines it."""
