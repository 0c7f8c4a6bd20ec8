/**
 * Loaded before a program (`node --import`) that knows nothing of it: when the process ends, it writes into the file
 * BENCH_ALLOCATIONS who has allocated how much. `node --heap-prof` tells only what is still alive at the end, which of
 * a run that has ended is next to nothing.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const SAMPLE_BYTES = 32_768;

const file = process.env['BENCH_ALLOCATIONS'];
if (file !== undefined) {
  const session = new Session();
  session.connect();
  const all = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  session.post('HeapProfiler.startSampling', { samplingInterval: SAMPLE_BYTES, ...all });
  process.once('exit', () => {
    session.post('HeapProfiler.stopSampling', (error, result) => {
      if (error === null) writeFileSync(file, JSON.stringify(result.profile));
    });
  });
}
