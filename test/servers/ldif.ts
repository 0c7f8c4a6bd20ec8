export type LdifEntry = readonly [dn: string, attributes: Readonly<Record<string, LdifValue>>];
type LdifValue = string | Buffer | readonly (string | Buffer)[];

/** RFC 2849: everything goes base64, so that no value needs a rule of its own. */
export function toLdif(entries: readonly LdifEntry[]): string {
  return entries.map(([dn, attributes]) => `${line('dn', dn)}${body(attributes)}\n`).join('');
}

function body(attributes: Readonly<Record<string, LdifValue>>): string {
  return Object.entries(attributes)
    .flatMap(([name, values]) => [values].flat().map((value) => line(name, value)))
    .join('');
}

function line(name: string, value: string | Buffer): string {
  return `${name}:: ${Buffer.from(value as string).toString('base64')}\n`;
}

/** A value as it stands in a DN: RFC 4514, section 2.4. */
export function escapeRdn(value: string): string {
  return value
    .replaceAll(/[\\",+;<>=]/g, (char) => `\\${char}`)
    .replace(/^[ #]/, (char) => `\\${char}`)
    .replace(/ $/, '\\ ');
}

/** Returns changes that add these entries. */
export function added(entries: readonly LdifEntry[]): string {
  return entries.map((entry) => toLdif([entry]).replace('\n', '\nchangetype: add\n')).join('');
}

/** Returns a change that replaces values. */
export function modified(dn: string, values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => `replace: ${name}\n${line(name, value)}-\n`);
  return `${line('dn', dn)}changetype: modify\n${lines.join('')}\n`;
}

/** Returns a change that moves an entry below another one. */
export function moved(dn: string, to: string): string {
  const [rdn = ''] = /^(?:\\.|[^,\\])*/u.exec(dn) ?? [];
  const name = `${line('newrdn', rdn)}deleteoldrdn: 1\n`;
  return `${line('dn', dn)}changetype: modrdn\n${name}${line('newsuperior', to)}\n`;
}
