"""Write the JSON Schema of recipes, `recipe.schema.json` in this folder.

Run ``python -m wassay.recipes.schema > wassay/recipes/recipe.schema.json``.
"""

import json
import sys
from typing import Any

from wassay.recipes.document import RecipeDocument


def recipe_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a recipe's document."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **RecipeDocument.model_json_schema(mode="serialization"),
        "title": "Wassay recipe, version 1",
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(recipe_schema(), indent=2, ensure_ascii=False) + "\n")
