import { execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { decrypt } from '../../src/callback/cipher.ts';
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

test('random keys and messages, encrypted by openssl', () => {
  for (let round = 0; round < 10; round += 1) {
    const aesKey = randomBytes(32).toString('base64').slice(0, 43);
    const key = openssl(`${aesKey}=`, 'base64', '-d', '-A').toString('hex');
    const message = `{"content":"${randomText()}"}`;
    const frame = pad(frameOf(Buffer.from(message), 'application'));
    const blocks = openssl(frame, 'enc', '-aes-256-cbc', '-K', key, '-iv', key.slice(0, 32), '-nopad');
    const encrypt = openssl(blocks, 'base64', '-A').toString();
    expect(decrypt({ aesKey, applicationId: 'application' }, encrypt)).toBe(message);
  }
});
