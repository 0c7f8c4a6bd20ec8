import { compressImage } from './compress-image.ts';
import { downloadFile, mediaInfo, viewImage } from './media-reads.ts';
import type { BytesOperation, MediaOperation } from './media-service.ts';
import { translateMedia } from './translate-media.ts';
import { uploadFile, uploadFileForm } from './upload-file.ts';
import { uploadImage, uploadImageForm } from './upload-image.ts';

/** A route whose work waits for files; `bytes` where the answer is no envelope. */
export interface MediaRoute {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly serve?: MediaOperation;
  readonly bytes?: BytesOperation;
  readonly domain?: true;
  /** Whether it takes forms, where two operations share method and path. */
  readonly form?: boolean;
}

const BASE = '/v1/medias';

/** Routes of the interface's Media, in order: a fixed part comes before a variable one in the same place. */
export const MEDIA_ROUTES: readonly MediaRoute[] = [
  { name: 'uploadImageForm', method: 'POST', path: `${BASE}/images`, serve: uploadImageForm, form: true },
  { name: 'uploadImage', method: 'POST', path: `${BASE}/images`, serve: uploadImage, form: false },
  { name: 'compressImage', method: 'POST', path: `${BASE}/compress`, serve: compressImage },
  { name: 'uploadFileForm', method: 'POST', path: BASE, serve: uploadFileForm, form: true },
  { name: 'uploadFile', method: 'POST', path: BASE, serve: uploadFile, form: false },
  { name: 'viewImage', method: 'GET', path: `${BASE}/images/:media`, bytes: viewImage, domain: true },
  { name: 'mediaInfo', method: 'GET', path: `${BASE}/:media/info`, serve: mediaInfo },
  { name: 'translateMedia', method: 'GET', path: `${BASE}/:media/translate`, serve: translateMedia },
  { name: 'downloadFile', method: 'GET', path: `${BASE}/:media`, bytes: downloadFile, domain: true },
];
