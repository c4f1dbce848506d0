svc env create dev
svc ns create shop
svc table create shop.sales --column day:date --column shop:string --column receipts:int
