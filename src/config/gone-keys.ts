import type { Finding, Path } from '../schema/raw.ts';

/**
 * Keys, and values of keys, that rollcall does not have any more, with what to do instead. `source` stands for each of
 * `sources` as well, `lookups.NAME` for each table; indexes of lists are left out. docs/upgrade.md is made from it.
 */
export const GONE_KEYS: Readonly<Record<string, string>> = {
  'service.leaveVerbs': 'remove it: rollcall finds out which operations the service knows',
  'service.tls.serverName': 'use the name in the certificate as the host of baseUrl',
  'service.limits.unitsPerImport': 'remove it: an import that the service refuses is sent in halves',
  'service.limits.peoplePerImport': 'remove it: an import that the service refuses is sent in halves',
  'service.limits.timeoutSeconds': 'remove it: a call may take 30 seconds, a file as long as its bytes move',
  'service.limits.pageSize': 'remove it: a page that the service refuses is asked for in halves',
  'service.limits.namesPerQuery': 'remove it: rollcall finds out how many the service takes',
  'service.limits.shared.name': 'remove it: processes that call the same host share one pace',
  'lookups.NAME.separator': 'remove it: rollcall finds out what separates the columns',
  'source.bind': 'give tls.certFile without bindDn',
  'source.derefAliases': 'name each base: aliases are not followed',
  'source.pageSize': 'remove it: it is fixed',
  'source.referrals':
    'remove it: zones of an Active Directory are skipped; make any other server one of sources, or narrow the base',
  'source.startTls: true': 'remove it: ldap:// is encrypted without it',
  'source.vendor: auto':
    'remove it, and write every filter and field: the server is asked which vendor it is of',
  'source.vendor: generic': 'remove it, and write every filter and field',
  'source.tls.serverName': 'use the name in the certificate as the host of url',
  'source.complete.apartMinutes': 'use doneFile, which the export writes last',
  'source.complete.endsWithLineBreak': 'use doneFile or trailer',
  'source.complete.trailer.alsoCounts': 'let the trailer count the rows alone',
  'source.timeoutSeconds': 'remove it: it is fixed',
  'source.complete.quietSeconds':
    'remove it: a file must be unchanged for 10 seconds; doneFile or trailer prove more',
  'source.complete.atLeastPercent':
    'remove it: it is 80 percent; if so many records are really gone, run rollcall sync --full once',
  'source.quotes': 'remove it: only a cell that begins with a quote is enclosed by quotes',
  'source.trustTotals': 'write complete: { trust: WHY }, with the reason',
  'source.people.changes.overlapSeconds': 'remove it: it is 300 seconds',
  'source.units.noParent': `write an expression: parent: { expr: "up == '0' ? '' : up" }`,
  'source.units.members.depth': 'remove it: groups are followed through 10 others',
  'source.units.members.nested: none': 'write nested: units, or nested: people',
  'source.units.members: memberOf':
    'write member, uniqueMember or memberUid, which the groups themselves have',
  'source.units.members.by: memberOf':
    'write member, uniqueMember or memberUid, which the groups themselves have',
  'source.units.members.compare': 'remove it: memberUid is compared with uid',
  'source.people.join.shared': 'remove it: several people may share a partner',
  'sync.usernameChange': 'remove it: an account keeps its username, and status lists the difference',
  'sync.lockedElsewhere': 'remove it: an account that somebody else locked stays locked and is named',
  'sync.adopt': 'remove it: an adopted record is written once',
  'sync.positions': 'remove it: positions in units that rollcall does not manage stay',
  'sync.sourceFullCron': 'remove it: sync.fullCron reads all of source and service',
  'sync.runAtStart': 'remove it: the daemon begins with a run',
  'sync.leavers.missEveryMinutes': 'remove it: two such reads are at least 10 minutes apart',
  'sync.guard.lost':
    'remove it: this guard always holds; if the service keeps what an import does not send, set sync.unmapped: omit',
  'sync.guard.source': 'remove it: this guard always holds',
  'sync.guard.usernameReuse': 'remove it: this guard always holds',
  'sync.guard.unitsRenamed': 'remove it: a renamed value is a new unit, and other guards hold large renames',
  'state.historyFile': 'keep what rollcall history --since 1d --json prints once a day',
  'state.keepSource': 'use rollcall plan --config NEW',
  'notify.template': 'remove it: messages are texts',
  'notify.remindHours': 'remove it: a message is repeated after a day',
  'notify.page': 'remove it: the first message about held changes brings the plan as a page',
  'notify.quietHours': 'silence rollcall in the messenger',
  'notify.to.scopes': 'name people in notify.to.usernames',
  'approvals.callback.path': 'remove it: the address is /callback',
  'approvals.callback.iv': 'remove it: rollcall finds out the encryption',
  'approvals.callback.padding': 'remove it: rollcall finds out the encryption',
  'approvals.callback.derivation': 'remove it: rollcall finds out the encryption',
  'approvals.callback.sender': 'remove it: rollcall finds out the encryption',
  'approvals.callback.wantsSha256': 'remove it: rollcall finds out the encryption',
  'http.tls': 'put a proxy with TLS in front of rollcall',
};

interface Present {
  /** The configuration without the keys that are gone. */
  readonly raw: unknown;
  readonly findings: readonly Finding[];
}

/** Takes the keys that are gone out of a configuration, and names each of them with what to do instead. */
export function withoutGoneKeys(raw: unknown): Present {
  const findings: Finding[] = [];
  const present = (value: unknown, path: Path): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one: unknown, index) => present(one, [...path, index]));
    const kept = Object.entries(value).filter(([key, one]) => {
      const name = keyOf([...path, key]);
      const [own, ofValue] = [GONE_KEYS[name], GONE_KEYS[`${name}: ${String(one)}`]];
      const remedy = own ?? ofValue;
      const wrong = own === undefined ? `${String(one)} is gone` : 'is gone';
      if (remedy !== undefined)
        findings.push({ problem: 'config-gone-key', path: [...path, key], wrong, remedy });
      return remedy === undefined;
    });
    return Object.fromEntries(kept.map(([key, one]) => [key, present(one, [...path, key])]));
  };
  return { raw: present(raw, []), findings };
}

/** Returns a path as the table has it. */
function keyOf(path: Path): string {
  const [first, name, ...rest] = path.filter((key) => typeof key === 'string');
  if (first === 'sources') return ['source', ...rest].join('.');
  return [first, first === 'lookups' ? 'NAME' : name, ...rest].join('.');
}
