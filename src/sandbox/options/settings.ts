/** An option of the sandbox (fault, reading, data file) that cannot be followed. */
export class SandboxOptionError extends Error {
  override readonly name = 'SandboxOptionError';
}

/** One setting: how its values are written, which one is the default, and what it is about. */
export interface Setting<T> {
  readonly values: string;
  readonly byDefault: T;
  readonly about: string;
  /** Parses a value; `undefined` for one that does not exist. */
  readonly parse: (text: string) => T | undefined;
}

type Settings = Readonly<Record<string, Setting<unknown>>>;
export type ValuesOf<S> = {
  readonly [Name in keyof S]: S[Name] extends Setting<infer T> ? T : never;
};

/** Parses `name=value`, or `name` alone for `name=on`. Throws SandboxOptionError; `kind` names a setting in its text. */
export function parseSettings<const S extends Settings>(
  kind: string,
  settings: S,
  texts: readonly string[],
): ValuesOf<S> {
  const parsed = texts.map((text) => {
    const [, name = '', value = 'on'] = /^([^=]*)(?:=(.*))?$/su.exec(text) ?? [];
    const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (setting === undefined) {
      const known = Object.entries(settings).map(([one, { values }]) => `${one}=${values}`);
      throw new SandboxOptionError(`${kind} ${name} does not exist. There are: ${known.join(', ')}.`);
    }
    const chosen = setting.parse(value);
    if (chosen !== undefined) return [name, chosen];
    throw new SandboxOptionError(`${kind} ${name} cannot be ${value}: use ${name}=${setting.values}.`);
  });
  const defaults = Object.entries(settings).map(([name, { byDefault }]) => [name, byDefault]);
  return Object.fromEntries([...defaults, ...parsed]) as ValuesOf<S>;
}

/** Returns a setting with these values; the first one is the default. */
export function choice<const V extends string>(values: readonly [V, ...V[]], about: string): Setting<V> {
  const parse = (text: string): V | undefined => values.find((value) => value === text);
  return { values: values.join('|'), byDefault: values[0], about, parse };
}

export function toggle(byDefault: boolean, about: string): Setting<boolean> {
  return {
    values: 'on|off',
    byDefault,
    about,
    parse: (text) => (text === 'on' || text === 'off' ? text === 'on' : undefined),
  };
}

/** Returns a setting that is a number; 0, unless another one is given, stands for none. */
export function quantity(about: string, byDefault = 0): Setting<number> {
  return {
    values: 'N',
    byDefault,
    about,
    parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  };
}

/** Returns a setting in milliseconds, 0 by default. */
export function duration(about: string): Setting<number> {
  return { values: '2s|500ms', byDefault: 0, about, parse: parseDuration };
}

function parseDuration(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,7})(ms|s)$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (unit === 's' ? 1000 : 1);
}
