import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { ConfigError } from '../../domain/errors.ts';
import type { Tls } from '../../domain/source-settings.ts';
import { readTlsFiles, type TlsPems } from '../../lib/http/tls-files.ts';

/** PEM files that show who is trusted, and who asks. */
export type TlsSettings = Tls & {
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
};

/** Returns whom to trust and what to show. A `caFile` replaces the authorities of the system. */
export function tlsTrust({
  insecure,
  ...files
}: TlsSettings): TlsPems & { readonly rejectUnauthorized: boolean } {
  const pems = readTlsFiles(
    files,
    (key, sentence, cause) => new ConfigError(`source.tls.${key}: ${sentence}.`, { cause }),
  );
  return { rejectUnauthorized: !insecure, ...pems };
}

/** Returns the options for `tls.connect` to `host`. */
export function tlsOptions(tls: TlsSettings, host: string): ConnectionOptions & TlsPems {
  return { host, ...(isIP(host) === 0 && { servername: host }), ...tlsTrust(tls) };
}
