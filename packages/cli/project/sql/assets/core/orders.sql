/* svc
kind: view
description: Paid orders with their amount
columns:
  day: Day of the order
  amount: Quantity times unit price
*/
SELECT order_id, ordered_on AS day, customer, quantity * unit_price AS amount
FROM raw.orders
WHERE status = 'paid'
