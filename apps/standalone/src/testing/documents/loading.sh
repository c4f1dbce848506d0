svc env create dev
svc ns create shop
svc table create shop.sales --column day:date --column shop:string --column receipts:int
printf 'day,shop,receipts\n2026-03-01,north,41\n' > sales.csv
printf 'day,shop,receipts\n2026-03-01,north,forty\n' > broken.csv
printf '{"day": "2026-03-02", "shop": "south", "receipts": 7}\n' | gzip > sales.ndjson.gz
printf 'day,shop,amount\n2026-03-01,north,1.50\n' > returns.csv
gzip -k returns.csv
