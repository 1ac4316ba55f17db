"""What a user can do wrong, as one sentence."""


class UserError(Exception):
    """Ends the program with this sentence on standard error and exit code 2, without traceback."""
