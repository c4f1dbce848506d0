/**
 * A store whose files refer to another location than their own, such as tables written on another machine: a
 * location below `from` means the same below the store's root.
 *
 * @param from a path; locations may spell it with or without the scheme `file`
 */
export function relocatedStore<S extends { readonly root: string }>(store: S, from: string): S {
  const here = (value: unknown) => {
    const path = typeof value === 'string' ? value.replace(/^file:(\/\/)?(?=\/)/, '') : null;
    return path?.startsWith(`${from}/`) ? store.root + path.slice(from.length) : value;
  };
  return new Proxy(store, {
    get(target, key) {
      const member = Reflect.get(target, key) as unknown;
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => Reflect.apply(member, target, args.map(here));
    },
  });
}
