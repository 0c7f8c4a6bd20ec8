import { extname } from 'node:path';
import type { Attachment, Uploaded } from '../../domain/ports/messenger.ts';
import { OPERATIONS } from '../../interface/operations/operations.ts';
import { endpoint } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';
import { factsOf, fileToSend } from '../files/file-to-send.ts';
import { idOf } from '../wire/decode.ts';

interface Picture {
  readonly path: string;
  readonly digest: string;
}

/**
 * Uploads a picture (interface, Media: Upload image). Nothing is said of size, quality or format: a service that was
 * asked for one would encode the picture anew, and show another digest. Throws a FileError if the file cannot be sent.
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
      body: { form: { fields: { file_type: contentType }, file: { part: 'file', path, contentType } } },
      decode: mediaIdOf,
    },
    signal,
  );
}

/** Uploads any file (interface, Media: Upload file). */
export async function uploadFile(
  client: Client,
  { path, name, contentType }: Attachment,
  signal: AbortSignal,
): Promise<Uploaded> {
  const { file_digest, file_size } = await factsOf(path);
  const mediaId = await client.call(
    {
      ...endpoint(OPERATIONS.uploadFileForm, {}),
      query: { file_digest, file_size, filename: name },
      body: {
        form: { fields: { filename: name }, file: { part: 'file', path, fileName: name, contentType } },
      },
      decode: mediaIdOf,
    },
    signal,
  );
  return { mediaId, size: Number(file_size) };
}

const mediaIdOf = (result: unknown): string => idOf(result, 'the id of the media');
