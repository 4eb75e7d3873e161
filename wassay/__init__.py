"""Estimate how closely sellers' data resemble a buyer's, before anybody hands data over.

Each public name is imported at its first use, from the module that `__init__.pyi` names.
"""

import lazy_loader

# So the service and `wassay --help` start without loading the mathematics and the HTTP client.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
