import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startSlapd } from '../../servers/slapd.ts';
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
import { writePieces } from '../write-lines.ts';
import { personFields, scriptOf, type OpenBenchSource, type ReadFloor } from './bench-source.ts';

const BASE = 'ou=company,dc=example,dc=com';
const FILTER = '(objectClass=inetOrgPerson)';

/** Attributes by the field of rollcall that is mapped from each. */
const MAPPED = {
  id: 'entryUUID',
  username: 'uid',
  name: 'cn',
  email: 'mail',
  mobile: 'mobile',
  sn: 'employeeNumber',
  tel: 'telephoneNumber',
  second: 'departmentNumber',
} as const;

/** How a server tells what changed (RFC 4533), with the indexes that its manual asks for. */
const SYNCPROV = {
  head: 'moduleload syncprov',
  config: 'index entryCSN,entryUUID eq\noverlay syncprov\nsyncprov-sessionlog 10000',
} as const;

/** OpenLDAP, filled by slapadd. */
export const openSlapd: OpenBenchSource = async (company, folder) => {
  const slapd = await startSlapd(SYNCPROV);
  const file = join(folder, 'company.ldif');
  writePieces(file, companyLdif(company));
  await slapd.loadFile(file);
  rmSync(file);
  return {
    name: 'slapd',
    config: {
      type: 'ldap',
      url: slapd.url,
      bindDn: slapd.bindDn,
      bindPassword: slapd.password,
      units: {
        base: BASE,
        filter: '(objectClass=organizationalUnit)',
        fields: { id: 'businessCategory', refs: ['dn', 'businessCategory'], name: 'ou' },
      },
      people: { base: BASE, filter: FILTER, fields: personFields({ ...MAPPED, unit: 'parentDn' }) },
    },
    floors: floorsOf(slapd),
    change: (from, to) => Promise.resolve(slapd.modify(titlesLdif(company, from, to))),
    move: () => Promise.resolve(slapd.modify(moveLdif(company))),
    stop: () => slapd.stop(),
  };
};

interface Login {
  readonly url: string;
  readonly bindDn: string;
  readonly password: string;
}

/** Returns bare reads of the same entries with the same attributes, in pages of 500: ldapts, and ldapsearch. */
function floorsOf({ url, bindDn, password }: Login): readonly ReadFloor[] {
  const attributes = [...Object.values(MAPPED), 'title'];
  const bind = ['-x', '-H', url, '-D', bindDn, '-w', password];
  const search = ['-b', BASE, '-E', 'pr=500/noprompt', '-LLL', FILTER, ...attributes];
  const bare = [scriptOf('floors/ldapts-read'), url, bindDn, password, BASE, FILTER];
  return [
    { name: 'bare driver', command: 'node', args: [...bare, ...attributes] },
    { name: 'ldapsearch', command: 'ldapsearch', args: [...bind, ...search] },
  ];
}

const unitDn = (k: number): string => [...upwards(k).map((one) => `ou=unit ${one}`), BASE].join(',');

const personDn = ({ username, unit }: CompanyPerson): string => `uid=${username},${unitDn(unit)}`;

/** Yields the company as LDIF, parents first. */
function* companyLdif(company: Company): Iterable<string> {
  yield `dn: ${BASE}\nobjectClass: organizationalUnit\nou: company\n\n`;
  for (const { k, code, name } of unitsOf(company)) {
    yield `dn: ${unitDn(k)}\nobjectClass: organizationalUnit\nou: ${name}\nbusinessCategory: ${code}\n\n`;
  }
  for (const person of peopleOf(company)) {
    const name = Buffer.from(person.name, 'utf8').toString('base64');
    const second = person.second === null ? '' : `departmentNumber: ${codeOf(person.second)}\n`;
    yield (
      `dn: ${personDn(person)}\nobjectClass: inetOrgPerson\nuid: ${person.username}\ncn:: ${name}\nsn:: ${name}\n` +
      `mail: ${person.mail}\nmobile: ${person.mobile}\nemployeeNumber: ${person.employeeNumber}\n` +
      `title: ${person.title}\ntelephoneNumber: ${person.tel}\n${second}\n`
    );
  }
}

/** Returns changes for ldapmodify: new titles for people `from` to `to`. */
function titlesLdif(company: Company, from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const person = personOf(company, from + index);
    return `dn: ${personDn(person)}\nchangetype: modify\nreplace: title\ntitle: ${newTitle(person.i)}\n\n`;
  }).join('');
}

/** Returns the change for ldapmodify that moves the unit of the story. */
function moveLdif(company: Company): string {
  const { k, to } = moveOf(company);
  return (
    `dn: ${unitDn(k)}\nchangetype: modrdn\nnewrdn: ou=unit ${k}\ndeleteoldrdn: 0\n` +
    `newsuperior: ${unitDn(to)}\n\n`
  );
}
