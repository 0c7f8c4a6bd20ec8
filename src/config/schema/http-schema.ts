import { REMEDY, section } from './checks/section.ts';
import { text } from './values.ts';

const MOST_PORTS = 65_535;

const listen = text
  .default('127.0.0.1:8080')
  .refine((address) => addressOf(address) !== null, {
    error: `is no address to listen on${REMEDY}write host:port, as in 127.0.0.1:8080, 0.0.0.0:8080 or [::1]:8080`,
    abort: true,
  })
  .describe('host:port; the default can be reached from this machine alone. Port 0 takes a free one.')
  .transform((address) => addressOf(address) ?? { host: '127.0.0.1', port: 0 });

interface Address {
  readonly host: string;
  readonly port: number;
}

function addressOf(address: string): Address | null {
  const [, six, host = six, port = ''] =
    /^(?:\[([\da-f:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/iu.exec(address) ?? [];
  if (host === undefined || Number(port) > MOST_PORTS) return null;
  return { host, port: Number(port) };
}

export const httpSchema = section({
  listen,
  tls: section({
    certFile: text.describe('PEM file of the certificate, with those between it and its authority.'),
    keyFile: text.describe('PEM file of its private key, without a passphrase.'),
  })
    .optional()
    .describe('Answers by HTTPS.'),
}).describe('The daemon answers /healthz, /readyz and /metrics there; without it, it listens nowhere.');
