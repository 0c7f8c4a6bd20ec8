import { once } from 'node:events';

/** Waits until the stream takes more. Returns `false` where nobody reads on, as behind `| head`. */
export async function drained(stream: NodeJS.WriteStream): Promise<boolean> {
  if (stream.writableNeedDrain && isOpen(stream)) {
    const over = new AbortController();
    const { signal } = over;
    // What goes wrong shows below; `main.ts` listens for errors.
    await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]).catch(
      () => undefined,
    );
    over.abort();
  }
  return isOpen(stream);
}

function isOpen({ writable, destroyed, errored }: NodeJS.WriteStream): boolean {
  return writable && !destroyed && errored === null;
}
