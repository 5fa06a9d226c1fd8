"""The application: reading, store, hosting, writing, desk and commands around the engine and the adapters."""

__version__ = "0.1.0"
