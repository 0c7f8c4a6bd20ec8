import { type RootValues } from '../../../domain/directories/vendors.ts';
import { SourceError } from '../../../domain/errors.ts';
import type { VendorName } from '../../../domain/source-choices.ts';
import type { LdapSettings, PasswordSource } from '../../../domain/source-settings.ts';
import { askCommand, CommandProblem } from '../../../lib/ask-command.ts';
import type { Clock } from '../../../lib/clock.ts';
import { EntryKeys, KEY_ATTRIBUTES } from './attributes.ts';
import { accountsOf, knownAttributes, type Attributes, type WantedAttributes } from './known-attributes.ts';
import { partitionsOf } from '../wire/dn.ts';
import { LdapConnection, serverOf, type ServerSettings } from '../wire/ldap-connection.ts';
import { UnansweredError } from '../wire/ldap-error.ts';
import { chooseVendor, readRoot } from '../wire/read-root.ts';
import { readSchema } from '../wire/schema.ts';

/** The server that answers for one read, and what it says about itself. */
export interface Directory {
  readonly server: ServerSettings;
  /** Its first connection, bound. */
  readonly connection: LdapConnection;
  readonly attributes: Attributes;
  /** What it says about itself in its root entry. */
  readonly root: RootValues;
  /** Whose it is; `null`: nobody's that is known. */
  readonly vendor: VendorName | null;
  /** Keys of people; `null`: nobody wants to know what changed, or nobody knows how this server calls them. */
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
  const bindPassword = await readPassword(settings.bindPassword);
  if (typeof settings.bindPassword === 'object') opening.onSecret(bindPassword ?? '');
  const failures: string[] = [];
  for (const url of [settings.url, ...(settings.otherUrls ?? [])]) {
    const startTls = settings.startTls && new URL(url).protocol === 'ldap:';
    try {
      const directory = await lookAt({ ...settings, url, startTls, bindPassword }, wanted, opening);
      return failures.length === 0 ? directory : afterFailures(directory, failures);
    } catch (error) {
      if (!(error instanceof UnansweredError) || settings.otherUrls === undefined) throw error;
      failures.push(error.message);
    }
  }
  throw new SourceError(`None of the servers in source.url answers: ${failures.join(' ')}`);
}

function afterFailures(directory: Directory, failures: readonly string[]): Directory {
  const note = `read from ${serverOf(directory.server.url)}, since those before it in source.url do not answer`;
  return { ...directory, warnings: [`${note}: ${failures.join(' ')}`, ...directory.warnings] };
}

type OneServer = Omit<LdapSettings, 'bindPassword'> & ServerSettings;

async function lookAt(
  server: OneServer,
  wanted: readonly WantedAttributes[],
  { signal, clock }: Opening,
): Promise<Directory> {
  const connection = await LdapConnection.open(server, signal);
  try {
    const root = await readRoot(connection);
    const { vendor, name, note } = chooseVendor(server, root);
    const keyed = server.changes === 'auto' && name !== null ? KEY_ATTRIBUTES[name] : null;
    const keys = keyed === null ? null : new EntryKeys(keyed);
    const accounts = accountsOf(vendor, clock.now());
    const schema = await readSchema(connection, root);
    const hasGroups = server.units?.members !== undefined;
    const attributes = await knownAttributes({ connection, schema, accounts, hasGroups }, wanted);
    const told = { root, vendor: name, partitions: partitionsOf(root), notes: [note], warnings: [] };
    return { server, connection, attributes, keys, ...told };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * Returns the password, without the line break at its end where a command prints it. Throws a `SourceError`
 * that says neither the password nor the command's arguments.
 */
async function readPassword(source: PasswordSource | undefined): Promise<string | undefined> {
  if (typeof source !== 'object') return source;
  const password = (await printed(source.command)).replace(/\r?\n$/u, '');
  const problem = problemOf(password);
  if (problem === null) return password;
  throw new SourceError(`source.bindPassword: what ${source.command[0] ?? ''} prints ${problem}.`);
}

async function printed(command: readonly string[]): Promise<string> {
  try {
    return await askCommand(command);
  } catch (error) {
    if (!(error instanceof CommandProblem)) throw error;
    throw new SourceError(`source.bindPassword: the command, ${error.message}: try it by hand.`);
  }
}

/** Returns what is wrong with a password; an empty one would bind as anonymous (RFC 4513, section 5.1.2). */
function problemOf(password: string): string | null {
  if (password === '') return 'is empty: it has to print the password alone';
  return /[\r\n]/u.test(password) ? 'has several lines: it has to print the password alone' : null;
}
