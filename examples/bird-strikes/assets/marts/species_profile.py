"""What each species does, and when."""

from collections import Counter, defaultdict

import svc


@svc.asset(
    table="marts.species_profile",
    depends_on=["core.strikes"],
    tags=["daily"],
    columns={"favourite_phase": "Phase of flight in which the species is hit most often"},
    checks=[{"name": "no species twice", "sql": "SELECT species FROM marts.species_profile GROUP BY species HAVING count(*) > 1"}],
)
def species_profile(ctx):
    """One row per species with its commonest phase of flight."""
    phases = defaultdict(Counter)
    damaging = Counter()
    for row in ctx.table("core.strikes"):
        phases[row["species"]][row["phase"]] += 1
        damaging[row["species"]] += row["is_damaging"]
    for species in sorted(phases):
        yield {
            "species": species,
            "strikes": phases[species].total(),
            "damaging": damaging[species],
            "favourite_phase": phases[species].most_common(1)[0][0],
        }
