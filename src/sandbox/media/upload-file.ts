import {
  checkedType,
  fieldOrQuery,
  imageKindOf,
  optionalText,
  readBytes,
  requiredFile,
  requireSame,
} from './given-file.ts';
import { keepMedia, type MediaOperation } from './media-service.ts';
import { requiredField, requiredObject } from '../operation/body-fields.ts';
import { requiredText } from '../operation/query.ts';
import { invalid } from '../operation/refused.ts';
import { isObject, type WireObject, type WireValue } from '../wire/wire-value.ts';

const ANY_TYPE = 'application/octet-stream';

/** Uploads a file as JSON (interface: Media, Upload file (JSON)). */
export const uploadFile: MediaOperation = async (service, request) => {
  const body = requiredObject(request.body);
  const name = requiredField(body, 'file_name');
  const metadata = readMetadata(body['file_metadata']);
  const digest = optionalText(body, 'file_digest');
  const spooled = await service.files.spoolBytes(readBytes(body, 'file_content', service));
  try {
    requireSame(spooled, { digest, size: '' });
    const type = (await imageKindOf(spooled.path, service))?.type ?? ANY_TYPE;
    return (await keepMedia(service, spooled, { name, type, metadata })).id;
  } finally {
    await service.files.drop(spooled);
  }
};

/**
 * Uploads a file as a form (interface: Media, Upload file (multipart)). Where `filename` stands is not shown: it
 * is looked for among the fields, in the query, and as the name of the part.
 */
export const uploadFileForm: MediaOperation = async (service, request) => {
  const digest = requiredText(request.query, 'file_digest');
  const size = requiredText(request.query, 'file_size');
  const file = requiredFile(request, 'file');
  const given = fieldOrQuery(request, 'filename');
  const name = given === '' ? file.name : given;
  if (name === '') throw invalid('filename is required');
  requireSame(file.spooled, { digest, size });
  const type = checkedType(file.type === '' ? ANY_TYPE : file.type);
  return (await keepMedia(service, file.spooled, { name, type, metadata: {} })).id;
};

function readMetadata(value: WireValue | undefined): WireObject {
  const metadata = value ?? {};
  if (!isObject(metadata)) throw invalid('file_metadata is no map of texts');
  if (!Object.values(metadata).every((text) => typeof text === 'string'))
    throw invalid('file_metadata has a value that is no text');
  return metadata;
}
