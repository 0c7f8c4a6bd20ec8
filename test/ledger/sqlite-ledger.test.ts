import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openLedger } from '../../src/ledger/open-ledger.ts';
import { describeLedger } from './ledger-contract.ts';

const BINDING = 'example/acme';

for (const mode of ['write', 'scratch'] as const) {
  describeLedger(`SQLite (${mode})`, (clock) => {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-ledger-'));
    const options = { path: join(folder, 'ledger.db'), binding: BINDING, now: () => clock.now, mode };
    const ledger = openLedger(options);
    return {
      ledger,
      other: () => (mode === 'write' ? openLedger(options) : null),
      stop() {
        ledger.close();
        rmSync(folder, { recursive: true });
      },
    };
  });
}
