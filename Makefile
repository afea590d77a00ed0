# One command each; `make help` lists them. The environment is made from the hashed pins and kept until they change.

PYTHON ?= python3
PYTHONS ?= $(PYTHON)
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help report serve test lint bench pins clean

help: ## list the commands
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 10
