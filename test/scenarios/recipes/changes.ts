import { toLdif, type LdifEntry } from '../../servers/ldif.ts';

type Values = Readonly<Record<string, string>>;

const record = (dn: string, ...lines: readonly string[]): string =>
  `${toLdif([[dn, {}]]).trimEnd()}\n${lines.join('\n')}\n\n`;

const encoded = (name: string, value: string): string => `${name}:: ${Buffer.from(value).toString('base64')}`;

/** Returns records of LDIF that add these entries. */
export function added(entries: readonly LdifEntry[]): string {
  return entries
    .map(([dn, attributes]) => toLdif([[dn, attributes]]).replace('\n', '\nchangetype: add\n'))
    .join('');
}

/** Returns a record of LDIF that replaces values. */
export function modified(dn: string, values: Values): string {
  const lines = Object.entries(values).flatMap(([name, value]) => [
    `replace: ${name}`,
    encoded(name, value),
    '-',
  ]);
  return record(dn, 'changetype: modify', ...lines);
}

/** Returns a record of LDIF that moves an entry below another one. */
export function moved(dn: string, to: string): string {
  const [rdn = ''] = /^(?:\\.|[^,\\])*/u.exec(dn) ?? [];
  return record(
    dn,
    'changetype: modrdn',
    encoded('newrdn', rdn),
    'deleteoldrdn: 1',
    encoded('newsuperior', to),
  );
}
