"""`python -m actions`: what the workflows call."""

from actions.commands import main

if __name__ == "__main__":
    main(prog_name="python -m actions")
