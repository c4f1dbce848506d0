"""The file as it came, one row per reported strike."""

import csv
from datetime import date
from pathlib import Path

import svc

DATA = Path(__file__).parents[2] / "data" / "birdstrikes.csv"


@svc.asset(
    table="raw.strikes",
    tags=["daily"],
    columns={
        "damage": "Extent of the damage as reported; a few reports hold codes",
        "cost_total": "Repair and other costs in US dollars",
        "speed_knots": "Indicated airspeed; empty where the report has none",
    },
    checks=[
        {"name": "the file is complete", "sql": "SELECT count(*) AS n FROM raw.strikes HAVING count(*) < 10000"},
    ],
)
def strikes(ctx):
    """Reported wildlife strikes, as they came."""
    with DATA.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=1):
            yield {
                "id": number,
                "flight_date": date.fromisoformat(row["Flight Date"]),
                "airport": row["Airport Name"],
                "state": row["Origin State"],
                "aircraft": row["Aircraft Make Model"],
                "operator": row["Aircraft Airline Operator"],
                "phase": row["Phase of flight"],
                "time_of_day": row["Time of day"],
                "species": row["Wildlife Species"],
                "size": row["Wildlife Size"],
                "damage": row["Effect Amount of damage"],
                "cost_total": int(row["Cost Total $"]),
                "speed_knots": int(row["Speed IAS in knots"]) if row["Speed IAS in knots"] else None,
            }
    ctx.log(f"read {number} reports from {DATA.name}")
