svc env create dev
svc repository add shop
printf '{"username": "builder", "password": "correct horse"}' > values.json
mkdir -p assets/shop
echo 'SELECT 1 AS one' > assets/shop/one.sql
echo 'name: shop' > svc.yaml
cat > pyproject.toml <<'END'
[project]
name = "shop"
version = "0.1.0"
requires-python = ">=3.10"
dependencies = ["teamlib"]
END
cat > uv.lock <<'END'
version = 1
requires-python = ">=3.10"

[[package]]
name = "shop"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "teamlib" },
]

[package.metadata]
requires-dist = [{ name = "teamlib" }]

[[package]]
name = "teamlib"
version = "1.0.0"
source = { registry = "https://packages.example.com/team/simple" }
wheels = [
    { url = "https://packages.example.com/team/teamlib-1.0.0-py3-none-any.whl", hash = "sha256:0000000000000000000000000000000000000000000000000000000000000000" },
]
END
