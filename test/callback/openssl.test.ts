import { execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { decrypt, type CipherSettings } from '../../src/callback/cipher.ts';
import { AES_MODES, IVS, PADDINGS, type Derivation } from '../../src/domain/settings.ts';
import { sign, type SignedText } from '../../src/callback/signature.ts';
import { frameOf, pad } from './seal.ts';

const openssl = (input: Buffer | string, ...args: readonly string[]): Buffer =>
  execFileSync('openssl', args, { input, stdio: ['pipe', 'pipe', 'pipe'] });

const digest = (kind: string, text: Buffer | string): string =>
  openssl(text, 'dgst', `-${kind}`, '-r').toString().slice(0, -' *stdin\n'.length);

const randomText = (): string => randomBytes(randomInt(1, 40)).toString('base64');

test('signatures over random strings, sorted by `sort`', () => {
  for (let round = 0; round < 10; round += 1) {
    const text: SignedText = {
      token: randomText(),
      timestamp: String(randomInt(2 ** 40)),
      nonce: randomText(),
      echo: randomText(),
    };
    const lines = Object.values(text).join('\n');
    const sorted = execFileSync('sort', { input: `${lines}\n`, env: { ...process.env, LC_ALL: 'C' } });
    const joined = sorted.toString().replaceAll('\n', '');
    expect(sign('sha1', text)).toBe(digest('sha1', joined));
    expect(sign('sha256', text)).toBe(digest('sha256', joined));
  }
});

/** Encrypts with openssl, the key and the IV as hex; returns Base64 of openssl as well. */
function sealWith(key: string, { mode, iv, padding }: CipherSettings, message: string): string {
  const prefix = randomBytes(16);
  const ivHex = { key: key.slice(0, 32), zero: '0'.repeat(32), prefix: prefix.toString('hex') }[iv ?? 'key'];
  const isCbc = mode?.endsWith('cbc') === true;
  const frame = pad(frameOf(Buffer.from(message), 'application'), padding === 'pkcs7-32' ? padding : 'none');
  const own = padding === 'pkcs7-16' ? [] : ['-nopad'];
  const blocks = openssl(frame, 'enc', `-${mode}`, '-K', key, ...(isCbc ? ['-iv', ivHex] : []), ...own);
  const all = isCbc && iv === 'prefix' ? Buffer.concat([prefix, blocks]) : blocks;
  return openssl(all, 'base64', '-A').toString();
}

test.each(AES_MODES)('random keys and messages in %s, every IV and padding', (mode) => {
  const bytes = Number(mode.slice(4, 7)) / 8;
  for (const iv of IVS) {
    for (const padding of PADDINGS) {
      const key = randomBytes(bytes);
      const text = `{"content":"${randomText()}"}`;
      const message = padding === 'none' ? text + ' '.repeat(-(31 + text.length) & 15) : text;
      const settings = { aesKey: key.toString('base64'), applicationId: 'application', mode, iv, padding };
      const encrypt = sealWith(key.toString('hex'), settings, message);
      expect(decrypt(settings, encrypt), `${iv} ${padding}`).toBe(message);
    }
  }
});

test.each<[Derivation, (text: string) => string]>([
  ['base64', (text) => openssl(`${text}=`, 'base64', '-d', '-A').toString('hex')],
  ['sha256', (text) => digest('sha256', text)],
  ['utf8', (text) => Buffer.from(text).toString('hex')],
  ['hex', (text) => text.toLowerCase()],
])('a key as %s', (derivation, toHex) => {
  const form = { base64: 43, sha256: 20, utf8: 32, md5: 0, hex: 64 }[derivation];
  const base = randomBytes(48);
  const text = (derivation === 'hex' ? base.toString('hex').toUpperCase() : base.toString('base64')).slice(
    0,
    form,
  );
  const settings = { aesKey: text, applicationId: 'application', derivation, padding: 'pkcs7-32' } as const;
  const encrypt = sealWith(toHex(text), { ...settings, mode: 'aes-256-cbc' }, 'a message');
  expect(decrypt(settings, encrypt)).toBe('a message');
});

test('a key as md5', () => {
  const text = randomText();
  const settings = {
    aesKey: text,
    applicationId: 'application',
    mode: 'aes-128-cbc',
    derivation: 'md5',
  } as const;
  const encrypt = sealWith(digest('md5', text), { ...settings, padding: 'pkcs7-32' }, 'a message');
  expect(decrypt(settings, encrypt)).toBe('a message');
});
