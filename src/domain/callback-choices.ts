/**
 * What section Events of the interface leaves open about callbacks, and how it may be answered: the choices of the
 * configuration.
 */

/** `plain`: only `message` comes; `safe`: only `encrypt`; `compatible`: both. */
export const CALLBACK_MODES = ['plain', 'safe', 'compatible'] as const;
export type CallbackMode = (typeof CALLBACK_MODES)[number];

export const AES_MODES = [
  'aes-256-cbc',
  'aes-192-cbc',
  'aes-128-cbc',
  'aes-256-ecb',
  'aes-192-ecb',
  'aes-128-ecb',
] as const;
export type AesMode = (typeof AES_MODES)[number];

/** How the key comes from its text. */
export const DERIVATIONS = ['base64', 'hex', 'utf8', 'md5', 'sha256'] as const;
export type Derivation = (typeof DERIVATIONS)[number];

/**
 * `key`: the first 16 bytes of the key; `zero`: 16 zeros; `prefix`: the 16 bytes before the ciphertext. An IV changes
 * only the first block, which are the 16 random bytes: what was made with `key` opens with `zero`, and the reverse.
 */
export const IVS = ['key', 'zero', 'prefix'] as const;
export type Iv = (typeof IVS)[number];

/**
 * PKCS#7 to blocks of 32 or 16 bytes. `pkcs7-32` takes up to 32 bytes away and opens what was padded to 16 too, as
 * @wecom/crypto does. `none`: the frame fills the blocks by itself.
 */
export const PADDINGS = ['pkcs7-32', 'pkcs7-16', 'none'] as const;
export type Padding = (typeof PADDINGS)[number];

/** The field of a message that has the username of who wrote it. */
export const SENDER_FIELDS = ['from_user_name', 'from_user'] as const;
export type SenderField = (typeof SENDER_FIELDS)[number];
