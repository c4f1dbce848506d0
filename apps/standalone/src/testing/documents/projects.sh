svc env create dev
svc env create staging
mkdir -p assets/core
echo "SELECT * FROM (VALUES ('north'), ('south'), ('north')) AS t(station)" > assets/core/trips.sql
cp "$ROOT"/examples/bird-strikes/pyproject.toml "$ROOT"/examples/bird-strikes/uv.lock .
