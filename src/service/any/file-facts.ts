import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Problem } from '../../interface/requests/problem.ts';
import { isMd5 } from '../../interface/terms/digest.ts';
import type { FROM_FILE } from '../../interface/terms/stand-ins.ts';
import type { Operation } from '../../interface/terms/operation.ts';
import { bytesOf, fileToSend } from '../files/file-to-send.ts';
import type { Params } from './arrange.ts';

/** Parameters that are counted from the file, and what the file has in their place. */
const COUNTED: Readonly<Record<string, (fact: string) => string>> = {
  file_size: (size) => `the file has ${size} bytes`,
  file_digest: (digest) => `the MD5 of the file is ${digest}`,
  digest: (digest) => `the MD5 of the file is ${digest}`,
};

/** Returns where parameters say something else of the file than it is. */
export function otherFacts({ query }: Operation, facts: Params, given: Params): readonly Problem[] {
  return Object.entries(COUNTED).flatMap(([name, wordsOf]) => {
    const [said = '', fact = ''] = [given[name], facts[name]];
    if (said === '' || fact === '' || isSame(name, said, fact)) return [];
    const place = `${Object.hasOwn(query, name) ? 'query' : 'form'} ${name}`;
    return [{ place, text: `is ${said}, and ${wordsOf(fact)}` }];
  });
}

/**
 * A digest that looks like MD5 may be written in either case, and any other may be of another kind: the interface says
 * "typically MD5". A size that is no number is told by the row.
 */
function isSame(name: string, said: string, fact: string): boolean {
  if (name !== 'file_size') return said.toLowerCase() === fact || !isMd5(said);
  return said === fact || !/^\d+$/u.test(said);
}

/**
 * Returns what uploads say of a file (interface, Media): its size, its name, and its digest as lower-case MD5 in hex.
 * Throws a FileError about a file that cannot be sent.
 */
export async function factsOf(path: string): Promise<Readonly<Record<(typeof FROM_FILE)[number], string>>> {
  const file = await fileToSend(path);
  const hash = createHash('md5');
  for await (const chunk of bytesOf(file)) hash.update(chunk);
  const digest = hash.digest('hex');
  return { file_digest: digest, digest, file_size: String(file.size), filename: basename(path) };
}
