svc env create dev
svc ns create shop
svc table create shop.orders --column id:long
