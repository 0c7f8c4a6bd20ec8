/** A company as LDIF: units on four levels, people below them, every tenth with a second position. */
export interface CompanySize {
  readonly people: number;
  /** Appended to the title of so many people, to make a changed company. */
  readonly changed: number;
}

const SUFFIX = 'dc=example,dc=com';
const GIVEN = ['Anna', 'Bruno', 'Chloé', '伟', '芳', '娜', 'Dmitri', 'Eva', 'Farid', '敏'];
const FAMILY = ['Lee', 'Müller', '王', '李', '张', 'Okafor', 'Rossi', '刘', 'Novak', "O'Brien"];

const unitCount = (people: number): number => Math.max(8, Math.ceil(people / 100));

/** Units 1 … n; unit k hangs below unit floor(k / 5), so that the tree is a few levels deep. */
function unitDn(k: number): string {
  return k === 0 ? `ou=company,${SUFFIX}` : `ou=unit ${k},${unitDn(Math.floor(k / 5))}`;
}

export const BASE = unitDn(0);

function unitEntry(k: number): string {
  return `dn: ${unitDn(k)}\nobjectClass: organizationalUnit\nou: unit ${k}\nbusinessCategory: D${k}\n\n`;
}

function personEntry(i: number, { people }: CompanySize): string {
  const units = unitCount(people);
  const unit = 1 + (i % units);
  const name = `${GIVEN[i % GIVEN.length]} ${FAMILY[Math.floor(i / 7) % FAMILY.length]} ${i}`;
  const second = i % 10 === 0 ? `departmentNumber: D${1 + ((i * 7 + 3) % units)}\n` : '';
  const encoded = Buffer.from(name, 'utf8').toString('base64');
  return (
    `dn: uid=user${i},${unitDn(unit)}\nobjectClass: inetOrgPerson\nuid: user${i}\ncn:: ${encoded}\nsn:: ${encoded}\n` +
    `mail: user${i}@example.com\nmobile: +86 139${String(i).padStart(8, '0')}\nemployeeNumber: E${i}\n` +
    `title: ${i % 20 === 0 ? 'Lead' : 'Engineer'}\ntelephoneNumber: ${1000 + (i % 9000)}\n${second}\n`
  );
}

export function companyLdif(size: CompanySize): string {
  const parts: string[] = [];
  for (let k = 0; k <= unitCount(size.people); k += 1) {
    parts.push(k === 0 ? `dn: ${BASE}\nobjectClass: organizationalUnit\nou: company\n\n` : unitEntry(k));
  }
  for (let i = 1; i <= size.people; i += 1) parts.push(personEntry(i, size));
  return parts.join('');
}

/** New titles for the first `changed` people, as changes for ldapmodify. */
export function changesLdif(size: CompanySize): string {
  const units = unitCount(size.people);
  return Array.from({ length: size.changed }, (_, index) => {
    const i = index + 1;
    const dn = `uid=user${i},${unitDn(1 + (i % units))}`;
    return `dn: ${dn}\nchangetype: modify\nreplace: title\ntitle: Principal ${i}\n\n`;
  }).join('');
}

/** The nine attributes that the bench maps and that the plain reads ask for. */
export const ATTRIBUTES = [
  'entryUUID',
  'uid',
  'cn',
  'mail',
  'mobile',
  'employeeNumber',
  'title',
  'telephoneNumber',
  'departmentNumber',
];
