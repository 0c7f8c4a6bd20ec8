/** Returns an object with some members in place of its own; the others are those of the object as it is. */
export function changed<T extends object>(object: T, members: Partial<T>): T {
  return new Proxy(object, {
    get(own, name): unknown {
      if (name in members) return Reflect.get(members, name);
      const value: unknown = Reflect.get(own, name, own);
      return typeof value === 'function' ? (value.bind(own) as unknown) : value;
    },
  });
}
