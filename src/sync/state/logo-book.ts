import type { Logos } from '../../domain/ports/ledger/units.ts';
import type { Pictures } from '../../domain/reading/source.ts';

/** The pictures of this run, and those that the service has from us. */
export class LogoBook {
  readonly #ledger: Logos;
  readonly #mediaIds: Map<string, string>;
  readonly #digests: Map<string, string>;
  #pictures: Pictures | undefined;

  constructor(ledger: Logos) {
    this.#ledger = ledger;
    this.#mediaIds = new Map(ledger.all());
    this.#digests = new Map([...this.#mediaIds].map(([digest, mediaId]) => [mediaId, digest]));
  }

  get isEmpty(): boolean {
    return this.#mediaIds.size === 0;
  }

  mediaIdOf(digest: string): string | undefined {
    return this.#mediaIds.get(digest);
  }

  digestOf(mediaId: string): string | undefined {
    return this.#digests.get(mediaId);
  }

  /** Remembers at once, so that a crash right after does not upload the picture again. */
  remember(digest: string, mediaId: string): void {
    this.#ledger.set(digest, mediaId);
    this.#drop(digest);
    this.#mediaIds.set(digest, mediaId);
    this.#digests.set(mediaId, digest);
  }

  forget(digest: string): void {
    this.#ledger.set(digest, null);
    this.#drop(digest);
  }

  /** Takes the pictures that were read. */
  take(pictures: Pictures | undefined): void {
    this.#pictures = pictures;
  }

  fileOf(digest: string): string | null {
    return this.#pictures?.fileOf(digest) ?? null;
  }

  /** Removes the files of the pictures. */
  end(): void {
    this.#pictures?.end();
  }

  /** A media id that the digest no longer has is somebody else's, or gone. */
  #drop(digest: string): void {
    const mediaId = this.#mediaIds.get(digest);
    if (mediaId !== undefined) this.#digests.delete(mediaId);
    this.#mediaIds.delete(digest);
  }
}
