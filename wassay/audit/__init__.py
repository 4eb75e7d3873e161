"""The self-audit: before anything leaves a process, see what its receivers can compute."""

from wassay.audit.attacks import Movement
from wassay.audit.exposure import Audit, Exposure
from wassay.audit.self_audit import audit
from wassay.audit.sent import (
    BuyerMeasure,
    OwnScores,
    SellerCostBlocks,
    SellerMeasures,
    SellerScalars,
    Sent,
)
from wassay.disclosure_class import DisclosureClass

__all__ = [
    "Audit",
    "BuyerMeasure",
    "DisclosureClass",
    "Exposure",
    "Movement",
    "OwnScores",
    "SellerCostBlocks",
    "SellerMeasures",
    "SellerScalars",
    "Sent",
    "audit",
]
