import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FoundRoute } from './choose-route.ts';
import type { MediaFiles } from '../media/media-files.ts';
import { isForm, receiveForm, type Form } from '../media/receive-form.ts';
import type { Route } from './routes.ts';

/** The body of a call: its text, or a form whose files are on disk. */
export interface ReceivedBody {
  readonly bytes: number;
  readonly text: string;
  /** Whether the text is what came: other bytes than UTF-8 cannot be read. */
  readonly isText: boolean;
  readonly form: Form | undefined;
}

/** Reads all of a body. A form is taken apart only where an operation on medias was called. */
export async function receiveBody(
  request: IncomingMessage,
  found: FoundRoute<Route> | undefined,
  files: MediaFiles,
): Promise<ReceivedBody> {
  const media = found !== undefined && found.route.run === undefined;
  if (media && isForm(request.headers['content-type'] ?? '')) {
    const form = await receiveForm(request, files);
    return { bytes: form.bytes, text: '', isText: true, form };
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  return { bytes: whole.length, text: whole.toString('utf8'), isText: isUtf8(whole), form: undefined };
}

/** Removes the files of a form that were not kept. */
export async function dropFiles({ form }: ReceivedBody, files: MediaFiles): Promise<void> {
  for (const { spooled } of form?.files ?? []) await files.drop(spooled);
}
