import type { ServiceView } from '../refresh/refresh-service.ts';
import type { SourceRead } from '../read/read-source.ts';

/** Source and service, each read to its end. */
export interface Sides {
  readonly source: SourceRead;
  readonly view: ServiceView;
}
