/* svc
description: Strikes with readable names, known damage and no impossible speeds.
columns:
  damage: none, minor, medium, substantial or unknown
  is_damaging: whether the aircraft was damaged
tags: [daily]
checks:
  - name: every report has a date within the data's years
    sql: SELECT * FROM core.strikes WHERE flight_date IS NULL OR year(flight_date) NOT BETWEEN 1990 AND 2002
  - name: costs are never negative
    sql: SELECT * FROM core.strikes WHERE cost_total < 0
  - name: damage is one of the known words
    sql: SELECT * FROM core.strikes WHERE damage NOT IN ('none', 'minor', 'medium', 'substantial', 'unknown')
*/
SELECT
  id,
  flight_date,
  airport,
  state,
  aircraft,
  replace(operator, '*', '') AS operator,
  lower(phase) AS phase,
  lower(time_of_day) AS time_of_day,
  CASE WHEN species LIKE 'Unknown bird%' THEN 'Unknown bird' ELSE species END AS species,
  lower(size) AS size,
  CASE WHEN damage IN ('None', 'Minor', 'Medium', 'Substantial') THEN lower(damage) ELSE 'unknown' END AS damage,
  damage IN ('Minor', 'Medium', 'Substantial') AS is_damaging,
  cost_total,
  CASE WHEN speed_knots BETWEEN 1 AND 600 THEN speed_knots END AS speed_knots
FROM raw.strikes
