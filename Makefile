# Every target sets up what it needs by itself: a virtual environment in .venv and, on Debian or
# Ubuntu, the system's packages that are missing. Python is the first of python3, python3.14 …
# python3.11 that is new enough; PYTHON names another.

.DEFAULT_GOAL := help
.PHONY: help run test lint format clean

export PYTHON
IN_VENV := .venv/bin/python -m

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 14

run: ## run the demo; ARGS="--frames 100" passes arguments
	@sh .ci/setup.sh run
	@.venv/bin/python app.py $(ARGS)

test: ## run the tests; PYTEST_ARGS="-k shader" passes arguments
	@sh .ci/setup.sh test
	$(IN_VENV) pytest $(PYTEST_ARGS)

lint: ## look for mistakes: ruff and pyright
	@sh .ci/setup.sh lint
	$(IN_VENV) ruff check
	$(IN_VENV) ruff format --check
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(IN_VENV) pyright --pythonpath .venv/bin/python

format: ## lay the code out and mend what ruff can
	@sh .ci/setup.sh lint
	$(IN_VENV) ruff format
	$(IN_VENV) ruff check --fix

clean: ## remove the virtual environment and all that was built
	rm -rf .venv .pytest_cache .ruff_cache build dist tests/screenshots/failed
	find . -name __pycache__ -not -path './.git/*' -exec rm -rf {} +
