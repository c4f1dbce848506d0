/** Programs and libraries. Links among them remain links. */
export const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];
/** Number of processors and the memory limit. */
export const LIMITS = ['/sys/devices/system', '/sys/fs/cgroup'];
/**
 * The files in /etc that programs need for names, addresses, certificates and libraries. The others may contain
 * secrets.
 */
export const ETC =
  'alternatives ca-certificates crypto-policies fonts group gai.conf host.conf hosts ld.so.cache ld.so.conf ld.so.conf.d localtime mime.types nsswitch.conf passwd pki protocols python3 resolv.conf services ssl timezone'
    .split(' ')
    .map((name) => `/etc/${name}`);
/** Keys and settings of the machine, which a worker running as root could read. */
export const KEYS = ['/etc/ssl/private', '/etc/pki/tls/private', '/usr/local/etc'];
