"""Estimate how closely sellers' data resemble a buyer's, before anybody hands data over.

Names are imported at first use, from the modules in `__init__.pyi`. So neither the service, which
imports `wassay.models`, nor ``wassay --help`` loads the mathematics and the HTTP client.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
