# The same commands as ./run, for those who have make. ./run needs no make and installs what is missing.
.PHONY: help run test check bench

help:
	@./run help

run:
	@REPO="$(REPO)" ./run

test check bench:
	@./run $@
