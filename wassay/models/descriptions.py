"""Descriptions of fields that several models have."""

ORGANISATION = "The account's organisation."
BUYER = "The buyer's account."
SELLER = "The seller's account."
SELLER_LABEL = "The name under which the buyer sees the contribution."
SELLER_POINTS = "The number of the seller's points."
SELLER_WEIGHT = "The seller's share of the mixture of all sellers' points. All shares sum to 1."
BUYER_POINTS = "The number of points of the buyer's measure."

DIMENSION = "The number of coordinates of the points that are pushed."
ORDER = "The order p of the Wasserstein distance W_p."
SWEEP = "The values of s of the request's sweep, ascending."
S = "The s to which sellers' points were pushed."
PROJECTED_FROM = (
    "The number of coordinates of raw points, if a random projection that the service does not "
    "know reduces them. Distances are then lower bounds of the distances of the raw points. Null: "
    "points are not projected."
)
EPSILON = (
    "The ε of differential privacy that each evaluation spends for each record of a seller. Null: "
    "distances have no noise."
)
RADIUS = (
    "The radius of the ball around the mean of the buyer's measure to which sellers' pushed points "
    "are clipped. Null without noise."
)

PROGRESS = "How many transport problems are solved. Null before they are counted."
ATTEMPTS = "How often the evaluation was begun. For one in chunks: the most attempts at a chunk."
REASON = "Why the evaluation waits, has stalled, failed or was cancelled, in words."
PROBLEM = "Why the evaluation failed, for programs. Null unless it failed."
STARTED_AT = "When the evaluation was begun, or begun again. Null before."
FINISHED_AT = "When the evaluation succeeded, failed or was cancelled. Null before."
SELLER_WEIGHTING = (
    "What sets each seller's weight in mixtures: the number of points (`points`), the same weight "
    "for all (`equal`), or weights that the buyer gave (`given`)."
)
COLUMNS = "The number of columns, without that of weights."
WEIGHTED = "Whether the array also has a last column of weights."
SOFTWARE = "The version of each package that computed the result, by the package's name."
