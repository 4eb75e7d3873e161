"""Attack a message before it is sent, as its receivers could."""

from wassay.audit.attacks.attack import RigidMotion
from wassay.audit.column_readings import ColumnReading, ColumnReadings, Combination
from wassay.audit.exposure import Audit, Exposure
from wassay.audit.fact_readings import FactReading
from wassay.audit.messages import (
    BuyerMeasure,
    FedWadMessages,
    OwnScores,
    SellerCostBlocks,
    SellerMeasures,
    SellerScalars,
    Sent,
)
from wassay.audit.self_audit import AUDITED_RECORDS, COLUMN_RECORDS, audit, sampled_rows
from wassay.disclosure_class import DisclosureClass

__all__ = [
    "AUDITED_RECORDS",
    "COLUMN_RECORDS",
    "Audit",
    "BuyerMeasure",
    "ColumnReading",
    "ColumnReadings",
    "Combination",
    "DisclosureClass",
    "Exposure",
    "FactReading",
    "FedWadMessages",
    "OwnScores",
    "RigidMotion",
    "SellerCostBlocks",
    "SellerMeasures",
    "SellerScalars",
    "Sent",
    "audit",
    "sampled_rows",
]
