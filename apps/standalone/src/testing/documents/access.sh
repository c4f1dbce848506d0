svc env create dev
svc ns create marts
svc sql "SELECT * FROM (VALUES ('north', 1589.60::decimal(12, 2), DATE '2026-03-02'), ('south', NULL, DATE '2026-03-01'))
  AS t(shop, revenue, last_day)" --into marts.revenue_by_shop --mode create
svc principal create bob --type person
printf 'correct horse battery' > password.txt
printf %s "$SVC_TOKEN" > admin.token
