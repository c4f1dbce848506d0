/* svc
description: Revenue of each day
columns:
  orders: Number of paid orders
  revenue: Sum of their amounts
checks:
  - unique: day
  - not_null: [day, revenue]
  - row_count: { min: 1 }
*/
SELECT day, count(*) AS orders, sum(amount) AS revenue
FROM core.orders
GROUP BY day
