svc env create dev
svc ns create lab
