/* svc
description: How often, and how badly, birds hit at each airport.
columns:
  damaging_share: share of strikes that damaged the aircraft, 0 to 1
tags: [daily]
checks:
  - name: shares lie between 0 and 1
    sql: SELECT * FROM marts.airport_risk WHERE damaging_share NOT BETWEEN 0 AND 1
*/
SELECT
  airport,
  any_value(state) AS state,
  count(*) AS strikes,
  round(avg(CASE WHEN is_damaging THEN 1.0 ELSE 0.0 END), 4) AS damaging_share,
  CAST(sum(cost_total) AS BIGINT) AS cost_total,
  max(flight_date) AS last_strike
FROM core.strikes
GROUP BY airport
