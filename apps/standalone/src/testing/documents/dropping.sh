svc env create dev
svc env create staging
svc ns create shop
svc ns create tmp
svc table create shop.orders --column id:long
