import type { UnitChange } from '../../domain/changes.ts';
import type { Pictures } from '../../domain/reading/source.ts';
import { UNIT_KINDS } from '../../plan/changes/kinds.ts';
import { digestIn } from '../../domain/records/logo.ts';
import type { Fields } from '../../domain/records/fields.ts';

/** The pictures of this run, and those that it has uploaded. */
export class LogoBook {
  /** Media ids by digest. */
  readonly uploaded = new Map<string, string>();
  #pictures: Pictures | undefined;

  /** Takes the pictures that were read. */
  take(pictures: Pictures | undefined): void {
    this.#pictures = pictures;
  }

  fileOf(digest: string): string | null {
    return this.#pictures?.fileOf(digest) ?? null;
  }

  /** Returns the fields with the media id that this run has uploaded as logo; without a logo, if it has not. */
  withMediaId(fields: Fields): Fields {
    const digest = digestIn(fields['logo']);
    if (digest === null) return fields;
    const { logo: _, ...rest } = fields;
    const mediaId = this.uploaded.get(digest);
    return mediaId === undefined ? rest : { ...rest, logo: mediaId };
  }

  /** Returns the fields of a unit as a change sends them: a picture only if it is sent anew. */
  fieldsOf(change: UnitChange): Fields {
    const { fields } = change.payload;
    if (digestIn(fields['logo']) === null || logoSentBy(change) !== null) return this.withMediaId(fields);
    const { logo: _, ...rest } = fields;
    return rest;
  }

  /** Removes the files of the pictures. */
  end(): void {
    this.#pictures?.end();
  }
}

/**
 * Returns the digest of the picture that a change sends: one that differs from the one sent, or is in doubt, or is for a new
 * node; `null`: none.
 */
export function logoSentBy({ kind, payload, fields }: UnitChange): string | null {
  const isSent =
    UNIT_KINDS[kind].makesNode ||
    fields.some(({ field }) => field === 'logo') ||
    (kind === 'update' && fields.every(({ field }) => field === 'serial_no'));
  return isSent && kind !== 'remove' ? digestIn(payload.fields['logo']) : null;
}
