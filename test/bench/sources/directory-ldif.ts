import {
  codeOf,
  moveOf,
  newTitle,
  peopleOf,
  personOf,
  unitsOf,
  upwards,
  type Company,
  type CompanyPerson,
} from '../company.ts';

/** How a kind of directory writes the company. */
export interface DirectoryStyle {
  readonly suffix: string;
  /** Name in front of a person's DN: `uid` or `CN`. */
  readonly rdn: string;
  readonly personClass: string;
  /** Attribute lines of a person besides those that all directories share. */
  readonly more: (person: CompanyPerson, encodedName: string) => string;
}

/** Attributes that every directory maps, besides its id and its names. */
export const SHARED_ATTRIBUTES = [
  'mail',
  'mobile',
  'employeeNumber',
  'title',
  'telephoneNumber',
  'departmentNumber',
];

export const baseOf = ({ suffix }: DirectoryStyle): string => `ou=company,${suffix}`;

function unitDn(style: DirectoryStyle, k: number): string {
  return [...upwards(k).map((one) => `ou=unit ${one}`), baseOf(style)].join(',');
}

function personDn(style: DirectoryStyle, { username, unit }: CompanyPerson): string {
  return `${style.rdn}=${username},${unitDn(style, unit)}`;
}

/** Yields the company as LDIF, parents first. */
export function* companyLdif(style: DirectoryStyle, company: Company): Iterable<string> {
  yield `dn: ${baseOf(style)}\nobjectClass: organizationalUnit\nou: company\n\n`;
  for (const { k, code, name } of unitsOf(company)) {
    yield `dn: ${unitDn(style, k)}\nobjectClass: organizationalUnit\nou: ${name}\nbusinessCategory: ${code}\n\n`;
  }
  for (const person of peopleOf(company)) {
    const encoded = Buffer.from(person.name, 'utf8').toString('base64');
    const second = person.second === null ? '' : `departmentNumber: ${codeOf(person.second)}\n`;
    yield (
      `dn: ${personDn(style, person)}\nobjectClass: ${style.personClass}\n${style.more(person, encoded)}` +
      `mail: ${person.mail}\nmobile: ${person.mobile}\nemployeeNumber: ${person.employeeNumber}\n` +
      `title: ${person.title}\ntelephoneNumber: ${person.tel}\n${second}\n`
    );
  }
}

/** Returns changes for ldapmodify: new titles for people `from` to `to`. */
export function titlesLdif(
  style: DirectoryStyle,
  company: Company,
  [from, to]: readonly [number, number],
): string {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const person = personOf(company, from + index);
    const dn = personDn(style, person);
    return `dn: ${dn}\nchangetype: modify\nreplace: title\ntitle: ${newTitle(person.i)}\n\n`;
  }).join('');
}

/** Returns the change for ldapmodify that moves the unit of the story. */
export function moveLdif(style: DirectoryStyle, company: Company): string {
  const { k, to } = moveOf(company);
  return (
    `dn: ${unitDn(style, k)}\nchangetype: modrdn\nnewrdn: ou=unit ${k}\ndeleteoldrdn: 0\n` +
    `newsuperior: ${unitDn(style, to)}\n\n`
  );
}
