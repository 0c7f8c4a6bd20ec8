import { SearchRequest, type Filter } from 'ldapts';

import { FullReadNeededError } from '../../../domain/errors.ts';
import { ProtocolError } from '../ber/ber.ts';
import { PlainControl } from '../ber/controls.ts';
import { DIRSYNC, dirsyncValue, parseDirsync, type DirsyncDone } from '../ber/dirsync-control.ts';
import type { LdapConnection } from '../wire/ldap-connection.ts';
import { ldapError, type LdapTask } from '../wire/ldap-error.ts';
import type { LdapResult } from '../wire/parse-message.ts';
import type { RawEntry } from '../wire/raw-entry.ts';

/** One question for what changed. */
export interface DirsyncAsk {
  /** Top of a part of the directory: no other place may be asked. */
  readonly suffix: string;
  readonly filter: Filter;
  readonly cookie: Buffer;
  readonly timeLimitSeconds: number;
}

/** So many answers belong to one question. */
const MOST_ANSWERS = 10_000;

/**
 * Asks what changed; gives each entry to `onEntry`, and returns the cookie that has seen all of it. Throws a
 * `FullReadNeededError` where the server does not tell, and a `SourceError` where an answer does not come to its end.
 */
export async function dirsyncSearch(
  connection: LdapConnection,
  ask: DirsyncAsk,
  onEntry: (entry: RawEntry) => void,
): Promise<Buffer> {
  const doing = `asking what changed in ${ask.suffix}`;
  const task = { server: connection.server, path: 'source.people', doing, base: ask.suffix };
  let { cookie } = ask;
  for (let answers = 0; answers < MOST_ANSWERS; answers += 1) {
    const done = await oneAnswer(connection, { ...ask, cookie }, { task, onEntry });
    if (!done.hasMore) return done.cookie;
    cookie = done.cookie;
  }
  throw ldapError(new ProtocolError(`it has more than ${MOST_ANSWERS} answers to one question`), task);
}

async function oneAnswer(
  connection: LdapConnection,
  ask: DirsyncAsk,
  { task, onEntry }: { readonly task: LdapTask; readonly onEntry: (entry: RawEntry) => void },
): Promise<DirsyncDone> {
  const answer = connection.search(requestOf(ask), task);
  try {
    for (;;) {
      const part = await answer.take();
      if (part.told.length > 0) throw new ProtocolError('it tells what was not asked for');
      for (const entry of part.entries) onEntry(entry);
      if (part.result !== null) return doneOf(part.result);
    }
  } catch (error) {
    throw error instanceof FullReadNeededError ? error : ldapError(error, task);
  } finally {
    answer.drop();
  }
}

function doneOf(result: LdapResult): DirsyncDone {
  if (result.code !== 0) throw refused(result);
  const control = result.controls.find(({ type }) => type === DIRSYNC);
  if (control?.value == null) throw new ProtocolError('it does not end as an answer of DirSync does');
  return parseDirsync(control.value);
}

/** Returns the server's own words. */
function refused({ code, text }: LdapResult): FullReadNeededError {
  const said = text.replaceAll(/\s+/gu, ' ').trim();
  return new FullReadNeededError(
    `the server does not tell what changed since then: ${said} (result code ${code}); DirSync needs the right ` +
      'Replicating Directory Changes',
  );
}

function requestOf({ suffix, filter, cookie, timeLimitSeconds }: DirsyncAsk): SearchRequest {
  return new SearchRequest({
    messageId: -1,
    baseDN: suffix,
    scope: 'sub',
    filter,
    attributes: [],
    timeLimit: timeLimitSeconds,
    controls: [new PlainControl(DIRSYNC, dirsyncValue(cookie))],
  });
}
