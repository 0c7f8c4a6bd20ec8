import { RefusedError, ServiceError } from '../../domain/errors.ts';
import type { Run } from '../state/world.ts';

/** The service neither shows the digest of a media nor says that there is no such media. */
export const NOT_TOLD = 'not told';

/**
 * Returns the digest that the service shows of a media, in lower case; `null`: it has no such media. Throws where the
 * service is down, and not only its media.
 */
export async function digestShown({ service, stop }: Run, mediaId: string): Promise<string | null> {
  try {
    const info = await service.mediaInfo(mediaId, stop);
    return info === null ? null : (info.digest?.toLowerCase() ?? NOT_TOLD);
  } catch (error) {
    if (error instanceof ServiceError) await service.root(stop);
    else if (!(error instanceof RefusedError)) throw error;
    return NOT_TOLD;
  }
}
