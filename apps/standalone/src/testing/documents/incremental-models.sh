svc env create dev
