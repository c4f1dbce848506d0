svc env create prod
