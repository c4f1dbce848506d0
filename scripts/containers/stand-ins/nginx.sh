# What the published image does with NGINX_ENTRYPOINT_LOCAL_RESOLVERS: fills in the templates, and runs in the foreground.
set -e
# Only the first: podman adds the name server of the machine, which doesn't know the containers.
NGINX_LOCAL_RESOLVERS=$(awk '$1 == "nameserver" { print $2; exit }' /etc/resolv.conf)
export NGINX_LOCAL_RESOLVERS
for template in /etc/nginx/templates/*.template; do
  # shellcheck disable=SC2016
  envsubst '${NGINX_LOCAL_RESOLVERS}' < "$template" > "/etc/nginx/conf.d/$(basename "$template" .template)"
done
exec nginx -g 'daemon off;'
