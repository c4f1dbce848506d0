from dagster import AssetSelection, Definitions, asset, define_asset_job, multiprocess_executor


def step(i):
    @asset(name=f"p{i}", deps=[] if i == 0 else [f"p{i - 1}"])
    def build():
        return [{"n": i}]

    return build


defs = Definitions(assets=[step(i) for i in range(10)], jobs=[define_asset_job("chain", AssetSelection.all(), executor_def=multiprocess_executor)])
