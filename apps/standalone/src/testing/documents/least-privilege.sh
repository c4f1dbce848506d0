svc env create shop
export SVC_ENV=shop
svc ns create sales
svc sql "SELECT * FROM (VALUES ('Oslo', 43.75::decimal(8, 2)), ('Bergen', 7)) AS t(city, amount)" \
  --into sales.orders --mode create
printf 'city,amount\nOslo,1.00\n' > orders.csv
