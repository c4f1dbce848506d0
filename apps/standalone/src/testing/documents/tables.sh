svc env create dev
printf 'day,shop,revenue\n2026-03-01,north,812.50\n2026-03-01,south,\n2026-03-02,north,777.10\n' > sales.csv
