from prefect import flow, task


@task
def step(i, before):
    return [{"n": i}]


@flow
def chain():
    rows = None
    for i in range(10):
        rows = step(i, rows)
    return rows


chain()
