import type { ServiceView } from '../refresh/refresh-service.ts';
import type { SourceRead } from '../read/read-source.ts';

/** Both sides, read to their ends. */
export interface Sides {
  readonly source: SourceRead;
  readonly view: ServiceView;
}
