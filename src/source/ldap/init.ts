import { KNOWN_ENDS } from '../../domain/directories/known-ends.ts';
import { ACCOUNT_ACTIVE, VENDORS } from '../../domain/directories/vendors.ts';
import type { LdapSettings } from './settings/ldap-settings.ts';
import { sourceSecret } from '../connect/source-secret.ts';
import { missingFlag, Password, tlsOf, urlOf, withHead, type KindInit } from '../init/init-kind.ts';
import { columnOf } from './init/directory-facts.ts';
import { proposeDirectory } from './init/propose-directory.ts';
import { surveyDirectory } from './init/survey-directory.ts';

export const ldapInit: KindInit<LdapSettings> = {
  async draft(flags, signal) {
    const { base, bindDn } = flags;
    if (bindDn === undefined && !flags.anonymous) throw missingFlag('--bind-dn (or --anonymous)');
    const url = urlOf(flags);
    const bindPassword = bindDn === undefined ? undefined : new Password(flags);
    const tls = tlsOf(flags);
    const access = { url, bindDn, bindPassword: bindPassword?.text, tls: tls.access };
    const draft = proposeDirectory(await surveyDirectory(access, base, signal), flags.units);
    return withHead(draft, { type: 'ldap', url, bindDn, bindPassword, tls: tls.written });
  },

  /** Returns the known ends and locks that accounts have, but for those that `account_active` reads. */
  async columns({ people, bindPassword: secret, ...settings }, part, { signal }) {
    if (people === undefined || part !== 'people') return [];
    const bindPassword = secret === undefined ? undefined : await sourceSecret(secret, 'source.bindPassword');
    const filter = `(&${people.filter}(|${KNOWN_ENDS.map((name) => `(${name}=*)`).join('')}))`;
    const found = await surveyDirectory({ ...settings, bindPassword }, people.bases[0], signal, [filter]);
    const isRead = found.vendor !== null && JSON.stringify(people.rules).includes(ACCOUNT_ACTIVE);
    const reads = isRead ? VENDORS[found.vendor].active.reads : [];
    return KNOWN_ENDS.filter((name) => !reads.includes(name)).map((name) => columnOf(found.people, name));
  },
};
