"""Wassay tells a buyer how much a seller's data resembles the data the buyer needs.

`__init__.pyi` says where each name is; it is imported when it is first used: the service imports
`wassay.models` and should not wait for the mathematics or the HTTP client, nor should `--help`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
