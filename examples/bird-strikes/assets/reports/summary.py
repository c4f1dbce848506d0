"""The page that people look at."""

import svc
from jinja2 import Environment

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Bird strikes</title>
<h1>Bird strikes at {{ airports | length }} airports</h1>
<p>{{ "{:,}".format(total) }} reports; run {{ run_id }} in {{ environment }}.</p>
<table>
<tr><th>Airport</th><th>State</th><th>Strikes</th><th>Damaging</th></tr>
{% for row in airports[:20] -%}
<tr><td>{{ row.airport }}</td><td>{{ row.state }}</td><td>{{ row.strikes }}</td><td>{{ "%.1f" % (100 * row.damaging_share) }} %</td></tr>
{% endfor -%}
</table>
<h2>Most hit species</h2>
<ol>
{% for row in species[:10] -%}
<li>{{ row.species }}: {{ row.strikes }}, mostly during {{ row.favourite_phase }}</li>
{% endfor -%}
</ol>
</html>
"""


@svc.asset(
    table="reports.summary",
    kind="artifact",
    depends_on=["marts.airport_risk", "marts.species_profile"],
    tags=["report"],
)
def summary(ctx):
    """A page of the airports and species with the most strikes."""
    airports = sorted(ctx.table("marts.airport_risk"), key=lambda row: -row["strikes"])
    species = sorted(ctx.table("marts.species_profile"), key=lambda row: -row["strikes"])
    page = Environment(autoescape=True).from_string(PAGE)
    path = ctx.scratch / "bird-strikes.html"
    path.write_text(
        page.render(
            airports=airports,
            species=species,
            total=sum(row["strikes"] for row in airports),
            run_id=ctx.run_id,
            environment=ctx.environment,
        ),
        encoding="utf-8",
    )
    return path
