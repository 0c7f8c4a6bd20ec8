import type { MediaFiles, Spooled } from './media-files.ts';
import type { Form } from './receive-form.ts';
import type { MediaRecord } from '../world/records.ts';
import type { Service } from '../operation/service.ts';
import type { WireValue } from '../wire/wire-value.ts';
import type { Readable } from 'node:stream';

/** What the operations on medias work with; they change and see the world without a delay. */
export interface MediaService extends Service {
  readonly files: MediaFiles;
}

export interface MediaRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: WireValue | undefined;
  readonly form: Form | undefined;
}

/** An answer that is bytes. */
export interface Bytes {
  readonly headers: Readonly<Record<string, string>>;
  readonly size: number;
  /** Opens the bytes, or the first ones of them. */
  readonly open: (length?: number) => Promise<Readable>;
}

/** Returns the `result` of the envelope, or throws Refused. */
export type MediaOperation = (service: MediaService, request: MediaRequest) => Promise<WireValue>;

/** Returns the bytes of the answer, or throws Refused. */
export type BytesOperation = (service: MediaService, request: MediaRequest) => Promise<Bytes>;

export type MediaDraft = Pick<MediaRecord, 'name' | 'type' | 'metadata'>;

/** Keeps bytes, and the record of them: the file first, so that no record is without one. */
export async function keepMedia(
  service: MediaService,
  spooled: Spooled,
  { name, type, metadata }: MediaDraft,
): Promise<MediaRecord> {
  await service.files.keep(spooled);
  const { digest, size } = spooled;
  const id = service.ids.take();
  return service.world.medias.put({ id, name, digest, size, type, metadata, refreshed: service.now() });
}

/** Keeps bytes that are in memory. */
export async function keepBytes(
  service: MediaService,
  bytes: Uint8Array,
  draft: MediaDraft,
): Promise<MediaRecord> {
  return keepMedia(service, await service.files.spoolBytes(bytes), draft);
}
