import type { Part } from './words.ts';
import type { Service } from '../../domain/ports/service.ts';
import { printable } from '../../domain/text/printable.ts';

/** Reads the root, and compares the clocks. */
export async function checkService(service: Service, baseUrl: string, signal: AbortSignal): Promise<Part> {
  const root = await service.root(signal);
  const skew = Math.round((service.now() - Date.now()) / 1000);
  const clock =
    Math.abs(skew) < 5 ? '' : `, its clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}`;
  const head = `${printable(baseUrl)}: root "${printable(root.name)}" (${printable(root.id)})${clock}`;
  return { verdict: 'ok', head, lines: [] };
}
