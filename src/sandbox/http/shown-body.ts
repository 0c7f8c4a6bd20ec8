/** Characters of a body that are kept; of a longer one the beginning. */
const KEPT = 4096;

/** Fields that nobody is shown, in whatever part of a body they stand. */
const SECRET = /password|credential|source_?identifier|secret|token|authorization|id_?card/iu;

/** A text (perhaps cut), a number or word, a sign, white space; whatever else is no JSON. */
const TOKEN = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|[-+.\w]+|[{}[\]:,]|\s+/gu;

/** Returns the beginning of a JSON body as people may see it: without secrets, and of other bodies only the length. */
export function shownBody(body: string): string {
  if (body.trim() === '') return '';
  const begin = body.slice(0, KEPT);
  const tokens = begin.match(TOKEN) ?? [];
  if (!/^\s*[[{]/u.test(begin) || tokens.join('') !== begin) return `(no JSON, ${body.length} characters)`;
  const more = body.length > KEPT ? ` … (${body.length} characters)` : '';
  return `${withoutSecrets(tokens)}${more}`;
}

function withoutSecrets(tokens: readonly string[]): string {
  const shown: string[] = [];
  let name = '';
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    shown.push(token);
    if (token.startsWith('"')) name = token;
    if (token !== ':' || !SECRET.test(decoded(name))) continue;
    at = endOfValue(tokens, at + 1);
    shown.push('"[secret]"');
  }
  return shown.join('');
}

/** Returns the index of the last token of a value, with everything in it. */
function endOfValue(tokens: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 0 && token.trim() !== '') return at;
  }
  return tokens.length;
}

/** Returns a name as it is meant: `pass\u0077ord` is a password too. */
function decoded(name: string): string {
  try {
    return String(JSON.parse(name));
  } catch {
    return name;
  }
}
