/* svc
kind: view
description: The strikes that damaged the aircraft, always as fresh as core.strikes.
tags: [daily]
*/
SELECT id, flight_date, airport, state, operator, phase, species, size, damage, cost_total
FROM core.strikes
WHERE is_damaging
