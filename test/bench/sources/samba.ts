import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startSamba } from '../../servers/samba.ts';
import { writePieces } from '../write-lines.ts';
import type { OpenBenchSource } from './bench-source.ts';
import { directoryConfig, directoryFloors } from './directory-config.ts';
import { baseOf, companyLdif, moveLdif, titlesLdif, type DirectoryStyle } from './directory-ldif.ts';

const NORMAL_ACCOUNT_WITHOUT_PASSWORD = 544;

const STYLE: DirectoryStyle = {
  suffix: 'DC=corp,DC=example,DC=com',
  rdn: 'CN',
  personClass: 'user',
  more: ({ username }, name) =>
    `sAMAccountName: ${username}\ndisplayName:: ${name}\nuserAccountControl: ${NORMAL_ACCOUNT_WITHOUT_PASSWORD}\n`,
};

const NAMES = {
  base: baseOf(STYLE),
  filter: '(&(objectCategory=person)(objectClass=user))',
  id: 'objectGUID',
  username: 'sAMAccountName',
  name: 'displayName',
};

/** Samba as a domain controller, filled by ldbadd before it starts: over LDAP it would take ten times as long. */
export const openSamba: OpenBenchSource = async (company, folder) => {
  const file = join(folder, 'company.ldif');
  writePieces(file, companyLdif(STYLE, company));
  const samba = await startSamba({ ldifFile: file });
  rmSync(file);
  return {
    name: 'samba',
    config: directoryConfig(samba, NAMES),
    floors: directoryFloors(samba, NAMES),
    change: (from, to) => Promise.resolve(samba.modify(titlesLdif(STYLE, company, [from, to]))),
    move: () => Promise.resolve(samba.modify(moveLdif(STYLE, company))),
    stop: () => samba.stop(),
  };
};
