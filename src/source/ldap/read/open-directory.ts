import type { LdapVendor, RootValues } from '../../../domain/directories/vendors.ts';
import type { LdapSettings } from '../settings/ldap-settings.ts';
import type { Clock } from '../../../lib/clock.ts';
import { sourceSecret } from '../../connect/source-secret.ts';
import type { Refusals } from '../../connect/refusals.ts';
import { EntryKeys } from './attributes.ts';
import { accountsOf, knownAttributes, type Attributes, type WantedAttributes } from './known-attributes.ts';
import { partitionsOf } from '../wire/dn.ts';
import { LdapConnection, serverOf, type Server } from '../wire/connection.ts';
import { ldapProblem, UnansweredError } from '../wire/ldap-problems.ts';
import { readSchema } from '../wire/schema.ts';
import { chooseVendor, readRoot } from './vendor.ts';

/** The server that answers for one read, and what it says about itself. */
export interface Directory {
  readonly server: Server;
  /** Its first connection, bound. */
  readonly connection: LdapConnection;
  readonly attributes: Attributes;
  /** What it says about itself in its root entry. */
  readonly root: RootValues;
  /** Vendor of the directory; `null`: unknown. */
  readonly vendor: LdapVendor | null;
  /** Keys of people; `null`: increments are not wanted, or rollcall knows no key attribute of this server. */
  readonly keys: EntryKeys | null;
  /** Parts of it that hold no records, in canonical spelling. */
  readonly partitions: ReadonlySet<string>;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

interface Opening {
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'now'>;
  /** Gets a password that a command printed, for the log to hide. */
  readonly onSecret: (secret: string) => void;
  readonly refusals: Refusals;
}

/**
 * Opens the first server of the list that answers. Once it is open the read stays with it: a record that is
 * read from one server and its unit from another could contradict each other.
 */
export async function openDirectory(
  settings: LdapSettings,
  wanted: readonly WantedAttributes[],
  opening: Opening,
): Promise<Directory> {
  const secret = settings.bindPassword;
  const bindPassword = secret === undefined ? undefined : await sourceSecret(secret, 'source.bindPassword');
  if (bindPassword !== undefined) opening.onSecret(bindPassword);
  const failures: string[] = [];
  for (const url of [settings.url, ...(settings.otherUrls ?? [])]) {
    try {
      const account = `${settings.bindDn ?? ''} at ${serverOf(url)}`;
      const directory = await opening.refusals.tried(account, bindPassword ?? '', async () =>
        lookAt({ ...settings, url, bindPassword }, wanted, opening),
      );
      return failures.length === 0 ? directory : afterFailures(directory, failures);
    } catch (error) {
      if (!(error instanceof UnansweredError) || settings.otherUrls === undefined) throw error;
      failures.push(error.message);
    }
  }
  throw ldapProblem('ldap-no-server', { failures: failures.join(' ') });
}

function afterFailures(directory: Directory, failures: readonly string[]): Directory {
  const note = `read from ${serverOf(directory.server.url)}, since those before it in source.url do not answer`;
  return { ...directory, warnings: [`${note}: ${failures.join(' ')}`, ...directory.warnings] };
}

type OneServer = Omit<LdapSettings, 'bindPassword'> & Server;

async function lookAt(
  server: OneServer,
  wanted: readonly WantedAttributes[],
  { signal, clock }: Opening,
): Promise<Directory> {
  const connection = await LdapConnection.open(server, signal);
  try {
    const root = await readRoot(connection);
    const { vendor, note } = chooseVendor(server.vendor, root);
    const keyed = server.changes === 'auto' ? (vendor?.changes ?? null) : null;
    const keys = keyed === null ? null : new EntryKeys(keyed.key);
    const accounts = accountsOf(vendor, clock.now());
    const schema = await readSchema(connection, root);
    const hasGroups = server.units?.members !== undefined;
    const attributes = await knownAttributes({ connection, schema, accounts, hasGroups }, wanted);
    const facts = {
      root,
      vendor,
      partitions: partitionsOf(root),
      notes: [note],
      warnings: connection.warnings,
    };
    return { server, connection, attributes, keys, ...facts };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
