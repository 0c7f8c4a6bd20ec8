import { basename, extname } from 'node:path';
import type { MediaInfo } from '../../domain/ports/service.ts';
import { OPERATIONS } from '../../interface/operations.ts';
import type { Client } from '../calls/client.ts';
import { endpoint } from '../calls/endpoint.ts';
import { fileToSend } from '../files/file-to-send.ts';
import { valueOrNone } from '../organizations/value-or-none.ts';
import { idOf, objectOf, textOrNull } from '../wire/decode.ts';

interface Picture {
  readonly path: string;
  readonly digest: string;
}

/**
 * Uploads a picture (interface, Media: Upload image). Nothing is said of size, quality or format: a service that was
 * asked for one would encode the picture anew, and show another digest.
 */
export async function uploadImage(
  client: Client,
  { path, digest }: Picture,
  signal: AbortSignal,
): Promise<string> {
  const ending = extname(path).slice(1);
  const contentType = `image/${ending === 'jpg' ? 'jpeg' : ending}`;
  const { size } = await fileToSend(path);
  return client.call(
    {
      ...endpoint(OPERATIONS.uploadImageForm, {}),
      query: { file_digest: digest, file_size: String(size) },
      body: {
        form: {
          fields: { file_type: contentType },
          file: { part: 'file', path, fileName: basename(path), contentType },
        },
      },
      decode: (result) => idOf(result, 'the id of the media'),
    },
    signal,
  );
}

/** Asks about a media by its id (interface, Media: File info). */
export async function mediaInfo(client: Client, id: string, signal: AbortSignal): Promise<MediaInfo | null> {
  const reply = await client.ask(
    {
      ...endpoint(OPERATIONS.mediaInfo, { media_id_or_media_md5: id }),
      query: { type: 'ID' },
      decode: infoOrNull,
    },
    signal,
  );
  return valueOrNone(reply);
}

function infoOrNull(result: unknown): MediaInfo | null {
  if (result === null || result === undefined) return null;
  return { digest: textOrNull(objectOf(result, 'a media')['digest']) };
}
