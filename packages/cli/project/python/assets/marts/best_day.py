import svc


@svc.asset(table="marts.best_day", depends_on=["marts.revenue_by_day"], checks=[{"row_count": {"min": 1, "max": 1}}])
def best_day(ctx):
    """The day with the highest revenue."""
    rows = ctx.sql("SELECT day, revenue FROM marts.revenue_by_day ORDER BY revenue DESC, day LIMIT 1")
    for row in rows:
        yield {"day": row["day"], "revenue": row["revenue"]}
