import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startSlapd } from '../../servers/slapd.ts';
import { writePieces } from '../write-lines.ts';
import type { OpenBenchSource } from './bench-source.ts';
import { directoryConfig, directoryFloors } from './directory-config.ts';
import { baseOf, companyLdif, moveLdif, titlesLdif, type DirectoryStyle } from './directory-ldif.ts';

const STYLE: DirectoryStyle = {
  suffix: 'dc=example,dc=com',
  rdn: 'uid',
  personClass: 'inetOrgPerson',
  more: ({ username }, name) => `uid: ${username}\ncn:: ${name}\nsn:: ${name}\n`,
};

const NAMES = {
  base: baseOf(STYLE),
  filter: '(objectClass=inetOrgPerson)',
  id: 'entryUUID',
  username: 'uid',
  name: 'cn',
};

/** How a server tells what changed (RFC 4533), with the indexes that its manual asks for. */
const SYNCPROV = {
  head: 'moduleload syncprov',
  config: 'index entryCSN,entryUUID eq\noverlay syncprov\nsyncprov-sessionlog 10000',
} as const;

/** OpenLDAP, filled by slapadd. */
export const openSlapd: OpenBenchSource = async (company, folder) => {
  const slapd = await startSlapd(SYNCPROV);
  const file = join(folder, 'company.ldif');
  writePieces(file, companyLdif(STYLE, company));
  await slapd.loadFile(file);
  rmSync(file);
  return {
    name: 'slapd',
    config: directoryConfig(slapd, NAMES),
    floors: directoryFloors(slapd, NAMES),
    change: (from, to) => Promise.resolve(slapd.modify(titlesLdif(STYLE, company, [from, to]))),
    move: () => Promise.resolve(slapd.modify(moveLdif(STYLE, company))),
    stop: () => slapd.stop(),
  };
};
