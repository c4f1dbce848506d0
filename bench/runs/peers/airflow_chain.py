import datetime

from airflow.sdk import dag, task


@dag(schedule=None, start_date=datetime.datetime(2026, 1, 1), catchup=False)
def chain():
    previous = None
    for i in range(10):

        @task(task_id=f"p{i}")
        def build(i=i):
            return [{"n": i}]

        built = build()
        if previous is not None:
            previous >> built
        previous = built


built = chain()

if __name__ == "__main__":
    run = built.test()
    assert run.state == "success", run.state
