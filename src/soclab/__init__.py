"""soclab: evidence for how much authority an AI agent may have in a Security Operations Center."""

__version__ = "0.1.0"
__all__ = ["__version__"]
