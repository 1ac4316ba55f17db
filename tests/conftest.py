"""What the tests share: a device, and the option that rewrites the expected pictures."""

from __future__ import annotations

import os

import pytest

# numpy's threads would fight with the software GPU's.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-screenshots",
        action="store_true",
        help="rewrite the expected pictures; look at each before you commit it",
    )


@pytest.fixture(scope="session")
def device():
    """A device on the default adapter. Without a driver the tests fail: they are about the GPU."""
    from demo import gpu

    return gpu.request_device(gpu.choose_adapter())
