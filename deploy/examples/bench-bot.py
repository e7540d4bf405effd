#!/usr/bin/python3
"""A program that can be measured against the house's bots. It makes random moves in every game:

    trickhouse bench bots oh-hell --players 4 --bots exec:deploy/examples/bench-bot.py,random

It reads one JSON object per line, with the view of the seat whose turn it is, and answers each with
one line, its move. games/HISTORY.md describes views and moves.
"""

import json
import random
import sys

for line in sys.stdin:
    view = json.loads(line)["view"]
    print(random.choice(view["legal"]), flush=True)
