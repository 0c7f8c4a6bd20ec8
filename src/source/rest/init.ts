import { ConfigError } from '../../domain/errors.ts';
import type { KindInit } from '../init/init-kind.ts';
import type { RestSettings } from './kind.ts';

export const restInit: KindInit<RestSettings> = {
  draft() {
    throw new ConfigError(
      'rollcall init: --kind rest is not there yet; write the file by docs/sources/rest.md.',
    );
  },
};
