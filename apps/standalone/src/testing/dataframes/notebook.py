"""Executes a notebook with these cells, as Jupyter does, and prints what each shows."""

import nbformat
from nbclient import NotebookClient

CELLS = [
    "%load_ext svc",
    "import pandas, svc\nclient = svc.Client()\nclient.namespaces.create(client.env, 'book')",
    "client.write('book.cities', pandas.DataFrame({'city': ['Bern', 'Oslo'], 'people': [134, 709]}), create=True).rows",
    "least = 500",
    "%%sql\nSELECT city, people FROM book.cities WHERE people > $least",
    "%%sql large <<\nSELECT * FROM book.cities ORDER BY people",
    "large.df()",
    "client.table('book.cities')",
]
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
for cell in notebook.cells:
    for output in cell.outputs:
        data = output.get("data", {})
        print(data.get("text/html") or data.get("text/plain") or output.get("text"))
