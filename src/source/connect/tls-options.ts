import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { ConfigError } from '../../domain/errors.ts';
import type { Tls } from '../../domain/source-settings.ts';
import { readTlsFiles } from '../../lib/http/tls-files.ts';

/** Returns the options for `tls.connect` to `host`. A `caFile` replaces the authorities of the system. */
export function tlsOptions(
  {
    insecure,
    ...files
  }: Tls & { readonly certFile?: string | undefined; readonly keyFile?: string | undefined },
  host: string,
): ConnectionOptions & { readonly ca?: string } {
  const pems = readTlsFiles(
    files,
    (key, sentence, cause) => new ConfigError(`source.tls.${key}: ${sentence}.`, { cause }),
  );
  return { host, rejectUnauthorized: !insecure, ...(isIP(host) === 0 && { servername: host }), ...pems };
}
