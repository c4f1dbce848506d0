svc env create dev
svc ns create shop
svc table create shop.sales --column day:date --column shop:string --column receipts:int
printf 'day,shop,receipts\n2026-03-01,north,40\n2026-03-01,south,20\n' | svc table load shop.sales - --format csv
