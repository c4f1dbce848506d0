/* svc
description: Strikes and costs by calendar month.
tags: [daily, finance]
*/
SELECT
  CAST(date_trunc('month', flight_date) AS DATE) AS month,
  count(*) AS strikes,
  count(*) FILTER (WHERE is_damaging) AS damaging,
  CAST(sum(cost_total) AS BIGINT) AS cost_total
FROM core.strikes
GROUP BY 1
ORDER BY 1
