import { expect } from 'vitest';
import { CallbackError } from '../../src/callback/callback-error.ts';

/*
 * Made on a command line, with nothing of this project:
 *
 *   KEY=jWmYm7qr5nMoAUwZRjGtBxmz3KA1tkAj3ykkR6q2B2C APP=app-7f3a MSG='…MESSAGE below, 101 bytes…'
 *   frame() { printf '0123456789abcdef'; printf '\x00\x00\x00\x65'; printf '%s' "$MSG" "$APP"; }     # 129 bytes
 *   K=$(printf '%s=' $KEY | openssl base64 -d -A | od -An -vtx1 | tr -d ' \n')
 *   { frame; for i in $(seq 31); do printf '\x1f'; done; } |
 *     openssl enc -aes-256-cbc -nopad -K $K -iv ${K:0:32} | openssl base64 -A                         # ENCRYPT
 *   printf '%s\n' "$TOKEN" "$TIMESTAMP" "$NONCE" "$ENCRYPT" | LC_ALL=C sort | tr -d '\n' | openssl dgst -sha1 -r
 */
export const AES_KEY = 'jWmYm7qr5nMoAUwZRjGtBxmz3KA1tkAj3ykkR6q2B2C';
export const APPLICATION = 'app-7f3a';
export const MESSAGE =
  '{"msg_type":"text","from_user_name":"ann","create_time":1700000000123456789,"content":"Grüße 🚀"}';
export const ENCRYPT =
  'sKqRbbiSUnDhFHOvPjtUMXw+YN4ze2i3JbIghhCoc7lF+dSGGVezYtO5bNKRJNPB51RSy+/snSKsLHblqTgbzzuFmD3MVHSE2qD+xuBZVBHj' +
  'iX+CZmIcoKHSXptLpDAp0pblp6AhXllo4NOnwEfUyRd8VTUQAUxqxsKtEaDPZSA8RZ5EKvwigqSmgVAfOSSdooWlCvLsm+S0yN4c0cWSSw==';
export const TOKEN = 'hJqcu3uJ9Tn2gXPmxx2w2kkCkCE2EPYo';
export const TIMESTAMP = '1700000000';
export const NONCE = '1320562132';
/** Over ENCRYPT. */
export const SHA1 = '3fcd06bc964b59ee2375c00ccabec0272b541395';
export const SHA256 = 'c432de18444989116697f1082f1b85711d0306884cec2a8a352bb14e2a34e6ad';
/** Over MESSAGE. */
export const PLAIN_SHA1 = '5b9880ecf4e280e07c65f3966b5b57b9c5947ca3';
export const PLAIN_SHA256 = '08f4569a957e9c3f3773c8bae35dde29250f296054a13e8dfa002a612e473956';

const SECRETS = [AES_KEY, TOKEN, ENCRYPT, NONCE, 'Grüße', 'from_user_name":'];

/** Returns the kind and the sentence of a refusal, which holds nothing secret and nothing of the sender. */
export function refusal(open: () => unknown): { readonly kind: string; readonly sentence: string } {
  try {
    open();
  } catch (error) {
    if (!(error instanceof CallbackError)) throw error;
    expect(error.cause).toBeUndefined();
    expect(error.message).toMatch(/^Callback (?:query|body|settings): [^\n]+\.$/u);
    for (const secret of SECRETS) expect(error.message).not.toContain(secret);
    return { kind: error.kind, sentence: error.message };
  }
  return { kind: 'opened', sentence: '' };
}
