svc env create dev
svc ns create shop
svc table create shop.sales --column day:date --column shop:string --column receipts:int
printf 'day,shop,receipts\n2026-03-01,north,41\n' > sales.csv
printf 'day,shop,receipts\n2026-03-01,north,forty\n2026-03-02,north,40\n' > broken.csv
printf '{"day": "2026-03-02", "shop": "south", "receipts": 7}\n' | gzip > sales.ndjson.gz
printf 'day,shop,amount\n2026-03-01,north,1.50\n' > returns.csv
gzip -k returns.csv
mkdir days
printf 'day,shop,receipts\n2026-03-03,north,3\n' | gzip > days/3.csv.gz
printf '04.03.2026;north;4\n05.03.2026;"south;west";5\n' > export.csv
